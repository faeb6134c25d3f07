import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

interface Backup {
  id: number;
  label: string;
  type: string;
  created: string;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const STATUSES = [
  ...["provisioning", "active", "suspending", "suspended", "resuming", "restoring", "failed", "degraded"],
  ...["updating", "backing_up"],
];

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const engines = { mysql: "mysql/8.0.30", postgresql: "postgresql/14.6" };
type Engine = keyof typeof engines;
const kinds: Engine[] = ["mysql", "postgresql"];

const create = (kind: Engine = "mysql", body: object = {}) =>
  emulator.call<{ id: number }>("POST", `/databases/${kind}/instances`, {
    body: { label: `a-${kind}`, region: "us-east", type: "g6-standard-1", engine: engines[kind], ...body },
  });

async function active(kind: Engine = "mysql", body: object = {}) {
  const { id } = (await create(kind, body)).body;
  emulator.clock.advance(25 * MINUTE);
  return `/databases/${kind}/instances/${id}`;
}

const view = async (path: string) => (await emulator.call("GET", path)).body;
const backups = async (path: string) =>
  (await emulator.call<{ data: Backup[] }>("GET", `${path}/backups`)).body.data;
const snapshots = async (path: string) => (await backups(path)).filter(({ type }) => type === "snapshot");

async function takeSnapshot(path: string, label: string) {
  const answer = await emulator.call("POST", `${path}/backups`, { body: { label } });
  emulator.clock.advance(5 * MINUTE);
  return answer;
}

function setStatus(path: string, status: string) {
  const [, , kind = "", , id = ""] = path.split("/");
  return emulator.control("PATCH", `/objects/${kind}/${id}`, { status });
}

const REFUSED = { status: 400, body: { errors: [{ reason: expect.stringMatching(/status/) }] } };

/** The operations that require a status: the end of their path, the accepted statuses, and a body. */
const REQUIREMENTS: readonly (readonly [string, string, string, readonly string[], object?])[] = [
  ["update", "PUT", "", ["active"], { allow_list: [] }],
  ["delete", "DELETE", "", ["active", "failed", "degraded"]],
  ["backups list", "GET", "/backups", STATUSES.filter((status) => status !== "provisioning")],
  ["snapshot create", "POST", "/backups", ["active"], { label: "more" }],
  ["backup view", "GET", "/backups/{backup}", STATUSES.filter((status) => status !== "provisioning")],
  ["backup delete", "DELETE", "/backups/{backup}", STATUSES.filter((status) => status !== "provisioning")],
  ["restore", "POST", "/backups/{backup}/restore", ["active", "degraded", "failed"]],
  ["credentials view", "GET", "/credentials", ["active"]],
  ["patch", "POST", "/patch", ["active"]],
  ["SSL certificate view", "GET", "/ssl", ["active"]],
];

const shared = ["update", "delete", "backups list", "snapshot create"];
const required = kinds.flatMap((kind) =>
  REQUIREMENTS.filter(([name]) => kind === "mysql" || shared.includes(name)).map(
    ([name, method, rest, accepted, body]) => ({
      title: `${kind} ${name}`,
      kind,
      method,
      rest,
      accepted,
      body,
    }),
  ),
);

test.each(required)("$title requires one of the statuses $accepted", async (operation) => {
  const { kind, method, rest, accepted, body } = operation;
  for (const status of STATUSES) {
    const path = await active(kind, { label: `s-${status}` });
    await takeSnapshot(path, "first");
    const backup = (await snapshots(path))[0]?.id;
    await setStatus(path, status);
    const answer = await emulator.call(method, path + rest.replace("{backup}", String(backup)), { body });
    expect({ in: status, ...answer }).toMatchObject({
      in: status,
      ...(accepted.includes(status) ? { status: 200 } : REFUSED),
    });
  }
});

test("a credentials reset requires no status", async () => {
  for (const status of STATUSES) {
    const path = await active("mysql", { label: `s-${status}` });
    await setStatus(path, status);
    expect((await emulator.call("POST", `${path}/credentials/reset`)).status).toBe(200);
  }
});

test.each(kinds)(
  "a %s database is provisioning for 15 to 30 minutes, and has its hosts afterwards",
  async (kind) => {
    const { id } = (await create(kind, { cluster_size: 3 })).body;
    const path = `/databases/${kind}/instances/${id}`;
    emulator.clock.advance(15 * MINUTE);
    expect(await view(path)).toMatchObject({
      status: "provisioning",
      hosts: { primary: null, secondary: null },
    });
    emulator.clock.advance(15 * MINUTE);
    const hosts = { primary: expect.any(String), secondary: expect.any(String) };
    expect(await view(path)).toMatchObject({ status: "active", hosts });
  },
);

test("a label is unique across both kinds of databases, at creation and update", async () => {
  const taken = { status: 400, body: { errors: [{ field: "label" }] } };
  const path = await active("mysql", { label: "first" });
  await active("postgresql", { label: "second" });
  expect(await create("mysql", { label: "first" })).toMatchObject(taken);
  expect(await create("postgresql", { label: "first" })).toMatchObject(taken);
  expect(await emulator.call("PUT", path, { body: { label: "second" } })).toMatchObject(taken);
  expect((await emulator.call("PUT", path, { body: { label: "first" } })).status).toBe(200);
});

test.each(kinds)(
  "an update of a %s database overwrites the allow_list, and takes a short time",
  async (kind) => {
    const path = await active(kind, { allow_list: ["192.0.2.1", "192.0.2.2"] });
    const { body } = await emulator.call("PUT", path, { body: { allow_list: ["0.0.0.0/0"] } });
    expect(body).toMatchObject({ allow_list: ["0.0.0.0/0"] });
    const again = { body: { allow_list: [] } };
    expect(await emulator.call("PUT", path, again)).toMatchObject(REFUSED);
    emulator.clock.advance(MINUTE);
    expect((await emulator.call("PUT", path, again)).body).toMatchObject({ allow_list: [] });
  },
);

test("parts of the maintenance window can be updated separately", async () => {
  const path = await active();
  const updates = { day_of_week: 3, duration: 1, frequency: "monthly", hour_of_day: 4, week_of_month: 2 };
  expect((await emulator.call("PUT", path, { body: { updates } })).body).toMatchObject({ updates });
});

describe("automatic backups", () => {
  /** Moves the clock to the next 00:00 UTC. */
  function toMidnight() {
    const now = emulator.clock.now();
    emulator.clock.advance(((Math.floor(now / 1000 / DAY) + 1) * DAY * 1000 - now) / 1000);
  }

  test.each(kinds)("of a %s database are created every 24 hours at 00:00 UTC, of type auto", async (kind) => {
    const path = await active(kind);
    toMidnight();
    emulator.clock.advance(-0.001);
    const before = (await backups(path)).length;
    emulator.clock.advance(0.001);
    const created = emulator.clock.date();
    expect(created).toMatch(/T00:00:00$/);
    expect((await backups(path)).slice(before)).toEqual([expect.objectContaining({ type: "auto", created })]);
    emulator.clock.advance(DAY);
    expect((await backups(path)).at(-1)).toMatchObject({ type: "auto", created: emulator.clock.date() });
  });

  test("are kept for 7 days: at most seven are stored, however often they are listed", async () => {
    const path = await active();
    toMidnight();
    for (let day = 0; day < 9; day++) {
      emulator.clock.advance(DAY / 2);
      expect((await backups(path)).length).toBe(Math.min(day + 1, 7));
      emulator.clock.advance(DAY / 2);
      expect((await backups(path)).length).toBe(Math.min(day + 2, 7));
    }
    const [oldest] = await backups(path);
    emulator.clock.advance(DAY);
    expect((await emulator.call("GET", `${path}/backups/${oldest?.id}`)).status).toBe(404);
  });

  test("do not count towards the limit of three snapshots, and do not displace snapshots", async () => {
    const path = await active();
    for (const label of ["one", "two"]) await takeSnapshot(path, label);
    emulator.clock.advance(20 * DAY);
    expect((await takeSnapshot(path, "three")).status).toBe(200);
    expect((await snapshots(path)).map(({ label }) => label)).toEqual(["one", "two", "three"]);
    expect((await backups(path)).length).toBe(10);
  });
});

describe("snapshots", () => {
  test.each(kinds)("of a %s database: at most 3, and another after a deletion", async (kind) => {
    const path = await active(kind);
    for (const label of ["one", "two", "three"]) expect((await takeSnapshot(path, label)).status).toBe(200);
    expect((await takeSnapshot(path, "four")).status).toBe(400);
    expect(await snapshots(path)).toHaveLength(3);
    if (kind === "postgresql") return;
    await emulator.call("DELETE", `${path}/backups/${(await snapshots(path))[0]?.id}`);
    expect((await takeSnapshot(path, "four")).status).toBe(200);
  });

  test("one at a time: another in progress must finish first", async () => {
    const path = await active();
    await emulator.call("POST", `${path}/backups`, { body: { label: "one" } });
    emulator.clock.advance(5 * MINUTE - 1);
    expect(await emulator.call("POST", `${path}/backups`, { body: { label: "two" } })).toMatchObject(REFUSED);
    emulator.clock.advance(1);
    expect((await emulator.call("POST", `${path}/backups`, { body: { label: "two" } })).status).toBe(200);
  });

  test.each(["primary", "secondary"])("can be taken of the target %s", async (target) => {
    const path = await active("mysql", { cluster_size: 3 });
    const body = { label: "one", target };
    expect((await emulator.call("POST", `${path}/backups`, { body })).status).toBe(200);
  });
});

test("a backup is found only under its own database", async () => {
  const [path, other] = [
    await active("mysql", { label: "first" }),
    await active("mysql", { label: "second" }),
  ];
  await takeSnapshot(path, "one");
  const id = (await snapshots(path))[0]?.id;
  expect((await emulator.call("GET", `${path}/backups/${id}`)).status).toBe(200);
  for (const [method, rest] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/restore"],
  ]) {
    expect((await emulator.call(method ?? "", `${other}/backups/${id}${rest}`)).status).toBe(404);
  }
});

