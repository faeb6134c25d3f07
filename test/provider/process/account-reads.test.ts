import { type Client, createClient } from "../../../src/api/client";
import { never } from "../../../src/api/retry";
import { AccountReads } from "../../../src/provider/process/account-reads";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

let emulator: TestEmulator;
let notices: string[];
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.reset());
afterAll(() => emulator.stop());
beforeEach(() => {
  notices = [];
});

function account(baseUrl = emulator.url): AccountReads {
  const client = createClient({ token: emulator.token, baseUrl, retry: never });
  return new AccountReads(
    () => client,
    (line) => notices.push(line),
  );
}

const regions = (client: Client) => client.regions.list.all();
const images = (client: Client) => client.images.list.all();

const failing = (path: string, effect: unknown, times = 1) =>
  emulator.control("POST", "/faults", { path, times, effect });

test("a list is read once for all callers, at the same time or later", async () => {
  const all = account();
  const [one, two] = await Promise.all([all.all("the regions", regions), all.all("the regions", regions)]);
  expect(await all.all("the regions", regions)).toBe(one);
  expect(two).toBe(one);
  expect(one?.map(({ id }) => id)).toContain("us-east");
  expect(await emulator.counts()).toEqual({ "GET /v4/regions": 1 });
});

test("a list that the token cannot read is skipped, with one notice that names the scope", async () => {
  await failing("/v4/images", { status: 403 }, 5);
  const refused = account();
  expect(await refused.all("the images", images)).toBeUndefined();
  expect(await refused.all("the images", images)).toBeUndefined();
  expect(notices).toEqual([
    "a check of the inputs is skipped, because the images cannot be read: " +
      "Planned failure 403 (403); the operation needs the scope images:read_only",
  ]);
  expect(await refused.all("the regions", regions)).toHaveLength(7);
});

test("an unreachable API gets one request, and causes one notice for all lists", async () => {
  await failing("/v4/**", "drop-request", 5);
  const cut = account();
  expect(await cut.all("the images", images)).toBeUndefined();
  expect(await cut.all("the regions", regions)).toBeUndefined();
  expect(await cut.one("the region us-east", (client) => client.regions.get({ regionId: "us-east" }))).toBe(
    undefined,
  );
  expect(notices).toEqual([
    expect.stringMatching(
      /^all checks against the account are skipped, because it cannot be read: the connection to .* was lost/,
    ),
  ]);
  expect(await emulator.counts()).toEqual({ "GET /v4/images": 1 });
});

test("a failing API counts as unreachable", async () => {
  await failing("/v4/**", { status: 500 }, 5);
  const broken = account();
  expect(await broken.all("the images", images)).toBeUndefined();
  expect(await broken.all("the regions", regions)).toBeUndefined();
  expect(notices).toHaveLength(1);
});

test("a read of one object returns it unchanged, or null if it does not exist", async () => {
  const one = account();
  const region = (regionId: string) =>
    one.one(`the region ${regionId}`, (client) => client.regions.get({ regionId }));
  expect(await region("us-east")).toMatchObject({ id: "us-east" });
  expect(await region("us-nowhere")).toBeNull();
  expect(notices).toEqual([]);
});

test("an error in this package does not count as an error of the account", async () => {
  const broken = account().one("the region", () => Promise.reject(new TypeError("a bug")));
  await expect(broken).rejects.toThrow("a bug");
});
