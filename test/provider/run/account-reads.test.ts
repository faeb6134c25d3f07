import { type Client, createClient } from "../../../src/api/client";
import { never } from "../../../src/api/retry";
import { AccountReads } from "../../../src/provider/run/account-reads";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.reset());
afterAll(() => emulator.stop());

function account(baseUrl = emulator.url): AccountReads {
  const client = createClient({ token: emulator.token, baseUrl, retry: never });
  return new AccountReads(
    () => client,
    () => "the account",
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

const WITHOUT =
  ". A preview compares new and changed inputs with the account. To preview without it, set nodecloud:validate to false (or NODECLOUD_VALIDATE=false)";

const failure = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => "it can be read",
    (error: Error) => error.message,
  );

test.each([
  [403, "the operation needs the scope images:read_only"],
  [401, ""],
])("a list that the token cannot read (%i) fails, and others are still read", async (status, advice) => {
  await failing("/v4/images", { status }, 5);
  const all = account();
  const message = await failure(all.all("the images", images));
  expect(message).toContain(`the images cannot be read: Planned failure ${status} (${status})`);
  expect(message).toContain(advice);
  expect(message.endsWith(WITHOUT)).toBe(true);
  expect(await all.all("the regions", regions)).toHaveLength(7);
});

test("an unreachable API gets one request, and fails all reads with the same error", async () => {
  await failing("/v4/**", "drop-request", 5);
  const cut = account();
  const messages = await Promise.all([
    failure(cut.all("the images", images)),
    failure(cut.all("the images", images)),
  ]);
  messages.push(
    await failure(cut.all("the regions", regions)),
    await failure(cut.one("the region us-east", (client) => client.regions.get({ regionId: "us-east" }))),
  );
  expect(new Set(messages).size).toBe(1);
  expect(messages[0]).toMatch(/^the account cannot be read: the connection to .* was lost/);
  expect(messages[0]?.endsWith(WITHOUT)).toBe(true);
  expect(await emulator.counts()).toEqual({ "GET /v4/images": 1 });
});

test("a failing API counts as unreachable", async () => {
  await failing("/v4/**", { status: 500 }, 5);
  const broken = account();
  expect(await failure(broken.all("the images", images))).toMatch(/^the account cannot be read: /);
  expect(await failure(broken.all("the regions", regions))).toMatch(/^the account cannot be read: /);
});

test("a read of one object returns it unchanged, or null if it does not exist", async () => {
  const one = account();
  const region = (regionId: string) =>
    one.one(`the region ${regionId}`, (client) => client.regions.get({ regionId }));
  expect(await region("us-east")).toMatchObject({ id: "us-east" });
  expect(await region("us-nowhere")).toBeNull();
});

test("an error in this package does not count as an error of the account", async () => {
  const broken = account().one("the region", () => Promise.reject(new TypeError("a bug")));
  await expect(broken).rejects.toThrow("a bug");
});
