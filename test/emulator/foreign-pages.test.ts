import { type TestEmulator, startTestEmulator, withEmulator } from "../helpers/emulator";
import { type RawRequest, sendRaw } from "../helpers/raw-request";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const send = (sent: RawRequest) => sendRaw(emulator.url, sent);
const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const authorization = "Bearer emulator-token";

/** Every route of the control API, with a body that would change something or reveal a password. */
const controlRoutes: readonly (readonly [string, string, string])[] = [
  ["GET", "/requests", ""],
  ["GET", "/catalogue", ""],
  ["GET", "/openapi.json", ""],
  ["GET", "/clock", ""],
  ["GET", "/faults", ""],
  ["GET", "/objects/mysql", ""],
  ["GET", "/objects/domains/1", ""],
  ["POST", "/reset", ""],
  ["POST", "/clock", '{"advance": 60}'],
  ["POST", "/faults", '{"path": "/v4/**", "effect": "reset"}'],
  ["DELETE", "/faults", ""],
  ["PATCH", "/objects/domains/1", '{"description": "changed"}'],
  ["POST", "/objects/nodes/1/power-off", ""],
  ["DELETE", "/objects/domains/1", ""],
];

/** The headers of a browser for requests from a foreign page, or under a name that DNS rebinding points here. */
const foreign: readonly (readonly [string, Record<string, string>])[] = [
  ["another origin", { origin: "http://evil.example" }],
  ["another port of this machine", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }],
  ["an origin that is hidden", { origin: "null" }],
  ["another site, with an old way to send", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ["a frame", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }],
  ["a name that was led here", { host: "evil.example" }],
  [
    "a name that was led here, as its own origin",
    { host: "evil.example:8080", origin: "http://evil.example:8080" },
  ],
  ["a name that looks like this machine's", { host: "127.0.0.1.evil.example" }],
];

describe.each(foreign)("a request from %s", (_, headers) => {
  test("is refused on every route of the control API, and changes and reads nothing", async () => {
    await emulator.call("POST", "/domains", { body: example });
    const before = (await emulator.control("GET", "/objects/domains")).body;
    for (const [method, path, body] of controlRoutes) {
      const answer = await send({ method, path: `/_emulator${path}`, headers, body });
      expect({ method, path, status: answer.status, body: JSON.parse(answer.text) }).toEqual({
        ...{ method, path, status: 403 },
        body: { errors: [{ reason: expect.stringMatching(/^The control API /) }] },
      });
    }
    expect((await emulator.control("GET", "/objects/domains")).body).toEqual(before);
    expect((await emulator.control("GET", "/faults")).body).toEqual({ faults: [] });
  });

  test("is refused on every view of the page", async () => {
    for (const path of ["/", "/_emulator/page/requests", "/_emulator/page/page.js"]) {
      expect((await send({ method: "GET", path, headers })).status).toBe(403);
    }
  });
});

test("the preflight of a foreign page gets no permission", async () => {
  for (const path of ["/_emulator/reset", "/_emulator/objects/domains/1", "/v4/domains", "/uploads/1/key"]) {
    const answer = await fetch(emulator.origin + path, {
      method: "OPTIONS",
      headers: {
        origin: "http://evil.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization",
      },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test.each<readonly [string, Record<string, string>]>([
  ["a program", {}],
  ["a program that names localhost", { host: "localhost:8080" }],
  [
    "the page itself",
    { host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080", "sec-fetch-site": "same-origin" },
  ],
  ["the address bar of a browser", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
])("the control API and the page answer a request from %s", async (_, headers) => {
  expect((await send({ method: "GET", path: "/", headers })).status).toBe(200);
  for (const [method, path] of [
    ["GET", "/requests"],
    ["POST", "/reset"],
  ] as const) {
    expect((await send({ method, path: `/_emulator${path}`, headers })).status).toBe(200);
  }
});

test("a followed link opens the page, and posts nothing", async () => {
  const headers = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  expect((await send({ method: "GET", path: "/", headers })).status).toBe(200);
  expect((await send({ method: "POST", path: "/_emulator/reset", headers })).status).toBe(403);
});

test("no page of another origin can read or embed an answer of the control API", async () => {
  const { headers } = await emulator.control("GET", "/requests");
  expect(Object.fromEntries(headers)).toMatchObject({
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
});

describe("the API, with the default token,", () => {
  test.each([
    "evil.example",
    "evil.example.",
    "127.0.0.1.evil.example:8080",
    "test.evil.example",
    "evil.localhost.com",
  ])("refuses the host %s, which DNS rebinding may point here", async (host) => {
    for (const path of ["/v4/domains", "/v4/databases/mysql/instances/1/credentials"]) {
      const { status, text } = await send({ method: "GET", path, headers: { host, authorization } });
      expect({ status, body: JSON.parse(text) }).toMatchObject({
        status: 403,
        body: {
          errors: [
            {
              reason: expect.stringMatching(
                /^The default token emulator-token does not work under the name /,
              ),
            },
          ],
        },
      });
    }
  });

  test.each([
    "localhost",
    "127.0.0.1:8080",
    "[::1]:8080",
    "emulator:8080",
    "host.docker.internal",
    "mac.local",
    "api.cloud.test",
  ])("answers under %s, which no outsider can own", async (host) => {
    const answer = await send({ method: "GET", path: "/v4/domains", headers: { host, authorization } });
    expect(answer.status).toBe(200);
  });
});

test("the API answers under any name to a custom token", () =>
  withEmulator(
    async ({ url }) => {
      const headers = { host: "cloud.example.com", authorization: "Bearer mine" };
      expect((await sendRaw(url, { method: "GET", path: "/v4/domains", headers })).status).toBe(200);
    },
    { accounts: { users: [{ username: "ada", tokens: [{ token: "mine", scopes: "*" }] }] } },
  ));

test("the API, the page and the control API answer under a configured name", () =>
  withEmulator(
    async ({ url }) => {
      for (const path of ["/v4/domains", "/", "/_emulator/requests"]) {
        const get = (host: string) => sendRaw(url, { method: "GET", path, headers: { host, authorization } });
        expect([(await get("cloud.example.com:81")).status, (await get("evil.example:81")).status]).toEqual([
          200, 403,
        ]);
      }
    },
    { publicOrigin: "http://cloud.example.com:81" },
  ));
