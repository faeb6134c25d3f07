import { z } from "zod";
import { effectsOf, replacementOf } from "../../../src/provider/state/describe-changes";
import { changedInputs, deletesFirst } from "../../../src/provider/state/update-or-replace";
import { type Description } from "../../../src/provider/describe/define-resource";
import { type FieldTree, leavesOf } from "../../../src/provider/describe/fields";
import { replace, setting, update } from "../undocumented";
import { withDrift } from "../../../src/provider/state/drift";
import { type State } from "../../../src/provider/state/call";
import { outputsOfState, stateIn } from "../../../src/provider/state/codec";
import { callIn } from "../../../src/provider/state/handed";
import { asInputs, asStored, setInputs } from "../../../src/provider/state/sent";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { fakeDescription } from "../fake-service";

const fields: FieldTree = {
  name: update(z.string()),
  note: update(z.string(), { default: null }),
  ttl: update(z.int(), { default: 0 }),
  tags: update(z.array(z.string()), { compare: "set", default: [] }),
  region: replace(z.string()),
  swap: replace(z.int(), { default: 512 }),
  password: replace(z.string(), { secret: true }),
  keys: replace(z.array(z.string())),
  trigger: replace(z.string(), { removed: "nothing" }),
  engine: replace(z.string(), { followsService: true }),
  alerts: { cpu: update(z.int()), io: update(z.int()) },
  metadata: { userData: replace(z.string(), { secret: true }) },
  type: {
    ...update(z.string()),
    change: (inputs) => (inputs["resize"] === "replace" ? "replace" : "update"),
  },
  resize: setting(z.string()),
  patch: update(z.string(), { notSent: true, action: true }),
};
const leaves = leavesOf(fields);

const stored = (inputs: Properties, live: Properties = inputs): State =>
  asStored(leaves, setInputs(leaves, inputs), live);

/** The differences between a state and the inputs of a program, with hidden ones. */
const changedFrom = (state: State, inputs: Properties) => changedInputs(leaves, state, callIn(inputs));

/** The changes of an `up`, as `path: change to value`. */
const changes = (state: State, inputs: Properties) =>
  changedFrom(state, inputs).map(
    ({ leaf, change, value }) => `${leaf.path}: ${change} to ${JSON.stringify(value)}`,
  );

describe("a changed input", () => {
  test("updates or replaces according to its field", () => {
    const before = stored({ name: "a", region: "us-east", alerts: { cpu: 1, io: 2 } });
    expect(changes(before, { name: "b", region: "us-west", alerts: { cpu: 1, io: 3 } })).toEqual([
      'name: update to "b"',
      'region: replace to "us-west"',
      "alerts.io: update to 3",
    ]);
  });

  test("can update or replace depending on another input", () => {
    const before = stored({ type: "small" });
    expect(changes(before, { type: "large" })).toEqual(['type: update to "large"']);
    expect(changes(before, { type: "large", resize: "replace" })).toEqual(['type: replace to "large"']);
  });

  test("does not count if it is a setting", () => {
    expect(changes(stored({ resize: "replace" }), { resize: "in-place" })).toEqual([]);
  });

  test("does not count if it only states the default that applies already", () => {
    expect(changes(stored({ name: "a" }), { name: "a", swap: 512 })).toEqual([]);
    expect(changes(stored({ name: "a" }), { name: "a", swap: 256 })).toEqual(["swap: replace to 256"]);
    expect(changes(stored({ name: "a", swap: 256 }), { name: "a", swap: 512 })).toEqual([
      "swap: replace to 512",
    ]);
    // The answer shows another value.
    expect(changes(stored({ name: "a" }, { name: "a", ttl: 300 }), { name: "a", ttl: 0 })).toEqual([
      "ttl: update to 0",
    ]);
  });

  test("does not count against the server's rewritten value, and another value counts", () => {
    const rounded = stored({ ttl: 299 }, { ttl: 300 });
    expect(changes(rounded, { ttl: 299 })).toEqual([]);
    expect(changes(rounded, { ttl: 301 })).toEqual(["ttl: update to 301"]);
  });
});

