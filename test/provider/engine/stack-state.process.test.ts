import { readStackState, stateIn } from "../../../src/provider/engine/stack-state";

const urn = (type: string, name: string) =>
  `urn:pulumi:dev::app::pulumi-nodejs:dynamic/nodecloud:${type}::${name}`;
const state = stateIn({
  resources: [
    { type: "pulumi:pulumi:Stack", urn: "urn:stack" },
    { type: "pulumi-nodejs:dynamic/nodecloud:Node", id: "12", urn: urn("Node", "web"), delete: true },
    { type: "pulumi-nodejs:dynamic/nodecloud:DomainRecord", id: "5/7", urn: urn("DomainRecord", "www") },
    { type: "pulumi-nodejs:dynamic/nodecloud:DomainRecordSet", id: "5/sub", outputs: { __ids: "8,9" } },
    { type: "nodecloud:index:Domain", id: "5", outputs: { __set: "domain", __at: "api.example#000000" } },
    { type: "nodecloud:index:Domain", id: "6", outputs: { __set: "domain", __at: "other.example#000000" } },
  ],
  pending_operations: [
    { type: "creating", resource: { urn: urn("Node", "db") } },
    { type: "deleting", resource: { urn: urn("Node", "old") } },
  ],
});

test.each([
  ["Node", "12", true],
  ["Node", "13", false],
  ["Image", "12", false],
  ["DomainRecord", "5/7", true],
  ["DomainRecord", "5/9", true],
  ["DomainRecord", "6/9", false],
  ["NodeBackupSnapshot", "5/9", false],
  ["Domain", "5", true],
  ["Domain", "6", false],
])("the state has the %s %s of this account: %s", (type, id, isKnown) => {
  expect(state.knows(type, id, "api.example#ffffff")).toBe(isKnown);
});

test("an interrupted creation is found by its URN, or by its type and name", () => {
  const creating = (known: string | undefined, type: string, name: string) =>
    state.wasCutOff("creating", { urn: known, type, name });
  expect(creating(urn("Node", "db"), "Node", "other")).toBe(true);
  expect(creating(undefined, "Node", "db")).toBe(true);
  expect(creating(urn("Node", "old"), "Node", "old")).toBe(false);
  expect(creating(undefined, "Image", "db")).toBe(false);
  expect(state.wasCutOff("updating", { urn: undefined, type: "Node", name: "db" })).toBe(false);
});

