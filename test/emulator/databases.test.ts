import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

interface Database {
  id: number;
  status: string;
  hosts: { primary: string | null; secondary: string | null };
  port: number;
}
interface Page<Item> {
  data: Item[];
  results: number;
}

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const wanted = { label: "shop", region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };

function create(body: object = wanted, kind = "mysql") {
  return emulator.call<Database>("POST", `/databases/${kind}/instances`, { body });
}

async function createActive(body: object = wanted, kind = "mysql") {
  const answer = await create(body, kind);
  emulator.clock.advance(25 * 60);
  return `/databases/${kind}/instances/${answer.body.id}`;
}

async function statusOf(path: string) {
  return (await emulator.call<Database>("GET", path)).body.status;
}

async function backupsOf(path: string) {
  return (await emulator.call<Page<{ id: number; label: string; type: string }>>("GET", `${path}/backups`))
    .body;
}

async function takeBackup(path: string, label: string) {
  const answer = await emulator.call("POST", `${path}/backups`, { body: { label } });
  emulator.clock.advance(5 * 60);
  return answer;
}

test("a database is provisioning for 25 minutes, and has hosts when it is active", async () => {
  const { body } = await create();
  expect(body).toMatchObject({
    status: "provisioning",
    hosts: { primary: null, secondary: null },
    port: 3306,
  });
  emulator.clock.advance(25 * 60);
  const active = await emulator.call<Database>("GET", `/databases/mysql/instances/${body.id}`);
  expect(active.body.status).toBe("active");
  expect(active.body.hosts.primary).toMatch(/^db-mysql-/);
  expect(active.body.hosts.secondary).toBeNull();
});

test("answers show the engine without its version, async for asynch, and the documented defaults", async () => {
  const { body } = await create(
    { ...wanted, engine: "postgresql/14.6", cluster_size: 3, replication_type: "asynch" },
    "postgresql",
  );
  expect(body).toMatchObject({
    engine: "postgresql",
    version: "14.6",
    replication_type: "async",
    replication_commit_type: "local",
    encrypted: false,
    ssl_connection: true,
    allow_list: [],
  });
});

test("an engine of the other kind is refused, and a database is not found under the other kind", async () => {
  expect((await create({ ...wanted, engine: "postgresql/14.6" })).body).toMatchObject({
    errors: [{ field: "engine" }],
  });
  const { body } = await create();
  expect((await emulator.call("GET", `/databases/postgresql/instances/${body.id}`)).status).toBe(404);
});

test("a label is unique across all engines", async () => {
  await create();
  const second = await create({ ...wanted, engine: "postgresql/14.6" }, "postgresql");
  expect(second).toMatchObject({ status: 400, body: { errors: [{ field: "label" }] } });
});

test("the list of all engines has the path of each database, and no port", async () => {
  const { body } = await create();
  const all = await emulator.call<Page<object>>("GET", "/databases/instances");
  expect(all.body.data).toEqual([
    expect.objectContaining({ id: body.id, instance_uri: `/v4/databases/mysql/instances/${body.id}` }),
  ]);
  expect(all.body.data[0]).not.toHaveProperty("port");
});

test("an update requires the status active, and sets updating for a while", async () => {
  const path = await createActive();
  const update = { body: { allow_list: ["192.0.2.0/24"], updates: { hour_of_day: 5 } } };
  expect((await emulator.call("PUT", path, update)).body).toMatchObject({
    status: "updating",
    allow_list: ["192.0.2.0/24"],
    updates: { hour_of_day: 5, frequency: "weekly" },
  });
  expect((await emulator.call("PUT", path, update)).status).toBe(400);
  emulator.clock.advance(60);
  expect(await statusOf(path)).toBe("active");
});

test("a provisioning database cannot be deleted; an active one disappears after a while and frees its label", async () => {
  const { body } = await create();
  const path = `/databases/mysql/instances/${body.id}`;
  expect((await emulator.call("DELETE", path)).status).toBe(400);
  emulator.clock.advance(25 * 60);
  expect((await emulator.call("DELETE", path)).body).toEqual({});
  expect((await emulator.call("GET", path)).status).toBe(200);
  emulator.clock.advance(30);
  expect((await emulator.call("GET", path)).status).toBe(404);
  expect((await create()).status).toBe(200);
});

