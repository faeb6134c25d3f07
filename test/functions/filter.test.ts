import * as fc from "fast-check";
import { nodes } from "../../src/api/nodes";
import { regions } from "../../src/api/regions";
import { scalarFieldsOf } from "../../src/functions/fields";
import { conditionsOf, newest, showing, sorted } from "../../src/functions/filter";
import { type Properties } from "../../src/provider/values";

const fields = scalarFieldsOf(nodes.list.reply);
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

describe("the scalar fields of an item", () => {
  test("are all those whose values are text, number or yes and no, in camel case, nested ones by dotted names", () => {
    expect(Object.fromEntries(fields)).toMatchObject({
      id: "string",
      label: "string",
      status: "string",
      hasUserData: "boolean",
      image: "string",
      "specs.memory": "number",
      "backups.schedule.day": "string",
      "alerts.networkIn": "number",
    });
    expect([...fields.keys()]).not.toEqual(expect.arrayContaining(["tags"]));
    expect([...fields.keys()].filter((path) => /^(ipv4|tags|specs|backups|alerts)$|_/.test(path))).toEqual(
      [],
    );
  });

  test("of regions leave lists out, and have the texts of the resolvers", () => {
    expect([...scalarFieldsOf(regions.list.reply).keys()]).toEqual([
      "id",
      "label",
      "country",
      "resolvers.ipv4",
      "resolvers.ipv6",
      "status",
    ]);
  });
});

describe("a filter", () => {
  test.each<[string, unknown, Properties[]]>([
    ["no condition", {}, all],
    ["a text", { label: "db" }, [db]],
    ["a number", { "specs.memory": 1024 }, [web]],
    ["yes or no", { hasUserData: false }, [web]],
    ["one of several values", { label: ["db", "webx1", "other"] }, [db, bare]],
    ["one of no values", { label: [] }, []],
    ["a part of a text", { label: { contains: "web" } }, [web, bare]],
    ["a regular expression", { label: { matches: "^web\\.1$" } }, [web]],
    ["several fields, all of which must match", { region: "us-east", label: { contains: "x" } }, [bare]],
    ["the id as a number", { id: 2 }, [db]],
    ["ids as texts and numbers", { id: ["1", 10] }, [web, bare]],
  ])("keeps what has %s", (_, filter, kept) => {
    expect(fit(filter, all)).toEqual(kept);
  });

  test("takes the special characters of expressions for themselves where a text is contained", () => {
    expect(fit({ label: { contains: "." } }, all)).toEqual([web]);
  });

  test("knows an item of a parent by its own number too", () => {
    const records: Properties[] = [{ id: "12/1" }, { id: "12/2" }, { id: "12/12" }];
    expect(ids(fit({ id: "12/2" }, records))).toEqual(["12/2"]);
    expect(ids(fit({ id: [1, "12"] }, records))).toEqual(["12/1", "12/12"]);
  });

  test("does not take the beginning of one id for another", () => {
    expect(ids(fit({ id: 1 }, all))).toEqual(["1"]);
  });

  test.each<[string, unknown, string]>([
    ["is no object", "web", "filter must be an object of conditions by field"],
    ["names no field", { lable: "web" }, "filter: lable is not a scalar field; did you mean label?"],
    ["names a list", { tags: "web" }, "filter: tags is not a scalar field; there are id, label, "],
    ["names a field as the API does", { has_user_data: true }, "did you mean hasUserData?"],
    [
      "has no value",
      { label: undefined },
      "filter.label has no value: leave the condition out, or give it one",
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
      "has an operator that there is not",
      { label: { startsWith: "a" } },
      "filter.label must be a value, a list of values, { contains } or { matches }",
    ],
    ["has two operators", { label: { contains: "a", matches: "b" } }, "{ contains } or { matches }"],
    ["has no operator", { label: {} }, "{ contains } or { matches }"],
    [
      "looks for text in a number",
      { "specs.memory": { contains: "1" } },
      "filter.specs.memory: contains is for texts, and specs.memory is a number",
    ],
    ["contains no text", { label: { contains: 1 } }, "filter.label.contains must be a string"],
    [
      "is no regular expression",
      { label: { matches: "web(" } },
      "filter.label.matches is not a regular expression: Unterminated group",
    ],
  ])("that %s is refused", (_, filter, message) => {
    expect(() => fit(filter, all)).toThrow(message);
  });

  test("does not repeat an expression that it refuses: it may be secret", () => {
    expect(() => fit({ label: { matches: "(planted" } }, all)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("planted") as string }),
    );
  });
});

describe("an order", () => {
  test("takes numbers as numbers, and ids too", () => {
    const items = [9, 100, 20].map((memory, index) => ({ id: `${[9, 100, 20][index]}`, specs: { memory } }));
    expect(ids(sorted(items, "specs.memory", "asc"))).toEqual(["9", "20", "100"]);
    expect(ids(sorted(items, "id", "asc"))).toEqual(["9", "20", "100"]);
    expect(ids(sorted(items, "id", "desc"))).toEqual(["100", "20", "9"]);
  });

  test("takes the ids of one parent by their own numbers", () => {
    const items = ["12/9", "12/100", "12/20"].map((id) => ({ id }));
    expect(ids(sorted(items, "id", "asc"))).toEqual(["12/9", "12/20", "12/100"]);
  });

  test("takes texts by code point, whatever the language", () => {
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

  test("takes no before yes", () => {
    const items = [{ hasUserData: true }, { hasUserData: false }];
    expect(sorted(items, "hasUserData", "asc")).toEqual([{ hasUserData: false }, { hasUserData: true }]);
  });

  test.each(["asc", "desc"] as const)("%s puts what has no value last", (order) => {
    expect(ids(sorted([bare, web, db], "specs.memory", order)).at(-1)).toBe("10");
  });

  test.each(["asc", "desc"] as const)(
    "%s leaves equals in the order of the API, and the list as it was",
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

describe("the most recent", () => {
  const at = (id: string, created?: string): Properties => ({
    id,
    ...(created === undefined ? {} : { created }),
  });

  test("is the one that was created last", () => {
    const items = [
      at("1", "2026-01-02T00:00:00"),
      at("2", "2026-01-03T00:00:00"),
      at("3", "2026-01-01T00:00:00"),
      at("4"),
    ];
    expect(ids(newest(items))).toEqual(["2"]);
  });

  test("is the one with the highest id where several were created in one second", () => {
    const time = "2026-01-02T00:00:00";
    expect(ids(newest([at("9", time), at("10", time), at("2", time)]))).toEqual(["10"]);
  });

  test("of nothing is nothing", () => {
    expect(newest([])).toEqual([]);
  });
});

test("a long value is cut in messages", () => {
  expect(showing("x".repeat(1000))).toHaveLength(63);
  expect(showing("web")).toBe('"web"');
});
