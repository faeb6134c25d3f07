import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameInUrn } from "../../src/provider/describe/urn";
import { nodecloud, type Printed } from "../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { userProject } from "../helpers/packed";
import { programFolder, type ProgramFolder, ROOT } from "../helpers/programs";
import { type Commands, commandsIn } from "../helpers/stack";
import { WHOLE } from "../helpers/whole";
import { wholeAccount, type WholeAccount } from "../helpers/whole-account";

/** Runs the command with the account's token, or in the environment of a stack. */
const run = (
  { token, url }: TestEmulator,
  directory: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Printed> =>
  nodecloud(args, { directory, environment: { ...env, NODECLOUD_TOKEN: token, NODECLOUD_BASE_URL: url } });

/** What the compiler says of a program, with the program's own settings. */
async function compiled(folder: string): Promise<string> {
  const project = userProject();
  try {
    return await project.run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder]);
  } finally {
    project.remove();
  }
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

interface Finding {
  readonly kind: string;
  readonly type: string;
  readonly urn?: string;
  readonly label?: string;
}

const namesInJson = (text: string): string[] =>
  distinct(
    (JSON.parse(text) as { findings: Finding[] }).findings.map(
      ({ kind, type, urn, label }) => `${kind} ${type} ${urn === undefined ? (label ?? "") : nameInUrn(urn)}`,
    ),
  );

interface Sarif {
  readonly runs: readonly { readonly results: readonly { ruleId: string; message: { text: string } }[] }[];
}

/** The finding in a title such as `Node web (id 12, label web-1)`. Only managed objects have a name. */
function inTitle(kind: string, title: string): string {
  const {
    type = "",
    name,
    label,
  } = /^(?<type>\w+)(?: (?<name>\S+))? \(id [^,)]+(?:, label (?<label>[^)]+))?\)/.exec(title)?.groups ?? {};
  return `${kind} ${type} ${name ?? label ?? ""}`;
}

const namesInSarif = (text: string): string[] =>
  distinct(
    (JSON.parse(text) as Sarif).runs.flatMap(({ results }) =>
      results.map(({ ruleId, message }) => inTitle(ruleId.replace("nodecloud/", ""), message.text)),
    ),
  );

const namesInJunit = (text: string): string[] =>
  distinct(
    [...text.matchAll(/<failure message="(\w+): ([^"]+)"/g)].map(([, kind = "", title = ""]) =>
      inTitle(kind, title),
    ),
  );

const namesInTable = (text: string): string[] =>
  distinct(
    text.split("\n").flatMap((line) => {
      const [kind = "", , type, , label, ...rest] = line.trim().split(/ {2,}/);
      const urn = rest.at(-1) ?? "";
      const name = urn.includes("::") ? urn.split("::").at(-1) : label;
      return ["changed", "deleted", "unmanaged"].includes(kind) ? [`${kind} ${type} ${name}`] : [];
    }),
  );

const namesInMarkdown = (text: string): string[] =>
  distinct(
    text.split("### ").flatMap((section) => {
      const plain = section.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      const kind = /: (changed|deleted|unmanaged)\n/.exec(plain)?.[1];
      if (kind === undefined) return [];
      return plain.split("\n").flatMap((line) => {
        const [, first = "", , label = ""] = line
          .replace(/<.?code>/g, "")
          .split("|")
          .map((cell) => cell.trim());
        if (["", "---", "Resource", "Type"].includes(first)) return [];
        return [first.includes("(id ") ? inTitle(kind, first) : `${kind} ${first} ${label}`];
      });
    }),
  );

let emulator: TestEmulator;
let account: WholeAccount;
let folder: ProgramFolder;
let stack: Commands;

const send = async (method: string, path: string | undefined, body: object = {}): Promise<void> => {
  const { status } = await emulator.call(method, path ?? "", { body });
  expect(status).toBe(200);
  emulator.clock.advance(3600);
};

const inStack = (...args: string[]): Promise<Printed> =>
  run(emulator, join(folder.path, "infra"), args, stack.env);

/** Imports the account into a new program, and makes a stack. */
async function imported(...args: string[]): Promise<Printed> {
  folder = programFolder({}, ROOT);
  const printed = await run(emulator, folder.path, ["import", "--out", "infra", ...args]);
  stack = commandsIn(join(folder.path, "infra"), emulator);
  await stack.init("test");
  return printed;
}

