import { z } from "zod";
import {
  type FieldTree,
  groupsOf,
  inputAt,
  leavesOf,
  strangersIn,
  topLevel,
} from "../../../src/provider/describe/fields";
import { replace, setting, update } from "../undocumented";

const tree: FieldTree = {
  region: replace(z.string(), { required: true }),
  tags: update(z.array(z.string()), { compare: "set", default: [] }),
  backups: { schedule: { day: update(z.string()), lastWindow: update(z.string()) } },
  userData: replace(z.string(), { secret: true, wire: "metadata.user_data" }),
  resize: setting(z.string()),
};

test("the inputs of a tree have dotted paths, in the order of the tree", () => {
  expect(leavesOf(tree).map(({ path }) => path)).toEqual([
    "region",
    "tags",
    "backups.schedule.day",
    "backups.schedule.lastWindow",
    "userData",
    "resize",
  ]);
});

test("an input has its own path in snake case in the API, unless the field sets another", () => {
  const wire = Object.fromEntries(leavesOf(tree).map(({ path, wirePath }) => [path, wirePath]));
  expect(wire["backups.schedule.lastWindow"]).toBe("backups.schedule.last_window");
  expect(wire["userData"]).toBe("metadata.user_data");
});

test("inputs are compared as plain values, unless the field sets another comparison", () => {
  const comparisons = Object.fromEntries(leavesOf(tree).map(({ path, comparison }) => [path, comparison]));
  expect(comparisons).toMatchObject({ region: "value", tags: "set" });
});

test("a setting causes no change and is never sent", () => {
  expect(leavesOf(tree).find(({ path }) => path === "resize")).toMatchObject({
    change: "none",
    notSent: true,
  });
});

test("the objects of a tree are its groups", () => {
  expect(groupsOf(tree)).toEqual(["backups", "backups.schedule"]);
});

test("an input can be called `schema` or `change`, and its group is still a group", () => {
  const named: FieldTree = {
    group: { schema: update(z.string()) },
    other: { change: { deep: update(z.string()) } },
  };
  expect(leavesOf(named).map(({ path }) => path)).toEqual(["group.schema", "other.change.deep"]);
});

test("unknown properties are strangers, also nested ones", () => {
  const value = {
    region: "us-east",
    regoin: "us-east",
    backups: { schedule: { day: "Monday", hour: 3 }, when: 1 },
    userData: { anything: "goes below a field" },
  };
  expect(strangersIn(tree, value)).toEqual(["regoin", "backups.schedule.hour", "backups.when"]);
});

test.each(["constructor", "toString", "hasOwnProperty"])(
  "a property called %s, which every object inherits, is a stranger",
  (name) => {
    expect(strangersIn(tree, { [name]: "x" })).toEqual([name]);
  },
);

test("a null input is not set, and zero, false and empty values are", () => {
  const inputs = { a: null, b: 0, c: false, d: "", e: { f: null } };
  const at = (path: string) => inputAt(inputs, { path });
  expect(["a", "b", "c", "d", "e.f", "x"].map(at)).toEqual([undefined, 0, false, "", undefined, undefined]);
});

test("the engine's name of a nested property is its top-level property", () => {
  expect(topLevel("backups.schedule.day")).toBe("backups");
  expect(topLevel("region")).toBe("region");
});
