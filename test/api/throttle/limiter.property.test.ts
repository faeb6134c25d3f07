import { ApiError, patiently } from "../../../src/api";
import { newLimiter } from "../../../src/api/throttle";
import { retrying } from "../../../src/api/retry";
import { SHORT, WHOLE } from "../../helpers/whole";

/** The milliseconds until the service accepts a request that arrives at this time; 0 if it accepts it now. */
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

/** `chance` is the position of the first request in its window. */
const fixedWindow = (perSecond: number, seconds: number, chance: number): Server => {
  const length = seconds * 1000;
  const offset = chance * length;
  let window = -1;
  let count = 0;
  return (at) => {
    const current = Math.floor((at + offset) / length);
    if (current !== window) count = 0;
    window = current;
    if (count === perSecond * seconds) return (current + 1) * length - offset - at;
    count++;
    return 0;
  };
};

const slidingWindow = (perSecond: number, seconds: number): Server => {
  const length = seconds * 1000;
  const taken: number[] = [];
  return (at) => {
    const oldest = taken.at(-perSecond * seconds) ?? -Infinity;
    if (oldest > at - length) return oldest + length - at;
    taken.push(at);
    return 0;
  };
};

/** A clock that moves to its next event when nothing else is left to run, and repeatable random numbers. */
class VirtualTime {
  #now = 0;
  #events: { readonly at: number; readonly happen: () => void }[] = [];
  #seed: number;

  constructor(seed = 1) {
    this.#seed = seed * 7919;
  }

  now = (): number => this.#now;

