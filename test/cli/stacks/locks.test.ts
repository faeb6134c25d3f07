import { hostname } from "node:os";
import { locksIn, verdictOn } from "../../../src/cli/stacks/locks";

const HOUR = 3_600_000;
const since = Date.parse("2026-11-28T03:00:00Z");

/** As pulumi 3.230.0 prints it. */
const REFUSAL = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///state/.pulumi/locks/organization/shop/prod/1a2b.json?no_tmp_dir=true: created by root@ci-7 (pid 4711) at 2026-11-28T03:00:00Z
  s3://bucket/.pulumi/locks/organization/shop/prod/3c4d.json: created by CORP\\ada@example.org@build.example.org (pid 12) at 2026-11-28T03:00:00+02:00
`;

test("reads every lock in the refusal of the engine", () => {
  expect(locksIn(REFUSAL)).toEqual([
    { user: "root", host: "ci-7", pid: 4711, since },
    { user: "CORP\\ada@example.org", host: "build.example.org", pid: 12, since: since - 2 * HOUR },
  ]);
  expect(locksIn("error: a stack named prod already exists")).toEqual([]);
});

const lock = { user: "root", host: hostname(), pid: 4711, since };
const judged = (more: Partial<Parameters<typeof verdictOn>[1]>, of = lock) =>
  verdictOn(of, { now: since + HOUR, limit: undefined, isRunning: () => false, ...more });

test("a run is over if this host has no such process", () => {
  expect(judged({})).toEqual({ isOver: true, why: "this host has no process 4711, so its run is over" });
});

test("a run may go on if the process exists, or if it is on another host", () => {
  expect(judged({ isRunning: (pid) => pid === 4711 })).toMatchObject({ isOver: false });
  expect(verdictOn({ ...lock, pid: process.pid }, { now: since, limit: undefined })).toMatchObject({
    isOver: false,
  });
  expect(judged({}, { ...lock, host: "ci-7.example.org" })).toEqual({
    isOver: false,
    why: "its run is on another host, and may go on there",
  });
});

test("only an age over the limit counts", () => {
  const elsewhere = { ...lock, host: "ci-7.example.org" };
  expect(judged({ limit: HOUR - 1 }, elsewhere)).toEqual({ isOver: true, why: "it is older than 60 min" });
  expect(judged({ limit: HOUR }, elsewhere)).toMatchObject({ isOver: false });
});

test("a lock whose time cannot be read is never too old", () => {
  expect(judged({ limit: 0 }, { ...lock, host: "ci-7", since: NaN })).toMatchObject({ isOver: false });
});
