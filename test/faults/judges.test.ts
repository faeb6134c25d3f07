import { type ReportedChange } from "../../src/cli/report/changes";
import { deployedNode, withEmulator } from "../helpers/emulator";
import { type StateResource } from "../helpers/stack";
import { judgeDestroyed, judgeHolding, judgeOrphans, type LiveObject } from "./account";
import { judgePair, type Seen } from "./review/judge";
import { EMPTY, judgeAccount } from "./whole-program";

const known = { id: "7", inputs: {} };
const node = (id: number, more: object = {}): LiveObject => ({
  id,
  label: `it-${id}`,
  status: "running",
  tags: ["a"],
  ...more,
});
const held = (more: object = {}) =>
  judgeHolding({ kind: "Node", found: [node(7)], known, ...more } as Parameters<typeof judgeHolding>[0]);

test("an account with exactly the objects of the program has no problem", () => {
  expect(held()).toEqual([]);
  expect(held({ changed: true, found: [node(7, { tags: ["b"] })] })).toEqual([]);
});

test("a duplicate is found, whether the state names the first or the second object", () => {
  const twice = [node(7), node(8)];
  expect(held({ found: twice })).toEqual([
    "duplicated: 7 (label it-7, status running); 8 (label it-8, status running)",
  ]);
  expect(held({ found: twice, known: { ...known, id: "8" } })).toHaveLength(1);
});

test("a missing object is found, and so is a state that names another object or none", () => {
  expect(held({ found: [] })).toEqual([
    "lost: 0 of 1 objects exist",
    "lost: the state names 7, which does not exist",
  ]);
  expect(held({ found: [node(8)] })).toEqual(["lost: the state names 7, which does not exist"]);
  expect(held({ known: undefined })).toEqual(["lost: the state does not have the resource"]);
});

test("a missing change is found", () => {
  expect(held({ changed: true })).toEqual([
    'wrong: 7 (label it-7, status running) has tags ["a"], not ["b"]',
  ]);
});

test("each record of a record set counts, although the state has the id of the domain", () => {
  const record = (id: number): LiveObject => ({ id, name: "host", target: `192.0.2.${id}`, ttl_sec: 300 });
  const set = { kind: "DomainRecordSet", known: { id: "1", inputs: {} } } as const;
  expect(judgeHolding({ ...set, found: [record(1), record(2)] })).toEqual([]);
  expect(judgeHolding({ ...set, found: [record(1)] })).toEqual(["lost: 1 of 2 objects exist"]);
  expect(judgeHolding({ ...set, found: [record(1), record(2), record(3)] })).toHaveLength(1);
});

test("an orphan is named by its id or its name, and not by a part of another number", () => {
  const orphan = node(12);
  expect(judgeOrphans([orphan], "create Node it-12: it is unknown whether it was created")).toEqual([]);
  expect(judgeOrphans([orphan], "Node 12 is left")).toEqual([]);
  for (const told of ["", "Node 112 is left", "at 127.0.0.1:1234", "12.5 s", "it-1"]) {
    expect(judgeOrphans([orphan], told)).toEqual(["orphan not named: 12 (label it-12, status running)"]);
  }
});

test("an object that a destroy leaves is found, and one that the API cannot delete must be named", () => {
  expect(judgeDestroyed("Node", [node(7)], "Node 7")).toHaveLength(1);
  expect(judgeDestroyed("NodeBackupSnapshot", [node(7)], "")).toHaveLength(1);
  expect(judgeDestroyed("NodeBackupSnapshot", [node(7)], "the snapshot 1/7 stays")).toEqual([]);
});

test("in an account, an extra object, a missing object and a wrong id are found", () =>
  withEmulator(async ({ call, control }) => {
    const { body } = await call<{ id: number }>("POST", "/node/instances", { body: deployedNode });
    const web = (id: number) => ({ web: { id: String(id) } as StateResource });
    const one = { ...EMPTY, nodes: 1 };
    expect(await judgeAccount(control, one, web(body.id))).toEqual([]);
    expect(await judgeAccount(control, EMPTY, {})).toEqual([
      expect.stringMatching(/^duplicated: nodes are \d+ /),
    ]);
    expect(await judgeAccount(control, { ...one, images: 1 }, web(body.id))).toEqual([
      expect.stringMatching(/^lost: images /),
    ]);
    expect(await judgeAccount(control, one, web(99))).toEqual([
      "lost: the state names 99, which does not exist",
    ]);
  }));

