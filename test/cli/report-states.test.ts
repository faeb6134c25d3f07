import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MADE_AGAIN } from "../../src/provider/describe/effects";
import { nodecloud } from "../helpers/command-line";

type Json = Record<string, unknown>;
interface Step {
  op: string;
  urn: string;
  newState: Json & { inputs: Json };
}

const recorded = readFileSync(join(__dirname, "fixtures/report/change.json"), "utf8");
const PROVIDER = "urn:pulumi:prod::shop::pulumi:providers:pulumi-nodejs::there";

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "nodecloud-states-"))));
afterEach(() => rmSync(directory, { recursive: true }));

/** The recorded preview with another step of one resource. */
function previewWith(name: string, edit: (step: Step) => void): string {
  const preview = { ...(JSON.parse(recorded) as { steps: Step[] }), changeSummary: { same: 1 } };
  const step = preview.steps.find(({ urn }) => urn.endsWith(`::${name}`));
  if (step === undefined) throw new Error(`no step of ${name}`);
  edit(step);
  return JSON.stringify(preview);
}

/** Writes the state of a stack in which resources manage objects. */
function stackHas(
  stack: string,
  ...resources: readonly (Json & { type: string; name: string; id: string })[]
) {
  const [project, own] = stack.split("/");
  const of = (type: string, name: string) => `urn:pulumi:${own}::${project}::${type}::${name}`;
  const all = resources.map(({ type, name, ...one }) => {
    const token = `pulumi-nodejs:dynamic/nodecloud:${type}`;
    return { type: token, urn: of(token, name), custom: true, ...one };
  });
  const root = { type: "pulumi:pulumi:Stack", urn: of("pulumi:pulumi:Stack", String(own)) };
  const provider = {
    type: "pulumi:providers:pulumi-nodejs",
    urn: PROVIDER,
    id: "1",
    inputs: { "nodecloud:baseUrl": "https://there.example" },
  };
  const deployment = { resources: [root, provider, ...all] };
  writeFileSync(
    join(directory, `${stack.replace("/", "-")}.json`),
    JSON.stringify({ version: 3, deployment }),
  );
}

const report = (input: string, ...more: readonly string[]) =>
  nodecloud(["report", "--states", ".", ...more], { directory, input });

/** A new resource that adopts the node 7. */
const dynamicImport = previewWith("fresh", ({ newState }) => (newState.inputs["__importId"] = "7"));
const pluginImport = previewWith("fresh", (step) => {
  step.op = "import";
  step.newState["type"] = "nodecloud:index:Node";
  step.newState["importID"] = "7";
});

test.each([
  ["a dynamic resource", dynamicImport],
  ["a resource of the plugin", pluginImport],
])(
  "an import by %s of what another stack manages is denied, and the row names the resource and the stack",
  async (_, input) => {
    stackHas("shop/prod", { type: "Node", name: "web", id: "7" });
    const { code, stdout } = await report(input, "--deny", "shared");
    expect(code).toBe(2);
    expect(stdout).toContain(
      "#### Takes or deletes what another stack manages (1)\n\n- **`Node` `fresh`** is imported: adopts the existing object 7: Node web of the stack shop/prod manages it too",
    );
    expect(stdout).toContain("- ❌ denied by --deny: `shared` `Node` `fresh`");
    expect(stdout).toContain(", 1 of what another stack manages,");
    const { stdout: json } = await report(input, "--format", "json");
    const { stacks } = JSON.parse(json) as { stacks: [{ changes: Json[] }] };
    expect(stacks[0].changes.filter(({ section }) => section === "shared")).toMatchObject([
      { name: "fresh", operation: "import", shared: ["Node web of the stack shop/prod manages it too"] },
    ]);
    expect((await report(input, "--deny", "shared", "--allow", "shared:Node:fresh")).code).toBe(0);
  },
);

test("a stack that the preview is of, resources that only read, and other objects and accounts share nothing", async () => {
  stackHas("program/test", { type: "Node", name: "web", id: "7" });
  stackHas(
    "shop/prod",
    { type: "Node", name: "read", id: "7", external: true },
    { type: "Node", name: "other", id: "8" },
    { type: "Image", name: "image", id: "7" },
    { type: "Node", name: "there", id: "7", provider: `${PROVIDER}::1` },
  );
  const inputs = { "nodecloud:baseUrl": "https://here.example" };
  const preview = JSON.parse(dynamicImport) as { steps: Json[] };
  const urn = "urn:pulumi:test::program::pulumi:providers:pulumi-nodejs::default";
  const type = "pulumi:providers:pulumi-nodejs";
  preview.steps.push({ op: "same", urn, newState: { type, inputs, outputs: {} } });
  const { code, stdout } = await report(JSON.stringify(preview), "--deny", "shared");
  expect(stdout).toContain("adopts the existing object 7\n");
  expect(code).toBe(0);
});

