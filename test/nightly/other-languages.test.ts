import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { goTools, type LanguageTools, type Project, pythonTools } from "../helpers/languages";
import { ROOT } from "../helpers/programs";
import { allExamples } from "../helpers/site-examples";

interface Language {
  readonly name: "python" | "go";
  readonly tools: LanguageTools | undefined;
  readonly program: string;
  /** Text of a valid program, its replacement, and what the checker says about it. */
  readonly mistakes: readonly (readonly [string, string, RegExp])[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: "python",
    tools: pythonTools(),
    program: "examples/python/__main__.py",
    mistakes: [
      ["backups_enabled=True", "backup_enabled=True", /backup_enabled/],
      ["nodecloud.DomainType.MASTER", '"mastr"', /"Domain"/],
      ["node_id=web.id", "node_id=12", /"NodeBackupSnapshot"/],
      ["shop.root_password", "shop.root_pass", /has no attribute "root_pass"/],
    ],
  },
  {
    name: "go",
    tools: goTools(),
    program: "examples/go/main.go",
    mistakes: [
      ["BackupsEnabled:", "BackupEnabled:", /unknown field BackupEnabled/],
      ["nodecloud.DomainTypeMaster", 'pulumi.String("mastr")', /DomainTypeInput/],
      ["web.ID()", "pulumi.Int(12)", /StringInput/],
      ["shop.Hosts.Primary()", "shop.Hosts.First()", /First undefined/],
    ],
  },
];

/** The code of a language in its part of the docs. */
const inDocs = (name: string): string =>
  new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(join(ROOT, "docs/languages.md"), "utf8"),
  )?.[1] ?? "";

describe.each(LANGUAGES.filter(({ tools }) => tools !== undefined))("a program in $name", (language) => {
  const { name, program, mistakes } = language;
  const tools = language.tools as LanguageTools;
  let said: readonly string[] = [];

  // It also installs what the other tests need.
  beforeAll(async () => {
    const args = ["scripts/quickstart.mjs", "--language", name];
    const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    said = stdout.split("\n");
  });
  afterAll(() => tools.remove());

  test("deploys the quickstart, finds exactly the drift, repairs it, and leaves nothing behind", () => {
    expect(said).toContain("→ Only this record has changed, and the exit code makes a nightly job fail.");
    expect(said).toContain("→ The account matches the program.");
    expect(said).toContain("→ The account is empty again.");
    expect(said.join("\n")).not.toMatch(/warning: using pulumi-language/);
  });

  test("is checked against the types of the SDK", async () => {
    const valid = readFileSync(join(ROOT, program), "utf8");
    await tools.check(valid);
    await tools.check(inDocs(name));
    for (const [from, to, complaint] of mistakes) {
      expect(valid).toContain(from);
      await expect(tools.check(valid.replace(from, to))).rejects.toThrow(complaint);
    }
  });

  test("has valid examples in the site, on each page of a resource or data function", async () => {
    await tools.check(allExamples[name]());
  });

  describe("with nested objects, an explicit provider, a secret and a data function", () => {
    let emulator: TestEmulator;
    let stack: Project;
    beforeAll(async () => {
      emulator = await startTestEmulator({ speed: AT_ONCE, machines: true });
      stack = await tools.project(emulator);
      await stack.pulumi("config", "set", "ttl", "300");
    });
    afterAll(async () => {
      stack.folder.remove();
      await emulator.stop();
    });

    const records = async () => {
      const { body: domains } = await emulator.call<Page>("GET", "/domains");
      const { body } = await emulator.call<Page>("GET", `/domains/${domains.data[0]?.["id"]}/records`);
      return body.data.map((record) => [record["type"], record["name"], record["ttl_sec"]]).sort();
    };

    test("deploys", async () => {
      expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
      expect(await records()).toEqual([
        ["A", "www", 300],
        ["TXT", "", 0],
      ]);
      const { body } = await emulator.call<Page>("GET", "/node/instances");
      expect(body.data).toContainEqual(
        expect.objectContaining({ alerts: expect.objectContaining({ cpu: 80 }) }),
      );
      const outputs = await outputsOf(stack, "--show-secrets");
      expect(outputs).toMatchObject({ cpu: 80, password: "hunter2-of-the-node" });
      expect(outputs["found"]).toBe(outputs["zone"]);
    });

    test("keeps its secret out of the state and of what is printed", async () => {
      expect(await outputsOf(stack)).toMatchObject({ password: "[secret]" });
      const { printed } = await stack.pulumi("stack", "export");
      expect(printed).toContain("nodecloud:index:Node");
      expect(printed).not.toContain("hunter2");
    });

    test("has nothing to do the second time, and no drift", async () => {
      expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
      expect(await stack.drift()).toMatchObject({ code: 0 });
    });

    test("shows a change from outside as drift, and repairs it", async () => {
      const { body } = await emulator.call<Page>("GET", "/domains");
      await emulator.call("PUT", `/domains/${body.data[0]?.["id"]}`, {
        body: { soa_email: "x@example.org" },
      });
      const drift = await stack.drift();
      expect(drift.code).not.toBe(0);
      expect(drift.printed).toContain("x@example.org");
      expect(await stack.up("--refresh")).toMatchObject({ code: 0 });
      expect((await emulator.call<Page>("GET", "/domains")).body.data[0]).toMatchObject({
        soa_email: "dns@languages.example",
      });
    });

    test("updates one object for one changed value, and destroys everything", async () => {
      await emulator.newCounts();
      await stack.pulumi("config", "set", "ttl", "3600");
      expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
      expect(await records()).toContainEqual(["A", "www", 3600]);
      expect(Object.keys(await emulator.newCounts()).filter((one) => !one.startsWith("GET"))).toEqual([
        "PUT /v4/domains/:id/records/:id",
      ]);
      expect(await stack.destroy()).toMatchObject({ code: 0 });
      expect((await emulator.call<Page>("GET", "/domains")).body.data).toEqual([]);
      expect((await emulator.call<Page>("GET", "/node/instances")).body.data).toEqual([]);
    });
  });
});

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** The outputs of a stack, as the engine prints them. */
async function outputsOf(stack: Project, ...flags: string[]): Promise<Record<string, unknown>> {
  const { printed } = await stack.pulumi("stack", "output", "--json", ...flags);
  return JSON.parse(printed) as Record<string, unknown>;
}