/** Deletes the file with the ids and its line, which is the first one of the index beside it. */
function deleteAdopt(below = "infra"): void {
  const index = join(folder.path, below, "index.ts");
  const [first = "", ...others] = readFileSync(index, "utf8").split("\n");
  expect(first).toMatch(/^import ".\/adopt";$/);
  writeFileSync(index, others.join("\n"));
  rmSync(join(folder.path, below, "adopt.ts"));
}

afterEach(async () => {
  folder.remove();
  await emulator.stop();
});

describe("an account of every kind that was built without Pulumi", () => {
  beforeEach(async () => {
    emulator = await startTestEmulator();
    account = await wholeAccount(emulator);
    emulator.reset("requests");
  });

  test.each([["single"], ...(WHOLE ? [["set"], ["set", "--plugin"]] : [])])(
    "is adopted as a whole by the program of --style %s %s, and later drift is reported exactly",
    async (style, ...args) => {
      expect(await imported("--style", style, ...args)).toMatchObject({ code: 0, stderr: "" });
      // Where the new program looks for the plugin.
      symlinkSync(join(ROOT, "node_modules"), join(folder.path, "infra/node_modules"), "junction");
      expect(await compiled(join(folder.path, "infra"))).toBe("");

      expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
      expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
      expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
      expect(await inStack("drift", "--stack", "test")).toMatchObject({ code: 0 });

      for (const name of ["nodes", "images", "domains/example-org"]) {
        expect(readFileSync(join(folder.path, "infra", `${name}.ts`), "utf8")).not.toMatch(/import: "/);
      }
      deleteAdopt();
      expect(await compiled(join(folder.path, "infra"))).toBe("");
      expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
      expect(await stack.drift()).toMatchObject({ code: 0 });
      expect(await emulator.writes()).toEqual([]);

      await send("PUT", account["web"], { label: "renamed" });
      await send("PUT", account["mysql"], { allow_list: ["198.51.100.0/24"] });
      await send("PUT", account["zone"], { ttl_sec: 3600 });
      await send("PUT", account["record1"], { target: "192.0.2.99" });
      await send("DELETE", account["record3"]);
      await send("DELETE", account["postgresql"]);
      await send("POST", `${account["zone"] ?? ""}/records`, {
        type: "A",
        name: "new",
        target: "192.0.2.77",
      });
      await send("POST", "/domains", { domain: "new.example", type: "master", soa_email: "dns@new.example" });
      const common = [
        "changed Domain example.org",
        "changed MysqlDatabase shop",
        "changed Node web-1.prod",
        "deleted PostgresqlDatabase reports",
        "deleted PostgresqlDatabaseBackup beforemove",
        "unmanaged Domain new.example",
        "unmanaged DomainRecord A new",
      ];
      const ofRecords =
        style === "set"
          ? ["changed DomainRecordSet example.org"]
          : ["changed DomainRecord www.example.org-A", "deleted DomainRecord blog.example.org-CNAME"];
      const expected = [...common, ...ofRecords].sort();
      const drift = async (format: string) => {
        const { code, stdout, stderr } = await inStack("drift", "--stack", "test", "--format", format);
        expect(code).toBe(2);
        return { stdout, stderr };
      };
      expect(namesInJson((await drift("json")).stdout)).toEqual(expected);
      if (!WHOLE) return;
      expect(namesInSarif((await drift("sarif")).stdout)).toEqual(expected);
      expect(namesInJunit((await drift("junit")).stdout)).toEqual(expected);
      expect(namesInTable((await drift("table")).stdout)).toEqual(expected);
      expect(namesInMarkdown((await drift("markdown")).stdout)).toEqual(expected);
    },
  );
});

test("a program that is there gets only what no stack manages, and twice is once", async () => {
  emulator = await startTestEmulator();
  account = await wholeAccount(emulator);
  expect(await imported("--only", "Node,MysqlDatabase", "--match", "web-*,shop")).toMatchObject({
    code: 0,
  });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  emulator.reset("requests");

  const added = await inStack("import", "--stack", "test");
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect(added.stdout).toContain("Wrote a program for 17 objects to imported");
  const again = await inStack("import", "--stack", "test");
  expect(again.stdout).toContain("Nothing was written");
  expect(again.stdout).toContain("the program imports it already: run `pulumi up`");
  expect(readFileSync(join(folder.path, "infra/index.ts"), "utf8")).toMatch(/import "\.\/imported";\n$/);

  expect(await compiled(join(folder.path, "infra"))).toBe("");
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await emulator.writes()).toEqual([]);
  const nothing = await inStack("import", "--stack", "test");
  expect(nothing).toMatchObject({ code: 0 });
  expect(nothing.stdout).toContain("Nothing was written: there is nothing to adopt.");
});