test("a deletion of what another stack manages too is denied, as its state may be a copy, unless the object stays", async () => {
  stackHas("shop/copy", { type: "Node", name: "web", id: "10" }, { type: "Node", name: "left", id: "14" });
  const { code, stdout } = await report(recorded, "--deny", "shared");
  expect(code).toBe(2);
  const denied = [...stdout.matchAll(/denied by --deny: `shared` (.*)/g)].map(([, what]) => what);
  expect(denied).toEqual(["`Node` `old`"]);
  expect(stdout).toContain("Node web of the stack shop/copy manages it too");
});

describe("a set", () => {
  const record = (name: string, more: Json = {}) => ({
    type: "DomainRecord",
    name: name.replace(".", ""),
    id: `6/${name.length}`,
    inputs: { domainId: "6", type: "A", name, target: "192.0.2.1", ...more },
  });
  const set = (inputs: Json) => previewWith("set", ({ newState }) => Object.assign(newState.inputs, inputs));

  test("that is exclusive is denied if another stack manages records that it covers", async () => {
    stackHas("shop/prod", record("www.api"), record("mail"));
    stackHas("shop/dev", {
      type: "DomainRecordSet",
      name: "all",
      id: "6",
      outputs: { records: "api A 192.0.2.1\na.api A 192.0.2.1\nmx A 192.0.2.1\n", __ids: "1,2,3" },
    });
    const { code, stdout } = await report(set({ exclusive: true, subdomain: "api" }), "--deny", "shared");
    expect(code).toBe(2);
    expect(stdout).toContain(
      "DomainRecordSet all of the stack shop/dev manages 2 of its records too; DomainRecord wwwapi of the stack shop/prod manages 1 of its records too",
    );
  });

  test("is denied its deletion if another stack manages a record that it has", async () => {
    stackHas("shop/copy", { ...record("www"), id: "6/2" });
    const preview = JSON.parse(recorded) as { steps: Json[] };
    const urn = "urn:pulumi:test::program::pulumi-nodejs:dynamic/nodecloud:DomainRecordSet::gone";
    const outputs = { records: "www A 192.0.2.1\n", __ids: "2" };
    const oldState = {
      urn,
      type: "pulumi-nodejs:dynamic/nodecloud:DomainRecordSet",
      id: "6",
      outputs,
      inputs: {},
    };
    preview.steps.push({ op: "delete", urn, oldState });
    const { code, stdout } = await report(JSON.stringify(preview), "--deny", "shared");
    expect(code).toBe(2);
    expect(stdout).toContain("DomainRecord www of the stack shop/copy manages it too");
  });

  test("of another stack is named if a record that it holds is imported", async () => {
    const outputs = { records: "www A 192.0.2.1\n", __ids: "2" };
    stackHas("shop/prod", { type: "DomainRecordSet", name: "all", id: "6", outputs });
    const input = previewWith("viaweb", (step) => {
      step.op = "create";
      step.newState.inputs["__importId"] = "6/2";
    });
    const { code, stdout } = await report(input, "--deny", "shared");
    expect(stdout).toContain("DomainRecordSet all of the stack shop/prod manages it too");
    expect(code).toBe(2);
  });

  test("that manages only what it created shares nothing, and neither does one of another domain", async () => {
    stackHas("shop/prod", record("www"));
    expect((await report(set({}), "--deny", "shared")).code).toBe(0);
    expect((await report(set({ exclusive: true, domainId: "66" }), "--deny", "shared")).code).toBe(0);
  });

  test("that is imported shares the records that it declares, and secret ones count", async () => {
    const imported = (records: unknown) =>
      previewWith("set", (step) => {
        step.op = "create";
        Object.assign(step.newState.inputs, { records, __importId: "6" });
      });
    stackHas("shop/prod", record("www"));
    const [own, other] = ["www A 192.0.2.1\n", "api A 192.0.2.1\n"];
    expect((await report(imported(other), "--deny", "shared")).code).toBe(0);
    for (const records of [own, [{ type: "A", name: "www", target: "192.0.2.1" }], "[secret]"])
      expect((await report(imported(records), "--deny", "shared")).code).toBe(2);
    stackHas("shop/prod", record("www", { target: { ciphertext: "planted" } }));
    const { code, stdout } = await report(imported(other), "--deny", "shared");
    expect(code).toBe(2);
    expect(stdout).not.toContain("planted");
  });
});

