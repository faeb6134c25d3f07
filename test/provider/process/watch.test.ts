import { lookUntil, Watch, type Goal } from "../../../src/provider/process/watch";
import { WatchTimeout } from "../../../src/provider/process/traffic";
import { type Properties } from "../../../src/provider/state/values";
import { FakeClock } from "../fake-clock";
import { fakeSession } from "../fake-service";

const goal: Goal = {
  row: (status) => ({ status }),
  timeUp: ({ status, allowed }) => `after ${allowed} it is ${status}`,
};

/** An object that has these statuses, one after the other, and then no more time. */
function watched(...statuses: string[]) {
  const next = (): Properties | undefined => {
    const status = statuses.shift();
    return status === undefined ? undefined : { status };
  };
  const times: number[] = [];
  return {
    times,
    now: () => Promise.resolve(next()),
    watch: async (timeoutMs: number, judge: (reply: Properties | undefined) => unknown) => {
      times.push(timeoutMs);
      while (statuses.length > 0) if (await judge(next())) return;
      throw new WatchTimeout();
    },
  };
}

const isReady = (reply: Properties | undefined) => reply?.["status"] === "ready";

describe("a watch", () => {
  test("ends with the first look where the object is as it is wanted", async () => {
    const object = watched("ready");
    await new Watch(fakeSession(), object, 60_000, "now").until(goal, isReady);
    expect(object.times).toEqual([]);
  });

  test("fails in the words of its goal when the time is up, with the last status", async () => {
    const watch = new Watch(fakeSession(), watched("new", "busy"), 60_000, "now");
    await expect(watch.until(goal, isReady)).rejects.toThrow("after 60 s it is busy");
  });

  test.each([
    ["now", 50_000],
    ["with the first wait", 60_000],
  ] as const)("that begins %s has %d ms left after 10 seconds", async (begins, left) => {
    const clock = new FakeClock();
    const object = watched("new", "ready");
    const watch = new Watch(fakeSession({ clock }), object, 60_000, begins);
    await clock.sleep(10_000, new AbortController().signal);
    await watch.until(goal, isReady);
    expect(object.times).toEqual([left]);
  });
});

describe("looking until something is found", () => {
  test("ends with what a look finds", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 10_000;
    const look = () => (++looks === 3 ? "it" : undefined);
    expect(await lookUntil(session, { until, pauseMs: 2_000 }, look)).toBe("it");
    expect(session.clock.now()).toBe(until - 6_000);
  });

  test("looks a last time when the time is up", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 4_000;
    expect(await lookUntil(session, { until, pauseMs: 2_000 }, () => void looks++)).toBeUndefined();
    expect(looks).toBe(3);
  });

  test("pauses first after a look that is done", async () => {
    const session = fakeSession();
    let looks = 0;
    const until = session.clock.now() + 4_000;
    await lookUntil(session, { until, pauseMs: 2_000, isLooked: true }, () => void looks++);
    expect(looks).toBe(2);
  });
});
