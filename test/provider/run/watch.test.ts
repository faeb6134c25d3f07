import { pollUntil, Watch, type Goal } from "../../../src/provider/run/watch";
import { WatchTimeout } from "../../../src/provider/run/traffic";
import { type Properties } from "../../../src/provider/base/values";
import { FakeClock } from "../fake-clock";
import { fakeSession } from "../fake-service";

const goal: Goal = {
  row: (status) => ({ status }),
  timeUp: ({ status, allowed }) => `after ${allowed} it is ${status}`,
};

/** Watches an object with these statuses, one after another, until the timeout. */
function watched(...statuses: string[]) {
  const next = (): Properties | undefined => {
    const status = statuses.shift();
    return status === undefined ? undefined : { status };
  };
  const times: number[] = [];
  return {
    times,
    now: () => Promise.resolve(next()),
    watch: async (_id: string, timeoutMs: number, judge: (reply: Properties | undefined) => unknown) => {
      times.push(timeoutMs);
      while (statuses.length > 0) if (await judge(next())) return;
      throw new WatchTimeout();
    },
  };
}

const isReady = (reply: Properties | undefined) => reply?.["status"] === "ready";

describe("a watch", () => {
  test("ends at the first read that reaches the goal", async () => {
    const object = watched("ready");
    await new Watch(fakeSession(), object, "1", 60_000, "now").until(goal, isReady);
    expect(object.times).toEqual([]);
  });

  test("fails at the timeout with the goal's message and the last status", async () => {
    const watch = new Watch(fakeSession(), watched("new", "busy"), "1", 60_000, "now");
    await expect(watch.until(goal, isReady)).rejects.toThrow("after 60 s it is busy");
  });

  test.each([
    ["now", 50_000],
    ["with the first wait", 60_000],
  ] as const)("that begins %s has %d ms left after 10 seconds", async (begins, left) => {
    const clock = new FakeClock();
    const object = watched("new", "ready");
    const watch = new Watch(fakeSession({ clock }), object, "1", 60_000, begins);
    await clock.sleep(10_000, new AbortController().signal);
    await watch.until(goal, isReady);
    expect(object.times).toEqual([left]);
  });
});

describe("a search", () => {
  test("ends when a read finds something", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 10_000;
    const look = () => (++looks === 3 ? "it" : undefined);
    expect(await pollUntil(session, { until, pauseMs: 2_000 }, look)).toBe("it");
    expect(session.clock.now()).toBe(until - 6_000);
  });

  test("reads a last time at the timeout", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 4_000;
    expect(await pollUntil(session, { until, pauseMs: 2_000 }, () => void looks++)).toBeUndefined();
    expect(looks).toBe(3);
  });

  test("can begin with a pause after a previous read", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 4_000;
    await pollUntil(session, { until, pauseMs: 2_000, isLooked: true }, () => void looks++);
    expect(looks).toBe(2);
  });
});