test("a deletion is denied if what another stack manages goes with it, as is a snapshot in place of another stack's", async () => {
  stackHas(
    "shop/prod",
    { type: "NodeBackupSnapshot", name: "golden", id: "10/77" },
    { type: "NodeBackupSnapshot", name: "elsewhere", id: "99/78" },
    { type: "DomainRecord", name: "www", id: "10/5" },
  );
  const { code, stdout } = await report(recorded, "--deny", "shared");
  expect(code).toBe(2);
  expect(stdout).toContain(
    "what NodeBackupSnapshot golden of the stack shop/prod manages goes with the node",
  );
  const snapshot = previewWith("fresh", ({ op, newState }) => {
    expect(op).toBe("create");
    newState["type"] = "nodecloud:index:NodeBackupSnapshot";
    newState["inputs"] = { nodeId: "10" };
  });
  const taken = await report(snapshot, "--deny", "shared");
  expect(taken.stdout).toContain(
    "what NodeBackupSnapshot golden of the stack shop/prod manages is overwritten",
  );
  expect(`${stdout}${taken.stdout}`).not.toMatch(/elsewhere|DomainRecord www/);
});

test("the rule shared needs states", async () => {
  const { code, stderr } = await nodecloud(["report", "--deny", "shared"], { directory, input: recorded });
  expect(code).toBe(1);
  expect(stderr).toContain("the rule shared needs the states of the other stacks: name them with --states");
});

test("a deletion that an earlier run has left to this one is reported from the state of the stack itself", async () => {
  const nothing = JSON.stringify({
    ...(JSON.parse(recorded) as object),
    steps: [],
    changeSummary: { same: 2 },
  });
  const step = (JSON.parse(recorded) as { steps: Step[] }).steps.find(({ op }) => op === "same") as Step;
  const input = JSON.stringify({ ...(JSON.parse(nothing) as object), steps: [step] });
  stackHas("program/test", {
    type: "Node",
    name: "web",
    id: "9",
    delete: true,
    inputs: { region: "us-east" },
  });
  const { code, stdout } = await report(input, "--format", "text", "--deny", "data-loss");
  expect(stdout).toContain("Node web is deleted: the node's disks, backups and addresses are lost");
  expect(code).toBe(2);
  stackHas("program/test", { type: "Node", name: "web", id: "9", inputs: { region: "us-east" } });
  expect(await report(input, "--deny", "data-loss")).toMatchObject({ code: 0 });
});

test("a deletion that an earlier run has left is reported beside what the resource of its name does", async () => {
  const input = previewWith("web", (step) => {
    const { type, inputs } = step.newState;
    const oldState = { type, inputs, outputs: inputs, id: "7", retainOnDelete: true };
    Object.assign(step, { op: "delete", newState: undefined, oldState });
  });
  const node = { type: "Node", name: "web", inputs: { region: "us-east" } };
  stackHas("program/test", { ...node, id: "9", delete: true });
  const { code, stdout } = await report(input, "--format", "text", "--deny", "data-loss");
  expect(stdout).toContain("Node web is deleted: the node's disks, backups and addresses are lost");
  expect(stdout).toContain("Node web leaves the stack: retainOnDelete keeps the object");
  expect(code).toBe(2);
  // The engine's events list it.
  const { steps, ...rest } = JSON.parse(input) as { steps: { urn: string; oldState: object }[] };
  const listed = steps.flatMap((step) =>
    step.urn.endsWith("::web")
      ? [step, { ...step, oldState: { ...step.oldState, id: "9", retainOnDelete: false } }]
      : [step],
  );
  stackHas("program/test", { ...node, id: "7" });
  expect(await report(JSON.stringify({ ...rest, steps: listed }), "--deny", "data-loss")).toMatchObject({
    code: 2,
  });
});

