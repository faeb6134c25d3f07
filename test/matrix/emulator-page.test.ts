import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { HANGS_MS, LOWEST_CONTRAST, startBrowser } from "../helpers/browser";
import { findTool } from "../helpers/debian-tools";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import {
  create,
  createRecords,
  everyView,
  example,
  fill,
  htmlOf,
  PAGE,
  textOf,
} from "../helpers/emulator-page";

describe("a domain with 12,000 records", () => {
  let emulator: TestEmulator;
  let id: number;
  beforeAll(async () => {
    emulator = await startTestEmulator();
    id = await create(emulator, "/domains", example);
    await createRecords(emulator, id, 12_000);
  });
  afterAll(() => emulator.stop());

  test("takes no more", async () => {
    const body = { type: "A", name: "one-more", target: "192.0.2.1" };
    expect((await emulator.call("POST", `/domains/${id}/records`, { body })).status).toBe(400);
  });

  test("has them in pages of up to 500", async () => {
    const last = await emulator.call<{ data: unknown[] }>(
      "GET",
      `/domains/${id}/records?page=24&page_size=500`,
    );
    expect(last.body).toMatchObject({ page: 24, pages: 24, results: 12_000 });
    expect(last.body.data).toHaveLength(500);
  });

  test("shows them on the page in pages of 100, and their zone file in pages of 200 lines", async () => {
    const path = `${PAGE}/domains/${id}?page=120&lines=61`;
    const last = await textOf(emulator, path);
    expect(last).toContain("12,000 records");
    expect(last).toContain("Page 120 of 120");
    expect(last).toContain("Page 61 of 61");
    const { body } = await emulator.call<{ zone_file: string[] }>("GET", `/domains/${id}/zone-file`);
    expect(last).toContain(body.zone_file.at(-1));
    const html = await htmlOf(emulator, path);
    expect(html.match(/<tr data-key="\d+">/g)).toHaveLength(100);
    expect(html.match(/class="line plain"/g)).toHaveLength(6);
  });
});

const chromiumPath = findTool("chromium");

