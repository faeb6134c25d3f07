import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { FORMATS } from "../../src/cli/drift/formats";
import { reportOf } from "../../src/cli/drift/report";
import { coloursFor } from "../../src/cli/terminal";
import { HANGS_MS, LOWEST_CONTRAST, startBrowser } from "../helpers/browser";
import { nodecloud } from "../helpers/command-line";
import { findTool } from "../helpers/debian-tools";
import { drift, prod, shared } from "../helpers/drift";

const chromiumPath = findTool("chromium");

// Registered only if Chromium is installed: a skipped test would look forgotten.
if (chromiumPath !== undefined) {
  let browser: Browser;
  let folder: string;
  let troubles: string[];
  beforeAll(async () => {
    browser = await startBrowser(chromiumPath);
    folder = mkdtempSync(join(tmpdir(), "nodecloud-report-"));
    const found = { ...drift, findings: [...drift.findings, ...shared.findings] };
    const colours = coloursFor({ environment: {} } as never, {} as never);
    writeFileSync(join(folder, "drift.html"), FORMATS.html(reportOf(found), { colours }));
    const directory = join(__dirname, "../cli/fixtures/report");
    const args = ["report", "change.json", "failed.ndjson", "--deny", "data-loss", "--format", "html"];
    await nodecloud([...args, "--out", join(folder, "report.html")], { directory });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    troubles = [];
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(troubles).toEqual([]);
  });

  /** Opens a report, and records every error and every request for something else. */
  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(HANGS_MS);
    const page = await context.newPage();
    const { href } = pathToFileURL(join(folder, name));
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => troubles.push(message.text()));
    page.on("dialog", (dialog) => troubles.push(dialog.message()));
    page.on("request", (sent) => {
      if (sent.url() !== href) troubles.push(sent.url());
    });
    await page.goto(href);
    return page;
  }

  const shownItems = (page: Page) => page.locator(".item:visible").count();
  const told = (page: Page) => page.locator("output").textContent();

  test("the filters select findings, and hide branches without any", async () => {
    const page = await open("drift.html");
    expect(await told(page)).toBe("6 shown");
    await page.getByLabel("Kind").selectOption("changed");
    expect([await shownItems(page), await told(page)]).toEqual([2, "2 of 6 shown"]);
    expect(await page.locator(".branch:visible > summary").allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^${prod.name} .*2$`)),
      "changed 2",
    ]);
    await page.getByLabel("Type").selectOption("Node");
    expect(await shownItems(page)).toBe(1);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Stack").selectOption({ label: prod.name });
    await page.getByLabel("Text").fill("FTP a  192.0.2.3");
    expect(await page.locator(".item:visible > summary").allInnerTexts()).toEqual([
      "DomainRecordSet zone (id 1)",
    ]);
    await page.getByLabel("Text").fill("nothing has this");
    expect([await shownItems(page), await told(page)]).toEqual([0, "0 of 6 shown"]);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("6 shown", { exact: true }).waitFor();
    expect(await shownItems(page)).toBe(6);
  });

  test("the tree folds and unfolds, also with the keyboard", async () => {
    const page = await open("report.html");
    const all = await shownItems(page);
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    expect(await shownItems(page)).toBe(0);
    await page.locator("summary", { hasText: "Loses data" }).press("Enter");
    await page.locator(".branch .branch > summary:visible").first().press("Enter");
    expect(await shownItems(page)).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Unfold all" }).click();
    expect(await shownItems(page)).toBe(all);
  });

  test.each(["drift.html", "report.html"])(
    "without scripts, %s shows everything and no filters",
    async (name) => {
      const page = await open(name, { javaScriptEnabled: false });
      expect(await page.locator("form:visible").count()).toBe(0);
      expect(await shownItems(page)).toBe(await page.locator(".item").count());
      expect(await page.locator(".body:visible").count()).toBe(await page.locator(".body").count());
      await page.locator("summary").first().click();
      expect(await page.locator("details:not([open])").count()).toBe(1);
    },
  );

  describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
    test.each(["drift.html", "report.html"])(
      "%s passes axe, has contrast and fits in each width",
      async (name) => {
        const page = await open(name, { colorScheme, bypassCSP: true });
        await page.evaluate(axe.source);
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 640 });
          expect([width, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
            width,
            true,
          ]);
          const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
          expect(violations.map(({ id, nodes }) => [id, width, nodes.map(({ html }) => html)])).toEqual([]);
          const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LOWEST_CONTRAST);
          expect({ text, width, isEnough: ratio >= 4.5 }).toEqual({ text, width, isEnough: true });
        }
      },
    );
  });
}