describe("a removed input", () => {
  test("returns to its documented default", () => {
    const before = stored({ note: "x", ttl: 300, tags: ["a"], swap: 256 });
    expect(changes(before, {})).toEqual([
      "note: update to null",
      "ttl: update to 0",
      "tags: update to []",
      "swap: replace to 512",
    ]);
  });

  test("is not a change if the default already applies", () => {
    expect(changes(stored({ ttl: 0, tags: [] }), {})).toEqual([]);
    expect(changes(stored({ note: "x" }, { note: null }), {})).toEqual([]);
  });

  test("keeps its value without a documented default", () => {
    expect(changes(stored({ name: "a", region: "us-east", alerts: { cpu: 1 } }), {})).toEqual([]);
  });

  test("can also be null", () => {
    expect(changes(stored({ ttl: 300 }), { ttl: null })).toEqual(["ttl: update to 0"]);
  });

  test("is not a change if the program did not set it", () => {
    expect(changes(stored({}, { note: "theirs", ttl: 300 }), {})).toEqual([]);
  });
});

describe("a newly set input", () => {
  const before = stored({ name: "a" }, { name: "a", region: "us-east", ttl: 300, alerts: { cpu: 1, io: 2 } });

  test("is a change if the object has another value", () => {
    expect(changes(before, { name: "a", ttl: 600 })).toEqual(["ttl: update to 600"]);
    expect(changes(before, { name: "a", region: "us-west" })).toEqual(['region: replace to "us-west"']);
  });

  test("is managed from then on if the object already has the value, without a replacement", () => {
    expect(changes(before, { name: "a", region: "us-east" })).toEqual(['region: update to "us-east"']);
  });

  test("replaces if it can only be set at creation", () => {
    expect(changes(before, { name: "a", keys: ["k"] })).toEqual(['keys: replace to ["k"]']);
  });
});

describe("after an import", () => {
  const adopted = { ...stored({ name: "a" }, { name: "a", region: "us-east" }), isAdopted: true };

  test("write-only inputs are open, and setting them is not a change", () => {
    const wanted = { name: "a", password: "s3cret", keys: ["k"], metadata: { userData: "x" }, swap: 256 };
    expect(changes(adopted, wanted)).toEqual([]);
    expect(changes(adopted, { name: "a", metadata: UNKNOWN, password: UNKNOWN })).toEqual([]);
  });

  test("an input that requests an action requests it when it is set", () => {
    expect(changes(adopted, { name: "a", patch: "now" })).toEqual(['patch: update to "now"']);
  });

  test("readable inputs are compared as usual", () => {
    expect(changes(adopted, { name: "b", region: "us-west" })).toEqual([
      'name: update to "b"',
      'region: replace to "us-west"',
    ]);
  });
});

describe("unknown values", () => {
  const before = stored({ name: "a", tags: ["a"], alerts: { cpu: 1 }, metadata: { userData: "x" } });

  test("are changes, because they can be any value", () => {
    expect(changes(before, { name: UNKNOWN, tags: ["a", UNKNOWN], alerts: { cpu: UNKNOWN } })).toEqual([
      `name: update to "${UNKNOWN}"`,
      `tags: update to ["a","${UNKNOWN}"]`,
      `alerts.cpu: update to "${UNKNOWN}"`,
    ]);
  });

  test("include every input in an unknown group", () => {
    const found = changes(before, { name: "a", tags: ["a"], alerts: UNKNOWN, metadata: UNKNOWN });
    expect(found).toContain(`alerts.cpu: update to "${UNKNOWN}"`);
    expect(found).toContain(`metadata.userData: replace to "${UNKNOWN}"`);
  });
});

