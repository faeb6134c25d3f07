import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findTool } from "../helpers/debian-tools";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { runIn } from "../helpers/languages";
import { programFolder, ROOT } from "../helpers/programs";
import { siteExamples } from "../helpers/site-examples";
import { type Commands, commandsIn } from "../helpers/stack";

const go = findTool("go");

const PLUGINS = "plugins:\n  providers:\n    - name: nodecloud\n      path: node_modules/.bin\n";

/** The emulator has no objects, so a function that names one finds nothing. */
const FINDS_NOTHING = /returned an error: get [^:]*: (?:Not found|there are no|none of the)/;

// Registered only if Go is installed: a skipped test would look forgotten.
if (go !== undefined) {
  describe("a program in YAML", () => {
    let host: string;
    let emulator: TestEmulator;
    beforeAll(async () => {
      host = mkdtempSync(join(tmpdir(), "nodecloud-yaml-"));
      const module = join(ROOT, "tools/pulumi-language-yaml");
      await runIn(module, go, "build", "-buildvcs=false", "-o", `${host}/`, "tool");
    });
    afterAll(() => rmSync(host, { recursive: true, force: true }));
    beforeEach(async () => {
      emulator = await startTestEmulator({ speed: AT_ONCE });
    });
    afterEach(() => emulator.stop());

    /** Runs the example of a page in a stack of its own. */
    async function withStack(code: string, run: (stack: Commands) => Promise<void>): Promise<void> {
      const folder = programFolder({ "Pulumi.yaml": code + PLUGINS, "build/disk.img.gz": "a disk" });
      const stack = commandsIn(folder.path, emulator);
      stack.env["PATH"] = [host, stack.env["PATH"]].join(delimiter);
      try {
        await stack.init("test");
        await run(stack);
      } finally {
        folder.remove();
      }
    }

    const examplesIn = (folder: string) => siteExamples("YAML").filter(([page]) => page.startsWith(folder));

    test.each(examplesIn("resources/"))(
      "deploys the example of %s, has nothing to do the second time, and destroys it",
      (_, code) =>
        withStack(code, async (stack) => {
          expect(await stack.up()).toMatchObject({ code: 0 });
          expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
          expect(await stack.destroy()).toMatchObject({ code: 0 });
        }),
    );

    test("deploys the program of docs/languages.md, and a property with a wrong name fails its preview", async () => {
      const page = readFileSync(join(ROOT, "docs/languages.md"), "utf8");
      const program = /```yaml\n(name: [^]*?)plugins:\n[^]*?(?=resources:)([^]*?)```/.exec(page);
      const code = `${program?.[1]}${program?.[2]}`;
      await withStack(code, async (stack) => {
        expect(await stack.up()).toMatchObject({ code: 0 });
      });
      await withStack(code.replace("soaEmail:", "soaEmial:"), async (stack) => {
        const { code: ended, printed } = await stack.pulumi("preview");
        expect(ended).not.toBe(0);
        expect(printed).toContain("soaEmial");
      });
    });

    test.each(examplesIn("functions/"))("calls the function of %s with its arguments", (_, code) =>
      withStack(code, async (stack) => {
        const { code: ended, printed } = await stack.pulumi("preview");
        if (ended !== 0) expect(printed).toMatch(FINDS_NOTHING);
      }),
    );
  });
}
