import axe, { type AxeResults } from "axe-core";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type Page } from "playwright-core";
import { cleanEnvironment } from "../../scripts/environment.cjs";
import { HANGS_MS, startBrowser } from "../helpers/browser";
import { findTool } from "../helpers/debian-tools";
import { ROOT } from "../helpers/programs";

/** Builds the site, which fails on a link that leads nowhere and on a page without a way to it. */
async function build(): Promise<string> {
  const script = join(ROOT, "scripts/site.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: cleanEnvironment() });
  return stdout.trim();
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** A server that knows nothing but files, such as that of any host of static pages. */
const serverOf = (folder: string) =>
  createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://site");
    const file = join(folder, decodeURIComponent(pathname.replace(/\/$/, "/index.html")));
    if (!existsSync(file) || statSync(file).isDirectory()) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });

let folder: string;
beforeAll(async () => {
  folder = await build();
});

test("the site has a page for each resource and data function, with an example in each language", () => {
  const { resources, functions } = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as Record<
    "resources" | "functions",
    object
  >;
  const nameOf = (token: string) => token.replace(/^.*:/, "");
  const stemOf = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const pages = [
    ...Object.keys(resources).map((token) => `resources/${stemOf(nameOf(token))}.html`),
    ...Object.keys(functions).map((token) => `functions/${nameOf(token)}.html`),
  ];
  const tabs = (page: string) =>
    [...readFileSync(join(folder, page), "utf8").matchAll(/<label data-title="(\w+)"/g)].map(
      ([, title]) => title,
    );
  expect(pages.map((page) => [page, tabs(page)])).toEqual(
    pages.map((page) => [page, ["TypeScript", "Python", "Go", "YAML"]]),
  );
});

const chromiumPath = findTool("chromium");

/** A page of each kind. */
const KINDS = ["/", "/resources/domain-record-set.html", "/functions/getNode.html", "/drift.html"];

/** The theme's own buttons, which fold a group of links and start the search. */
const OF_THE_THEME = ["nested-interactive", "label-content-name-mismatch"];

// Registered only if Chromium is installed: a skipped test would look forgotten.
if (chromiumPath !== undefined) {
  describe("the site in Chromium", () => {
    const server = { origin: "", stop: () => {} };
    let browser: Browser;
    let asked: string[];
    let troubles: string[];

    beforeAll(async () => {
      const files = serverOf(folder).listen(0, "127.0.0.1");
      await new Promise((resolve) => files.once("listening", resolve));
      server.origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      server.stop = () => files.close();
      browser = await startBrowser(chromiumPath);
    });
    afterAll(async () => {
      await browser?.close();
      server.stop();
    });
    beforeEach(() => {
      [asked, troubles] = [[], []];
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(troubles).toEqual([]);
      expect(asked.filter((url) => !url.startsWith(`${server.origin}/`) && !url.startsWith("data:"))).toEqual(
        [],
      );
    });

    async function open(colorScheme: "light" | "dark", width: number): Promise<Page> {
      const viewport = { width, height: 800 };
      const context = await browser.newContext({ baseURL: server.origin, colorScheme, viewport });
      context.setDefaultTimeout(HANGS_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("request", (sent) => asked.push(sent.url()));
      return page;
    }

    const widerThanThePage = (page: Page) =>
      page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");

    async function complaintsOfAxe(page: Page): Promise<(readonly [rule: string, where: string[]])[]> {
      await page.evaluate(axe.source);
      // After a change of the width, the navigation fades in.
      await page.evaluate(`new Promise(requestAnimationFrame).then(() =>
        Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => undefined))`);
      const { violations } = await page.evaluate<AxeResults>(
        'axe.run({ resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })',
      );
      const found = violations.filter(({ id }) => !OF_THE_THEME.includes(id));
      return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    }

    test.each(["light", "dark"] as const)(
      "fits 1280 and 360 pixels and has contrast in %s",
      async (colorScheme) => {
        const page = await open(colorScheme, 1280);
        for (const path of KINDS) {
          await page.goto(path);
          const isDark = await page.evaluate("document.documentElement.classList.contains('dark')");
          expect([path, isDark]).toEqual([path, colorScheme === "dark"]);
          expect([path, await widerThanThePage(page)]).toEqual([path, false]);
          await page.setViewportSize({ width: 360, height: 800 });
          expect([path, await widerThanThePage(page)]).toEqual([path, false]);
          expect([path, await complaintsOfAxe(page)]).toEqual([path, []]);
          await page.setViewportSize({ width: 1280, height: 800 });
        }
        // What the narrow page hides: the navigation.
        expect(await complaintsOfAxe(page)).toEqual([]);
      },
    );

    test("finds pages without a server that searches, and follows a result", async () => {
      const page = await open("light", 1280);
      await page.goto("/");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill("replace");
      const results = page.locator("#localsearch-list a");
      await results.first().waitFor();
      const links = await Promise.all((await results.all()).map((link) => link.getAttribute("href")));
      expect(links).toContainEqual(expect.stringMatching(/^\/resources\/node\.html#/));
      await results.first().click();
      await page.waitForURL((url) => `${url.pathname}${url.hash}` === links[0]);
    });

    test("shows the example in the language that the reader selects", async () => {
      const page = await open("light", 1280);
      await page.goto("/resources/domain-record.html");
      const shown = page.locator(".vp-code-group .blocks > .active");
      await page.getByText("Python", { exact: true }).click();
      await shown.filter({ hasText: "import pulumi_nodecloud" }).waitFor();
      await page.getByText("YAML", { exact: true }).click();
      await shown.filter({ hasText: "${zone.id}" }).waitFor();
    });
  });
}
