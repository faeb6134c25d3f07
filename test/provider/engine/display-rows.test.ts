import { ApiError, ConnectionError } from "../../../src/api/errors";
import { Rows } from "../../../src/provider/engine/display-rows";
import { FakeClock } from "../fake-clock";

let clock: FakeClock;
let rows: Rows;
let shown: string[];
beforeEach(() => {
  clock = new FakeClock();
  shown = [];
  const show = (urn = "stack", text: string) => shown.push(`${urn}: ${text}`);
  rows = new Rows(
    { progress: async (urn, text) => show(urn, text), clear: async (urn) => show(urn, "") },
    clock,
  );
});

const about = { operation: "PUT /domains/1" };
const busy = (status: number) => new ApiError({ ...about, status, reasons: [] });
const lost = new ConnectionError({
  ...about,
  problem: "lost",
  code: "CONNECTION_LOST",
  host: "api.example",
});
const wait = (error: Error, delayMs = 12_000) => rows.waits({ ...about, error, retry: 1, delayMs });

/** Work in two rows, and in none, that continues until the given step ends in the first row. */
const meanwhile = (step: () => void | Promise<void>) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const others = [undefined, "two"].map((urn) => rows.during(urn, () => ended));
  const one = rows.during("one", async () => step()).finally(end);
  return Promise.all([one, ...others]);
};

test("a status appears with its age, and the usual time", async () => {
  await rows.during("one", async () => {
    const { current } = rows;
    for (const seconds of [0, 1, 2, 60, 1, 6]) {
      await clock.advance(seconds * 1_000);
      current.wait("provisioning", "15-30 min", undefined);
    }
    current.wait("booting", undefined, "running");
  });
  expect(shown).toEqual([
    "one: provisioning 0 s of 15-30 min",
    "one: provisioning 3 s of 15-30 min",
    "one: provisioning 63 s of 15-30 min",
    "one: provisioning 70 s of 15-30 min",
    "one: booting, waiting until running",
    "one: ",
  ]);
});

test("an hour of waiting with a read every 15 seconds causes fewer than sixty messages", async () => {
  await rows.during("one", async () => {
    for (let looks = 0; looks < 240; looks++) {
      rows.current.wait("provisioning", undefined, undefined);
      await clock.advance(15_000);
    }
  });
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.length).toBeLessThan(60);
});

test("work that takes less than two seconds shows and clears nothing", async () => {
  await rows.during("one", async () => rows.current.progress("1/2 records"));
  expect(shown).toEqual([]);
});

test("a row is also cleared when its work fails, before the engine receives the failure", async () => {
  const failing = rows.during("one", async () => {
    rows.current.wait("provisioning", undefined, undefined);
    throw new Error("no");
  });
  await expect(failing.finally(() => shown.push("failed"))).rejects.toThrow("no");
  expect(shown).toEqual(["one: provisioning", "one: ", "failed"]);
});

test("a row is cleared only after the previous message has arrived, even if that takes long", async () => {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => (arrive = resolve));
  const slow = {
    progress: async (_: string | undefined, text: string) => {
      await late;
      shown.push(text);
    },
    clear: async () => shown.push("(empty)"),
  };
  rows = new Rows(slow, clock);
  const ended = rows.during("one", async () => rows.current.wait("provisioning", undefined, undefined));
  await clock.advance(0);
  expect(shown).toEqual([]);
  arrive();
  await ended;
  expect(shown).toEqual(["provisioning", "(empty)"]);
});

test.each([
  ["429", busy(429), "API busy (429), next try in 12 s"],
  ["503", busy(503), "API busy (503), next try in 12 s"],
  ["a lost connection", lost, "API unreachable, next try in 12 s"],
])("a wait after %s appears in the rows of all running operations", async (_, error, text) => {
  await meanwhile(() => wait(error));
  expect(shown.slice(0, 3).sort()).toEqual([`one: ${text}`, `stack: ${text}`, `two: ${text}`]);
  expect(shown.slice(3).sort()).toEqual(["one: ", "stack: ", "two: "]);
});

test("a wait after another failure appears only in the row of its request", async () => {
  await meanwhile(() => wait(busy(500)));
  expect(shown).toEqual(["one: API failed (500), next try in 12 s", "one: "]);
});

test("a failure of a shared read appears in the rows of all its users", async () => {
  await meanwhile(() => rows.shared(() => wait(busy(500))));
  expect(shown).toHaveLength(6);
});

test("a wait of less than two seconds does not appear, and longer waits appear at most every five seconds", async () => {
  await rows.during("one", async () => {
    wait(busy(429), 1_999);
    for (let tries = 0; tries < 12; tries++) {
      wait(busy(429), 2_000);
      await clock.advance(1_000);
    }
  });
  expect(shown).toEqual([...Array<string>(3).fill("one: API busy (429), next try in 2 s"), "one: "]);
});

test("work that begins during a wait shows the rest of the wait", async () => {
  await rows.during("one", async () => wait(busy(429), 10_000));
  shown.length = 0;
  await clock.advance(4_000);
  await rows.during("two", async () => undefined);
  await clock.advance(6_000);
  await rows.during("three", async () => undefined);
  expect(shown).toEqual(["two: API busy (429), next try in 6 s", "two: "]);
});

test("after a wait for the API, the status appears again at once", async () => {
  await rows.during("one", async () => {
    const { current } = rows;
    current.wait("provisioning", undefined, undefined);
    wait(busy(429));
    current.wait("provisioning", undefined, undefined);
  });
  expect(shown).toEqual([
    "one: provisioning",
    "one: API busy (429), next try in 12 s",
    "one: provisioning",
    "one: ",
  ]);
});
