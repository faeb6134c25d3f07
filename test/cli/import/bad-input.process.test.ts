import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chooseObjects } from "../../../src/cli/import/choose-objects";
import { planResources } from "../../../src/cli/import/plan-resources";
import { projectFiles, projectNameOf } from "../../../src/cli/import/project-files";
import { sourcesOf } from "../../../src/cli/import/write-source";
import { type ServiceAccount } from "../../../src/cli/account/accounts";
import { keyOf, type LiveObject, liveObject } from "../../../src/cli/account/list-account";
import { descriptions } from "../../../src/resources";
import { declaredBy } from "../../helpers/adopting-program";
import { nodecloud } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

let emulator: TestEmulator;
let folder: string;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterAll(() => emulator.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-bad-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], environment: object = {}, signal = new AbortController().signal) =>
  nodecloud(["import", ...args], {
    directory: folder,
    environment: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url, ...environment },
    signal,
  });

test.each<[string[], object, RegExp]>([
  [
    ["--out", "a"],
    { NODECLOUD_TOKEN: "" },
    /^error: NODECLOUD_TOKEN is not set: a new program has no configuration, /,
  ],
  [["--out", "a"], { NODECLOUD_TOKEN: "wrong" }, /^error: cannot read the account at http\S+: .*401/],
  [
    ["--out", "a", "--only", "Node", "Image"],
    {},
    /^error: --only: separate kinds with commas: --only Node,Image \[NC2002\]$/,
  ],
  [
    ["--out", "a", "--only", "Nod"],
    {},
    /^error: --only: unknown kind "Nod"; did you mean Node\? \[NC2002\]$/,
  ],
  [
    ["--out", "a", "--only", "Node,Imag"],
    {},
    /^error: --only: unknown kind "Imag"; did you mean Image\? \[NC2002\]$/,
  ],
  [
    ["--out", "a", "--only", ","],
    {},
    /^error: --only: "," has an empty value: separate values with one comma \[NC2002\]$/,
  ],
  [["--out", "a", "--match", ""], {}, /^error: --match: "" has an empty value: /],
  [["--out", "a", "--match", "web,tag:"], {}, /^error: --match: the pattern tag: is empty: /],
  [["--out", "a", "--all"], {}, /^error: --all needs the folders of projects: /],
  [["--out", "a", "--stack", "prod"], {}, /^error: --stack needs the folders of projects: /],
  [["missing", "--out", "a"], {}, /^error: missing is not a folder \[NC2005\]$/],
  [["one", "two"], {}, /^error: name the folder of the program with --out \[NC2002\]$/],
  [["--out", "a", "--ignore-file", "none"], {}, /^error: cannot read the ignore file none: ENOENT/],
])(
  "the arguments %j with %j are an error in one line, and nothing is written",
  async (args, environment, message) => {
    const { code, stdout, stderr } = await run(args, environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a file in place of the folder is an error", async () => {
  writeFileSync(join(folder, "a"), "");
  expect(await run(["--out", "a"])).toMatchObject({ code: 1, stderr: "error: a is not a folder [NC2005]\n" });
});

test("an interrupted import writes nothing", async () => {
  const stopping = new AbortController();
  stopping.abort(new Error("stopped by SIGINT"));
  expect(await run(["--out", "a"], {}, stopping.signal)).toEqual({
    code: 130,
    stdout: "",
    stderr: "interrupted; nothing was changed\n",
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a kind that the token may not list is said with its scope, and the rest is written", async () => {
  const { body } = await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
  const body403 = { errors: [{ reason: "Your token is not allowed to do this." }] };
  const effect = { status: 403, body: body403 };
  await emulator.control("POST", "/faults", { method: "GET", path: "/v4/node/instances", times: 1, effect });
  const { code, stdout } = await run(["--out", "a"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/warning: could not read the Node objects at \S+: .*nodes?:read_only/);
  expect(declaredBy(join(folder, "a"))).toEqual([
    expect.objectContaining({ type: "Domain", options: {}, imports: String(body["id"]) }),
  ]);
});

describe("12,000 records of one name", () => {
  const { Domain, DomainRecord } = descriptions;
  const zone = liveObject(
    Domain,
    { id: "1" },
    { id: 1, domain: "example.org", type: "master", soa_email: "a@b.cd" },
  );
  const records = Array.from({ length: 12_000 }, (_, index): LiveObject => {
    const reply = { id: index, type: "A", name: "www", target: `10.0.${index >> 8}.${index & 255}` };
    return liveObject(DomainRecord, { parent: "1", id: String(index) }, reply);
  });
  const account: ServiceAccount = {
    ...{
      name: "test",
      endpoint: "test",
      gaps: [],
      listings: [],
      isListed: () => true,
      hidden: [],
      isWanted: () => true,
      isGone: () => false,
    },
    objects: new Map(
      [zone, ...records].map((one) => [
        keyOf(one.description.type, [one.ref.parent, one.ref.id].filter(Boolean).join("/")),
        one,
      ]),
    ),
  };
  const declared = new Set(records.slice(0, 6_000).map(({ ref }) => keyOf("DomainRecord", `1/${ref.id}`)));
  const entries = Array.from({ length: 20 }, (_, index) => ({ place: "", label: `*${index}*x`, reason: "" }));
  const wanted = { ignored: entries, today: "2027-01-01", declared, match: ["example.org"] };

  test("are planned one by one without the 6,000 that the program imports", () => {
    const chosen = chooseObjects(account, [], wanted);
    expect([chosen.objects.length, chosen.leftOut.length]).toEqual([6_001, 6_000]);
    const plan = planResources(account, chosen, { style: "single", base: "", taken: new Map() });
    expect(plan.counts).toEqual(
      new Map([
        ["Domain", 1],
        ["DomainRecord", 6_000],
      ]),
    );
    expect(
      sourcesOf(plan, { extension: "", from: "pulumi-nodecloud", protect: true }).get(
        "domains/example-org.ts",
      ),
    ).toContain('"www.example.org-A-6000"');
  });
});

test.each([
  ["Infra", "infra"],
  ["Мой проект", "nodecloud"],
  ["--x..", "x"],
  ["Ünï code", "uni-code"],
  ["node_modules", "node_modules-program"],
  ["pulumi-nodecloud", "pulumi-nodecloud-program"],
  ["2024", "2024"],
  ["", "nodecloud"],
  ["x".repeat(91), "x".repeat(90)],
])("the folder %j gives the project name %s", (name, expected) => {
  expect(projectNameOf(name)).toBe(expected);
  expect(JSON.parse(projectFiles(projectNameOf(name)).get("package.json") ?? "")).toMatchObject({
    name: expected,
  });
});

if (process.platform === "linux") {
  test("a folder in which the system makes none is an error, and not an endless attempt", () => {
    const module = resolve("dist/cli/import/write-files.js");
    const code = `require(${JSON.stringify(module)}).writeFolder("/proc/program", new Map([["a/b.ts", ""]]))`;
    // In this process, an endless attempt would stop all tests.
    const { stderr } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8", timeout: 60_000 });
    expect(stderr).toContain("CliError: cannot write /proc/program: ENOENT");
  });
}