describe("drift", () => {
  const read = (state: State, live: Properties) => asInputs(withDrift(leaves, state, live));

  test("is found for one input of a group, and not for an unmanaged neighbour", () => {
    const before = stored({ alerts: { cpu: 1 } }, { alerts: { cpu: 1, io: 2 } });
    expect(read(before, { alerts: { cpu: 1, io: 9 } })).toEqual({ alerts: { cpu: 1 } });
    expect(read(before, { alerts: { cpu: 8, io: 2 } })).toEqual({ alerts: { cpu: 8 } });
  });

  test("removes an input that somebody cleared, and the next `up` restores it", () => {
    const before = stored({ note: "x", tags: ["a"] });
    const live = { note: null, tags: [] };
    const sent = withDrift(leaves, before, live);
    expect(asInputs(sent)).toEqual({ tags: [] });
    const after = asStored(leaves, sent, live, before.outputs);
    expect(changes(after, { note: "x", tags: ["a"] })).toEqual([
      'note: update to "x"',
      'tags: update to ["a"]',
    ]);
  });

  test("does not exist for an input that the answer omits", () => {
    const before = stored({ keys: ["k"], password: "s3cret" }, {});
    expect(read(before, {})).toEqual({ keys: ["k"], password: "s3cret" });
  });

  test("does not exist for an input that the service may change, and neither does a change", () => {
    const before = stored({ engine: "mysql/8.0.30" });
    const live = { engine: "mysql/8.0.35" };
    const sent = withDrift(leaves, before, live);
    expect(asInputs(sent)).toEqual({ engine: "mysql/8.0.30" });
    const after = asStored(leaves, sent, live, before.outputs);
    expect(after.outputs["engine"]).toBe("mysql/8.0.35");
    expect(changes(after, { engine: "mysql/8.0.30" })).toEqual([]);
  });

  test("of such an input that the program takes over replaces nothing", () => {
    const before = stored({ engine: "mysql/8.0.30" });
    const live = { engine: "mysql/8.0.35" };
    const after = asStored(leaves, withDrift(leaves, before, live), live, before.outputs);
    const found = changedFrom(after, { engine: "mysql/8.0.35" });
    expect(found.filter(({ change }) => change === "replace")).toEqual([]);
  });
});

describe("the stored inputs", () => {
  test("contain nothing null or unset at any depth", () => {
    const live = { name: "a", note: null, hosts: { primary: "x", secondary: null } };
    const outputs = outputsOfState(stored({ name: "a" }, live));
    expect(outputs).toStrictEqual({ name: "a", hosts: { primary: "x" }, __set: "name" });
  });

  test("keep a write-only input as it was sent, also when other inputs change", () => {
    const before = stored({ keys: ["k"], password: "s3cret" }, { name: "a" });
    const kept = outputsOfState(before);
    expect(kept).toMatchObject({ keys: ["k"], password: "s3cret", __set: "password,keys" });
    const after = asStored(leaves, stateIn(kept).sent, { name: "b" }, before.outputs);
    expect(after.outputs).toMatchObject({ name: "b", keys: ["k"], password: "s3cret" });
  });

  test("contain a secret only at its own path, and never among the sent values", () => {
    const outputs = outputsOfState(
      stored({ password: "s3cret", metadata: { userData: "hush" } }, { password: "****" }),
    );
    expect(outputs).toMatchObject({ password: "s3cret", metadata: { userData: "hush" } });
    expect(JSON.stringify(outputs["__sent"] ?? "")).not.toContain("s3cret");
  });
});

