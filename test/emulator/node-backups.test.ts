import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

interface Backup {
  id: number;
  status: string;
  available: boolean;
  finished: string | null;
}

let emulator: TestEmulator;
let node: number;

async function createNode(body: object = deployedNode) {
  const { body: created } = await emulator.call<{ id: number }>("POST", "/node/instances", { body });
  emulator.clock.advance(20 * 60);
  return created.id;
}

beforeEach(async () => {
  emulator = await startTestEmulator();
  node = await createNode();
});
afterEach(() => emulator.stop());

function snapshot(label = "before the upgrade") {
  return emulator.call<Backup>("POST", `/node/instances/${node}/backups`, { body: { label } });
}

async function finishedSnapshot() {
  const { body } = await snapshot();
  emulator.clock.advance(10 * 60);
  return body.id;
}

function list() {
  return emulator.call<{
    automatic: Backup[];
    snapshot: { current: Backup | null; in_progress: Backup | null };
  }>("GET", `/node/instances/${node}/backups`);
}

function restore(backup: number, body: object) {
  return emulator.call("POST", `/node/instances/${node}/backups/${backup}/restore`, { body });
}

test("a snapshot goes through pending, running and needsPostProcessing to successful", async () => {
  const { body } = await snapshot();
  const statuses = [body.status];
  for (const seconds of [60, 8 * 60, 60]) {
    emulator.clock.advance(seconds);
    const seen = await emulator.call<Backup>("GET", `/node/instances/${node}/backups/${body.id}`);
    statuses.push(seen.body.status);
  }
  expect(statuses).toEqual(["pending", "running", "needsPostProcessing", "successful"]);
});

test("a snapshot is in progress first, then current, available and finished", async () => {
  const { body } = await snapshot();
  expect((await list()).body.snapshot).toMatchObject({ current: null, in_progress: { id: body.id } });
  emulator.clock.advance(10 * 60);
  expect((await list()).body.snapshot).toMatchObject({
    current: { id: body.id, available: true, finished: emulator.clock.date() },
    in_progress: null,
  });
  const { body: seen } = await emulator.call("GET", `/node/instances/${node}`);
  expect(seen).toMatchObject({ backups: { available: true, last_successful: emulator.clock.date() } });
});

test("a snapshot replaces the previous one", async () => {
  const first = await finishedSnapshot();
  const second = await finishedSnapshot();
  expect((await emulator.call("GET", `/node/instances/${node}/backups/${first}`)).status).toBe(404);
  expect((await list()).body.snapshot.current?.id).toBe(second);
});

test("a second backup of a node at the same time is refused", async () => {
  await snapshot();
  expect((await snapshot()).status).toBe(400);
});

test("cancelling the backup service deletes every backup", async () => {
  await emulator.call("POST", `/node/instances/${node}/backups/enable`);
  const backup = await finishedSnapshot();
  expect((await emulator.call("GET", `/node/instances/${node}`)).body).toMatchObject({
    backups: { enabled: true },
  });
  await emulator.call("POST", `/node/instances/${node}/backups/cancel`);
  expect((await emulator.call("GET", `/node/instances/${node}/backups/${backup}`)).status).toBe(404);
  expect((await emulator.call("GET", `/node/instances/${node}`)).body).toMatchObject({
    backups: { enabled: false, available: false, last_successful: null },
  });
});

test("a restore with overwrite sets the node to restoring, and back", async () => {
  const backup = await finishedSnapshot();
  expect((await restore(backup, { node_id: node, overwrite: true })).body).toEqual({});
  expect((await emulator.call("GET", `/node/instances/${node}`)).body["status"]).toBe("restoring");
  expect((await emulator.call("DELETE", `/node/instances/${node}`)).status).toBe(400);
  emulator.clock.advance(10 * 60);
  expect((await emulator.call("GET", `/node/instances/${node}`)).body["status"]).toBe("running");
  expect((await emulator.call("GET", `/node/instances/${node}/disks`)).body["results"]).toBe(2);
});

test("a restore without overwrite needs free space", async () => {
  const backup = await finishedSnapshot();
  const refused = await restore(backup, { node_id: node });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ reason: expect.stringContaining("insufficient space") }] },
  });
  const roomy = await createNode({ region: "us-east", type: "g6-standard-2" });
  expect((await restore(backup, { node_id: roomy, overwrite: false })).status).toBe(200);
});

test("a backup cannot be restored in another region, before it is complete, or under maintenance", async () => {
  const backup = await finishedSnapshot();
  const elsewhere = await createNode({ region: "us-west", type: "g6-standard-2" });
  expect((await restore(backup, { node_id: elsewhere })).status).toBe(400);
  await emulator.control("PATCH", `/objects/nodeBackups/${node}/${backup}`, { available: false });
  expect((await restore(backup, { node_id: node, overwrite: true })).status).toBe(400);
  const { body: unfinished } = await snapshot();
  const other = await createNode({ region: "us-east", type: "g6-standard-2" });
  await emulator.control("PATCH", `/objects/nodeBackups/${unfinished.id}`, { status: "running" });
  expect((await restore(unfinished.id, { node_id: other })).status).toBe(400);
});

