import { type Accounts } from "../../src/emulator";
import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

const ALL_SCOPES = ["nodes", "databases", "domains", "images"].flatMap((group) => [
  `${group}:read_only`,
  `${group}:read_write`,
]);

const nodes = "/node/instances";
const backups = `${nodes}/1/backups`;
const mysql = "/databases/mysql/instances";
const postgresql = "/databases/postgresql/instances";
const records = "/domains/1/records";

/** The column Scope of the reference, copied by hand; empty if the operation needs no credential. */
const OPERATIONS: readonly (readonly [string, string, string])[] = [
  ["GET", nodes, "nodes:read_only"],
  ["POST", nodes, "nodes:read_write"],
  ["GET", `${nodes}/1`, "nodes:read_only"],
  ["PUT", `${nodes}/1`, "nodes:read_write"],
  ["DELETE", `${nodes}/1`, "nodes:read_write"],
  ["POST", `${nodes}/1/boot`, "nodes:read_write"],
  ["POST", `${nodes}/1/clone`, "nodes:read_write"],
  ["GET", backups, "nodes:read_only"],
  ["POST", backups, "nodes:read_write"],
  ["POST", `${backups}/enable`, "nodes:read_write"],
  ["POST", `${backups}/cancel`, "nodes:read_write"],
  ["GET", `${backups}/1`, "nodes:read_only"],
  ["POST", `${backups}/1/restore`, "nodes:read_write"],
  ["GET", "/databases/engines", ""],
  ["GET", "/databases/engines/mysql/8.0.30", ""],
  ["GET", "/databases/instances", "databases:read_only"],
  ...[mysql, postgresql].flatMap((path): [string, string, string][] => [
    ["GET", path, "databases:read_only"],
    ["POST", path, "databases:read_write"],
    ["GET", `${path}/1`, "databases:read_only"],
    ["PUT", `${path}/1`, "databases:read_write"],
    ["GET", `${path}/1/backups`, "databases:read_write"],
    ["POST", `${path}/1/backups`, "databases:read_write"],
  ]),
  ["GET", `${mysql}/1/backups/1`, "databases:read_write"],
  ["DELETE", `${mysql}/1/backups/1`, "databases:read_write"],
  ["POST", `${mysql}/1/backups/1/restore`, "databases:read_write"],
  ["GET", `${mysql}/1/credentials`, "databases:read_only"],
  ["POST", `${mysql}/1/patch`, "databases:read_write"],
  ["GET", `${mysql}/1/ssl`, "databases:read_only"],
  ["GET", "/regions", ""],
  ["GET", "/regions/availability", ""],
  ["GET", "/regions/us-east", ""],
  ["GET", "/regions/us-east/availability", ""],
  ["GET", "/domains", "domains:read_only"],
  ["POST", "/domains", "domains:read_write"],
  ["POST", "/domains/import", "domains:read_write"],
  ["GET", "/domains/1", "domains:read_only"],
  ["PUT", "/domains/1", "domains:read_write"],
  ["DELETE", "/domains/1", "domains:read_write"],
  ["POST", "/domains/1/clone", "domains:read_write"],
  ["GET", records, "domains:read_only"],
  ["POST", records, "domains:read_write"],
  ["GET", `${records}/1`, "domains:read_only"],
  ["PUT", `${records}/1`, "domains:read_write"],
  ["DELETE", `${records}/1`, "domains:read_write"],
  ["GET", "/domains/1/zone-file", "domains:read_only"],
  ["POST", "/images", "images:read_write nodes:read_only"],
  ["POST", "/images/upload", "images:read_write"],
  ["PUT", "/images/private/1", "images:read_write"],
  ["DELETE", "/images/private/1", "images:read_write"],
];

/** The operations that ignore scopes, or for which they are optional. */
const APART: readonly (readonly [string, string])[] = [
  ["DELETE", `${mysql}/1`],
  ["DELETE", `${postgresql}/1`],
  ["POST", `${mysql}/1/credentials/reset`],
  ["GET", "/images"],
  ["GET", "/images/node/debian12"],
];

const scoped = OPERATIONS.filter(([, , scopes]) => scopes !== "");
const open = OPERATIONS.filter(([, , scopes]) => scopes === "");

/** The scopes that include this scope: `read_write` includes `read_only`. */
const holders = (scope: string) => [scope, scope.replace(/:read_only$/, ":read_write")];
const without = (scope: string) => ALL_SCOPES.filter((other) => !holders(scope).includes(other));

const accounts: Accounts = {
  users: [
    {
      username: "root",
      tokens: [
        { token: "all", scopes: "*" },
        { token: "none", scopes: [] },
        ...[...new Set(scoped.map(([, , scopes]) => scopes))].map((scopes) => ({
          token: `only ${scopes}`,
          scopes: scopes.split(" "),
        })),
        ...ALL_SCOPES.map((scope) => ({ token: `all but ${scope}`, scopes: without(scope) })),
      ],
    },
    ...(["add_nodes", "add_databases"] as const).map((grant) => ({
      username: grant,
      restricted: true,
      grants: [grant],
      tokens: [{ token: grant, scopes: "*" as const }],
    })),
    { username: "plain", restricted: true, tokens: [{ token: "restricted", scopes: "*" }] },
  ],
};

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator({ accounts });
});
afterEach(() => emulator.stop());

