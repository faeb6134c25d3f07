import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { WHOLE } from "../helpers/whole";
import { everything } from "../engine/everything";

let emulator: TestEmulator;
let stack: TestStack;
/** The path of each resource's object in the emulator's control API. */
let objects: Readonly<Record<string, string>>;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, everything());
  stack.folder.write("disk.img", "a small disk");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const state = await stack.state();
  const kinds = {
    web: "nodes",
    mysql: "mysql",
    postgresql: "postgresql",
    zone: "domains",
    a: "records",
    srv: "records",
    caa: "records",
    image: "images",
  };
  objects = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, `/objects/${kind}/${state[name]?.id}`]),
  );
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

type Patch = Readonly<Record<string, unknown>>;

/** Changes objects outside Pulumi while `look` runs, and restores them. */
async function behindItsBack<Result>(
  changes: readonly (readonly [name: string, patch: Patch])[],
  look: () => Promise<Result>,
): Promise<Result> {
  const before = await Promise.all(
    changes.map(async ([name]) => (await emulator.control("GET", objects[name] ?? name)).body),
  );
  for (const [name, patch] of changes) {
    expect(await emulator.control("PATCH", objects[name] ?? name, patch)).toMatchObject({ status: 200 });
  }
  try {
    return await look();
  } finally {
    for (const [index, [name, patch]] of changes.entries()) {
      const old = Object.fromEntries(Object.keys(patch).map((key) => [key, before[index]?.[key]]));
      await emulator.control("PATCH", objects[name] ?? name, old);
    }
  }
}

const database = (name: string): [path: string, name: string, patch: Patch][] => [
  [`${name}.label`, name, { label: "someone-else" }],
  [`${name}.allowList`, name, { allow_list: ["203.0.113.1/32"] }],
  [`${name}.updates.dayOfWeek`, name, { updates: { day_of_week: 5 } }],
  [`${name}.updates.duration`, name, { updates: { duration: 1 } }],
  [`${name}.updates.frequency`, name, { updates: { frequency: "monthly" } }],
  [`${name}.updates.hourOfDay`, name, { updates: { hour_of_day: 20 } }],
];

/** Every input that can be updated and read, with a change of it by somebody else. */
const drifts: [path: string, name: string, patch: Patch][] = [
  ["web.label", "web", { label: "someone-else" }],
  ["web.group", "web", { group: "elsewhere" }],
  ["web.tags", "web", { tags: ["a", "c"] }],
  ["web.type", "web", { type: "g6-standard-1" }],
  ["web.booted", "web", { status: "offline" }],
  ["web.backupsEnabled", "web", { backups: { enabled: false } }],
  ["web.backups.schedule.day", "web", { backups: { schedule: { day: "Monday" } } }],
  ["web.backups.schedule.window", "web", { backups: { schedule: { window: "W2" } } }],
  ["web.alerts.cpu", "web", { alerts: { cpu: 1 } }],
  ["web.alerts.io", "web", { alerts: { io: 1 } }],
  ["web.alerts.networkIn", "web", { alerts: { network_in: 1 } }],
  ["web.alerts.networkOut", "web", { alerts: { network_out: 1 } }],
  ["web.alerts.transferQuota", "web", { alerts: { transfer_quota: 1 } }],
  ["web.watchdogEnabled", "web", { watchdog_enabled: false }],
  ...database("mysql"),
  ...database("postgresql"),
  ["zone.domain", "zone", { domain: "example.net" }],
  ["zone.type", "zone", { type: "slave" }],
  ["zone.status", "zone", { status: "disabled" }],
  ["zone.description", "zone", { description: null }],
  ["zone.group", "zone", { group: "elsewhere" }],
  ["zone.soaEmail", "zone", { soa_email: "else@example.org" }],
  ["zone.masterIps", "zone", { master_ips: ["192.0.2.1"] }],
  ["zone.axfrIps", "zone", { axfr_ips: [] }],
  ["zone.expireSec", "zone", { expire_sec: 300 }],
  ["zone.refreshSec", "zone", { refresh_sec: 300 }],
  ["zone.retrySec", "zone", { retry_sec: 300 }],
  ["zone.ttlSec", "zone", { ttl_sec: 3600 }],
  ["zone.tags", "zone", { tags: [] }],
  ["a.name", "a", { name: "web" }],
  ["a.target", "a", { target: "192.0.2.11" }],
  ["a.ttlSec", "a", { ttl_sec: 3600 }],
  ["srv.priority", "srv", { priority: 1 }],
  ["srv.weight", "srv", { weight: 1 }],
  ["srv.port", "srv", { port: 1 }],
  ["srv.service", "srv", { service: "xmpp" }],
  ["srv.protocol", "srv", { protocol: "udp" }],
  ["caa.tag", "caa", { tag: "iodef" }],
  ["image.label", "image", { label: "someone-else" }],
  ["image.description", "image", { description: null }],
];

/** One drifted input per resource and round, so that few runs of the CLI cover all inputs. */
const rounds = drifts.reduce<(typeof drifts)[]>((all, drift) => {
  const round = all.find((others) => others.every(([, name]) => name !== drift[1]));
  if (round === undefined) all.push([drift]);
  else round.push(drift);
  return all;
}, []);

// Each input is tried in process too: see test/helpers/lifecycle/drift.ts.
test.each(
  rounds
    .slice(0, WHOLE ? undefined : 1)
    .map((round) => ({ round, title: round.map(([path]) => path).join(", ") })),
)("a drift check fails and names exactly the changed inputs: $title", async ({ round }) => {
  const found = await behindItsBack(
    round.map(([, name, patch]) => [name, patch]),
    () => stack.drift(),
  );
  expect(found.code).not.toBe(0);
  expect(found.drifted).toEqual(round.map(([path]) => path).sort());
});

test("a drift check passes if only unmanaged values have changed", async () => {
  const found = await behindItsBack(
    [
      ["web", { hypervisor: "other", updated: "2030-01-01T00:00:00", specs: { memory: 1 } }],
      ["mysql", { updates: { week_of_month: 2 }, version: "8.0.99", port: 3307 }],
      ["a", { weight: 7, updated: "2030-01-01T00:00:00" }],
      ["image", { size: 99, deprecated: true }],
    ],
    () => stack.drift(),
  );
  expect(found).toMatchObject({ code: 0, drifted: [] });
});

test("values that the service rounds, reorders or completes are not drift", async () => {
  const found = await behindItsBack(
    [
      ["web", { tags: ["a", "b"] }],
      ["mysql", { allow_list: ["10.0.0.0/8", "192.0.2.7/32", "2001:db8::7/128"] }],
    ],
    () => stack.drift(),
  );
  expect(found).toMatchObject({ code: 0, drifted: [] });
});

test("a refresh finds an object that somebody else deleted, and the next up creates it again", async () => {
  expect(await emulator.control("DELETE", objects["caa"] ?? "")).toMatchObject({ status: 200 });
  const found = await stack.drift();
  expect(found.code).not.toBe(0);
  expect(await stack.up("--refresh")).toMatchObject({
    code: 0,
    order: expect.arrayContaining(["caa create"]),
  });
  expect(await stack.drift()).toMatchObject({ code: 0 });
});

test("up --refresh restores the changed values, and nothing else", async () => {
  await emulator.control("PATCH", objects["a"] ?? "", { target: "192.0.2.99" });
  expect(await stack.up("--refresh")).toMatchObject({ code: 0, steps: { update: 1 } });
  expect((await emulator.control("GET", objects["a"] ?? "")).body).toMatchObject({ target: "192.0.2.10" });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});
