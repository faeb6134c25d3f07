import { z } from "zod";
import { type ObjectKind, onlyFields, type ShapedBy, type Store } from "../../src/emulator/kind/kind";
import { defaultHandlers } from "../../src/emulator/operations/default-handlers";
import { createClock } from "../../src/emulator/store/clock";
import { text, whole } from "../../src/emulator/kind/field-types";
import { createStore } from "../../src/emulator/emulation/store";
import { Table } from "../../src/emulator/store/table";

const fields = {
  id: whole,
  label: text,
  description: text.nullable(),
  tags: z.array(text),
  created: text,
  updated: text,
};
type Note = ShapedBy<typeof fields>;

const note: ObjectKind<Note> = {
  ...onlyFields,
  stored: "notes",
  fields,
  name: { column: "label", of: ({ label }) => label },
  collections: {},
};

const clock = createClock(0, () => Date.UTC(2026, 0, 1));
const table = new Table<Note>(clock);
const store = { ...createStore(clock), table: () => table } as unknown as Store;
const handlers = defaultHandlers(store, note);
const moment = "2026-01-01T00:00:00";
const empty = { id: 1, label: "a", description: null, tags: [], created: moment, updated: moment };

beforeEach(() => {
  table.clear();
});

test("a new object has the fields of the request, an id, the time, and nothing in the others", () => {
  const made = handlers.create({ body: { label: "a", tags: undefined } });
  expect(made).toEqual({ ...empty, id: made.id });
  expect(handlers.list().slice(0, 9)).toEqual([made]);
});

test("a creation takes what no other value can take the place of", () => {
  // @ts-expect-error -- a label cannot be null or empty
  const withoutLabel: Parameters<typeof handlers.create>[0] = { body: {} };
  expect(withoutLabel).toEqual({ body: {} });
});

test("an update changes the fields of the request, and the time of the last change", () => {
  const { id } = handlers.create({ body: { label: "a", tags: ["one"] } });
  const subject = table.get(id);
  if (subject === undefined) throw new Error("nothing was created");
  clock.advance(60);
  const expected = { ...empty, id, label: "b", tags: ["one"], updated: "2026-01-01T00:01:00" };
  expect(handlers.update({ subject, body: { label: "b", tags: undefined } })).toEqual(expected);
  expect(handlers.get({ subject })).toEqual(expected);
});

test("a deleted object is gone", () => {
  const { id } = handlers.create({ body: { label: "a" } });
  const subject = table.get(id);
  if (subject === undefined) throw new Error("nothing was created");
  expect(handlers.delete({ subject })).toEqual({});
  expect(handlers.list()).toHaveLength(0);
});
