import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { update } from "../../src/provider/fields";
import { Journal, journalKey } from "../../src/provider/journal";
import { fakeDescription } from "./fake-service";

const DAY = 24 * 60 * 60 * 1_000;
const creation = { id: "12", name: "web-0123456", at: 5 * DAY };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "journal-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
const journal = () => new Journal({ PULUMI_HOME: home });
const folder = () => join(home, "nodecloud", "creations");

test("what was noted is recalled by another process, until it is forgotten", () => {
  journal().note("a", creation);
  expect(journal().recall("a", creation.at + 1)).toEqual(creation);
  expect(journal().recall("b", creation.at + 1)).toBeUndefined();
  journal().forget("a");
  expect(journal().recall("a", creation.at + 1)).toBeUndefined();
});

test("a later note takes the place of an earlier one, and nothing else is left in the folder", () => {
  journal().note("a", creation);
  journal().note("a", { ...creation, id: "13" });
  expect(journal().recall("a", creation.at)).toMatchObject({ id: "13" });
  expect(readdirSync(folder())).toEqual(["a.json"]);
});

test("a note is forgotten after seven days", () => {
  journal().note("a", creation);
  expect(journal().recall("a", creation.at + 7 * DAY - 1)).toBeDefined();
  expect(journal().recall("a", creation.at + 7 * DAY)).toBeUndefined();
});

test("notes are for their owner only", () => {
  journal().note("a", creation);
  expect(statSync(join(folder(), "a.json")).mode & 0o077).toBe(0);
  expect(statSync(folder()).mode & 0o077).toBe(0);
});

test("without a place to write, everything goes on without notes", () => {
  writeFileSync(join(home, "nodecloud"), "a file where the folder should be");
  journal().note("a", creation);
  expect(journal().recall("a", creation.at)).toBeUndefined();
  journal().forget("a");
  expect(readFileSync(join(home, "nodecloud"), "utf8")).toBe("a file where the folder should be");
});

test("a creation without an id is recalled with what was there before it", () => {
  const asked = { before: ["1", "2"], accepted: true, at: 5 * DAY };
  journal().note("a", asked);
  expect(journal().recall("a", asked.at)).toEqual(asked);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"id":12,"at":1}',
  '{"id":"12"}',
  '{"before":[1],"at":1}',
  '{"before":"","at":1}',
])("a broken note %j is no note", (text) => {
  journal().note("a", creation);
  writeFileSync(join(folder(), "a.json"), text);
  expect(journal().recall("a", creation.at)).toBeUndefined();
});

test("forgetting what was never noted is harmless", () => {
  expect(() => {
    journal().forget("a");
  }).not.toThrow();
});

describe("the key of a creation", () => {
  const description = fakeDescription({
    fields: { label: update(z.string()), size: update(z.int()), tags: update(z.array(z.string())) },
    autoname: { path: "label", max: 64 },
  });
  const base = { size: 1, tags: ["a"], __resourceName: "web", __urn: "urn:web", __provider: "text" };
  const key = (inputs: object, url = "https://one.example/v4") => journalKey(description, url, { ...inputs });

  test("ignores the automatic name, the order of properties, and what is hidden", () => {
    const first = key({ ...base, label: "web-1111111" });
    expect(key({ ...base, label: "web-2222222" })).toBe(first);
    expect(key(base)).toBe(first);
    expect(key({ ...base, __provider: "another text", __timeouts: { create: "1h" } })).toBe(first);
    expect(key(Object.fromEntries(Object.entries(base).reverse()))).toBe(first);
  });

  test.each<[string, object]>([
    ["an input", { ...base, size: 2 }],
    ["an input more", { ...base, other: 1 }],
    ["the resource's name", { ...base, __resourceName: "db" }],
    ["the URN", { ...base, __urn: "urn:other" }],
  ])("differs with %s", (_, inputs) => {
    expect(key(inputs)).not.toBe(key(base));
  });

  test("differs with a name that was set by hand", () => {
    const byHand = { size: 1, label: "one" };
    expect(key({ ...byHand, label: "two" })).not.toBe(key(byHand));
  });

  test("differs with the account's address and the type", () => {
    expect(key(base, "https://two.example/v4")).not.toBe(key(base));
    const other = { ...description, type: "Other" };
    expect(journalKey(other, "https://one.example/v4", base)).not.toBe(key(base));
  });

  test("shows no value", () => {
    expect(key({ ...base, label: "s3cret" })).toMatch(/^[0-9a-f]{64}$/);
  });
});