// Registered only if Chromium is installed: a skipped test would look forgotten.
if (chromiumPath !== undefined) {
  describe("the page in Chromium", () => {
    let emulator: TestEmulator;
    beforeEach(async () => {
      emulator = await startTestEmulator();
    });
    afterEach(() => emulator.stop());

    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser(chromiumPath);
    });
    afterAll(() => browser.close());

    /** Opens the page in a new profile, and records every error. */
    async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: emulator.origin, ...options });
      context.setDefaultTimeout(HANGS_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
          troubles.push(message.text());
      });
      page.on("request", (sent) => asked.push(sent.url()));
      await page.goto(path);
      return page;
    }

    let troubles: string[];
    let asked: string[];
    beforeEach(() => {
      [troubles, asked] = [[], []];
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(troubles).toEqual([]);
      // The page sends requests only to the emulator.
      expect(asked.filter((url) => !url.startsWith(`${emulator.origin}/`))).toEqual([]);
    });

    const statusIn = (page: Page, text: string) => page.locator("main .status", { hasText: text });

    test("updates statuses without a reload", async () => {
      const id = await create(emulator, "/node/instances", deployedNode);
      const list = await open(`${PAGE}/nodes`);
      const one = await open(`${PAGE}/nodes/${id}`);
      for (const page of [list, one]) await page.evaluate("window.isSame = true");
      await statusIn(list, "provisioning").waitFor();
      emulator.clock.advance(20 * 60);
      for (const page of [list, one]) {
        await statusIn(page, "running").first().waitFor();
        expect(await page.evaluate("window.isSame")).toBe(true);
      }
      await emulator.call("DELETE", `/node/instances/${id}`);
      emulator.clock.advance(60);
      await list.getByText("There are no nodes yet").waitFor();
      await one.getByText("This object does not exist").waitFor();
    });

    test("keeps open details, focus and scroll position while requests arrive", async () => {
      for (let count = 0; count < 40; count++) await emulator.call("GET", `/domains/${count}`);
      const page = await open(`${PAGE}/requests`, { viewport: { width: 1000, height: 600 } });
      const summary = page.locator("summary", { hasText: "/v4/domains/15" });
      await summary.press("Enter");
      const where = `(() => {
        // The window scrolls by whole pixels.
        const top = Math.round(document.activeElement.getBoundingClientRect().top / 3);
        return { top, text: document.activeElement.textContent, isOpen: document.activeElement.parentElement.open };
      })()`;
      const before = await page.evaluate<{ text: string; isOpen: boolean }>(where);
      expect(before).toMatchObject({ text: expect.stringContaining("/v4/domains/15"), isOpen: true });
      for (let count = 0; count < 5; count++) await emulator.call("GET", `/images?page=${count + 1}`);
      await page.locator("summary", { hasText: "/v4/images?page=5" }).waitFor();
      expect(await page.evaluate(where)).toEqual(before);
      expect(await page.locator("details[open]").count()).toBe(1);
    });

    test("reports that the emulator is gone, and continues when it is back", async () => {
      const page = await open(`${PAGE}/domains`);
      const told = page.getByRole("status");
      await told.filter({ hasText: "Live" }).waitFor();
      await emulator.stop();
      await told.filter({ hasText: "The emulator does not answer" }).waitFor();
      emulator = await startTestEmulator({ port: Number(new URL(emulator.origin).port) });
      await create(emulator, "/domains", example);
      await page.getByRole("link", { name: "example.org" }).waitFor();
      expect(await told.textContent()).toBe("Live");
    });

    test("can be paused, also across pages, and resumed", async () => {
      const page = await open(`${PAGE}/domains`);
      await page.getByRole("button", { name: "Pause" }).press("Enter");
      await page.getByRole("link", { name: "Nodes", exact: false }).first().press("Enter");
      await page.getByRole("heading", { name: "Nodes" }).waitFor();
      await page.getByRole("status").filter({ hasText: "Paused" }).waitFor();
      await create(emulator, "/node/instances", deployedNode);
      const resumed = page.waitForRequest((sent) => sent.resourceType() === "fetch");
      expect(await page.getByText("There are no nodes yet").count()).toBe(1);
      await page.getByRole("button", { name: "Resume" }).press("Enter");
      await resumed;
      await statusIn(page, "provisioning").waitFor();
    });

    test("copies a command, and shows a shadow where a table goes on", async () => {
      await fill(emulator);
      const page = await open(`${PAGE}/nodes`, { viewport: { width: 390, height: 640 } });
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const edge = await page.evaluate<string>(
        'getComputedStyle(document.querySelector("main .scroll")).backgroundAttachment',
      );
      expect(edge).toBe("local, local, scroll, scroll, scroll");
      await page.locator("tbody a").first().click();
      await page.getByRole("button", { name: "Copy: Command that removes the node" }).click();
      await page.getByText("Copied").waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
        /^curl -X DELETE http:\/\/127\.0\.0\.1:\d+\/_emulator\/objects\/nodes\/\d+$/,
      );
      await page.getByText("Copied").waitFor({ state: "hidden" });
    });

    test("shows every label as text", async () => {
      const label = `</script><img src=x onerror="alert(1)">'"&amp;`;
      await emulator.control("POST", "/faults", { path: "/v4/<b>", effect: { status: 500, body: "<i>" } });
      const id = await create(emulator, "/node/instances", { ...deployedNode, label });
      await emulator.control("PATCH", `/objects/nodes/${id}`, {
        region: { isEscaped: true, callbacks: ["<b>"] },
      });
      await emulator.call("GET", "/domains?q=<b>x</b>");
      for (const path of [
        `${PAGE}/nodes`,
        `${PAGE}/nodes/${id}`,
        `${PAGE}/requests?q=<b>x`,
        `${PAGE}/faults`,
        "/",
      ]) {
        const page = await open(path);
        page.on("dialog", (dialog) => troubles.push(dialog.message()));
        await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
        expect(await page.locator("main :is(img, script, b, i)").count()).toBe(0);
        if (path.includes("/nodes")) expect(await page.locator("main").textContent()).toContain(label);
      }
    });

    test("reaches every view with Tab and Enter, with visible focus", async () => {
      await fill(emulator);
      const page = await open("/");
      const focused = `(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        const isInSight = top < innerHeight && bottom > 0;
        return { href: document.activeElement.getAttribute("href"), outlineStyle, outlineWidth, isInSight };
      })()`;
      async function follow(target: string) {
        for (let presses = 0; presses < 100; presses++) {
          await page.keyboard.press("Tab");
          const { href, ...rest } = await page.evaluate<{ href: string | null }>(focused);
          expect(rest).toEqual({ outlineStyle: "solid", outlineWidth: "2px", isInSight: true });
          if (href !== target) continue;
          await page.keyboard.press("Enter");
          await page.waitForURL((url) => url.pathname + url.hash === target || url.hash === target);
          return;
        }
        throw new Error(`Tab does not lead to ${target}`);
      }
      const views = (await page.locator("nav.views a").all()).map((link) => link.getAttribute("href"));
      for (const view of await Promise.all(views)) {
        await follow(view ?? "");
        expect(await page.locator("nav.views [aria-current=page]").getAttribute("href")).toBe(view);
      }
      await follow(`${PAGE}/domains`);
      await follow((await page.locator("tbody a").first().getAttribute("href")) ?? "");
      await page.getByRole("heading", { name: "example.org" }).waitFor();
      await follow("#main");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await follow((await page.locator("tbody a").first().getAttribute("href")) ?? "");
      await page.getByRole("heading", { name: "www" }).waitFor();
    });

    // The layout does not depend on the colours, so each width is looked at in one scheme.
    describe.each([
      ["light", [320, 1280]],
      ["dark", [390]],
    ] as const)("in %s", (colorScheme, widths) => {
      test("passes axe, has contrast and fits in its widths on every view", async () => {
        await fill(emulator);
        const paths = [
          "/",
          ...new Set([...(await everyView(emulator)).keys()].map((path) => path.replace(/\?.*/, ""))),
        ];
        const page = await open("/", { colorScheme });
        const ground = await page.evaluate<string>(
          "getComputedStyle(document.documentElement).backgroundColor",
        );
        expect(ground).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 26)");
        for (const path of paths) {
          await page.goto(path);
          await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
          for (const summary of await page.locator("summary").all()) await summary.press("Enter");
          await page.evaluate(axe.source);
          for (const width of widths) {
            const at = { path, width };
            await page.setViewportSize({ width, height: 640 });
            const { violations } = await page.evaluate<AxeResults>(
              'axe.run({ resultTypes: ["violations"] })',
            );
            const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
            expect({ ...at, found }).toEqual({ ...at, found: [] });
            const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LOWEST_CONTRAST);
            expect({ ...at, text, isEnough: ratio >= 4.5 }).toEqual({ ...at, text, isEnough: true });
            const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
            expect({ ...at, fits }).toEqual({ ...at, fits: true });
          }
        }
      });
    });

    test("works without scripts: links, details and reloads", async () => {
      const id = await create(emulator, "/node/instances", deployedNode);
      const page = await open("/", { javaScriptEnabled: false });
      await page.getByText("Reload to see changes").waitFor();
      await page.locator("nav.views").getByRole("link", { name: "Nodes" }).click();
      await page.locator(`a[href="${PAGE}/nodes/${id}"]`).click();
      await statusIn(page, "provisioning").first().waitFor();
      emulator.clock.advance(20 * 60);
      await page.reload();
      await statusIn(page, "running").first().waitFor();
      await page.goto(`${PAGE}/requests`);
      await page.locator("summary").first().press("Enter");
      await page.locator("details[open]").getByText("root_pass").waitFor();
    });
  });
}