test("a deletion that an earlier run has left is reported beside an import that replaces the object", async () => {
  const input = previewWith("web", (step) => {
    const { type, inputs } = step.newState;
    const oldState = { type, inputs, outputs: inputs, id: "7" };
    Object.assign(step, { op: "import-replacement", oldState, newState: { ...step.newState, id: "8" } });
  });
  const { steps, ...rest } = JSON.parse(input) as { steps: { urn: string }[] };
  const planned = steps.flatMap((step) =>
    step.urn.endsWith("::web") ? [step, { ...step, op: "delete-replaced", newState: undefined }] : [step],
  );
  const node = { type: "Node", name: "web", inputs: { region: "us-east" } };
  stackHas("program/test", { ...node, id: "9", delete: true });
  const { stdout } = await report(
    JSON.stringify({ ...rest, steps: planned }),
    "--format",
    "text",
    "--deny",
    "deletion,replacement",
  );
  expect(stdout.match(/^denied by .* Node web/gm)).toEqual([
    "denied by --deny: replacement Node web",
    "denied by --deny: deletion Node web",
  ]);
});

test("the deletion of a second resource of an object is none if the state has a resource for it that stays", async () => {
  const input = previewWith("fresh", (step) => {
    const { type, inputs } = step.newState;
    Object.assign(step, {
      op: "delete",
      newState: undefined,
      oldState: { type, inputs, outputs: inputs, id: "7" },
    });
  });
  const node = (id: string) => ({ type: "Node", name: "first", id, inputs: { region: "us-east" } });
  stackHas("program/test", node("7"));
  const judged = async () => (await report(input, "--format", "text", "--deny", "deletion")).stdout;
  const kept = await judged();
  expect(kept).toContain("Node fresh leaves the stack: Node first takes the object over");
  expect(kept).not.toContain("denied by --deny: deletion Node fresh");
  stackHas("program/test", node("8"));
  expect(await judged()).toContain("denied by --deny: deletion Node fresh");
});

describe("of what another stack manages too", () => {
  const a = (name: string) => `${name} A 192.0.2.1`;
  const setOf = (names: readonly string[], more: Json = {}) => ({
    type: "pulumi-nodejs:dynamic/nodecloud:DomainRecordSet",
    id: "7",
    inputs: { domainId: "7", records: names.map((name) => `${a(name)}\n`).join("") },
    outputs: {
      domainId: "7",
      records: names.map((name) => `${a(name)}\n`).join(""),
      __ids: names.map((name) => (name === "www" ? "12" : "13")).join(),
      ...more,
    },
  });
  const node = (region: string, more: Json = {}) => ({
    type: "pulumi-nodejs:dynamic/nodecloud:Node",
    id: "7",
    inputs: { region },
    outputs: { region },
    ...more,
  });
  const going = { pendingReplacement: true };
  const withStep = (op: string, oldState: Json, newState: Json, said: string) => {
    let urn = "";
    const preview = previewWith("fresh", (step) => {
      Object.assign(step, { op, oldState, newState });
      urn = step.urn;
    });
    const { diagnostics, ...rest } = JSON.parse(preview) as { diagnostics: Json[] };
    const more = { urn, severity: "warning", message: `warning: Node fresh: ${said}\n` };
    return JSON.stringify({ ...rest, diagnostics: [...diagnostics, more] });
  };

  test.each([
    ["a replacement", "replace", node("us-east"), node("eu-west"), 2],
    [
      "a replacement that keeps the old object",
      "replace",
      node("us-east", { retainOnDelete: true }),
      node("eu-west"),
      0,
    ],
    ["a replacement that deletes first", "replace", node("us-east", going), node("eu-west"), 2],
    [
      "one that goes on and has deleted it",
      "replace",
      node("us-east", going),
      node("eu-west"),
      0,
      `${MADE_AGAIN}deleted the old object`,
    ],
    ["the deletion of a member", "update", setOf(["www", "api"]), setOf(["api"]), 2],
    ["an update that keeps the member", "update", setOf(["www", "api"]), setOf(["www"]), 0],
  ])("%s is denied if it deletes that", async (_, op, before, after, exit, said = "") => {
    stackHas(
      "shop/copy",
      { type: "Node", name: "web", id: "7" },
      { type: "DomainRecord", name: "www", id: "7/12" },
    );
    const { code, stdout } = await report(
      withStep(op, before, after, said),
      "--format",
      "text",
      "--deny",
      "shared",
    );
    expect(stdout.includes("of the stack shop/copy manages it too")).toBe(exit === 2);
    expect(code).toBe(exit);
  });
});