describe("a review", () => {
  const web = {
    urn: "urn:pulumi:test::program::nodecloud:index:Node::web",
    name: "web",
    kind: "Node",
    id: "7",
    inputs: {},
    outputs: {},
    retainOnDelete: false,
    objects: ["nodes 7"],
  } as const;
  const change: ReportedChange = {
    urn: web.urn,
    stack: "",
    type: "Node",
    name: "web",
    operation: "deletion",
    section: "data-loss",
    may: false,
    losses: ["the disks"],
    interruptions: [],
    deletions: [],
    shared: [],
    properties: [],
    messages: [],
  };
  const step = { order: ["web delete"], printed: "" } as unknown as Seen["up"];
  const report = {
    complete: true,
    denied: [
      { rule: "data-loss", name: "web" },
      { rule: "deletion", name: "web" },
    ],
    stacks: [{ changes: [change], unchanged: 0 }],
  } as const;
  const silent = { complete: true, denied: [], stacks: [{ changes: [], unchanged: 1 }] };
  const deletion: Seen = {
    ...{ preview: step, up: step, report, requests: [], renamed: new Map(), foreign: new Map() },
    ...{ before: new Map([["nodes 7", node(7)]]), after: new Map() },
    ...{ was: new Map([["web", web]]), now: new Map() },
  };

  test("that says what happens has no problem", () => {
    expect(judgePair(deletion)).toEqual([]);
  });

  test("that says nothing of a deletion is found, and so is one that says it falsely", () => {
    expect(judgePair({ ...deletion, report: silent })).toEqual([
      expect.stringMatching(/^missed data-loss of web: nodes 7 is gone/),
      expect.stringMatching(/^missed deletion of web/),
      expect.stringMatching(/^unsaid: nodes 7 of web was deleted/),
    ]);
    const nothing = { ...deletion, after: deletion.before, now: deletion.was };
    expect(judgePair(nothing)).toEqual([
      expect.stringMatching(/^false data-loss of web/),
      expect.stringMatching(/^false deletion of web/),
    ]);
  });

  test.each<[string, Partial<Seen>, object]>([
    [
      "interruption",
      {
        preview: { ...step, order: [] },
        up: { ...step, order: [] },
        after: new Map([["nodes 7", node(7, { type: "g6-standard-2" })]]),
        now: deletion.was,
      },
      { operation: "update", interruptions: ["the node is not available"] },
    ],
    [
      "replacement",
      {
        preview: { ...step, order: ["web create-replacement", "web delete-replaced"] },
        up: { ...step, code: 0, order: ["web create-replacement", "web delete-replaced"] },
        before: new Map([["records 1/7", node(7)]]),
        after: new Map([["records 1/8", node(8)]]),
        was: new Map([["web", { ...web, kind: "DomainRecord", objects: ["records 1/7"] }]]),
        now: new Map([["web", { ...web, kind: "DomainRecord", objects: ["records 1/8"] }]]),
      },
      { operation: "replacement" },
    ],
  ])("that says nothing of the %s is found, and so is one that says it falsely", (kind, more, said) => {
    const about = (denied: readonly object[]) =>
      ({
        complete: true,
        denied,
        stacks: [{ changes: [{ ...change, losses: [], ...said }], unchanged: 0 }],
      }) as Seen["report"];
    const seen = { ...deletion, ...more };
    const full = about([{ rule: kind, name: "web" }]);
    expect(judgePair({ ...seen, report: full })).toEqual([]);
    expect(judgePair({ ...seen, report: about([]) })).toEqual([
      expect.stringMatching(`^missed ${kind} of web`),
    ]);
    const nothing = { preview: { ...step, order: [] }, up: { ...step, order: [] } };
    expect(judgePair({ ...seen, ...nothing, report: full, after: seen.before, now: seen.was })).toEqual([
      expect.stringMatching(`^false ${kind} of web`),
    ]);
  });

  test("whose steps are others than those of the up is found", () => {
    const none = { ...step, order: [] };
    expect(judgePair({ ...deletion, preview: none })).toEqual([
      expect.stringMatching(/^done, and not announced: web delete/),
    ]);
    expect(judgePair({ ...deletion, up: none })).toEqual([
      expect.stringMatching(/^announced, and not done: web delete/),
    ]);
  });

  test("that shows another value than the one afterwards is found", () => {
    const shown = (label: string) => {
      const metadata = { op: "update", urn: web.urn, new: { outputs: { label } } };
      return {
        order: ["web update"],
        printed: JSON.stringify({ sequence: 1, resOutputsEvent: { metadata } }),
      } as unknown as Seen["up"];
    };
    const update = { ...change, operation: "update", section: "update", losses: [] } as const;
    const seen: Seen = {
      ...deletion,
      ...{ preview: shown("one"), up: shown("two"), after: deletion.before, now: deletion.was },
      report: { complete: true, denied: [], stacks: [{ changes: [update], unchanged: 0 }] },
    };
    expect(judgePair(seen)).toEqual(['shown, and not so: web.label (update) "one" → "two"']);
    expect(judgePair({ ...seen, up: shown("one") })).toEqual([]);
  });
});
