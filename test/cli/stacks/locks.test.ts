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
/** A machine that shares its name with no other. */
const ALONE = { environment: {}, isContainer: false, startedAt: since - HOUR };
const judged = (more: Partial<Parameters<typeof verdictOn>[1]>, of = lock) =>
  verdictOn(of, { now: since + HOUR, limit: undefined, ...ALONE, isRunning: () => false, ...more });

test("a run is over if this host has no such process", () => {
  expect(judged({})).toEqual({ isOver: true, why: "this host has no process 4711, so its run is over" });
});

test("a run may go on if the process exists, or if it is on another host", () => {
  expect(judged({ isRunning: (pid) => pid === 4711 })).toMatchObject({ isOver: false });
  const { pid } = process;
  expect(verdictOn({ ...lock, pid }, { now: since, limit: undefined, ...ALONE })).toMatchObject({
    isOver: false,
  });
  expect(judged({}, { ...lock, host: "ci-7.example.org" })).toEqual({
    isOver: false,
    why: "its run is on another host, and may go on there",
  });
});

test.each([
  ["a container", { isContainer: true }],
  ["a pod", { environment: { KUBERNETES_SERVICE_HOST: "10.0.0.1" } }],
  ["a hosted runner", { environment: { RUNNER_ENVIRONMENT: "github-hosted" } }],
  ["a CI job", { environment: { CI: "true" } }],
])("in %s, which shares its name with others, only the age tells that a run is over", (_, where) => {
  expect(judged(where)).toEqual({
    isOver: false,
    why: "CI runners and containers share names, so its run may go on in another one of this name",
  });
  expect(judged({ ...where, limit: HOUR - 1 })).toMatchObject({ isOver: true });
});

test("a lock from before the start of this host may be of another host of its name", () => {
  expect(judged({ startedAt: since + 1 })).toEqual({
    isOver: false,
    why: "it is from before the start of this host, so it may be of another host of this name",
  });
  expect(judged({ startedAt: since + 1, limit: HOUR - 1 })).toMatchObject({ isOver: true });
});

test("only an age over the limit counts", () => {
  const elsewhere = { ...lock, host: "ci-7.example.org" };
  expect(judged({ limit: HOUR - 1 }, elsewhere)).toEqual({ isOver: true, why: "it is older than 60 min" });
  expect(judged({ limit: HOUR }, elsewhere)).toMatchObject({ isOver: false });
});

test("a lock whose time cannot be read is never too old", () => {
  expect(judged({ limit: 0 }, { ...lock, host: "ci-7", since: NaN })).toMatchObject({ isOver: false });
  expect(judged({ limit: 0 }, { ...lock, since: NaN })).toMatchObject({ isOver: false });
});
