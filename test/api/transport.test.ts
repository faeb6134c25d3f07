import { createServer } from "node:net";
import { type AddressInfo } from "node:net";
import {
  ApiError,
  ConnectionError,
  isAnswerLost,
  isNotFound,
  never,
  type RetryEvent,
  UnexpectedReplyError,
} from "../../src/api";
import { MAX_CONCURRENT } from "../../src/api/throttle";
import { takingTurns } from "../../src/api/concurrency";
import { clientFor, type Exchange, failure, sample, withServer } from "./scripted-server";

const read = "GET /v4/domains/12";
const create = "POST /v4/domains";
const body = { domain: "example.org", type: "master" } as const;
const done: Exchange = [read, { body: sample.domain }];

describe("a request", () => {
  test("sends token, user agent and JSON, and returns the parsed answer", async () => {
    await withServer(
      [[create, { body: { ...sample.domain, unheard_of: 1 } }]],
      async ({ baseUrl, received }) => {
        const { client } = clientFor(baseUrl, { userAgent: "agent/1" });
        expect(await client.domains.create(body)).toEqual({ ...sample.domain, unheard_of: 1 });
        expect(received[0]?.headers).toMatchObject({
          authorization: "Bearer t0ken-of-the-test",
          "user-agent": "agent/1",
          "content-type": "application/json",
          accept: "application/json",
        });
        expect(JSON.parse(received[0]?.body ?? "")).toEqual(body);
      },
    );
  });

  test("sends null as null, omits undefined, and has no body without one", async () => {
    const exchanges: Exchange[] = [
      ["PUT /v4/domains/12", { body: sample.domain }],
      ["POST /v4/node/instances/5/boot", {}],
      ["POST /v4/node/instances/5/boot", {}],
    ];
    await withServer(exchanges, async ({ baseUrl, received }) => {
      const { client } = clientFor(baseUrl);
      await client.domains.update({ domainId: 12 }, { description: null, tags: [] });
      await client.nodes.boot({ nodeId: "5" });
      await client.nodes.boot({ nodeId: 5 }, { config_id: 3 });
      expect(received.map((request) => request.body)).toEqual([
        '{"description":null,"tags":[]}',
        "",
        '{"config_id":3}',
      ]);
      expect(received[1]?.headers["content-type"]).toBeUndefined();
    });
  });

  test("has no Authorization header without a token", async () => {
    await withServer([done], async ({ baseUrl, received }) => {
      await clientFor(baseUrl, { token: undefined }).client.domains.get({ domainId: 12 });
      expect(received[0]?.headers.authorization).toBeUndefined();
    });
  });

  test("accepts a base URL with a trailing slash and a path before /v4", async () => {
    await withServer([["GET /proxy/v4/domains/12", { body: sample.domain }]], async ({ origin }) => {
      const { client } = clientFor(`${origin}/proxy/v4/`);
      expect(client.baseUrl).toBe(`${origin}/proxy/v4`);
      await client.domains.get({ domainId: 12 });
    });
  });

  test("requests a page with its size", async () => {
    const page = { data: [], page: 2, pages: 2, results: 100 };
    await withServer(
      [["GET /v4/domains/12/records?page=2&page_size=50", { body: page }]],
      async ({ baseUrl }) => {
        const { client } = clientFor(baseUrl);
        expect(await client.records.list({ domainId: 12 }, { page: 2, page_size: 50 })).toEqual(page);
      },
    );
  });

  test("leaves its connection open for the next request", async () => {
    await withServer([done, done], async ({ baseUrl, received }) => {
      const { client } = clientFor(baseUrl);
      await client.domains.get({ domainId: 12 });
      await client.domains.get({ domainId: 12 });
      expect(received[1]?.port).toBe(received[0]?.port);
    });
  });

  test.each(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])(
    "to this machine bypasses the proxy in %s, even if the variable is set after the client is created",
    async (name) => {
      try {
        await withServer([done, done], async ({ baseUrl }) => {
          const { client } = clientFor(baseUrl);
          await client.domains.get({ domainId: 12 });
          process.env[name] = "http://192.0.2.1:9";
          await client.domains.get({ domainId: 12 });
        });
      } finally {
        Reflect.deleteProperty(process.env, name);
      }
    },
  );

  test.each([
    ["the path of another operation", "12/records"],
    ["a parent path", ".."],
    ["nothing", ""],
    ["not a number", "x"],
  ])("is refused before sending if an id is %s", async (_, domainId) => {
    await withServer([], async ({ baseUrl }) => {
      await expect(clientFor(baseUrl).client.domains.delete({ domainId })).rejects.toThrow(TypeError);
    });
  });

  test("keeps the slash in the id of an image, and refuses a parent path in it", async () => {
    const image = { id: "private/7", label: "mine", status: "available" };
    await withServer([["GET /v4/images/private/7", { body: image }]], async ({ baseUrl }) => {
      const { client } = clientFor(baseUrl);
      expect(await client.images.get({ imageId: "private/7" })).toMatchObject(image);
      await expect(client.images.delete({ imageId: "../domains/12" })).rejects.toThrow(TypeError);
    });
  });
});