test("a snapshot is listed when it is complete, and the database is backing_up until then", async () => {
  const path = await createActive();
  expect((await emulator.call("POST", `${path}/backups`, { body: { label: "first" } })).body).toEqual({});
  expect(await statusOf(path)).toBe("backing_up");
  expect((await emulator.call("POST", `${path}/backups`, { body: { label: "second" } })).status).toBe(400);
  expect((await backupsOf(path)).data).not.toContainEqual(expect.objectContaining({ label: "first" }));
  emulator.clock.advance(5 * 60);
  expect(await statusOf(path)).toBe("active");
  expect((await backupsOf(path)).data).toContainEqual(
    expect.objectContaining({ label: "first", type: "snapshot" }),
  );
});

test("a fourth snapshot is refused until one is deleted", async () => {
  const path = await createActive();
  for (const label of ["one", "two", "three"]) expect((await takeBackup(path, label)).status).toBe(200);
  expect((await takeBackup(path, "four")).status).toBe(400);
  const oldest = (await backupsOf(path)).data.find(({ label }) => label === "one");
  expect((await emulator.call("DELETE", `${path}/backups/${oldest?.id}`)).body).toEqual({});
  expect((await takeBackup(path, "four")).status).toBe(200);
});

test("a backup is created at each 00:00 UTC, and the last seven are kept", async () => {
  const path = await createActive();
  emulator.clock.advance(3 * 24 * 60 * 60);
  expect((await backupsOf(path)).data.map(({ type }) => type)).toEqual(["auto", "auto", "auto"]);
  emulator.clock.advance(20 * 24 * 60 * 60);
  const { data } = await backupsOf(path);
  expect(data).toHaveLength(7);
  const viewed = await emulator.call("GET", `${path}/backups/${data[0]?.id}`);
  expect(viewed.body["created"]).toMatch(/T00:00:00$/);
});

test("backups are not listed while the database is provisioning", async () => {
  const { body } = await create();
  expect((await emulator.call("GET", `/databases/mysql/instances/${body.id}/backups`)).status).toBe(400);
});

test("a backup label has only letters and digits", async () => {
  const path = await createActive();
  expect(await takeBackup(path, "not-this")).toMatchObject({
    status: 400,
    body: { errors: [{ field: "label" }] },
  });
});

test("a reset changes the root password after some seconds", async () => {
  const path = await createActive();
  const before = await emulator.call("GET", `${path}/credentials`);
  expect(before.body).toEqual({ username: "root", password: expect.any(String) });
  expect((await emulator.call("POST", `${path}/credentials/reset`)).body).toEqual({});
  expect((await emulator.call("GET", `${path}/credentials`)).status).toBe(400);
  emulator.clock.advance(10);
  const after = await emulator.call("GET", `${path}/credentials`);
  expect(after.body["password"]).not.toBe(before.body["password"]);
});

test("a restore ends in active, or in failed after a credentials reset", async () => {
  const path = await createActive();
  await takeBackup(path, "first");
  const backup = (await backupsOf(path)).data.find(({ label }) => label === "first");
  const restore = () => emulator.call("POST", `${path}/backups/${backup?.id}/restore`);
  expect((await restore()).body).toEqual({});
  expect(await statusOf(path)).toBe("restoring");
  emulator.clock.advance(10 * 60);
  expect(await statusOf(path)).toBe("active");
  await emulator.call("POST", `${path}/credentials/reset`);
  emulator.clock.advance(10);
  await restore();
  emulator.clock.advance(10 * 60);
  expect(await statusOf(path)).toBe("failed");
});

test("credentials, certificate and patch require the status active", async () => {
  const path = await createActive();
  const certificate = await emulator.call<{ ca_certificate: string }>("GET", `${path}/ssl`);
  expect(Buffer.from(certificate.body.ca_certificate, "base64").toString()).toMatch(
    /^-----BEGIN CERTIFICATE/,
  );
  expect((await emulator.call("POST", `${path}/patch`)).status).toBe(200);
  const answers = await Promise.all([
    emulator.call("POST", `${path}/patch`),
    emulator.call("GET", `${path}/credentials`),
    emulator.call("GET", `${path}/ssl`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
});

test("operations that the reference shows only for MySQL answer 404 for PostgreSQL", async () => {
  const path = await createActive({ ...wanted, engine: "postgresql/14.6" }, "postgresql");
  const answers = await Promise.all([
    emulator.call("GET", `${path}/credentials`),
    emulator.call("GET", `${path}/ssl`),
    emulator.call("POST", `${path}/patch`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});
