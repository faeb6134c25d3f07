import { Poller, WatchTimeout } from "../../../../src/provider/run/traffic/poller";
import { FakeClock, settle } from "../../fake-clock";

interface Item {
  readonly id: string;
  readonly done: boolean;
}

/** Items that are never ready unless the test says so, with counts of their reads. */
class FakeSource {
  readonly reads: string[] = [];
  readonly done = new Set<string>();
  readonly gone = new Set<string>();
  readonly broken = new Set<string>();

  one = (id: string): Promise<Item | undefined> => {
    this.reads.push(id);
    if (this.broken.has(id)) return Promise.reject(new Error(`${id} cannot be read`));
    return Promise.resolve(this.gone.has(id) ? undefined : { id, done: this.done.has(id) });
  };
}

const isDone = (item: Item | undefined) => item?.done === true;
const HOUR = 3_600_000;

/** A watch as text: `waiting`, `done`, or how it failed. */
function outcomeOf(watch: Promise<void>) {
  const state = { is: "waiting" };
  watch.then(
    () => (state.is = "done"),
    (error: unknown) => (state.is = error instanceof WatchTimeout ? "timed out" : String(error)),
  );
  return state;
}

describe("the interval of reads", () => {
  test("is one second at first, and grows with the age of the watch to 15 seconds", async () => {
    const clock = new FakeClock();
    const source = new FakeSource();
    await expect(new Poller(source.one, clock).watch("a", 2 * 60_000, isDone)).rejects.toThrow(WatchTimeout);
    const ages = clock.sleeps.map((_, index) =>
      clock.sleeps.slice(0, index).reduce((sum, ms) => sum + ms, 0),
    );
    const paced = ages.map((age) => Math.min(15_000, Math.max(1_000, age / 2)));
    expect(clock.sleeps.slice(0, -1)).toEqual(paced.slice(0, -1)); // the last sleep ends at the deadline
    expect(clock.sleeps.slice(0, 8)).toEqual([1_000, 1_000, 1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75]);
    expect(clock.sleeps.slice(8, 11)).toEqual([11_390.625, 15_000, 15_000]);
  });

  test.each([
    [0, 900],
    [0.5, 1_000],
    [0.999, 1_099.8],
  ])("with chance %d changes a second to %d ms", async (chance, ms) => {
    const clock = new FakeClock({ chance: () => chance, byHand: true });
    void new Poller(new FakeSource().one, clock).watch("a", HOUR, isDone);
    await settle();
    expect(clock.sleeps[0]).toBeCloseTo(ms);
  });

  test("is also random for long waits", async () => {
    const clock = new FakeClock({ chance: () => 0, byHand: true });
    void new Poller(new FakeSource().one, clock).watch("a", HOUR, isDone);
    await clock.advance(300_000);
    expect(clock.sleeps.at(-1)).toBe(13_500);
  });

  test("returns to the short one for all when a new watcher begins", async () => {
    const clock = new FakeClock({ byHand: true });
    const source = new FakeSource();
    const poller = new Poller(source.one, clock);
    void poller.watch("old", HOUR, isDone);
    await clock.advance(300_000);
    expect(clock.sleeps.at(-1)).toBe(15_000);
    const before = source.reads.length;
    void poller.watch("new", HOUR, isDone);
    await settle();
    expect(clock.sleeps.at(-1)).toBe(1_000);
    expect(source.reads).toHaveLength(before);
    await clock.advance(1_000);
    expect(source.reads.slice(before)).toEqual(["old", "new"]);
  });

  test("does not delay earlier watchers when new ones begin one after another", async () => {
    const clock = new FakeClock({ byHand: true });
    const source = new FakeSource();
    const poller = new Poller(source.one, clock);
    source.done.add("first");
    const first = outcomeOf(poller.watch("first", HOUR, isDone));
    for (let n = 0; n < 10; n++) {
      await clock.advance(500);
      void poller.watch(`later ${n}`, HOUR, isDone);
    }
    await settle();
    expect(first.is).toBe("done");
  });

  test("stops without watchers, and starts again with the next one", async () => {
    const clock = new FakeClock({ byHand: true });
    const source = new FakeSource();
    const poller = new Poller(source.one, clock);
    source.done.add("a");
    const watch = outcomeOf(poller.watch("a", HOUR, isDone));
    await clock.advance(1_000);
    expect(watch.is).toBe("done");
    await clock.advance(HOUR);
    expect(source.reads).toEqual(["a"]);
    const again = outcomeOf(poller.watch("a", HOUR, isDone));
    await clock.advance(1_000);
    expect(again.is).toBe("done");
    expect(source.reads).toEqual(["a", "a"]);
  });
});