test("the deletion of a database deletes its backups", async () => {
  const path = await active();
  await takeSnapshot(path, "one");
  const id = (await snapshots(path))[0]?.id;
  await emulator.call("DELETE", path);
  emulator.clock.advance(30);
  expect((await emulator.call("GET", path)).status).toBe(404);
  expect((await emulator.control("GET", `/objects/databaseBackups/${id}`)).status).toBe(404);
});

test.each(["degraded", "failed"])("after a restore, a %s database is active again", async (status) => {
  const path = await active();
  await takeSnapshot(path, "one");
  await setStatus(path, status);
  await emulator.call("POST", `${path}/backups/${(await snapshots(path))[0]?.id}/restore`);
  expect(await view(path)).toMatchObject({ status: "restoring" });
  emulator.clock.advance(10 * MINUTE);
  expect(await view(path)).toMatchObject({ status: "active" });
});

test("engines are listed and viewed as <engine>/<version>", async () => {
  const { body } = await emulator.call<{ data: { id: string; engine: string; version: string }[] }>(
    "GET",
    "/databases/engines",
  );
  expect(new Set(body.data.map(({ engine }) => engine))).toEqual(new Set(["mysql", "postgresql"]));
  for (const { id, engine, version } of body.data) {
    expect(id).toBe(`${engine}/${version}`);
    expect((await emulator.call("GET", `/databases/engines/${id}`)).body).toEqual({ id, engine, version });
  }
});