test("a program without resources is read with the token of its configuration", async () => {
  emulator = await startTestEmulator();
  folder = programFolder({}, ROOT);
  folder.write("infra/Pulumi.yaml", "name: infra\nruntime: nodejs\n");
  folder.write("infra/package.json", JSON.stringify({ name: "infra", main: "index.ts" }));
  folder.write("infra/index.ts", "export const nothing = 1;");
  stack = commandsIn(join(folder.path, "infra"), emulator);
  await stack.init("test");
  await send("POST", "/domains", { domain: "example.org", type: "master", soa_email: "dns@example.org" });
  const { NODECLOUD_TOKEN: token = "", NODECLOUD_BASE_URL: url = "", ...env } = stack.env;
  for (const [name, value] of Object.entries({ token, baseUrl: url })) {
    const secret = name === "token" ? ["--secret"] : [];
    const set = await stack.pulumi("config", "set", ...secret, `nodecloud:${name}`, value, "--stack", "test");
    expect(set).toMatchObject({ code: 0 });
  }
  const printed = await nodecloud(["import", "--stack", "test"], {
    directory: join(folder.path, "infra"),
    environment: env,
  });
  expect(printed).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout).toContain("Wrote a program for 1 object to imported");
  expect(readFileSync(join(folder.path, "infra/index.ts"), "utf8")).toBe(
    'export const nothing = 1;\nimport "./imported";\n',
  );
});

if (WHOLE) {
  test("equal records, and records beside an adopted set, are adopted too", async () => {
    emulator = await startTestEmulator();
    const { body } = await emulator.call("POST", "/domains", {
      body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
    });
    const create = (name: string, more: object = {}) =>
      emulator.call("POST", `/domains/${String(body["id"])}/records`, {
        body: { type: "A", name, target: "192.0.2.1", ...more },
      });
    for (const more of [{}, {}, { ttl_sec: 300 }]) await create("twin", more);
    await create("www");
    emulator.reset("requests");
    expect(await imported()).toMatchObject({ code: 0, stderr: "" });
    // The twins beside the first one that the engine checks are doubtful, and adopted nevertheless.
    const { code, messages } = await stack.up();
    expect({ code, warnings: messages.length }).toEqual({ code: 0, warnings: 2 });
    expect(messages.join("\n")).toContain("target makes this record the same as DomainRecord twin");
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect(await emulator.writes()).toEqual([]);

    await create("later");
    await create("www");
    emulator.reset("requests");
    expect(await inStack("import", "--stack", "test")).toMatchObject({ code: 0, stderr: "" });
    expect(await compiled(join(folder.path, "infra"))).toBe("");
    expect(await stack.up()).toMatchObject({
      code: 0,
      messages: [expect.stringContaining("same as DomainRecord www.example.org-A") as string],
    });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    deleteAdopt();
    deleteAdopt("infra/imported");
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect(await inStack("drift", "--stack", "test")).toMatchObject({ code: 0 });
    expect(await emulator.writes()).toEqual([]);
  });

  test("12,000 records of a domain are adopted as one set", async () => {
    emulator = await startTestEmulator();
    const { body } = await emulator.call("POST", "/domains", {
      body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
    });
    const path = `/domains/${String(body["id"])}/records`;
    const create = (index: number) =>
      emulator.call("POST", path, {
        body: { type: "A", name: `host-${index}`, target: `10.0.${Math.floor(index / 256)}.${index % 256}` },
      });
    for (let start = 0; start < 12_000; start += 200) {
      const created = await Promise.all(Array.from({ length: 200 }, (_, index) => create(start + index)));
      expect(created.every(({ status }) => status === 200)).toBe(true);
    }
    emulator.reset("requests");

    const printed = await imported();
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(printed.stdout).toContain("1 Domain, 12000 DomainRecord");
    expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect(await inStack("drift", "--stack", "test")).toMatchObject({ code: 0 });
    expect(await emulator.writes()).toEqual([]);
  });
}
