import { type Connection, Connections } from "../../../src/cli/account/accounts";
import { Words } from "../../../src/provider/engine/secret-words";
import { contextIn } from "../../helpers/command-line";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../../helpers/emulator";

const TOKENS = Array.from({ length: 10 }, (_, index) => `token-${index}`);

let emulator: TestEmulator;

beforeAll(async () => {
  const user = (username: string, tokens: Record<string, string[]>) => ({
    username,
    restricted: false,
    grants: [],
    tokens: Object.entries(tokens).map(([token, scopes]) => ({ token, scopes })),
  });
  const all = Object.fromEntries(TOKENS.map((token) => [token, ["*"]]));
  const reading = ["nodes", "databases", "domains", "images"].map((family) => `${family}:read_only`);
  const readers = Object.fromEntries(TOKENS.map((token) => [`reader-${token}`, reading]));
  const users = [user("ada", { ...all, ...readers, "few-token": ["domains:read_only"] })];
  emulator = await startTestEmulator({ speed: AT_ONCE, accounts: { users } });
  const body = (domain: string) => ({ domain, type: "master", soa_email: "dns@example.org" });
  for (const domain of ["one.example", "two.example"])
    await emulator.call("POST", "/domains", { token: "token-0", body: body(domain) });
});
afterAll(() => emulator.stop());

/** Lists the accounts of tokens, and counts the requests. */
async function list(tokens: readonly string[], parents: Readonly<Record<string, string>> = {}) {
  const progress = { show: () => undefined, note: () => undefined };
  const connections = new Connections(contextIn({}), progress, new Words());
  const all = tokens.map((token): Connection => {
    const connection = connections.of({ "nodecloud:token": token, "nodecloud:baseUrl": emulator.url });
    const parent = parents[token];
    if (parent !== undefined) connection.parents.set("DomainRecord", new Set([parent]));
    return connection;
  });
  await emulator.newCounts();
  const { accounts } = await connections.accounts();
  const counts = await emulator.newCounts();
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { accounts: all.map((one) => accounts.get(one)), counts, requests };
}

test("each further token of an account costs one page, and they have one account", async () => {
  const one = await list(TOKENS.slice(0, 1));
  const ten = await list(TOKENS);
  expect(ten.requests).toBe(one.requests + TOKENS.length - 1);
  expect(new Set(ten.accounts).size).toBe(1);
  expect([...(ten.accounts[9]?.objects.keys() ?? [])]).toEqual([...(one.accounts[0]?.objects.keys() ?? [])]);
});

test("each further token that only reads costs two requests beside a database, whose backups it cannot list", async () => {
  const body = { label: "shop", engine: "mysql/8.0.30", region: "us-east", type: "g6-nanode-1" };
  const created = await emulator.call("POST", "/databases/mysql/instances", { token: "token-0", body });
  expect(created.status).toBe(200);
  const readers = TOKENS.slice(0, 4).map((token) => `reader-${token}`);
  const one = await list(readers.slice(0, 1));
  const four = await list(readers);
  expect(four.requests).toBe(one.requests + 2 * (readers.length - 1));
  expect(four.accounts[3]?.hidden).toEqual(one.accounts[0]?.hidden);
  expect(one.accounts[0]?.hidden).toHaveLength(1);

  // One that sees more lists for itself.
  const { accounts } = await list([...readers.slice(0, 1), "token-0"]);
  expect(accounts[0]?.hidden).toEqual([]);
});

test("a parent that only the states of a further token name is asked for, and may be gone", async () => {
  const { accounts, counts } = await list(["token-0", "token-1"], { "token-1": "999999" });
  expect(accounts[0]?.isGone("DomainRecord", "999999")).toBe(true);
  // One answer that an object does not exist may be wrong.
  expect(counts).toMatchObject({ "GET /v4/domains/:id/records": 4 });
});

test("a token that may not list everything does not speak for others", async () => {
  const { accounts } = await list(["few-token", "token-0"]);
  expect(new Set(accounts).size).toBe(1);
  expect(accounts[0]?.gaps).toEqual([]);
  expect(accounts[0]?.isListed("Image")).toBe(true);
});
