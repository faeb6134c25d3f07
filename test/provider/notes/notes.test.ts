import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Notes } from "../../../src/provider/notes/notes";
import { type Run, thisRun } from "../../../src/provider/base/runs";

const DAY = 24 * 60 * 60 * 1_000;
const AT = 5 * DAY;
const KIND = {
  folder: "wishes",
  isNote: (noted: Record<string, unknown>): noted is { wish: string } => typeof noted["wish"] === "string",
};

let home: string;
let failures: Error[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "notes-"));
  failures = [];
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});
const run: Run = thisRun("127.0.0.1:1");
const notes = () =>
  new Notes(
    { PULUMI_HOME: home },
    KIND,
    () => run,
    (error) => failures.push(error),
  );
const folder = () => join(home, "nodecloud", "wishes");

test("another process can read a note, with its run and time, until it is deleted", () => {
  notes().note("a", { wish: "x" }, AT);
  expect(notes().recall("a", AT + 1)).toEqual({ wish: "x", at: AT, run });
  expect(notes().recall("b", AT + 1)).toBeUndefined();
  notes().forget("a");
  expect(notes().recall("a", AT + 1)).toBeUndefined();
});

test("a later note replaces an earlier one, and leaves nothing else in the folder", () => {
  notes().note("a", { wish: "x" }, AT);
  notes().note("a", { wish: "y" }, AT);
  expect(notes().recall("a", AT)).toMatchObject({ wish: "y" });
  expect(readdirSync(folder())).toEqual(["a.json"]);
});

test("a note from a version without run names has no run", () => {
  notes().note("a", { wish: "x" }, AT);
  writeFileSync(join(folder(), "a.json"), JSON.stringify({ wish: "old", at: AT }));
  expect(notes().recall("a", AT)).toEqual({ wish: "old", at: AT });
});

test("a note expires after seven days", () => {
  notes().note("a", { wish: "x" }, AT);
  expect(notes().recall("a", AT + 7 * DAY - 1)).toBeDefined();
  expect(notes().recall("a", AT + 7 * DAY)).toBeUndefined();
});

test("a process that writes deletes notes older than seven days", () => {
  notes().note("a", { wish: "x" }, Date.now());
  const old = (Date.now() - 8 * DAY) / 1_000;
  utimesSync(join(folder(), "a.json"), old, old);
  notes().note("b", { wish: "y" }, Date.now());
  expect(readdirSync(folder())).toEqual(["b.json"]);
});

test("a list of all notes is current", () => {
  const mine = notes();
  mine.note("a", { wish: "x" }, AT);
  expect(mine.has("b")).toBe(false);
  notes().note("b", { wish: "y" }, AT);
  expect([...mine.all(AT)].map(([key, { wish }]) => [key, wish])).toEqual([
    ["a", "x"],
    ["b", "y"],
  ]);
  expect(mine.has("b")).toBe(true);
});

test("only their owner can read notes", () => {
  notes().note("a", { wish: "x" }, AT);
  expect(statSync(join(folder(), "a.json")).mode & 0o077).toBe(0);
  expect(statSync(folder()).mode & 0o077).toBe(0);
});

test("without a writable folder, work continues without notes, with one warning", () => {
  writeFileSync(join(home, "nodecloud"), "a file where the folder should be");
  const mine = notes();
  mine.note("a", { wish: "x" }, AT);
  mine.note("b", { wish: "x" }, AT);
  expect(mine.recall("a", AT)).toBeUndefined();
  mine.forget("a");
  expect(readFileSync(join(home, "nodecloud"), "utf8")).toBe("a file where the folder should be");
  expect(failures).toHaveLength(1);
});

test.each(["", "{", "null", "[]", '{"wish":12,"at":1}', '{"wish":"x"}'])(
  "a broken note %j counts as missing",
  (text) => {
    notes().note("a", { wish: "x" }, AT);
    writeFileSync(join(folder(), "a.json"), text);
    expect(notes().recall("a", AT)).toBeUndefined();
  },
);

test("deleting a missing note succeeds", () => {
  expect(() => {
    notes().forget("a");
  }).not.toThrow();
});
