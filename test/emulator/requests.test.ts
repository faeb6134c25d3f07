import { type TestEmulator, startTestEmulator, withEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

test("without a valid token the answer is 401", async () => {
  const answers = await Promise.all([
    emulator.call("GET", "/domains", { token: null }),
    emulator.call("GET", "/domains", { token: "wrong" }),
    emulator.call("GET", "/domains", { token: null, headers: { authorization: "emulator-token" } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test("regions and engines need no token", async () => {
  for (const path of [
    "/regions",
    "/regions/us-east",
    "/databases/engines",
    "/databases/engines/mysql/8.0.30",
  ]) {
    expect((await emulator.call("GET", path, { token: null })).status).toBe(200);
  }
});

test("an error names no field where none is at fault", async () => {
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

test("405 tells which methods there are", async () => {
  expect((await emulator.call("PATCH", "/domains")).headers.get("allow")).toBe("GET, POST");
});

test("a body that is not JSON, or no object, is refused", async () => {
  expect((await emulator.call("POST", "/domains", { body: "{" })).status).toBe(400);
  expect((await emulator.call("POST", "/domains", { body: [] })).status).toBe(400);
});

test("all failing fields are told at once, nested ones with dots", async () => {
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

test("a page has 100 items unless asked for 25 to 500", async () => {
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
])("%s is refused", async (query, fields) => {
  const { status, body } = await emulator.call<{ errors: { field: string }[] }>("GET", `/domains?${query}`);
  expect(status).toBe(400);
  expect(body.errors.map(({ field }) => field)).toEqual(fields);
});

describe("accounts", () => {
  const accounts = {
    users: [
      { username: "root", tokens: [{ token: "all", scopes: "*" as const }] },
      {
        username: "reader",
        tokens: [
          { token: "reads", scopes: ["nodes:read_only", "domains:read_only", "databases:read_only"] },
          { token: "images", scopes: ["images:read_write"] },
        ],
      },
      {
        username: "ada",
        restricted: true,
        grants: ["add_nodes" as const],
        tokens: [
          { token: "ada", scopes: ["nodes:read_write", "databases:read_write", "domains:read_write"] },
        ],
      },
    ],
  };
  const node = { region: "us-east", type: "g6-nanode-1", image: "node/alpine3.20" };
  const database = { label: "shop", region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
  const run = (use: (emulator: TestEmulator) => Promise<void>) => withEmulator(use, { accounts });

  test("a scope that is missing is named", () =>
    run(async ({ call }) => {
      expect(await call("POST", "/domains", { token: "reads", body: example })).toMatchObject({
        status: 403,
        body: { errors: [{ reason: "Your token lacks the scope domains:read_write." }] },
      });
      expect((await call("GET", "/domains", { token: "reads" })).status).toBe(200);
    }));

  test("read_write includes read_only", () =>
    run(async ({ call }) => {
      expect((await call("GET", "/domains", { token: "ada" })).status).toBe(200);
    }));

  test("capturing an image needs both of its scopes", () =>
    run(async ({ call }) => {
      const answer = await call("POST", "/images", { token: "images", body: { disk_id: 1 } });
      expect(answer).toMatchObject({
        status: 403,
        body: { errors: [{ reason: "Your token lacks the scope nodes:read_only." }] },
      });
    }));

  test("a restricted user needs the grant of what it creates", () =>
    run(async ({ call }) => {
      expect((await call("POST", "/node/instances", { token: "ada", body: node })).status).toBe(200);
      const refused = await call("POST", "/databases/mysql/instances", { token: "ada", body: database });
      expect(refused.status).toBe(403);
    }));

  test("only an unrestricted user sets tags on nodes", () =>
    run(async ({ call }) => {
      const tagged = await call("POST", "/node/instances", {
        token: "ada",
        body: { ...node, tags: ["web"] },
      });
      expect(tagged).toMatchObject({ status: 403, body: { errors: [{ field: "tags" }] } });
      const { body } = await call("POST", "/node/instances", {
        token: "all",
        body: { ...node, tags: ["web"] },
      });
      const path = `/node/instances/${String(body["id"])}`;
      expect((await call("PUT", path, { token: "ada", body: { tags: [] } })).status).toBe(403);
      expect((await call("PUT", path, { token: "ada", body: { tags: ["web"] } })).status).toBe(200);
    }));

  test("only an unrestricted user deletes a database or resets its credentials, whatever the scopes", () =>
    run(async ({ call, clock }) => {
      const { body } = await call("POST", "/databases/mysql/instances", { token: "all", body: database });
      clock.advance(25 * 60);
      const path = `/databases/mysql/instances/${String(body["id"])}`;
      expect((await call("POST", `${path}/credentials/reset`, { token: "ada" })).status).toBe(403);
      expect((await call("DELETE", path, { token: "ada" })).status).toBe(403);
      expect((await call("DELETE", path, { token: "reads" })).status).toBe(200);
    }));

  test("public images are shown to anyone, private ones to a token with the scope", () =>
    run(async ({ call }) => {
      const upload = await call<{ image: { id: string } }>("POST", "/images/upload", {
        token: "images",
        body: { label: "mine", region: "us-east" },
      });
      const { id } = upload.body.image;
      const seenBy = async (token: string | null) => {
        const { body } = await call<{ data: { id: string }[] }>("GET", "/images", { token });
        return body.data.map((image) => image.id);
      };
      expect(await seenBy("images")).toContain(id);
      expect(await seenBy(null)).not.toContain(id);
      expect(await seenBy("reads")).not.toContain(id);
      expect((await call("GET", "/images/node/debian12", { token: null })).status).toBe(200);
      expect((await call("GET", `/images/${id}`, { token: null })).status).toBe(401);
      expect((await call("GET", `/images/${id}`, { token: "wrong" })).status).toBe(401);
    }));
});
