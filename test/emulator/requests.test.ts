import { type TestEmulator, startTestEmulator, withEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

test("a request without a valid token gets 401", async () => {
  const answers = await Promise.all([
    emulator.call("GET", "/domains", { token: null }),
    emulator.call("GET", "/domains", { token: "wrong" }),
    emulator.call("GET", "/domains", { token: null, headers: { authorization: "emulator-token" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test("an error names no field if no field is wrong", async () => {
  const { body } = await emulator.call("GET", "/domains/4711");
  expect(body).toEqual({ errors: [{ reason: "Not found" }] });
});

test.each([
  ["GET", "/nothing/here", 404],
  ["GET", "/domains/example.org", 404],
  ["GET", "/databases/engines/mysql/1.0", 404],
  ["GET", "/regions/mars", 404],
  ["PATCH", "/domains", 405],
  ["DELETE", "/regions/us-east", 405],
])("%s %s answers %d", async (method, path, status) => {
  const answer = await emulator.call(method, path);
  expect(answer).toMatchObject({ status, body: { errors: [{ reason: expect.any(String) }] } });
});

test("405 lists the allowed methods", async () => {
  expect((await emulator.call("PATCH", "/domains")).headers.get("allow")).toBe("GET, POST");
});

test("a body that is not JSON, or not an object, is refused", async () => {
  expect((await emulator.call("POST", "/domains", { body: "{" })).status).toBe(400);
  expect((await emulator.call("POST", "/domains", { body: [] })).status).toBe(400);
});

test("one answer lists all invalid fields, nested ones with dots", async () => {
  const { body } = await emulator.call<{ errors: { field: string; reason: string }[] }>(
    "POST",
    "/node/instances",
    {
      body: { region: 1, label: "x", metadata: { user_data: "***" }, interfaces: [{ purpose: 1 }] },
    },
  );
  expect(body.errors.map(({ field }) => field).sort()).toEqual([
    "interfaces.0.purpose",
    "label",
    "metadata.user_data",
    "region",
    "type",
  ]);
  expect(body.errors).toContainEqual({ field: "type", reason: "is required" });
});

test("a page has 100 items by default, and 25 to 500 on request", async () => {
  for (let count = 0; count < 30; count++) {
    await emulator.call("POST", "/domains", { body: { ...example, domain: `d${count}.org` } });
  }
  const page = await emulator.call<{ data: unknown[] }>("GET", "/domains?page=2&page_size=25");
  expect(page.body).toMatchObject({ page: 2, pages: 2, results: 30 });
  expect(page.body.data).toHaveLength(5);
  expect((await emulator.call("GET", "/domains")).body).toMatchObject({ page: 1, pages: 1, results: 30 });
});

test.each([
  ["page_size=24", ["page_size"]],
  ["page_size=501", ["page_size"]],
  ["page=0", ["page"]],
  ["page=x&page_size=1.5", ["page", "page_size"]],
])("the query %s is refused", async (query, fields) => {
  const { status, body } = await emulator.call<{ errors: { field: string }[] }>("GET", `/domains?${query}`);
  expect(status).toBe(400);
  expect(body.errors.map(({ field }) => field)).toEqual(fields);
});

describe("accounts", () => {
  const accounts = {
    users: [
      {
        username: "ada",
        tokens: [
          { token: "reads", scopes: ["domains:read_only"] },
          { token: "writes", scopes: ["domains:read_write"] },
          { token: "images", scopes: ["images:read_write"] },
        ],
      },
    ],
  };
  const run = (use: (emulator: TestEmulator) => Promise<void>) => withEmulator(use, { accounts });
  const lacking = (scope: string) => ({
    status: 403,
    body: { errors: [{ reason: `Your token lacks the scope ${scope}.` }] },
  });

  test("only the missing scopes are named", () =>
    run(async ({ call }) => {
      const create = { token: "reads", body: example };
      expect(await call("POST", "/domains", create)).toMatchObject(lacking("domains:read_write"));
      const capture = { token: "images", body: { disk_id: 1 } };
      expect(await call("POST", "/images", capture)).toMatchObject(lacking("nodes:read_only"));
    }));

  test("read_write includes read_only", () =>
    run(async ({ call }) => {
      expect((await call("GET", "/domains", { token: "writes" })).status).toBe(200);
    }));
});

test("large bodies are not kept in the log of requests", () =>
  withEmulator(async ({ call, control }) => {
    await call("POST", "/domains", { body: { ...example, description: "x".repeat(200_000) } });
    const { body } = await control<{ last: object[] }>("GET", "/requests");
    expect(body.last[0]).toMatchObject({ body: expect.stringMatching(/^\[200\d+ characters\]$/) });
  }));