describe("shared reads", () => {
  test("read all objects at the same time, and each watcher judges its own", async () => {
    const clock = new FakeClock({ byHand: true });
    const ids = Array.from({ length: 50 }, (_, index) => `item ${index}`);
    const source = new FakeSource();
    const poller = new Poller(source.one, clock);
    const watches = ids.map((id) => outcomeOf(poller.watch(id, HOUR, isDone)));
    source.done.add("item 7");
    await clock.advance(1_000);
    expect(source.reads).toEqual(ids);
    expect(watches.flatMap(({ is }, index) => (is === "done" ? [index] : []))).toEqual([7]);
  });

  test("fail only the watch of an object that cannot be read", async () => {
    const clock = new FakeClock({ byHand: true });
    const source = new FakeSource();
    const poller = new Poller(source.one, clock);
    source.broken.add("a");
    source.done.add("b");
    const watches = ["a", "b"].map((id) => outcomeOf(poller.watch(id, HOUR, isDone)));
    await clock.advance(1_000);
    expect(watches.map(({ is }) => is)).toEqual(["Error: a cannot be read", "done"]);
  });
});

describe("the end of a watch", () => {
  test("is exactly at the deadline, after a last read", async () => {
    const clock = new FakeClock();
    const started = clock.now();
    const source = new FakeSource();
    const watch = new Poller(source.one, clock).watch("a", 12_345, isDone);
    await expect(watch).rejects.toThrow(WatchTimeout);
    expect(clock.now() - started).toBe(12_345);
    expect(source.reads).toHaveLength(clock.sleeps.length);
  });

  test("is a success if the last read succeeds", async () => {
    const clock = new FakeClock();
    const started = clock.now();
    const judge = () => clock.now() - started >= 12_345;
    await expect(new Poller(new FakeSource().one, clock).watch("a", 12_345, judge)).resolves.toBeUndefined();
  });

  test("follows one read if no time is left", async () => {
    const clock = new FakeClock();
    const source = new FakeSource();
    await expect(new Poller(source.one, clock).watch("a", 0, isDone)).rejects.toThrow(WatchTimeout);
    expect(source.reads).toEqual(["a"]);
    expect(clock.sleeps).toEqual([0]);
  });

  test("does not end other watches", async () => {
    const clock = new FakeClock({ byHand: true });
    const poller = new Poller(new FakeSource().one, clock);
    const short = outcomeOf(poller.watch("short", 1_500, isDone));
    const long = outcomeOf(poller.watch("long", 60_000, isDone));
    await clock.advance(1_500);
    expect([short.is, long.is]).toEqual(["timed out", "waiting"]);
    await clock.advance(58_500);
    expect(long.is).toBe("timed out");
  });

  test("is a failure with the judge's error if the judge throws", async () => {
    const clock = new FakeClock({ byHand: true });
    const poller = new Poller(new FakeSource().one, clock);
    const failing = outcomeOf(
      poller.watch("a", HOUR, () => {
        throw new Error("status is failed");
      }),
    );
    const other = outcomeOf(poller.watch("b", HOUR, isDone));
    await clock.advance(1_000);
    expect([failing.is, other.is]).toEqual(["Error: status is failed", "waiting"]);
  });

  test("waits for an asynchronous judge", async () => {
    const clock = new FakeClock();
    await expect(
      new Poller(new FakeSource().one, clock).watch("a", HOUR, async () => {
        await settle();
        return true;
      }),
    ).resolves.toBeUndefined();
  });
});
