import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import type * as api from "../../src/api";
import {
  AnswerLimitError,
  ApiError,
  ConfigurationError,
  ConnectionError,
  createClient,
  describeReasons,
  ERROR_CODES,
  isAnswerLost,
  isNodeCloudError,
  isNotFound,
  type Reason,
  UnexpectedReplyError,
  UploadError,
} from "../../src/api";
import { clientFor, type Exchange, failure, withServer } from "./scripted-server";

const operation = "POST /domains";
const answered = (
  status: number,
  reasons: readonly Reason[] = [],
  requires?: ConstructorParameters<typeof ApiError>[0]["requires"],
) => new ApiError({ operation, status, reasons, ...(requires && { requires }) });

describe("a message", () => {
  test("gives the attempt, the reasons and the status", () => {
    const reasons = [{ field: "domain", reason: "domain is taken" }];
    expect(
      new ApiError({ operation, attempt: "create Domain example.org", status: 400, reasons }).message,
    ).toBe("create Domain example.org: domain is taken (400)");
  });

  test("names the operation if there is no attempt", () => {
    expect(answered(400, [{ reason: "no" }]).message).toBe("POST /domains: no (400)");
  });

  test("puts the field before a reason that does not name it", () => {
    const reasons = [
      { field: "label", reason: "Must be unique" },
      { field: "region", reason: "Region is not valid" },
      { reason: "Try again" },
    ];
    expect(describeReasons(reasons)).toBe("label: Must be unique, Region is not valid, Try again");
  });

  test("says what to check after a refused token, and no scope, because a token without a scope is answered 403", () => {
    expect(answered(401, [{ reason: "Invalid Token" }], { scopes: ["domains:read_write"] }).message).toBe(
      "POST /domains: Invalid Token (401); check that the token (of the explicit provider, nodecloud:token or NODECLOUD_TOKEN) is complete and has not expired; refresh, destroy and drift use that of the last `pulumi up`",
    );
  });

  test("names the scopes and the grant of a forbidden operation, or that it needs an unrestricted user", () => {
    const forbidden = (requires: ConstructorParameters<typeof ApiError>[0]["requires"]) =>
      new ApiError({ operation, status: 403, reasons: [{ reason: "no" }], ...(requires && { requires }) });
    const image = forbidden({ scopes: ["images:read_write", "nodes:read_only"] });
    expect(image.missingScope).toBe("images:read_write and nodes:read_only");
    expect(image.message).toContain("; the operation needs the scope images:read_write and nodes:read_only");
    expect(forbidden({ scopes: [], grant: "add_nodes" }).hint).toBe(
      "a restricted user needs the grant add_nodes",
    );
    expect(forbidden({ scopes: [], unrestrictedOnly: true }).hint).toBe(
      "only an unrestricted user may do this",
    );
    expect(forbidden({ scopes: [] }).message).toBe("POST /domains: no (403)");
  });

  test.each([
    ["Your token lacks the scope domains:read_write.", { scopes: ["domains:read_write"] as const }],
    ["Your user lacks the grant add_nodes.", { scopes: [], grant: "add_nodes" as const }],
    ["Only an unrestricted user may do this.", { scopes: [], unrestrictedOnly: true }],
  ])("adds nothing to what the API has said: %s", (reason, requires) => {
    expect(answered(403, [{ reason }], requires).message).toBe(`POST /domains: ${reason} (403)`);
  });

  test("names only the scopes that the API has not named", () => {
    const requires = { scopes: ["images:read_write", "nodes:read_only"] as const };
    const error = answered(403, [{ reason: "Your token lacks the scope nodes:read_only." }], requires);
    expect(error.hint).toBe("the operation needs the scope images:read_write");
    expect(error.missingScope).toBe("images:read_write and nodes:read_only");
  });

  test("names no scope if the error is not about permission", () => {
    expect(answered(400, [], { scopes: ["domains:read_write"] }).missingScope).toBeUndefined();
  });
});

describe("a helper", () => {
  const connection = { operation, code: "CONNECTION_LOST", host: "h", problem: "p" } as const;

  test("recognises the errors of another copy of the package", () => {
    let copy: typeof api | undefined;
    jest.isolateModules(() => {
      copy = jest.requireActual<typeof api>("../../src/api");
    });
    if (copy === undefined) throw new Error("the copy was not loaded");
    expect(copy.ApiError).not.toBe(ApiError);
    const foreign = new copy.ApiError({ operation, status: 404, reasons: [] });
    expect(foreign).not.toBeInstanceOf(ApiError);
    expect(isNodeCloudError(foreign)).toBe(true);
    expect(isNotFound(foreign)).toBe(true);
  });

  test("recognises no other value as an error of this package", () => {
    for (const other of [new Error("x"), { status: 404, reasons: [] }, null, undefined, "404"]) {
      expect(isNodeCloudError(other)).toBe(false);
      expect(isNotFound(other)).toBe(false);
      expect(isAnswerLost(other)).toBe(false);
    }
  });

  test("distinguishes a missing object from other refusals", () => {
    expect(isNotFound(answered(404))).toBe(true);
    expect(isNotFound(answered(400))).toBe(false);
    expect(isNotFound(new UnexpectedReplyError({ operation, status: 404, problem: "p" }))).toBe(false);
  });

  test("distinguishes a request that may have taken effect from one that did not", () => {
    expect(isAnswerLost(new ConnectionError({ ...connection, answerLost: true }))).toBe(true);
    expect(isAnswerLost(new ConnectionError(connection))).toBe(false);
    expect(isAnswerLost(new UnexpectedReplyError({ operation, status: 200, problem: "p" }))).toBe(true);
    expect(isAnswerLost(new UnexpectedReplyError({ operation, status: 301, problem: "p" }))).toBe(false);
    for (const status of [408, 500, 502, 503, 504]) expect(isAnswerLost(answered(status))).toBe(true);
    for (const status of [400, 401, 404, 429]) expect(isAnswerLost(answered(status))).toBe(false);
    expect(isAnswerLost(new ApiError({ operation, status: 503, reasons: [], retryAfter: 0 }))).toBe(false);
  });
});

