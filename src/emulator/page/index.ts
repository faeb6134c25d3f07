import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { html } from "hono/html";
import { type Context } from "hono";
import { collectionsOf } from "../control/collections";
import { type Emulation } from "../emulation";
import { type Env } from "../http/env";
import { guarded } from "../http/local";
import { cataloguePage } from "./catalogue-page";
import { faultsPage } from "./faults-page";
import { collectionPage } from "./collection-page";
import { layout } from "./layout";
import { objectPage } from "./object-page";
import { overviewPage } from "./overview-page";
import { ICON } from "./icon";
import { type Html } from "./parts";
import { requestsPage } from "./requests-page";
import { SCRIPT } from "./script";
import { STYLE } from "./style";
import { PAGE_PATH, type View } from "./view";

/** Allows only the style and the script of the page, and no frame. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const secured = createMiddleware<Env>(async (c, next) => {
  c.header("content-security-policy", POLICY);
  c.header("cache-control", "no-store");
  c.header("cross-origin-resource-policy", "same-origin");
  c.header("referrer-policy", "no-referrer");
  c.header("x-content-type-options", "nosniff");
  await next();
});

function missingPage() {
  const main = html`<h1>Not found</h1>
    <p>This object does not exist, or it was removed. <a href="/">Overview</a></p>`;
  return { title: "Not found", main };
}

/** The page for people. It is read-only. */
export function pageRoutes(emulation: Emulation): Hono<Env> {
  const collections = collectionsOf(emulation.store);
  const { clock } = emulation.store;
  const page = new Hono<Env>();
  const guards = [guarded("The page", emulation.publicOrigin), secured] as const;

  const show = (make: (view: View) => { title: string; main: Html }) => (c: Context<Env>) => {
    const { origin } = new URL(c.req.url);
    const view = { emulation, collections, now: clock.now(), origin, path: c.req.path, query: c.req.query() };
    return c.html(layout(view, make(view)));
  };
  const missing = (c: Context<Env>) => {
    c.status(404);
    return show(missingPage)(c);
  };

  page.get("/", ...guards, show(overviewPage));
  page.use(`${PAGE_PATH}/*`, ...guards);
  page.get(`${PAGE_PATH}/page.css`, (c) => c.body(STYLE, 200, { "content-type": "text/css; charset=utf-8" }));
  page.get(`${PAGE_PATH}/page.js`, (c) =>
    c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
  );
  page.get(`${PAGE_PATH}/icon.svg`, (c) => c.body(ICON, 200, { "content-type": "image/svg+xml" }));
  page.get(`${PAGE_PATH}/requests`, show(requestsPage));
  page.get(`${PAGE_PATH}/faults`, show(faultsPage));
  page.get(`${PAGE_PATH}/catalogue`, show(cataloguePage));
  page.get(`${PAGE_PATH}/:collection`, (c) => {
    const collection = collections.get(c.req.param("collection"));
    return collection ? show((view) => collectionPage(view, collection))(c) : missing(c);
  });
  page.get(`${PAGE_PATH}/:collection/:id{.+}`, (c) => {
    const { collection: name, id } = c.req.param();
    const collection = collections.get(name);
    const entity = collection?.find(id);
    return collection && entity ? show((view) => objectPage(view, { collection, entity }))(c) : missing(c);
  });
  return page;
}
