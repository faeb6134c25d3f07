import * as fc from "fast-check";
import { nodeBackups } from "../../src/api/backups";
import { nodes } from "../../src/api/nodes";
import { type Schema } from "../../src/api/operation";
import { regions } from "../../src/api/regions";
import { z } from "zod";
import { databases } from "../../src/api/databases";
import { domains } from "../../src/api/domains";
import { images } from "../../src/api/images";
import { concealing, showing } from "../../src/functions/condition";
import { fieldsIn } from "../../src/functions/fields";
import { conditionsOf, newest, sorted } from "../../src/functions/filter";
import { type Properties } from "../../src/provider/base/values";

const fields = fieldsIn(nodes.list.reply);
const fit = (filter: unknown, items: readonly Properties[]) => {
  const conditions = conditionsOf(filter, fields);
  return items.filter((item) => conditions.every(({ fits }) => fits(item)));
};
const ids = (items: readonly Properties[]) => items.map(({ id }) => id);

const web: Properties = {
  id: "1",
  label: "web.1",
  region: "us-east",
  hasUserData: false,
  specs: { memory: 1024 },
};
const db: Properties = {
  id: "2",
  label: "db",
  region: "eu-west",
  hasUserData: true,
  specs: { memory: 2048 },
};
const bare: Properties = { id: "10", label: "webx1", region: "us-east" };
const all = [web, db, bare];

describe("the fields of an item", () => {
  const one = (type: string) => ({ type, isList: false });
  const list = (type: string) => ({ type, isList: true });
  const listsOf = (schema: Schema) =>
    [...fieldsIn(schema)].filter(([, { isList }]) => isList).map(([path]) => path);

  test("are all strings, numbers, booleans and lists of them, in camel case, with dotted names for nested ones", () => {
    expect(Object.fromEntries(fields)).toMatchObject({
      id: one("string"),
      label: one("string"),
      status: one("string"),
      hasUserData: one("boolean"),
      image: one("string"),
      tags: list("string"),
      "specs.memory": one("number"),
      "backups.schedule.day": one("string"),
      "alerts.networkIn": one("number"),
    });
    expect([...fields.keys()].filter((path) => /^(specs|backups|alerts)$|_/.test(path))).toEqual([]);
  });

  test("include every list of scalars in the API's answers", () => {
    expect(listsOf(nodes.list.reply)).toEqual(["ipv4", "tags"]);
    expect(listsOf(regions.list.reply)).toEqual(["capabilities"]);
    expect(listsOf(images.list.reply)).toEqual(["capabilities"]);
    expect(listsOf(domains.list.reply)).toEqual(["masterIps", "axfrIps", "tags"]);
    expect(listsOf(databases.list.reply)).toEqual(["allowList"]);
    // `disks` is a list of objects.
    expect(listsOf(nodeBackups.get.reply)).toEqual(["configs"]);
  });

  test("include nullable, optional and nested lists of numbers and booleans", () => {
    const schema = z.object({
      outer: z.object({ sizes: z.array(z.int()).nullish(), flags: z.array(z.boolean()).catch([]) }).nullish(),
      objects: z.array(z.object({ label: z.string() })),
      lists: z.array(z.array(z.string())),
    });
    expect(Object.fromEntries(fieldsIn(schema))).toEqual({
      "outer.sizes": list("number"),
      "outer.flags": list("boolean"),
    });
  });

  test("of a region are its strings, those of its resolvers, and its capabilities", () => {
    expect([...fieldsIn(regions.list.reply).keys()]).toEqual([
      "id",
      "label",
      "country",
      "capabilities",
      "resolvers.ipv4",
      "resolvers.ipv6",
      "status",
    ]);
  });
});