describe("a replacement", () => {
  const named = fakeDescription({ fields, unique: "name", autoname: { path: "name", max: 20 } });

  test.each<[string, boolean, [Description, State, Properties]]>([
    ["a unique name that stays the same", true, [named, stored({ name: "a" }), { name: "a" }]],
    ["a unique name that may stay the same", true, [named, stored({ name: "a" }), { name: UNKNOWN }]],
    [
      "a unique name that stays the same, which the service rewrote",
      true,
      [named, stored({ name: "A" }, { name: "a" }), { name: "A" }],
    ],
    ["another unique name", false, [named, stored({ name: "a" }), { name: "b" }]],
    ["an automatic name", false, [named, stored({ name: "a" }), { name: "a", __resourceName: "web" }]],
    ["nothing unique", false, [fakeDescription({ fields }), stored({ name: "a" }), { name: "a" }]],
    ["a description that says so", true, [fakeDescription({ deleteFirst: true }), stored({}), {}]],
  ])("with %s deletes the old object first: %s", (_, first, [of, state, inputs]) => {
    expect(deletesFirst(of, state, callIn(inputs))).toBe(first);
  });

  const warned = fakeDescription({
    fields,
    warnings: (changed) => (changed("name") ? [{ about: ["name"], line: "renamed" }] : []),
  });
  const before = stored({ name: "a", region: "us-east" });
  const none = { losses: [], interruptions: [], others: [] };
  const effects = (inputs: Properties) => effectsOf(warned, changedFrom(before, inputs), inputs);

  test("an update causes the warnings of its description, and no update causes none", () => {
    expect(effects({ name: "b", region: "us-east" })).toEqual({ ...none, others: ["renamed"] });
    expect(effects({ name: "a", region: "us-east" })).toEqual(none);
  });

  test("an update to an unknown value warns of what may happen", () => {
    expect(effects({ name: UNKNOWN, region: "us-east" })).toEqual({
      ...none,
      others: ["name is not known yet, so this may happen: renamed"],
    });
  });

  test("an update loses and interrupts what its inputs say, if the value is or may become the one that does", () => {
    const told = leavesOf({
      list: update(z.array(z.string()), {
        default: null,
        interrupts: { line: "nobody may connect", to: [] },
      }),
      disk: update(z.string(), { default: null }),
    });
    const lossy = fakeDescription({
      warnings: (is) => (is("disk") ? [{ about: ["disk"], line: "the old disk is lost", loses: true }] : []),
    });
    const of = (inputs: Properties) => {
      const former = { list: ["a"], disk: "one" };
      const olds = asStored(told, setInputs(told, former), former);
      return effectsOf(lossy, changedInputs(told, olds, callIn(inputs)), inputs);
    };
    expect(of({ list: ["b"], disk: "two" })).toEqual({ ...none, losses: ["the old disk is lost"] });
    expect(of({ list: [], disk: "one" })).toEqual({ ...none, interruptions: ["nobody may connect"] });
    expect(of({ list: UNKNOWN, disk: "one" })).toEqual({
      ...none,
      interruptions: ["list is not known yet, so this may happen: nobody may connect"],
    });
    expect(of({ list: [UNKNOWN], disk: "one" })).toEqual(none);
  });

  const reason = (inputs: Properties, loss?: string) =>
    replacementOf(changedFrom(before, { name: "a", region: "us-east", ...inputs }), loss);

  test("an unknown value may replace, and a known change next to it does", () => {
    expect(reason({ region: UNKNOWN })).toBe("may be replaced: region is not known yet");
    expect(reason({ region: UNKNOWN, password: UNKNOWN }, "all is lost")).toBe(
      "may be replaced: region and password are not known yet. If it is replaced, all is lost",
    );
    expect(reason({ region: UNKNOWN, swap: 1 }, "all is lost")).toBe(
      "replacing it, because swap changed, and the API has no operation to change it: all is lost",
    );
    expect(reason({ name: UNKNOWN })).toBeUndefined();
  });

  test("a partly known list replaces if the known part differs", () => {
    const given = stored({ keys: ["one", "two"] });
    const reasonOf = (keys: unknown[]) => replacementOf(changedFrom(given, { keys }), undefined);
    expect(reasonOf(["one", UNKNOWN])).toBe("may be replaced: keys is not known yet");
    for (const keys of [["three", UNKNOWN], ["one", "two", UNKNOWN], [UNKNOWN]]) {
      expect(reasonOf(keys)).toMatch(/^replacing it, because keys changed/);
    }
  });

  describe("replaceOnChanges", () => {
    const stands = stored({
      name: "a",
      tags: ["x", "y"],
      alerts: { cpu: 1, io: 2 },
      region: "us-east",
      trigger: "1",
    });
    const asked = (path: string, inputs: Properties) =>
      changes(stands, {
        name: "a",
        tags: ["x", "y"],
        alerts: { cpu: 1, io: 2 },
        region: "us-east",
        __replaceOn: [path],
        ...inputs,
      });

    test.each<[string, Properties, string[]]>([
      ["name", { name: "b" }, ['name: replace to "b"']],
      ["name", { name: "a" }, []],
      ["region", { name: "b" }, ['name: update to "b"']],
      ["*", { name: "b" }, ['name: replace to "b"']],
      ["alerts", { alerts: { cpu: 1, io: 3 } }, ["alerts.io: replace to 3"]],
      ["alerts.io", { alerts: { cpu: 1, io: 3 } }, ["alerts.io: replace to 3"]],
      ['alerts["io"]', { alerts: { cpu: 1, io: 3 } }, ["alerts.io: replace to 3"]],
      ["alerts.*", { alerts: { cpu: 1, io: 3 } }, ["alerts.io: replace to 3"]],
      ["alerts.cpu", { alerts: { cpu: 1, io: 3 } }, ["alerts.io: update to 3"]],
      ["alerts.io.deeper", { alerts: { cpu: 1, io: 3 } }, ["alerts.io: update to 3"]],
      ["tags", { tags: ["x"] }, ['tags: replace to ["x"]']],
      ["tags[*]", { tags: ["x"] }, ['tags: replace to ["x"]']],
      ["tags[1]", { tags: ["x", "z"] }, ['tags: replace to ["x","z"]']],
      ["tags[0]", { tags: ["x", "z"] }, ['tags: update to ["x","z"]']],
      ["tags[0]", { tags: ["y", "x"] }, []],
      ["tags", { tags: undefined }, ["tags: replace to []"]],
      ["name", { name: undefined }, ["name: replace to null"]],
      ["trigger", { trigger: "2" }, ['trigger: replace to "2"']],
      ["trigger", {}, []],
      ["tags[0]", { tags: UNKNOWN }, [`tags: replace to "${UNKNOWN}"`]],
      ["name", { name: UNKNOWN }, [`name: replace to "${UNKNOWN}"`]],
      ["tags[", { tags: ["z"] }, ['tags: update to ["z"]']],
      [".tags", { tags: ["z"] }, ['tags: update to ["z"]']],
    ])("%s, if the program sets %j", (path, inputs, expected) => {
      expect(asked(path, inputs)).toEqual(expected);
    });

    test("ignores values that the object already has, and settings", () => {
      const drifted = stored({ name: "a", tags: ["x"] }, { name: "b", tags: ["x"] });
      expect(changes(drifted, { name: "b", tags: ["x"], __replaceOn: ["*"] })).toEqual([
        'name: update to "b"',
      ]);
      const set = stored({ name: "a", resize: "in-place" });
      expect(changes(set, { name: "a", resize: "replace", __replaceOn: ["*", "resize"] })).toEqual([]);
    });

    test("is the reason in the preview, without a value", () => {
      const secret = stored({ password: "old", name: "a", region: "us-east" });
      const given = { password: "old", name: "b", region: "us-west", __replaceOn: ["*"] };
      expect(replacementOf(changedFrom(secret, given), undefined)).toBe(
        "replacing it, because region changed, and the API has no operation to change it; name changed, and replaceOnChanges asks for a new one",
      );
    });
  });
});