describe("the table of codes", () => {
  test("has the code of each status", () => {
    const codes = [400, 401, 403, 404, 408, 409, 429, 500, 503].map((status) => answered(status).code);
    expect(codes).toEqual([
      "REQUEST_REJECTED",
      "UNAUTHORIZED",
      "FORBIDDEN",
      "NOT_FOUND",
      "SERVICE_FAILED",
      "REQUEST_REJECTED",
      "RATE_LIMITED",
      "SERVICE_FAILED",
      "SERVICE_FAILED",
    ]);
  });

  test("has the same codes and meanings as docs/errors.md", () => {
    const page = readFileSync(join(__dirname, "../../docs/errors.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    expect(rows).toEqual(Object.entries(ERROR_CODES));
  });

  test("has the code of each error, and each error is named after its class", () => {
    const errors = [
      answered(400),
      new ConnectionError({ operation, code: "TLS_FAILED", host: "h", problem: "p" }),
      new UnexpectedReplyError({ operation, problem: "p" }),
      new AnswerLimitError({ operation, limit: "bytes", status: 200 }),
      new ConfigurationError("token", "p"),
      new UploadError({ operation, problem: "p" }),
    ];
    for (const error of errors) {
      expect(error.name).toBe(error.constructor.name);
      expect(Object.keys(ERROR_CODES)).toContain(error.code);
    }
  });
});

describe("no property of an error contains a secret", () => {
  const token = "t0ken-of-the-test";
  const password = 'pass"w<o>rd & more';
  const body = {
    region: "us-east",
    type: "g6-nanode-1",
    root_pass: password,
    metadata: { user_data: "c2VjcmV0" },
  };
  const create = "POST /v4/node/instances";
  const echo = JSON.stringify({ sent: body, Authorization: `Bearer ${token}` });
  const html = `<p>${password.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")} Bearer ${token}</p>`;

  const hostile: [string, Exchange[1]][] = [
    [
      "an error that echoes the request",
      { status: 400, body: { errors: [{ reason: echo, field: "root_pass" }] } },
    ],
    ["an error page that echoes it", { status: 500, body: html }],
    ["a success that echoes it as HTML", { body: html }],
    ["a success that echoes it, truncated", { body: echo.slice(0, -2) }],
    ["a success of another form", { body: { ...body, id: token } }],
    ["a redirect to a token", { status: 302, headers: { location: `/login/${token}?token=${token}` } }],
    ["a reset", "reset"],
    ["a half answer", "half"],
    ["silence", "hang"],
  ];
  test.each(hostile)("after %s", async (_, reaction) => {
    await withServer([[create, reaction]], async ({ baseUrl }) => {
      // Only the hanging request may time out: on a busy machine the others can be slow.
      const { client } = clientFor(baseUrl, { token, ...(reaction === "hang" && { timeoutMs: 500 }) });
      const error = await failure(client.nodes.create(body));
      const shown = [
        inspect(error, { depth: 9, showHidden: true }),
        JSON.stringify(error),
        error.message,
        error.stack,
      ];
      for (const text of shown) {
        expect(text).not.toContain(token);
        expect(text).not.toContain("w<o>rd");
        expect(text).not.toContain("w&lt;o");
        expect(text).not.toContain("c2VjcmV0");
        expect(text).not.toContain("Bearer t0");
      }
      expect(error).not.toHaveProperty("config");
      expect(error).not.toHaveProperty("cause.config");
      expect(error).not.toHaveProperty("cause.request");
    });
  });

  test("after truncated credentials", async () => {
    const text = '{"username": "root", "password": "hunter22';
    await withServer(
      [["GET /v4/databases/mysql/instances/3/credentials", { body: text }]],
      async ({ baseUrl }) => {
        const error = await failure(clientFor(baseUrl).client.mysql.getCredentials({ instanceId: 3 }));
        expect(error.message).toContain('"username": "root"');
        expect(inspect(error)).not.toContain("hunter22");
      },
    );
  });

  test("of an unusable address or token", async () => {
    const refused = [
      { baseUrl: "https://user:s3cret@api.example/v4" },
      { baseUrl: "s3cret" },
      { baseUrl: "https://api.example/v4", token: "s3cret s3cret" },
      { baseUrl: "https://api.example/v4?s3cret" },
    ];
    for (const options of refused) {
      const error = await failure((async () => createClient(options))());
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(inspect(error)).not.toContain("s3cret");
    }
  });
});