  random = (): number => {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return this.#seed / 2 ** 32;
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const event = { at: this.#now + ms, happen: resolve };
      const before = this.#events.findLastIndex(({ at }) => at <= event.at);
      this.#events.splice(before + 1, 0, event);
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

type Refuse = (wait: number) => ApiError;

/** Sends many requests to a limited server with a latency of about 20 ms. They arrive in the order of sending. */
async function sendMany(
  server: Server,
  count: number,
  refuse: Refuse,
  seed = 1,
  time = new VirtualTime(seed),
  limiter = newLimiter(time),
) {
  const begin = time.now();
  let refused = 0;
  let arrival = 0;
  const failed: unknown[] = [];
  const send = async () => {
    arrival = Math.max(arrival, time.now() + 7 + 6 * time.random());
    const wait = server(arrival);
    await time.sleep(arrival - time.now() + 7 + 6 * time.random());
    if (wait === 0) return;
    refused++;
    throw refuse(wait);
  };
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const request = { operation: "POST /records", kind: "/records", method: "POST" } as const;
  const all = Array.from({ length: count }, () =>
    retrying(request, send, settings).catch((error: unknown) => failed.push(error)),
  );
  // The first request waits until p-retry is loaded, which takes no virtual time.
  await import("p-retry");
  await time.run();
  await Promise.all(all);
  return { failed, refused, perSecond: count / ((time.now() - begin) / 1000) };
}

const answers = {
  "429 without Retry-After": () => refusal(429),
  "429 with Retry-After": (wait) => refusal(429, Math.ceil(wait / 1000)),
  "503 with Retry-After": (wait) => refusal(503, Math.ceil(wait / 1000)),
} satisfies Record<string, Refuse>;
type Answer = keyof typeof answers;

/** Checks the throughput and the refusals of each run against a limited service. */
async function expectShare(
  share: number,
  makeServer: (chance: number) => Server,
  {
    perSecond,
    seconds,
    answer,
    seeds,
  }: { perSecond: number; seconds: number; answer: Answer; seeds: number },
) {
  const count = perSecond * seconds;
  for (let seed = 1; seed <= seeds; seed++) {
    const run = await sendMany(makeServer((seed * 0.37) % 1), count, answers[answer], seed);
    expect(run.failed).toEqual([]);
    expect(run.refused).toBeLessThan(60 + 0.02 * count);
    expect(run.perSecond / perSecond).toBeGreaterThan(share);
  }
}

describe.each([
  [5, SHORT ? 3 : 12],
  [20, SHORT ? 2 : 8],
  [200, WHOLE ? 4 : 1],
])("a service that accepts %i requests a second, during one minute,", (perSecond, seeds) => {
  const servers: Record<string, (chance: number) => Server> = {
    "a bucket of a second": () => bucket(perSecond, perSecond),
    "a bucket of a tenth of a second": () => bucket(perSecond, Math.max(1, perSecond / 10)),
    "fixed windows": (chance) => fixedWindow(perSecond, 1, chance),
    "a sliding window": () => slidingWindow(perSecond, 1),
  };
  /** Each refusal costs a second, and the first ones tell little about so low a limit, so the limiter finds the rate slowly (docs/api-client.md). */
  const harder = (limit: string, answer: Answer) =>
    perSecond === 5 &&
    ["a bucket of a tenth of a second", "fixed windows"].includes(limit) &&
    answer !== "429 without Retry-After";
  const cases = Object.entries(servers).flatMap(([limit, server]) =>
    (Object.keys(answers) as Answer[]).map(
      (answer) => [limit, answer, harder(limit, answer) ? 0.85 : 0.9, server] as const,
    ),
  );
  test.each(cases)(
    "limited by %s, refusing with %s: more than %d of the limit is used, and no request fails",
    async (_limit, answer, share, server) => {
      await expectShare(share, server, { perSecond, seconds: 60, answer, seeds });
    },
  );
});

/** Without Retry-After, a wait may be up to twice as long as necessary. */
test.each<[number, Answer, number]>([
  [10, "429 with Retry-After", 0.9],
  [10, "503 with Retry-After", 0.9],
  [10, "429 without Retry-After", 0.8],
  [60, "429 with Retry-After", 0.9],
  [60, "429 without Retry-After", 0.9],
])(
  "with windows of %i s, refusing with %s, more than %d of the limit is used",
  async (window, answer, share) => {
    const used = { perSecond: 20, seconds: Math.max(60, 2 * window), answer, seeds: 3 };
    await expectShare(share, (chance) => fixedWindow(20, window, chance), used);
    await expectShare(share, () => slidingWindow(20, window), used);
  },
);

test("after ten idle minutes, the limiter finds the limit as fast as the first time", async () => {
  const time = new VirtualTime();
  const limiter = newLimiter(time);
  const first = await sendMany(slidingWindow(50, 1), 3000, answers["429 with Retry-After"], 1, time, limiter);
  await Promise.all([time.sleep(600_000), time.run()]);
  const again = await sendMany(slidingWindow(50, 1), 3000, answers["429 with Retry-After"], 1, time, limiter);
  expect(again.perSecond).toBeGreaterThan(0.9 * 50);
  expect(again.refused).toBeLessThan(2 * first.refused);
});

test("if the service refuses everything, all waiting requests fail within about two minutes after few requests", async () => {
  const time = new VirtualTime();
  const { failed, refused } = await sendMany(
    () => 1,
    500,
    () => refusal(429),
    1,
    time,
  );
  expect(failed).toHaveLength(500);
  expect(time.now()).toBeLessThan(135_000);
  expect(refused).toBeLessThan(60);
});

test("a request that is refused while others are accepted is repeated more than six times", async () => {
  const time = new VirtualTime();
  const limiter = newLimiter(time);
  let tries = 0;
  const refusedAmongOthers = async () => {
    limiter.leave(await limiter.enter({ kind: "/nodes", outOfPatience: () => false }), "accepted");
    if (++tries <= 12) throw refusal(429);
  };
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const request = { operation: "POST /records", kind: "/records", method: "POST" } as const;
  const run = retrying(request, refusedAmongOthers, settings);
  await import("p-retry");
  await time.run();
  await run;
  expect(tries).toBe(13);
});

/** Several clients, each with its own limiter as in a process of its own, at the same time or one after the other: the times of their ends. */
async function endsOf(
  server: Server,
  refuse: Refuse,
  seed: number,
  atOnce: boolean,
  { rivals, ofEach } = { rivals: 8, ofEach: 51 },
) {
  const time = new VirtualTime(seed);
  const failed: unknown[] = [];
  const one = async () => {
    const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter: newLimiter(time) };
    const request = { operation: "POST /records", kind: "/records", method: "POST" } as const;
    await time.sleep(1500 + 500 * time.random());
    const send = async () => {
      await time.sleep(4 + 4 * time.random());
      const wait = server(time.now());
      if (wait > 0) throw refuse(wait);
    };
    const all = Array.from({ length: ofEach }, () =>
      retrying(request, send, settings).catch((error: unknown) => failed.push(error)),
    );
    await Promise.all(all);
    return time.now();
  };
  await import("p-retry");
  const ends: number[] = [];
  const clients = Array.from({ length: rivals }, () => one);
  const work = atOnce
    ? Promise.all(clients.map(async (client) => ends.push(await client())))
    : clients.reduce(async (before, client) => {
        await before;
        ends.push(await client());
      }, Promise.resolve());
  await time.run();
  await work;
  expect(failed).toEqual([]);
  return ends.sort((one, other) => one - other);
}

const shared: Record<string, (perSecond: number, seed: number) => Server> = {
  "a bucket": (perSecond) => bucket(perSecond, perSecond),
  "fixed windows": (perSecond, seed) => fixedWindow(perSecond, 1, (seed * 0.37) % 1),
};
const sharedCases = Object.keys(shared).flatMap((limit) =>
  (["429 with Retry-After", "429 without Retry-After"] as const).map((answer) => [limit, answer] as const),
);

test.each(sharedCases)(
  "eight processes that share %s, refusing with %s, all end, about as fast as one after the other",
  async (limit, answer) => {
    for (let seed = 1; seed <= (SHORT ? 5 : 20); seed++) {
      const make = () => shared[limit]?.(5, seed) ?? bucket(5, 5);
      const ends = await endsOf(make(), answers[answer], seed, true);
      const before = await endsOf(make(), answers[answer], seed, false);
      expect((ends.at(-1) ?? NaN) / (before.at(-1) ?? NaN)).toBeLessThan(1.15);
      expect((ends.at(-1) ?? NaN) / (((ends[3] ?? NaN) + (ends[4] ?? NaN)) / 2)).toBeLessThan(1.5);
    }
  },
);

test.each(sharedCases)(
  "thirty processes that share %s, refusing with %s, all end, although each waits longer than the patience of a request",
  async (limit, answer) => {
    const make = () => shared[limit]?.(5, 1) ?? bucket(5, 5);
    const ends = await endsOf(make(), answers[answer], 1, true, { rivals: 30, ofEach: 30 });
    expect(ends).toHaveLength(30);
    expect(ends.at(-1)).toBeLessThan((1.15 * 30 * 30 * 1000) / 5);
  },
);

test.each(sharedCases)(
  "eight processes with 200 requests each that share %s of 20 a second, refusing with %s, use most of it",
  async (limit, answer) => {
    const shares: number[] = [];
    for (let seed = 1; seed <= 5; seed++) {
      const make = () => shared[limit]?.(20, seed) ?? bucket(5, 5);
      const ends = await endsOf(make(), answers[answer], seed, true, { rivals: 8, ofEach: 200 });
      shares.push((8 * 200) / 20 / ((ends.at(-1) ?? NaN) / 1000));
    }
    expect(shares.sort((one, other) => one - other)[2]).toBeGreaterThan(0.55);
  },
);

test("a read of one object does not wait for thousands of creations", async () => {
  const time = new VirtualTime();
  const limiter = newLimiter(time);
  const started: string[] = [];
  const settings = { policy: patiently, sleep: time.sleep, random: time.random, limiter };
  const kinds = [...Array.from({ length: 3000 }, () => "/records"), "/nodes", "/nodes"];
  const all = kinds.map((kind) =>
    retrying(
      { operation: `GET ${kind}`, kind, method: "GET" },
      () => {
        started.push(kind);
        return time.sleep(10);
      },
      settings,
    ),
  );
  await import("p-retry");
  await time.run();
  await Promise.all(all);
  expect(started.lastIndexOf("/nodes")).toBeLessThan(limiter.most + 4);
});

test("a request that waits for its retry does not block other requests", async () => {
  const time = new VirtualTime();
  const limiter = newLimiter(time);
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
  await import("p-retry");
  await time.run();
  await Promise.all(all);
  expect(ended).toEqual(["other", "failing"]);
});

test("an aborted request leaves the queue at once, and leaves no timer", async () => {
  const time = new VirtualTime();
  const limiter = newLimiter(time);
  limiter.pause(60_000);
  const controller = new AbortController();
  const entry = limiter.enter({ kind: "/nodes", outOfPatience: () => false, signal: controller.signal });
  const reason = new Error("interrupted");
  controller.abort(reason);
  await expect(entry).rejects.toBe(reason);
  await time.run();
  expect(time.now()).toBe(0);
});

test("the smallest of several concurrency limits applies", () => {
  const limiter = newLimiter(new VirtualTime());
  expect(limiter.most).toBe(16);
  for (const most of [undefined, 40, 8, 30]) limiter.restrict(most);
  expect(limiter.most).toBe(8);
});
