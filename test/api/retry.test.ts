import { ApiError, ConnectionError, instantly, never, patiently, type RetryEvent } from "../../src/api";
import { newLimiter } from "../../src/api/throttle";
import { type OperationSpec } from "../../src/api/operation";
import { delayBefore, mayRepeat, retrying } from "../../src/api/retry";

const about = { operation: "GET /domains" };
const status = (code: number, retryAfter?: number) =>
  new ApiError({ ...about, status: code, reasons: [], retryAfter });
const lost = new ConnectionError({
  ...about,
  code: "CONNECTION_LOST",
  host: "h",
  problem: "p",
  answerLost: true,
});
const refused = new ConnectionError({ ...about, code: "CONNECTION_REFUSED", host: "h", problem: "p" });
const unresolved = new ConnectionError({ ...about, code: "HOST_NOT_RESOLVED", host: "h", problem: "p" });
const untrusted = new ConnectionError({ ...about, code: "TLS_FAILED", host: "h", problem: "p" });

/** A limiter with a clock that only sleeping moves. */
function limiterWith(sleep: (ms: number, signal?: AbortSignal) => Promise<void>) {
  let now = 0;
  const passing = async (ms: number, signal?: AbortSignal) => {
    await sleep(ms, signal);
    now += ms;
  };
  return { sleep: passing, limiter: newLimiter({ now: () => now, sleep: passing }) };
}

/** The waits of a request that always fails with this error; `chance` is the jitter. */
async function waitsOf(
  error: Error,
  chance: number,
  policy = patiently,
  method: OperationSpec["method"] = "GET",
) {
  const waits: number[] = [];
  let tries = 0;
  const attempt = async () => {
    tries++;
    throw error;
  };
  const time = limiterWith(async (ms) => void waits.push(ms));
  const settings = { policy, random: () => chance, ...time };
  await expect(retrying({ ...about, kind: "/domains", method }, attempt, settings)).rejects.toThrow(
    error.message.split(";")[0],
  );
  expect(tries).toBe(waits.length + 1);
  return waits;
}

describe("which requests are repeated:", () => {
  const always = [status(429), status(503, 1), refused, unresolved];
  const unlessPost = [status(408), status(500), status(502), status(503), status(504), lost];
  const neverAtAll = [
    status(400),
    status(401),
    status(403),
    status(404),
    status(409),
    untrusted,
    new Error("other"),
  ];

  test.each(["GET", "PUT", "DELETE"] as const)("%s after any temporary failure", (method) => {
    for (const error of [...always, ...unlessPost]) expect(mayRepeat(method, error)).toBe(true);
  });

  test("POST only if the request certainly had no effect", () => {
    for (const error of always) expect(mayRepeat("POST", error)).toBe(true);
    for (const error of unlessPost) expect(mayRepeat("POST", error)).toBe(false);
  });

  test.each(["GET", "POST", "PUT", "DELETE"] as const)("%s never after a permanent failure", (method) => {
    for (const error of neverAtAll) expect(mayRepeat(method, error)).toBe(false);
  });
});

describe("the wait before a retry", () => {
  test("doubles from half a second to 16 s, six times", async () => {
    expect(await waitsOf(status(500), 1)).toEqual([500, 1000, 2000, 4000, 8000, 16_000]);
  });

  test("is shorter by a jitter of up to one half", async () => {
    expect(await waitsOf(status(500), 0)).toEqual([250, 500, 1000, 2000, 4000, 8000]);
  });

  test("is never longer than the maximum of the policy", async () => {
    expect(await waitsOf(lost, 1, { ...patiently, maxDelayMs: 3000 })).toEqual([
      500, 1000, 2000, 3000, 3000, 3000,
    ]);
  });

  test("adds up to two minutes after 429 without Retry-After", async () => {
    const waits = await waitsOf(status(429), 0);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThanOrEqual(120_000);
    expect(await waitsOf(status(429), 1, never)).toEqual([]);
  });

  test("adds up to about 8 s if nothing answers at the address", async () => {
    expect(await waitsOf(refused, 1)).toEqual([500, 1000, 2000, 4000]);
    expect(await waitsOf(unresolved, 1)).toEqual([500, 1000, 2000, 4000]);
  });

  test("is Retry-After, for two minutes, and a jitter of up to a second", async () => {
    expect(await waitsOf(status(429, 7), 0)).toEqual(Array.from({ length: 18 }, () => 7000));
    expect((await waitsOf(status(429, 7), 1)).slice(0, 4)).toEqual([7050, 7200, 7450, 7800]);
    expect(delayBefore(1, status(503, 1), patiently, () => 1)).toBe(1000);
  });

  test("never happens if Retry-After is longer than five minutes", async () => {
    expect(await waitsOf(status(429, 300), 0)).toHaveLength(6);
    expect(await waitsOf(status(429, 301), 0)).toEqual([]);
  });

  test("does not exist with the policy `never`, and is 0 with `instantly`", async () => {
    expect(await waitsOf(status(500), 1, never)).toEqual([]);
    expect(await waitsOf(status(500), 1, instantly)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

test("an error after two minutes of refusals ends with their time and with advice", async () => {
  const attempt = async () => Promise.reject(status(429, 1));
  const settings = { policy: patiently, random: () => 0, ...limiterWith(async () => undefined) };
  await expect(retrying({ ...about, kind: "/domains", method: "GET" }, attempt, settings)).rejects.toThrow(
    "the API refused requests for 120 s: run fewer commands on this account at the same time, or try again later",
  );
});

describe("a series of attempts", () => {
  test("ends at the first success, and reports each wait before it", async () => {
    const events: RetryEvent[] = [];
    let tries = 0;
    const answer = await retrying(
      { ...about, kind: "/domains", attempt: "list domains", method: "GET" },
      async () => {
        if (++tries < 3) throw lost;
        return "answer";
      },
      {
        policy: patiently,
        ...limiterWith(async () => undefined),
        random: () => 1,
        onRetry: (event) => events.push(event),
      },
    );
    expect(answer).toBe("answer");
    expect(events).toEqual([
      { ...about, attempt: "list domains", error: lost, retry: 1, delayMs: 500 },
      { ...about, attempt: "list domains", error: lost, retry: 2, delayMs: 1000 },
    ]);
  });

  test("ends during a wait with the reason of its signal", async () => {
    const controller = new AbortController();
    const reason = new Error("interrupted");
    let tries = 0;
    const run = retrying(
      { ...about, kind: "/domains", method: "GET", signal: controller.signal },
      async () => {
        tries++;
        throw lost;
      },
      {
        policy: patiently,
        ...limiterWith(async (_ms, signal) => {
          controller.abort(reason);
          signal?.throwIfAborted();
        }),
        random: () => 1,
      },
    );
    await expect(run).rejects.toBe(reason);
    expect(tries).toBe(1);
  });
});
