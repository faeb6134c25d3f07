import { spawn } from "node:child_process";
import { once } from "node:events";
import { isOver, isRun, isThisRun, type Run, thisRun } from "../../../src/provider/process/runs";

const HOUR = 60 * 60 * 1_000;
const me = thisRun("127.0.0.1:1");

test("this process is a run that goes on, whatever its engine", () => {
  expect(isRun(JSON.parse(JSON.stringify(me)))).toBe(true);
  expect([isThisRun(me), isOver(me, 0, 2 * HOUR)]).toEqual([true, false]);
  expect(thisRun("127.0.0.1:2")).toEqual({ ...me, engine: "127.0.0.1:2" });
});

test("a process that has ended is a run that is over", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  const run: Run = { ...me, pid: child.pid ?? 0 };
  await once(child, "exit");
  expect([isThisRun(run), isOver(run, 0, 1)]).toEqual([false, true]);
});

test("a process with the same number that started at another time is another run", () => {
  const before: Run = { ...me, started: "long ago" };
  expect([isThisRun(before), isOver(before, 0, 1)]).toEqual([false, true]);
});

test("a run on another host is over after an hour", () => {
  const there: Run = { ...me, host: "elsewhere" };
  expect(isThisRun(there)).toBe(false);
  expect([isOver(there, 0, HOUR), isOver(there, 0, HOUR + 1)]).toEqual([false, true]);
});

test("a note that names no run is one of a run that is over", () => {
  expect(isOver(undefined, 0, 1)).toBe(true);
});
