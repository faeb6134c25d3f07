import { spawn } from "node:child_process";
import { once } from "node:events";
import { type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib";
import { AnswerLimitError, type Client, isAnswerLost } from "../../src/api";
import { LIMITS, WORDS } from "../../src/api/answer-limits";
import { clientFor, type Exchange, failure, type Reaction, withServer } from "./scripted-server";

const read = "GET /v4/domains/12";
const create = "POST /v4/domains";
const PIECE = Buffer.alloc(64 * 1024, " ");

/** A stream that repeats one piece for as long as it is read. */
const without = (end: "end", piece = PIECE) =>
  Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
    { objectMode: false },
  );

const head = { "content-type": "application/json" };
const endless: Reaction = (outgoing) => {
  outgoing.writeHead(200, head);
  pipeline(without("end"), outgoing, () => undefined);
};
const bomb =
  (encoding: string, packer: () => NodeJS.ReadWriteStream): Reaction =>
  (outgoing) => {
    outgoing.writeHead(200, { ...head, "content-encoding": encoding });
    pipeline(without("end"), packer(), outgoing, () => undefined);
  };

/** The error of one read with this answer. The server fails the test if it receives a second request. */
const errorOf = (reaction: Reaction, call = readDomain, request = read, options = {}) =>
  withServer([[request, reaction]], ({ baseUrl }) => failure(call(clientFor(baseUrl, options).client)));

const readDomain = (client: Client): Promise<unknown> => client.domains.get({ domainId: 12 });

describe("reading stops, without a retry, at an answer", () => {
  test.each([
    ["that is endless", endless, "bytes", "the answer is larger than 16 MB (200)"],
    [
      "that decompresses endlessly (gzip)",
      bomb("gzip", createGzip),
      "bytes",
      "the answer is larger than 16 MB (200)",
    ],
    [
      "that decompresses endlessly (deflate)",
      bomb("deflate", createDeflate),
      "bytes",
      "the answer is larger than 16 MB",
    ],
    [
      "that decompresses endlessly (br)",
      bomb("br", createBrotliCompress),
      "bytes",
      "the answer is larger than 16 MB",
    ],
    [
      "that is endless and decompresses to nothing",
      (outgoing: ServerResponse) => {
        outgoing.writeHead(200, { ...head, "content-encoding": "gzip" });
        const nothing = gzipSync("");
        const many = Buffer.concat(Array.from({ length: 1000 }, () => nothing));
        pipeline(without("end", many), outgoing, () => undefined);
      },
      "packedBytes",
      "the answer is larger than 16 MB before decompression (200)",
    ],
    [
      "that announces a length over the bound",
      (outgoing: ServerResponse) => {
        outgoing.writeHead(200, { ...head, "content-length": String(1024 ** 3) });
        outgoing.write("{");
      },
      "packedBytes",
      "the answer is larger than 16 MB before decompression (200)",
    ],
    [
      "with endless headers",
      (outgoing: ServerResponse) => {
        const line = `X-More: ${"x".repeat(1000)}\r\n`;
        outgoing.socket?.write(`HTTP/1.1 200 OK\r\n${line.repeat(100)}`);
      },
      "headers",
      "the headers of the answer are larger than Node.js accepts: 16 KB",
    ],
    [
      "that nests lists too deep",
      { body: "[".repeat(100_000) },
      "depth",
      "nests lists and objects more than 64 deep (200)",
    ],
    [
      "that has millions of empty lists",
      { body: `[${"[],".repeat(400_000)}[]]` },
      "values",
      "the answer has more than 500000 values (200)",
    ],
    [
      "that has many values in one list",
      { body: `[${"1,".repeat(600_000)}1]` },
      "values",
      "the answer has more than 500000 values (200)",
    ],
    [
      "that is an endless error",
      (outgoing: ServerResponse) => {
        outgoing.writeHead(503, head);
        pipeline(without("end"), outgoing, () => undefined);
      },
      "errorBytes",
      "the API answered an error of more than 256 KB (503)",
    ],
  ] as [string, Reaction, string, string][])("%s", async (_, reaction, limit, said) => {
    const error = await errorOf(reaction);
    expect(error).toBeInstanceOf(AnswerLimitError);
    expect(error).toMatchObject({ code: "ANSWER_TOO_LARGE", limit });
    expect(error.message).toContain(said);
  });

  test("that is still arriving at the timeout", async () => {
    const dripping: Reaction = (outgoing) => {
      outgoing.writeHead(200, head);
      const timer = setInterval(() => outgoing.write(" "), 5);
      outgoing.on("close", () => clearInterval(timer));
    };
    // Server and client share a process: on a busy machine it has stood still for long enough that an answer seemed to stall.
    const error = await errorOf(dripping, readDomain, read, { timeoutMs: 3_000 });
    expect(error).toMatchObject({ code: "ANSWER_TOO_SLOW", limit: "time", status: 200 });
    expect(error.message).toContain("the answer was still arriving at the timeout (200)");
  });
});