describe("a filter", () => {
  test.each<[string, unknown, Properties[]]>([
    ["no condition", {}, all],
    ["a string", { label: "db" }, [db]],
    ["a number", { "specs.memory": 1024 }, [web]],
    ["a boolean", { hasUserData: false }, [web]],
    ["one of several values", { label: ["db", "webx1", "other"] }, [db, bare]],
    ["one of no values", { label: [] }, []],
    ["a part of a string", { label: { contains: "web" } }, [web, bare]],
    ["a regular expression", { label: { matches: "^web\\.1$" } }, [web]],
    ["several fields, all of which must match", { region: "us-east", label: { contains: "x" } }, [bare]],
    ["the id as a number", { id: 2 }, [db]],
    ["ids as strings and numbers", { id: ["1", 10] }, [web, bare]],
  ])("keeps the items with %s", (_, filter, kept) => {
    expect(fit(filter, all)).toEqual(kept);
  });

  test("treats special characters of regular expressions literally in contains", () => {
    expect(fit({ label: { contains: "." } }, all)).toEqual([web]);
  });

  test("accepts the own number of an item with a parent", () => {
    const records: Properties[] = [{ id: "12/1" }, { id: "12/2" }, { id: "12/12" }];
    expect(ids(fit({ id: "12/2" }, records))).toEqual(["12/2"]);
    expect(ids(fit({ id: [1, "12"] }, records))).toEqual(["12/1", "12/12"]);
  });

  test("does not match the beginning of another id", () => {
    expect(ids(fit({ id: 1 }, all))).toEqual(["1"]);
  });

  test.each<[string, unknown, string]>([
    ["is not an object", "web", "filter must be an object of conditions by field"],
    [
      "names an unknown field",
      { lable: "web" },
      "filter: lable is not a field to filter by; did you mean label?",
    ],
    [
      "names an unknown field that is similar to a list",
      { tag: "web" },
      "filter: tag is not a field to filter by; did you mean tags?",
    ],
    ["names an object", { alerts: 1 }, "filter: alerts is not a field to filter by; "],
    ["names a field in the API's spelling", { has_user_data: true }, "did you mean hasUserData?"],
    [
      "has no value",
      { label: undefined },
      "filter.label has no value: remove the condition, or give it a value",
    ],
    ["has a value of null", { label: null }, "filter.label has no value"],
    ["has a list with no value in it", { label: ["a", undefined] }, "filter.label has no value"],
    [
      "has a number for a text",
      { label: 1 },
      "filter.label must be a string, a list of them, { contains } or { matches }",
    ],
    [
      "has a text for a number",
      { "specs.memory": "1024" },
      "filter.specs.memory must be a number or a list of them",
    ],
    [
      "has an unknown operator",
      { label: { startsWith: "a" } },
      "filter.label must be a value, a list of values, { contains } or { matches }",
    ],
    ["has two operators", { label: { contains: "a", matches: "b" } }, "{ contains } or { matches }"],
    ["has no operator", { label: {} }, "{ contains } or { matches }"],
    [
      "looks for text in a number",
      { "specs.memory": { contains: "1" } },
      "filter.specs.memory: contains is for strings, but specs.memory is a number",
    ],
    ["contains no text", { label: { contains: 1 } }, "filter.label.contains must be a string"],
    [
      "asks one value for any of several",
      { label: { any: ["a"] } },
      "filter.label: any is for lists, but label is a string; give a list of values",
    ],
    [
      "asks one value for all of several",
      { "specs.memory": { all: [1] } },
      "all is for lists, but specs.memory is a number",
    ],
    [
      "is no regular expression",
      { label: { matches: "web(" } },
      "filter.label.matches is not a regular expression: Unterminated group",
    ],
  ])("that %s is refused", (_, filter, message) => {
    expect(() => fit(filter, all)).toThrow(message);
  });

  test("ignores an operator without a value", () => {
    expect(fit({ label: { contains: "d", matches: undefined } }, all)).toEqual([db]);
  });

  test("does not show an invalid expression, which may be secret", () => {
    expect(() => fit({ label: { matches: "(planted" } }, all)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("planted") as string }),
    );
  });
});

