import { ApiError, patiently } from "../../src/api";
import { Limiter } from "../../src/api/limiter";
import { retrying } from "../../src/api/retry";

/** When a request that comes at this time would be taken, in milliseconds from then; 0 for now. */
type Server = (at: number) => number;

const bucket = (perSecond: number, size: number): Server => {
  let tokens = size;
  let last = 0;
  return (at) => {
    tokens = Math.min(size, tokens + ((at - last) / 1000) * perSecond);
    last = at;
    if (tokens < 1) return ((1 - tokens) / perSecond) * 1000;
    tokens--;
    return 0;
  };
};

const fixedWindow = (perSecond: number): Server => {
  let window = -1;
  let count = 0;
  return (at) => {
    const current = Math.floor((at + 370) / 1000);
    if (current !== window) count = 0;
    window = current;
    if (count === perSecond) return (current + 1) * 1000 - 370 - at;
    count++;
    return 0;
  };
};

const slidingWindow = (perSecond: number): Server => {
  const taken: number[] = [];
  return (at) => {
    while ((taken[0] ?? at) <= at - 1000) taken.shift();
    if (taken.length === perSecond) return (taken[0] ?? at) + 1000 - at;
    taken.push(at);
    return 0;
  };
};

/** A time that moves to its next event as soon as nothing else is left to do, and a chance that is the same each time. */
class VirtualTime {
  #now = 0;
  #events: { readonly at: number; readonly happen: () => void }[] = [];
  #seed = 1;

  now = (): number => this.#now;

  random = (): number => {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return this.#seed / 2 ** 32;
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const event = { at: this.#now + ms, happen: resolve };
      const later = this.#events.findIndex(({ at }) => at > event.at);
      this.#events.splice(later === -1 ? this.#events.length : later, 0, event);
      signal?.addEventListener("abort", () => {
        this.#events = this.#events.filter((other) => other !== event);
        reject(signal.reason as Error);
      });
    });

  async run(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#events.shift();
      if (next === undefined) return;
      this.#now = next.at;
      next.happen();
    }
  }
}

const refusal = (status: number, retryAfter?: number) =>
  new ApiError({ operation: "POST /records", status, reasons: [], retryAfter });

/** Sends many requests to a server, 20 ms away, that takes only so many. */
async function sendMany(server: Server, count: number, refuse: (wait: number) => ApiError) {
  const time = new VirtualTime();
  const limiter = new Limiter(time);
  let refused = 0;
  let last = 0;
  const failed: unknown[] = [];
  const send = async () => {
    await time.sleep(7 + 6 * time.random());
    const wait = server(time.now());
    await time.sleep(7 + 6 * time.random());
    last = time.now();
    if (wait === 0) return;
    refused++;
    throw refuse(wait);
  };
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const request = { operation: "POST /records", kind: "/records", method: "POST" } as const;
  const all = Array.from({ length: count }, () =>
    retrying(request, send, settings).catch((error: unknown) => failed.push(error)),
  );
  await time.run();
  await Promise.all(all);
  return { failed, refused, perSecond: count / (last / 1000) };
}

describe.each([
  [5, 300],
  [50, 180],
  [200, 120],
])("a service that takes %i requests a second", (perSecond, seconds) => {
  const servers: [string, () => Server][] = [
    ["a bucket of tokens", () => bucket(perSecond, perSecond)],
    ["fixed windows", () => fixedWindow(perSecond)],
    ["a sliding window", () => slidingWindow(perSecond)],
  ];
  const refusals: [string, (wait: number) => ApiError][] = [
    ["429 without Retry-After", () => refusal(429)],
    ["429 with Retry-After", (wait) => refusal(429, Math.ceil(wait / 1000))],
    ["503 with Retry-After", (wait) => refusal(503, Math.ceil(wait / 1000))],
  ];
  const cases = servers.flatMap(([limit, server]) =>
    refusals.map(([answer, refuse]) => [limit, answer, server, refuse] as const),
  );
  test.each(cases)(
    "by %s, refusing by %s, is used to nine tenths at least, and no request fails",
    async (_limit, _answer, server, refuse) => {
      const count = perSecond * seconds;
      const { failed, refused, perSecond: reached } = await sendMany(server(), count, refuse);
      expect(failed).toEqual([]);
      expect(refused).toBeLessThan(0.1 * count);
      expect(reached).toBeGreaterThan(0.9 * perSecond);
    },
  );
});

test("a service that refuses everything ends all that wait in half a minute, after a few requests", async () => {
  const { failed, refused } = await sendMany(
    () => 1,
    500,
    () => refusal(429),
  );
  expect(failed).toHaveLength(500);
  expect(refused).toBeLessThan(40);
});

test("kinds take turns, so that many of one do not keep another waiting", async () => {
  const time = new VirtualTime();
  const limiter = new Limiter(time);
  limiter.restrict(1);
  const order: string[] = [];
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const kinds = [...Array.from({ length: 20 }, () => "/records"), "/nodes", "/nodes"];
  const all = kinds.map((kind) =>
    retrying(
      { operation: `GET ${kind}`, kind, method: "GET" },
      () => time.sleep(10).then(() => order.push(kind)),
      settings,
    ),
  );
  await time.run();
  await Promise.all(all);
  expect(order.lastIndexOf("/nodes")).toBeLessThan(6);
});

test("a request that waits for its own repetition keeps no other from its turn", async () => {
  const time = new VirtualTime();
  const limiter = new Limiter(time);
  limiter.restrict(1);
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const ended: string[] = [];
  let tries = 0;
  const failing = async () => {
    if (++tries === 1) throw refusal(500);
    ended.push("failing");
  };
  const request = { operation: "GET /nodes", kind: "/nodes", method: "GET" } as const;
  const all = [
    retrying(request, failing, settings),
    retrying(request, async () => void ended.push("other"), settings),
  ];
  await time.run();
  await Promise.all(all);
  expect(ended).toEqual(["other", "failing"]);
});

test("one who gives up while waiting leaves the queue at once, and no timer behind", async () => {
  const time = new VirtualTime();
  const limiter = new Limiter(time);
  limiter.pause(60_000);
  const controller = new AbortController();
  const entry = limiter.enter({ kind: "/nodes", patience: 6, signal: controller.signal });
  const reason = new Error("interrupted");
  controller.abort(reason);
  await expect(entry).rejects.toBe(reason);
  await time.run();
  expect(time.now()).toBe(0);
});

test("of several wishes for the number of requests at a time the smallest counts", () => {
  const limiter = new Limiter(new VirtualTime());
  expect(limiter.most).toBe(16);
  for (const most of [undefined, 40, 8, 30]) limiter.restrict(most);
  expect(limiter.most).toBe(8);
});