test("a node that is creating a backup cannot be the target of a restore", async () => {
  const target = node;
  await snapshot();
  node = await createNode();
  const backup = await finishedSnapshot();
  await emulator.call("POST", `/node/instances/${target}/backups`, { body: { label: "again" } });
  expect(await restore(backup, { node_id: target, overwrite: true })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "node_id", reason: "is creating a backup" }] },
  });
});

test("a node from a backup has its disks, and must be in its region and large enough", async () => {
  const backup_id = await finishedSnapshot();
  const from = (change: object) =>
    emulator.call<{ id: number }>("POST", "/node/instances", {
      body: { region: "us-east", type: "g6-standard-1", backup_id, ...change },
    });
  expect((await from({ region: "us-west" })).body).toMatchObject({ errors: [{ field: "region" }] });
  const { body } = await from({});
  expect((await emulator.call("GET", `/node/instances/${body.id}/disks`)).body["results"]).toBe(2);
});

describe("automatic backups", () => {
  const DAY = 24 * 60 * 60;

  /** Moves the clock to the next given time of day; `00:00:00` is midnight. */
  function toNext(time: string): string {
    const now = Date.parse(`${emulator.clock.date()}Z`);
    const today = Date.parse(`${emulator.clock.date().slice(0, 10)}T${time}Z`);
    emulator.clock.advance((today > now ? today - now : today + DAY * 1000 - now) / 1000);
    return emulator.clock.date();
  }

  const automatic = async () => (await list()).body.automatic;

  test("are created at 00:00 UTC only while the service is enabled", async () => {
    toNext("12:00:00");
    emulator.clock.advance(3 * DAY);
    await emulator.call("POST", `/node/instances/${node}/backups/enable`);
    expect(await automatic()).toEqual([]);
    const midnight = toNext("00:00:00");
    const disks = [{ filesystem: "ext4" }, { filesystem: "swap" }].map((disk) =>
      expect.objectContaining(disk),
    );
    expect(await automatic()).toEqual([
      {
        ...{ id: expect.any(Number), type: "automatic", status: "successful", available: true, label: null },
        ...{ created: midnight, finished: midnight, updated: midnight },
        ...{ configs: [expect.any(String)], disks },
      },
    ]);
    const { body } = await emulator.call("GET", `/node/instances/${node}`);
    expect(body).toMatchObject({ backups: { available: true, last_successful: midnight } });
  });

  test("are kept for seven days", async () => {
    node = await createNode({ ...deployedNode, backups_enabled: true });
    toNext("12:00:00");
    emulator.clock.advance(20 * DAY);
    const kept = await automatic();
    expect(kept).toHaveLength(7);
    emulator.clock.advance(DAY);
    const later = await automatic();
    expect(later.map(({ id }) => id).slice(0, 6)).toEqual(kept.map(({ id }) => id).slice(1));
    expect((await emulator.call("GET", `/node/instances/${node}/backups/${kept[0]?.id}`)).status).toBe(404);
  });

  test("of the days before a restore have the disks of these days", async () => {
    await emulator.call("POST", `/node/instances/${node}/backups/enable`);
    const backup_id = await finishedSnapshot();
    const body = { region: "us-east", type: "g6-standard-4", backup_id, backups_enabled: true };
    const target = await createNode(body);
    toNext("00:00:00");
    expect((await restore(backup_id, { node_id: target })).status).toBe(200);
    emulator.clock.advance(60 * 60);
    node = target;
    expect(await automatic()).toMatchObject([{ disks: [{ filesystem: "ext4" }, { filesystem: "swap" }] }]);
  });

  test("can be viewed and restored, and disappear when the service is cancelled", async () => {
    await emulator.call("POST", `/node/instances/${node}/backups/enable`);
    emulator.clock.advance(DAY);
    const [backup] = await automatic();
    const path = `/node/instances/${node}/backups/${backup?.id}`;
    expect((await emulator.call("GET", path)).body).toMatchObject({ type: "auto" });
    expect((await restore(backup?.id ?? 0, { node_id: node, overwrite: true })).status).toBe(200);
    await emulator.call("POST", `/node/instances/${node}/backups/cancel`);
    emulator.clock.advance(DAY);
    expect(await automatic()).toEqual([]);
  });

  test("are not created for a node that is provisioning or has no disks", async () => {
    toNext("23:50:00");
    const create = (body: object) => emulator.call<{ id: number }>("POST", "/node/instances", { body });
    const provisioning = await create({ ...deployedNode, backups_enabled: true });
    const empty = await create({ region: "us-east", type: "g6-nanode-1", backups_enabled: true });
    emulator.clock.advance(60 * 60);
    for (const { body } of [provisioning, empty]) {
      node = body.id;
      expect(await automatic()).toEqual([]);
    }
  });
});