describe("retries over HTTP:", () => {
  test("a read is repeated after a reset, a truncated answer, 408, 429 and 5xx", async () => {
    const exchanges: Exchange[] = [
      [read, "reset"],
      [read, "half"],
      [read, { status: 408 }],
      [read, { status: 429, headers: { "retry-after": "3" } }],
      [read, { status: 500, body: "<html>" }],
      [read, { status: 503 }],
      done,
    ];
    await withServer(exchanges, async ({ baseUrl }) => {
      const { client, waits } = clientFor(baseUrl);
      expect(await client.domains.get({ domainId: 12 })).toEqual(sample.domain);
      expect(waits).toEqual([375, 750, 1500, 3025, 3000, 6000]);
    });
  });

  test("a read that keeps failing ends with the last error", async () => {
    const exchanges = Array.from({ length: 7 }, (): Exchange => [read, { status: 502, body: "Bad Gateway" }]);
    await withServer(exchanges, async ({ baseUrl }) => {
      const error = await failure(clientFor(baseUrl).client.domains.get({ domainId: 12 }));
      expect(error).toMatchObject({ code: "SERVICE_FAILED", status: 502, answerLost: true });
      expect(error.message).toBe("GET /domains/12: the API gave no reason (502)");
    });
  });

  test.each(["PUT /v4/domains/12", "DELETE /v4/domains/12"])(
    "%s is repeated after a lost answer",
    async (request) => {
      await withServer(
        [
          [request, "reset"],
          [request, { body: sample.domain }],
        ],
        async ({ baseUrl }) => {
          const { client, waits } = clientFor(baseUrl);
          if (request.startsWith("PUT")) await client.domains.update({ domainId: 12 }, {});
          else await client.domains.delete({ domainId: 12 });
          expect(waits).toEqual([375]);
        },
      );
    },
  );

  test.each([
    ["reset", "reset"],
    ["a truncated answer", "half"],
    ["500", { status: 500 }],
    ["502", { status: 502 }],
    ["503 without Retry-After", { status: 503 }],
    ["504", { status: 504 }],
    ["408", { status: 408 }],
    ["a success that cannot be read", { body: "<html></html>" }],
    ["a success without an id", { body: { domain: "example.org" } }],
  ] as const)("a creation is sent once, and its outcome is unknown, after %s", async (_, reaction) => {
    await withServer([[create, reaction]], async ({ baseUrl }) => {
      expect(isAnswerLost(await failure(clientFor(baseUrl).client.domains.create(body)))).toBe(true);
    });
  });

  test("a creation is repeated after 429 and after 503 with Retry-After", async () => {
    const exchanges: Exchange[] = [
      [create, { status: 429 }],
      [create, { status: 503, headers: { "retry-after": "1" } }],
      [create, { body: sample.domain }],
    ];
    await withServer(exchanges, async ({ baseUrl }) => {
      const { client, waits } = clientFor(baseUrl);
      expect(await client.domains.create(body)).toEqual(sample.domain);
      expect(waits).toEqual([375, 1100]);
    });
  });

  test("a creation is repeated while nothing listens, and each wait is reported", async () => {
    const events: RetryEvent[] = [];
    const { client } = clientFor(await deadAddress(), { onRetry: (event) => events.push(event) });
    const error = await failure(client.domains.create(body, { attempt: "create Domain example.org" }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "CONNECTION_REFUSED", answerLost: false });
    expect(error.message).toMatch(
      /^create Domain example.org: could not connect to 127.0.0.1:\d+ \(connect ECONNREFUSED 127.0.0.1:\d+\); is the base URL right/,
    );
    expect(events.map(({ retry, attempt }) => [retry, attempt])).toEqual(
      [1, 2, 3, 4].map((retry) => [retry, "create Domain example.org"]),
    );
  });

  test("a creation that times out is not repeated", async () => {
    await withServer([[create, "hang"]], async ({ baseUrl }) => {
      const error = await failure(clientFor(baseUrl, { timeoutMs: 500 }).client.domains.create(body));
      expect(error).toMatchObject({ code: "CONNECTION_TIMED_OUT", answerLost: true });
      expect(error.message).toMatch(/^POST \/domains: 127.0.0.1:\d+ did not answer within 0.5 s$/);
    });
  });

  test("a date in Retry-After is relative to the server's clock", async () => {
    const headers = { date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:20 GMT" };
    await withServer([[read, { status: 429, headers }], done], async ({ baseUrl }) => {
      const { client, waits } = clientFor(baseUrl);
      await client.domains.get({ domainId: 12 });
      expect(waits).toEqual([20_025]);
    });
  });

  test("a Retry-After of an hour is an error that gives it", async () => {
    await withServer([[read, { status: 429, headers: { "retry-after": "3600" } }]], async ({ baseUrl }) => {
      const error = await failure(clientFor(baseUrl).client.domains.get({ domainId: 12 }));
      expect(error).toMatchObject({ code: "RATE_LIMITED", retryAfter: 3600 });
      expect(error.message).toContain("the API asks to wait 3600 s");
    });
  });
});

describe("an answer that is not the API's", () => {
  const refusedAnswers: [string, Exchange[1], string][] = [
    [
      "HTML",
      { headers: { "content-type": "text/html; charset=utf-8" }, body: "<h1>Welcome</h1>" },
      "answered text/html instead of JSON (200): <h1>Welcome</h1>; is the base URL right?",
    ],
    [
      "broken JSON",
      { headers: { "content-type": "application/json" }, body: '{"id": 12,' },
      'answered broken JSON (200): {"id": 12,; is the base URL right?',
    ],
    ["an empty body", { body: "" }, "answered nothing (200); is the base URL right?"],
    [
      "a missing field",
      { body: { id: 12, type: "master", status: "active" } },
      "the answer does not match the API's reference: domain should be string, but is missing",
    ],
    [
      "mistyped fields",
      { body: { ...sample.domain, id: "12", tags: [3] } },
      "the answer does not match the API's reference: id should be number, but is string (and 1 more)",
    ],
    [
      "no object",
      { body: "null" },
      "the answer does not match the API's reference: the body should be object, but is null",
    ],
  ];
  test.each(refusedAnswers)("%s is an error that describes the answer", async (_, reaction, problem) => {
    await withServer([[read, reaction]], async ({ baseUrl }) => {
      const error = await failure(clientFor(baseUrl).client.domains.get({ domainId: 12 }));
      expect(error).toBeInstanceOf(UnexpectedReplyError);
      expect(error.message).toBe(`GET /domains/12: ${problem}`);
    });
  });

  test("is described by the field and the position of the item in a page", async () => {
    const page = { data: [sample.domain, { id: 13 }], page: 1, pages: 1, results: 2 };
    await withServer([["GET /v4/domains", { body: page }]], async ({ baseUrl }) => {
      await expect(clientFor(baseUrl).client.domains.list()).rejects.toThrow(
        "data.1.domain should be string",
      );
    });
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) is not followed, and the error shows its target without the query",
    async (status) => {
      const location = "https://elsewhere.example/login?ticket=secret#part";
      await withServer([[create, { status, headers: { location } }]], async ({ baseUrl }) => {
        const error = await failure(clientFor(baseUrl).client.domains.create(body));
        expect(error).toMatchObject({ code: "REDIRECTED", status, answerLost: false });
        expect(error.message).toBe(
          `POST /domains: was redirected to https://elsewhere.example/login (${status}); redirects are not followed: is the base URL right?`,
        );
      });
    },
  );

  test("a 404 in the API's format is a missing object, and any other 404 is not", async () => {
    const answers: [Exchange[1], boolean][] = [
      [{ status: 404, body: { errors: [{ reason: "Not found" }] } }, true],
      [{ status: 404, body: "<h1>404</h1>", headers: { "content-type": "text/html" } }, false],
      [{ status: 404, body: { message: "no such route" } }, false],
      [{ status: 404, body: "" }, false],
    ];
    for (const [reaction, missing] of answers) {
      await withServer([[read, reaction]], async ({ baseUrl }) => {
        expect(isNotFound(await failure(clientFor(baseUrl).client.domains.get({ domainId: 12 })))).toBe(
          missing,
        );
      });
    }
  });

  test("an answer that is not HTTP is unreadable", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-nothing\r\n\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { client } = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`);
    const error = await failure(client.domains.get({ domainId: 12 }));
    server.close();
    expect(error).toBeInstanceOf(UnexpectedReplyError);
    expect(error.message).toContain("gave an unreadable answer (HPE_INVALID_CONSTANT)");
  });

  test("an empty 204 is accepted where the operation returns nothing", async () => {
    await withServer([["DELETE /v4/domains/12", { status: 204, body: "" }]], async ({ baseUrl }) => {
      expect(await clientFor(baseUrl).client.domains.delete({ domainId: 12 })).toEqual({});
    });
  });
});

describe("an abort signal", () => {
  test("ends a running request with the signal's reason", async () => {
    await withServer([[read, "hang"]], async ({ baseUrl, received }) => {
      const controller = new AbortController();
      const reason = new Error("interrupted");
      const run = clientFor(baseUrl).client.domains.get({ domainId: 12 }, { signal: controller.signal });
      while (received.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      await expect(run).rejects.toBe(reason);
    });
  });

  test("ends the real wait for a retry", async () => {
    await withServer([[read, { status: 429, headers: { "retry-after": "200" } }]], async ({ baseUrl }) => {
      const controller = new AbortController();
      const { client } = clientFor(baseUrl, {
        sleep: undefined,
        onRetry: () => setImmediate(() => controller.abort(new Error("interrupted"))),
      });
      await expect(client.domains.get({ domainId: 12 }, { signal: controller.signal })).rejects.toThrow(
        "interrupted",
      );
    });
  });

  test("that is already aborted prevents the request", async () => {
    await withServer([], async ({ baseUrl }) => {
      const signal = AbortSignal.abort(new Error("interrupted"));
      await expect(clientFor(baseUrl).client.domains.get({ domainId: 12 }, { signal })).rejects.toThrow(
        "interrupted",
      );
    });
  });
});

describe("taking turns", () => {
  const next = () => new Promise((resolve) => setImmediate(resolve));

  test("runs at most the given number of tasks, in order of arrival", async () => {
    const turns = takingTurns(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [0, 1, 2, 3].map((n) =>
      turns(undefined, () => {
        started.push(n);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await next();
    expect(started).toEqual([0, 1]);
    ends[1]?.();
    await next();
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await next();
    ends[3]?.();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  test("continues after a failure, and after a task leaves the queue", async () => {
    const turns = takingTurns(1);
    const controller = new AbortController();
    const first = turns(undefined, async () => {
      await next();
      throw new Error("failed");
    });
    const second = turns(controller.signal, async () => "second");
    const third = turns(undefined, async () => "third");
    controller.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    await expect(first).rejects.toThrow("failed");
    expect(await third).toBe("third");
  });

  test("bounds the connections of a client", async () => {
    const count = MAX_CONCURRENT * 3;
    await withServer(
      Array.from({ length: count }, () => done),
      async ({ baseUrl, received }) => {
        const { client } = clientFor(baseUrl, { retry: never });
        await Promise.all(Array.from({ length: count }, () => client.domains.get({ domainId: 12 })));
        expect(new Set(received.map(({ port }) => port)).size).toBeLessThanOrEqual(MAX_CONCURRENT);
      },
    );
  });
});

test("an error of the API has its reasons, status and missing scope", async () => {
  const errors = [
    { field: "domain", reason: "is taken" },
    { reason: "try another", field: null },
  ];
  await withServer([[create, { status: 403, body: { errors } }]], async ({ baseUrl }) => {
    const error = await failure(clientFor(baseUrl).client.domains.create(body));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "FORBIDDEN",
      operation: "POST /domains",
      status: 403,
      reasons: [{ field: "domain", reason: "is taken" }, { reason: "try another" }],
      missingScope: "domains:read_write",
    });
  });
});

/** A base URL where nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v4`;
}
