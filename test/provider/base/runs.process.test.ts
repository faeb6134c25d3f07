import { spawn } from "node:child_process";
import { once } from "node:events";
import { isOver, isRun, isThisRun, type Run, thisRun } from "../../../src/provider/base/runs";

const HOUR = 60 * 60 * 1_000;
const me = thisRun("127.0.0.1:1");

test("this process belongs to a current run, with any engine", () => {
  expect(isRun(JSON.parse(JSON.stringify(me)))).toBe(true);
  expect([isThisRun(me), isOver(me, 0, 2 * HOUR)]).toEqual([true, false]);
  expect(thisRun("127.0.0.1:2")).toEqual({ ...me, engine: "127.0.0.1:2" });
});

test("an ended process belongs to an ended run", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  const run: Run = { ...me, pid: child.pid ?? 0 };
  await once(child, "exit");
  expect([isThisRun(run), isOver(run, 0, 1)]).toEqual([false, true]);
});

test("a process with the same number and another start time belongs to another run", () => {
  const before: Run = { ...me, started: "long ago" };
  expect([isThisRun(before), isOver(before, 0, 1)]).toEqual([false, true]);
});

test("a run on another host counts as ended after an hour", () => {
  const there: Run = { ...me, host: "elsewhere" };
  expect(isThisRun(there)).toBe(false);
  expect([isOver(there, 0, HOUR), isOver(there, 0, HOUR + 1)]).toEqual([false, true]);
});

test("a note without a run belongs to an ended run", () => {
  expect(isOver(undefined, 0, 1)).toBe(true);
});