describe("a filter on a list", () => {
  const web: Properties = { id: "1", tags: ["web", "env:prod"] };
  const db: Properties = { id: "2", tags: ["db", "env:prod"] };
  const untagged: Properties = { id: "3", tags: [] };
  const absent: Properties = { id: "4" };
  const all = [web, db, untagged, absent];

  test.each<[string, unknown, Properties[]]>([
    ["one of its values", { tags: "web" }, [web]],
    ["only a part of a value", { tags: "we" }, []],
    ["one of several values", { tags: ["web", "db", "other"] }, [web, db]],
    ["contains", { tags: { contains: "env:prod" } }, [web, db]],
    ["contains, as a whole value", { tags: { contains: "env" } }, []],
    ["any", { tags: { any: ["db", "other"] } }, [db]],
    ["all", { tags: { all: ["env:prod", "web"] } }, [web]],
    ["all, with a value that no list has", { tags: { all: ["web", "other"] } }, []],
    ["all, with a repeated value", { tags: { all: ["web", "web"] } }, [web]],
    ["matches", { tags: { matches: "^env:" } }, [web, db]],
    ["matches nothing", { tags: { matches: "" } }, [web, db]],
    ["two conditions", { tags: "env:prod", id: 2 }, [db]],
    ["an operator next to one without a value", { tags: { contains: "db", any: undefined } }, [db]],
  ])("keeps the items with %s", (_, filter, kept) => {
    expect(fit(filter, all)).toEqual(kept);
  });

  test("works on nested lists, and on lists of numbers and booleans", () => {
    const nested = fieldsIn(
      z.object({ disk: z.object({ sizes: z.array(z.int()), flags: z.array(z.boolean()).nullish() }) }),
    );
    const items: Properties[] = [
      { disk: { sizes: [10, 20], flags: [false] } },
      { disk: { sizes: [20] } },
      { disk: { sizes: [], flags: [true] } },
      {},
    ];
    const kept = (filter: unknown) =>
      items.flatMap((item, at) => (conditionsOf(filter, nested).every(({ fits }) => fits(item)) ? [at] : []));
    expect(kept({ "disk.sizes": 20 })).toEqual([0, 1]);
    expect(kept({ "disk.sizes": { all: [10, 20] } })).toEqual([0]);
    expect(kept({ "disk.flags": false })).toEqual([0]);
    expect(kept({ "disk.flags": [true, false] })).toEqual([0, 2]);
    expect(() => kept({ "disk.sizes": "20" })).toThrow(
      "filter.disk.sizes must be a number, a list of them, { contains }, { any } or { all }",
    );
    expect(() => kept({ "disk.sizes": { matches: "2" } })).toThrow(
      "filter.disk.sizes: matches is for strings, but disk.sizes contains numbers",
    );
  });

  const forms = "filter.tags must be a string, a list of them, { contains }, { any }, { all } or { matches }";
  const leaveOut = "remove the condition, or";
  test.each<[string, unknown, string]>([
    ["is a number instead of a string", { tags: 1 }, forms],
    ["has no value", { tags: undefined }, `filter.tags has no value: ${leaveOut} give it a value`],
    ["has a value of null", { tags: null }, `filter.tags has no value: ${leaveOut}`],
    ["has an unknown operator", { tags: { has: "web" } }, forms],
    ["has no operator", { tags: {} }, forms],
    ["has two operators", { tags: { contains: "a", any: ["b"] } }, forms],
    ["is an empty list", { tags: [] }, `filter.tags is an empty list: ${leaveOut} name at least one value`],
    ["asks for any of an empty list", { tags: { any: [] } }, "filter.tags.any is an empty list"],
    ["asks for all of an empty list", { tags: { all: [] } }, "filter.tags.all is an empty list"],
    ["asks for any of one value", { tags: { any: "web" } }, "filter.tags.any must be a list of strings"],
    ["asks for all of no list", { tags: { all: { a: 1 } } }, "filter.tags.all must be a list of strings"],
    ["contains a list", { tags: { contains: ["web"] } }, "filter.tags.contains must be a string"],
    ["contains nothing", { tags: { contains: null } }, "filter.tags.contains has no value"],
    ["has a number in a list", { tags: ["web", 1] }, "filter.tags must be a string, a list of them"],
    ["asks for any of a number", { tags: { any: [1] } }, "filter.tags.any must be a list of strings"],
    [
      "asks for all of a list with a gap",
      { tags: { all: ["a", undefined] } },
      "filter.tags.all has no value",
    ],
    ["matches no text", { tags: { matches: 1 } }, "filter.tags.matches must be a string"],
    [
      "matches no expression",
      { tags: { matches: "a(" } },
      "filter.tags.matches is not a regular expression: Unterminated group",
    ],
  ])("that %s is refused", (_, filter, message) => {
    expect(() => fit(filter, all)).toThrow(message);
  });

  const said = (condition: unknown, show = showing) =>
    conditionsOf({ tags: condition }, fields).map(({ says }) => says(show));
  test("describes the conditions in the error, without secrets", () => {
    expect(said("web")).toEqual(['tags with "web"']);
    expect(said(["a", "b"])).toEqual(['tags with any of "a", "b"']);
    expect(said({ all: ["a", "b"] })).toEqual(['tags with all of "a", "b"']);
    expect(said({ matches: "^a" })).toEqual(['tags with one matching "^a"']);
    for (const condition of ["planted", ["planted"], { all: ["planted"] }, { matches: "planted" }])
      expect(said(condition, concealing).join()).not.toContain("planted");
    for (const condition of [{ matches: "(planted" }, { planted: 1 }, [["planted"]]])
      expect(() => fit({ tags: condition }, all)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("planted") as string }),
      );
  });
});