test("an interrupted update is found by what the resource managed, whatever its name is now", () => {
  const type = "pulumi-nodejs:dynamic/nodecloud:DomainRecordSet";
  const set = (name: string, id: string, ids: string) => ({
    ...{ type, id, urn: urn("DomainRecordSet", name) },
    outputs: { __ids: ids },
  });
  const update = (name: string, aliases: readonly string[] = []) => ({
    type: "updating",
    resource: { type, urn: urn("DomainRecordSet", name), aliases },
  });
  const resources = [set("a", "5", "8,9"), set("b", "5", "10"), set("c", "6", "8")];
  const cutOff = (operation: object, object: string) =>
    stateIn({ resources, pending_operations: [operation] }).wasCutOff("updating", {
      ...{ urn: urn("DomainRecordSet", "new"), type: "DomainRecordSet", name: "new", object },
    });
  // A refresh has removed 9, and the engine had begun the update under another new name.
  for (const operation of [update("a"), update("other", [urn("DomainRecordSet", "a")])])
    expect(["5 8 9", "5 8", "5 10", "6 8"].map((object) => cutOff(operation, object))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  // `pulumi state rename` has left the operation under a name that no resource has.
  expect([cutOff(update("former"), "5 10"), cutOff(update("former"), "6 8")]).toEqual([true, true]);
});

test("of an interrupted replacement that creates first, the creation is open while the state has the object from before", () => {
  const web = urn("Node", "web");
  const openBeside = (id: string) =>
    stateIn({
      resources: [{ type: "pulumi-nodejs:dynamic/nodecloud:Node", id, urn: web }],
      pending_operations: [
        { type: "creating", resource: { urn: web, inputs: { label: "web", __before: "3,4" } } },
      ],
    }).pendingCreation({ urn: web, type: "Node", name: "web" })?.isOpen;
  expect([openBeside("4"), openBeside("5")]).toEqual([true, false]);
});

test("it is open too while the state has the object below another parent, or in another account, than the request names", () => {
  const openBeside = (type: string, id: string, inputs: object, outputs: object = {}) => {
    const own = { type: `pulumi-nodejs:dynamic/nodecloud:${type}`, urn: urn(type, "one") };
    return stateIn({
      resources: [{ ...own, id, outputs }],
      pending_operations: [{ type: "creating", resource: { ...own, inputs } }],
    }).pendingCreation({ urn: own.urn, type, name: "one" })?.isOpen;
  };
  const ofNode4 = { nodeId: "4", label: "gold" };
  const ids = ["1/2", "4/5"];
  expect(ids.map((id) => openBeside("NodeBackupSnapshot", id, ofNode4))).toEqual([true, false]);
  const asked = { label: "web", __askedAt: "b.example#token" };
  const places = ["a.example#token", "b.example#token", "b.example#rotated"];
  expect(places.map((__at) => openBeside("Node", "4", asked, { __at }))).toEqual([true, false, false]);
});

test("an interrupted creation has its inputs, and is open until the state has the resource", () => {
  const [web, db] = [urn("Node", "web"), urn("Node", "db")];
  const creating = (of: string) => ({
    type: "creating",
    resource: {
      urn: of,
      inputs: { label: `${of.at(-1) ?? ""}-0`, __resourceName: "its name", __before: "3,4" },
    },
  });
  const { pendingCreation } = stateIn({
    manifest: { time: "2026-01-02T03:04:05.123456789Z" },
    resources: [{ type: "pulumi-nodejs:dynamic/nodecloud:Node", id: "12", urn: web }],
    pending_operations: [creating(web), creating(db), creating(web)],
  });
  const ofNode = (name: string) => pendingCreation({ urn: urn("Node", name), type: "Node", name });
  expect(ofNode("db")).toEqual({
    requested: [{ inputs: { label: "b-0" }, autonamed: "its name", before: "3,4" }],
    isOpen: true,
    savedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 123),
  });
  expect(ofNode("web")).toMatchObject({ requested: [{}, {}], isOpen: false });
  expect(ofNode("other")).toBeUndefined();
});

test("without the command line, the state is unknown", async () => {
  expect(await readStackState("organization/app/dev", { PATH: "" }, true)).toBeUndefined();
});

test("an object counts as deleted by an unfinished replacement only if no other resource of the name may be meant", () => {
  const type = "pulumi-nodejs:dynamic/nodecloud:Node";
  const web = urn("Node", "web");
  const other = `urn:pulumi:dev::app::my:index:Site$${type}::web`;
  const gone = { type, id: "12", urn: web, pendingReplacement: true };
  const who = { urn: undefined, type: "Node", name: "web" };
  expect(stateIn({ resources: [gone] }).standing(who)).toMatchObject({ id: "12", isGone: true });
  const both = stateIn({ resources: [gone, { type, id: "13", urn: other }] });
  expect(both.standing(who)).toMatchObject({ id: "13", isGone: false });
  expect(both.standing({ ...who, urn: web })).toMatchObject({ id: "12", isGone: true });
});

test("an unfinished replacement that has deleted the old object leaves its interrupted creation open", () => {
  const type = "pulumi-nodejs:dynamic/nodecloud:Node";
  const old = { type, id: "12", urn: urn("Node", "web") };
  const pending_operations = [{ type: "creating", resource: { ...old, inputs: { label: "web" } } }];
  const isOpen = (more: object) =>
    stateIn({ resources: [{ ...old, ...more }], pending_operations }).pendingCreation({
      ...{ urn: old.urn, type: "Node", name: "web" },
    })?.isOpen;
  expect(isOpen({ pendingReplacement: true })).toBe(true);
  expect(isOpen({})).toBe(false);
});
