import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { html } from "hono/html";
import { type Context } from "hono";
import { collectionsOf } from "../control/collections";
import { type Emulation } from "../emulation/emulation";
import { type Env } from "../http/env";
import { guarded } from "../http/local";
import { cataloguePage } from "./catalogue-page";
import { faultsPage } from "./faults-page";
import { collectionPage } from "./collection-page";
import { layout } from "./layout";
import { objectPage } from "./object-page";
import { overviewPage } from "./overview-page";
import { type Html } from "./parts";
import { requestsPage } from "./requests-page";
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

/** The files that the pages refer to. The compiler does not copy them, so a build reads them in `src` too. */
const FILES = {
  "page.css": "text/css",
  "content.css": "text/css",
  "page.js": "text/javascript",
  "icon.svg": "image/svg+xml",
};
const FOLDER = join(__dirname, "../../../src/emulator/page/browser");

const secured = createMiddleware<Env>(async (c, next) => {
  c.header("content-security-policy", POLICY);
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "no-referrer");
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
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(join(FOLDER, name), "utf8");
    page.get(`${PAGE_PATH}/${name}`, (c) => c.body(text, 200, { "content-type": `${type}; charset=utf-8` }));
  }
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