test("an answer that stalls counts as lost, and the request is repeated", async () => {
  const still: Reaction = (outgoing) => {
    outgoing.writeHead(200, head);
    outgoing.write("{");
  };
  const exchanges: Exchange[] = [
    [read, still],
    [read, { body: { id: 12, domain: "example.org", type: "master", status: "active" } }],
  ];
  await withServer(exchanges, async ({ baseUrl }) => {
    expect(await readDomain(clientFor(baseUrl, { timeoutMs: 300 }).client)).toMatchObject({ id: 12 });
  });
});

test.each([
  [endless, true],
  [{ status: 400, body: "x".repeat(LIMITS.errorBytes + 1) } as Reaction, false],
  [{ status: 500, body: "x".repeat(LIMITS.errorBytes + 1) } as Reaction, true],
])(
  "a creation with too large an answer may have taken effect, unless the answer is a refusal",
  async (reaction, lost) => {
    const error = await errorOf(
      reaction,
      (client) => client.domains.create({ domain: "example.org", type: "master" }),
      create,
    );
    expect(isAnswerLost(error)).toBe(lost);
  },
);

test("an answer just below the bounds is accepted", async () => {
  const description = "x".repeat(LIMITS.bytes - 200);
  const domain = { id: 12, domain: "example.org", type: "master", status: "active", description };
  await withServer([[read, { body: domain }]], async ({ baseUrl }) => {
    expect(await readDomain(clientFor(baseUrl).client)).toEqual(domain);
  });
});

test.each([
  ["gzip", createGzip],
  ["deflate", createDeflate],
  ["br", createBrotliCompress],
])("a compressed answer (%s) is decompressed", async (encoding, packer) => {
  const domain = { id: 12, domain: "example.org", type: "master", status: "active" };
  const packed: Reaction = (outgoing) => {
    outgoing.writeHead(200, { ...head, "content-encoding": encoding });
    pipeline(Readable.from([JSON.stringify(domain)]), packer(), outgoing, () => undefined);
  };
  await withServer([[read, packed]], async ({ baseUrl, received }) => {
    expect(await readDomain(clientFor(baseUrl).client)).toEqual(domain);
    expect(received[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br");
  });
});

test("a message has a bounded number of reasons, and only the start of a long one", async () => {
  const errors = Array.from({ length: 15 }, () => ({ field: "f".repeat(1000), reason: "r".repeat(5000) }));
  const error = await errorOf({ status: 400, body: { errors } });
  expect(error.message.length).toBeLessThan(WORDS.reasons * (WORDS.field + WORDS.reason + 10) + 200);
  expect(error.message).toContain("and 5 more reasons");
});

test("an endless answer and a decompression bomb use little memory", async () => {
  const exchanges: Exchange[] = [
    [read, endless],
    [read, bomb("gzip", createGzip)],
    [read, bomb("br", createBrotliCompress)],
    [read, { body: `[${"[],".repeat(5_000_000)}[]]` }],
    [read, tiny],
  ];
  const codes = [...Array.from({ length: 4 }, () => "ANSWER_TOO_LARGE"), "ANSWER_TOO_SLOW"];
  await withServer(exchanges, async ({ baseUrl }) => {
    const child = spawn(
      process.execPath,
      ["--max-old-space-size=64", "-e", reader, join("dist", "api"), baseUrl],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [printed, [code]] = await Promise.all([
      text(child.stdout),
      once(child, "close") as Promise<[number]>,
    ]);
    expect(code).toBe(0);
    const got = JSON.parse(printed) as { codes: string[]; megabytes: number };
    expect(got.codes).toEqual(codes);
    // A run with the limits has taken 302. Without them, the answers do not end.
    expect(got.megabytes).toBeLessThan(500);
  });
});

/** Answers with millions of one-byte chunks. */
const tiny: Reaction = (outgoing) => {
  const { socket } = outgoing;
  if (socket === null) return;
  socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  pipeline(without("end", Buffer.from("1\r\n \r\n".repeat(10_000))), socket, () => undefined);
};

const reader = `
const [path, baseUrl] = process.argv.slice(1);
const { createClient } = require(require("node:path").resolve(path));
(async () => {
  const codes = [];
  for (const timeoutMs of [60_000, 60_000, 60_000, 60_000, 1_000]) {
    const client = createClient({ baseUrl, token: "t0ken", timeoutMs });
    await client.domains.get({ domainId: 12 }).catch((error) => codes.push(error.code ?? String(error)));
  }
  console.log(JSON.stringify({ codes, megabytes: process.resourceUsage().maxRSS / 1024 }));
  process.exit(0);
})();
`;