describe("sorting", () => {
  test("compares numbers and ids as numbers", () => {
    const items = [9, 100, 20].map((memory, index) => ({ id: `${[9, 100, 20][index]}`, specs: { memory } }));
    expect(ids(sorted(items, "specs.memory", "asc"))).toEqual(["9", "20", "100"]);
    expect(ids(sorted(items, "id", "asc"))).toEqual(["9", "20", "100"]);
    expect(ids(sorted(items, "id", "desc"))).toEqual(["100", "20", "9"]);
  });

  test("compares the ids of one parent's items by their own numbers", () => {
    const items = ["12/9", "12/100", "12/20"].map((id) => ({ id }));
    expect(ids(sorted(items, "id", "asc"))).toEqual(["12/9", "12/20", "12/100"]);
  });

  test("compares strings by code point, independent of the locale", () => {
    const labels = ["b", "a", "B", "ä", "😀", "\uffee", ""];
    const items = labels.map((label) => ({ label }));
    expect(sorted(items, "label", "asc").map(({ label }) => label)).toEqual([
      "",
      "B",
      "a",
      "b",
      "ä",
      "\uffee",
      "😀",
    ]);
  });

  test("puts false before true", () => {
    const items = [{ hasUserData: true }, { hasUserData: false }];
    expect(sorted(items, "hasUserData", "asc")).toEqual([{ hasUserData: false }, { hasUserData: true }]);
  });

  test.each(["asc", "desc"] as const)("%s puts items without a value last", (order) => {
    expect(ids(sorted([bare, web, db], "specs.memory", order)).at(-1)).toBe("10");
  });

  test.each(["asc", "desc"] as const)(
    "%s keeps the API's order for equal items, and does not change the list",
    (order) => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 3 })), (sizes) => {
          const items = sizes.map((size, index) => ({ size, index }));
          const before = structuredClone(items);
          const result = sorted(items, "size", order) as typeof items;
          expect(items).toEqual(before);
          const expected = [...items].sort(
            (a, b) => (order === "asc" ? 1 : -1) * (a.size - b.size) || a.index - b.index,
          );
          expect(result).toEqual(expected);
        }),
        { seed: 20_261_121 },
      );
    },
  );
});

describe("the most recent item", () => {
  const at = (id: string, created?: string): Properties => ({
    id,
    ...(created === undefined ? {} : { created }),
  });

  test("is the one with the last creation time", () => {
    const items = [
      at("1", "2026-01-02T00:00:00"),
      at("2", "2026-01-03T00:00:00"),
      at("3", "2026-01-01T00:00:00"),
      at("4"),
    ];
    expect(ids(newest(items))).toEqual(["2"]);
  });

  test("is the one with the highest id among those of the same second", () => {
    const time = "2026-01-02T00:00:00";
    expect(ids(newest([at("9", time), at("10", time), at("2", time)]))).toEqual(["10"]);
  });

  test("of an empty list does not exist", () => {
    expect(newest([])).toEqual([]);
  });
});

test("a long value is truncated in messages", () => {
  expect(showing("x".repeat(1000))).toHaveLength(63);
  expect(showing("web")).toBe('"web"');
});