const send = async (method: string, path: string, token: string | null, body?: object) =>
  (await emulator.call(method, path, { token, body: body ?? (method === "GET" ? undefined : {}) })).status;

test("the cases below are all operations of the reference", () => {
  expect(OPERATIONS.length + APART.length).toBe(60);
});

test.each(scoped)(
  "%s %s requires %s: it works with that alone, and answers 403 without it",
  async (...row) => {
    const [method, path, scopes] = row;
    expect([200, 400, 404]).toContain(await send(method, path, `only ${scopes}`));
    for (const scope of scopes.split(" ")) expect(await send(method, path, `all but ${scope}`)).toBe(403);
  },
);

test.each(scoped)(
  "%s %s answers 401 without a token, with an unknown token, and with another scheme than Bearer",
  async (...row) => {
    const [method, path] = row;
    expect(await send(method, path, null)).toBe(401);
    expect(await send(method, path, "unknown")).toBe(401);
    const headers = { authorization: "Basic all" };
    expect((await emulator.call(method, path, { token: null, headers })).status).toBe(401);
  },
);

test.each(open)(
  "%s %s needs no credential: it answers without a token and with any token",
  async (method, path) => {
    for (const token of [null, "none", "unknown"]) expect(await send(method, path, token)).toBe(200);
  },
);

describe("images:read_only is optional for viewing images", () => {
  let id: string;
  beforeEach(async () => {
    const body = { label: "mine", region: "us-east" };
    const answer = await emulator.call<{ image: { id: string } }>("POST", "/images/upload", { body });
    id = answer.body.image.id;
  });
  const listed = async (token: string | null) => {
    const { body } = await emulator.call<{ data: { id: string; is_public: boolean }[] }>("GET", "/images", {
      token,
    });
    return body.data;
  };

  test.each([null, "none"])("the list shows public images only to the token %j", async (token) => {
    const images = await listed(token);
    expect(images.length).toBeGreaterThan(0);
    expect(images.every(({ is_public }) => is_public)).toBe(true);
    expect((await listed("all")).map((image) => image.id)).toContain(id);
  });

  test.each([
    [null, 401],
    ["none", 403],
  ])("a public image is shown, and a private one is not, to the token %j", async (token, status) => {
    expect(await send("GET", "/images/node/debian12", token)).toBe(200);
    expect(await send("GET", `/images/${id}`, token)).toBe(status);
    expect(await send("GET", `/images/${id}`, "all")).toBe(200);
  });

  test("an unknown token is still refused", async () => {
    expect(await send("GET", "/images", "unknown")).toBe(401);
  });
});

describe("restricted users", () => {
  const database = { label: "shop", region: "us-east", type: "any", engine: "mysql/8.0.30" };

  test("need the grant add_nodes to create and to clone a node", async () => {
    expect(await send("POST", nodes, "add_databases", deployedNode)).toBe(403);
    const { body } = await emulator.call("POST", nodes, { token: "add_nodes", body: deployedNode });
    emulator.clock.advance(20 * 60);
    const clone = `${nodes}/${String(body["id"])}/clone`;
    expect(await send("POST", clone, "add_databases")).toBe(403);
    expect(await send("POST", clone, "add_nodes")).toBe(200);
  });

  test("need the grant add_databases to create a database of either kind", async () => {
    const other = { ...database, label: "other", engine: "postgresql/14.6" };
    expect(await send("POST", mysql, "add_nodes", database)).toBe(403);
    expect(await send("POST", postgresql, "add_nodes", other)).toBe(403);
    expect(await send("POST", mysql, "add_databases", database)).toBe(200);
    expect(await send("POST", postgresql, "add_databases", other)).toBe(200);
  });

  test("can neither add nor modify a node's tags, and unrestricted users can", async () => {
    const tagged = { ...deployedNode, tags: ["web"] };
    expect(await send("POST", nodes, "add_nodes", tagged)).toBe(403);
    const { body } = await emulator.call("POST", nodes, { body: tagged });
    const path = `${nodes}/${String(body["id"])}`;
    for (const tags of [[], ["web", "more"], ["other"]]) {
      expect(await send("PUT", path, "restricted", { tags })).toBe(403);
    }
    expect(await send("PUT", path, "restricted", { label: "renamed" })).toBe(200);
    expect(await send("PUT", path, "all", { tags: ["other"] })).toBe(200);
  });

  test.each(["mysql", "postgresql"])(
    "cannot delete a %s database, and unrestricted users can, with any scopes of their token",
    async (kind) => {
      const engine = kind === "mysql" ? "mysql/8.0.30" : "postgresql/14.6";
      const body = { ...database, engine };
      const created = await emulator.call("POST", `/databases/${kind}/instances`, { body });
      emulator.clock.advance(25 * 60);
      const path = `/databases/${kind}/instances/${String(created.body["id"])}`;
      expect(await send("DELETE", path, "restricted")).toBe(403);
      expect(await send("DELETE", path, null)).toBe(401);
      expect(await send("DELETE", path, "none")).toBe(200);
    },
  );

  test("cannot reset credentials, and unrestricted users can, with any scopes of their token", async () => {
    const { body } = await emulator.call("POST", mysql, { body: database });
    emulator.clock.advance(25 * 60);
    const path = `${mysql}/${String(body["id"])}/credentials/reset`;
    expect(await send("POST", path, "restricted")).toBe(403);
    expect(await send("POST", path, null)).toBe(401);
    expect(await send("POST", path, "none")).toBe(200);
  });
});
