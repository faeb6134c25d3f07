import { type Rig, everyField, lifecycle, type Managed, type Options, refusals } from "../helpers/lifecycle";
import { eventually } from "../helpers/programs";

interface Engine {
  readonly type: "MysqlDatabaseBackup" | "PostgresqlDatabaseBackup";
  readonly databases: "MysqlDatabase" | "PostgresqlDatabase";
  readonly engine: string;
  /** The path of the operations below `/databases/`. */
  readonly kind: "mysql" | "postgresql";
  /** The end of the message about a fourth backup, after the names of the three. */
  readonly advice: string;
  readonly stays: boolean;
}

/** The tests that apply to the backups of both engines. */
export function databaseBackupClaims(
  rig: () => Rig,
  { type, databases, engine, kind, advice, stays }: Engine,
): void {
  const aDatabase = async (): Promise<Managed> => {
    const database = rig().resource(databases);
    await database.up({ region: "us-east", type: "g6-standard-1", engine });
    return database;
  };
  const base = async () => ({ databaseId: (await aDatabase()).id });
  const snapshots = async (databaseId: string) => {
    const path = `/databases/${kind}/instances/${databaseId}/backups`;
    const { body } = await rig().emulator.call<{ data: { id: number; label: string; type: string }[] }>(
      "GET",
      path,
    );
    return body.data.filter((backup) => backup.type === "snapshot");
  };
  const labels = async (databaseId: string) => (await snapshots(databaseId)).map(({ label }) => label);
  /** The service refuses it while the previous backup is being taken. */
  const takeByHand = (databaseId: string, label: string) =>
    eventually(`the backup ${label} is taken`, async () => {
      const path = `/databases/${kind}/instances/${databaseId}/backups`;
      const { status } = await rig().emulator.call("POST", path, { body: { label } });
      return status === 200 ? true : undefined;
    });
  const asked = `POST /v4/databases/${kind}/instances/:id/backups`;
  const stopClock = () => rig().stopTime();
  const runClock = () => rig().runTime();
  afterEach(runClock);

  lifecycle(rig, {
    type,
    first: async () => ({
      ...(await base()),
      label: "before",
      target: "secondary",
      triggers: { release: 1 },
    }),
    replaced: (first) => ({ ...first, triggers: { release: 2 } }),
    ids: { unknown: "1/999999", malformed: "17" },
    different: { path: "label", value: "after" },
    stays,
  });

  describe("inputs", () => {
    everyField(rig, {
      type,
      base,
      cases: {
        databaseId: {
          change: "replaces",
          first: async () => (await aDatabase()).id,
          then: async () => (await aDatabase()).id,
          shown: null,
        },
        label: { change: "replaces", first: "one", then: "two" },
        target: { change: "replaces", first: "secondary", then: "primary", shown: null, removed: "primary" },
        triggers: { change: "replaces", first: { release: 1 }, then: { release: 2 }, shown: null },
      },
    });
  });

  refusals(rig, type, () => ({ databaseId: 1 }), [
    [{ databaseId: "db" }, 'databaseId must be the id of a database (a whole number), not "db"'],
    [{ label: "" }, "label must not be empty"],
    [{ label: "x".repeat(31) }, "label must be at most 30 characters long, not 31"],
    [{ label: "before-upgrade" }, 'label must consist of ASCII letters and numbers, not "before-upgrade"'],
    [{ target: "tertiary" }, 'target must be primary or secondary, not "tertiary"'],
    [{ lable: "one" }, "lable is not a property of this resource; did you mean label?"],
  ]);

  test("the request carries label and target, and nothing else", async () => {
    const args = { ...(await base()), label: "night", target: "secondary", triggers: { release: 1 } };
    await rig().requests();
    await rig().resource(type).up(args);
    const { body } = await rig().emulator.control<{ last: { method: string; body: unknown }[] }>(
      "GET",
      "/requests",
    );
    expect(body.last.filter(({ method }) => method === "POST").map((request) => request.body)).toEqual([
      { label: "night", target: "secondary" },
    ]);
  });

  /** Starts a creation that does not end by itself, and returns when the service has accepted the request. */
  const begin = async (options?: Options) => {
    const args = { ...(await base()), label: "slow" };
    const resource = rig().resource(type);
    stopClock();
    await rig().requests();
    const created = resource.up(args, options);
    // The test may handle a rejection later.
    created.catch(() => undefined);
    await eventually("it is waited for until it is listed", () =>
      resource.progress().find((line) => line.includes("until it is listed")),
    );
    return { args, resource, created };
  };

  test("a creation returns when the API lists the backup, and its row shows what it waits for", async () => {
    const { args, resource, created } = await begin();
    expect(resource.progress().at(-1)).toMatch(
      /^database backing_up \d+ s of several minutes, waiting until it is listed$/,
    );
    expect(await labels(args.databaseId)).toEqual([]);
    runClock();
    await created;
    expect(await labels(args.databaseId)).toEqual(["slow"]);
    expect(resource.outputs).toMatchObject({ label: "slow", type: "snapshot" });
  });

  test("after a timeout of a creation, the next up resumes and takes no second backup", async () => {
    const { args, resource, created } = await begin({ customTimeouts: { create: "1s" } });
    // The time of the account stands still.
    rig().clock.release();
    await expect(created).rejects.toThrow(
      new RegExp(
        `^create ${type} slow of database ${args.databaseId}: after 1 s it is still waiting until it is listed; ` +
          "the database is backing_up. The next `pulumi up` on this machine continues to wait. " +
          "To wait longer, set customTimeouts.create",
      ),
    );
    // The state has no id to keep.
    expect([resource.id, resource.initFailed]).toEqual(["", false]);
    stopClock();
    const before = resource.progress().length;
    const again = resource.up(args);
    await eventually("the next up waits", () => resource.progress()[before]);
    runClock();
    expect(await again).toBe("created");
    expect((await rig().requests())[asked]).toBe(1);
    expect(await labels(args.databaseId)).toEqual(["slow"]);
    expect(await resource.preview(args)).toMatchObject({ changes: false });
  });

  test("a creation sends its request only when the database accepts it", async () => {
    const database = await aDatabase();
    await database.patch({ status: "updating" });
    const resource = rig().resource(type);
    stopClock();
    await rig().requests();
    const created = resource.up({ databaseId: database.id });
    await eventually("the creation waits", () =>
      resource.progress().find((line) => line.startsWith("database updating")),
    );
    expect(await rig().requests()).not.toHaveProperty([asked]);
    await database.patch({ status: "active" });
    runClock();
    await created;
    expect(await labels(database.id)).toEqual([resource.outputs["label"]]);
  });

  test("a creation that times out while it waits for the database has sent no request, and says so", async () => {
    const database = await aDatabase();
    await database.patch({ status: "updating" });
    const failed = rig()
      .resource(type)
      .up({ databaseId: database.id }, { customTimeouts: { create: "1s" } });
    await expect(failed).rejects.toThrow(
      /after 1 s it is still waiting until the database is active; the database is updating\. Nothing was created; the next `pulumi up` tries again\./,
    );
    expect(await labels(database.id)).toEqual([]);
  });

  test("a backup of a failed or missing database fails at once", async () => {
    const database = await aDatabase();
    await database.patch({ status: "failed" });
    const of = (databaseId: string) => rig().resource(type).up({ databaseId, label: "one" });
    await expect(of(database.id)).rejects.toThrow(
      `create ${type} one of database ${database.id}: the database is failed, which does not change by itself`,
    );
    await expect(of("999999")).rejects.toThrow("databaseId names the database 999999, which does not exist");
  });

  test("the backups of one database are taken one after the other, without a refusal", async () => {
    const database = await aDatabase();
    const backups = Array.from({ length: 3 }, () => rig().resource(type));
    // Each takes a twentieth of a second, so all start before the first one ends.
    rig().emulator.clock.setSpeed(6_000);
    await rig().requests();
    await Promise.all(backups.map((backup) => backup.up({ databaseId: database.id })));
    expect((await rig().requests())[asked]).toBe(3);
    expect(new Set(backups.map(({ id }) => id)).size).toBe(3);
    expect((await labels(database.id)).sort()).toEqual(
      backups.map(({ outputs }) => String(outputs["label"])).sort(),
    );
  });

  test("a backup and an update of one database both succeed in one up", async () => {
    const database = await aDatabase();
    rig().emulator.clock.setSpeed(6_000);
    const backup = rig().resource(type);
    await Promise.all([
      backup.up({ databaseId: database.id }),
      database.up({ region: "us-east", type: "g6-standard-1", engine, allowList: ["10.0.0.1"] }),
    ]);
    expect(await labels(database.id)).toEqual([backup.outputs["label"]]);
    expect(await database.live()).toMatchObject({ allow_list: ["10.0.0.1"], status: "active" });
  });

  test("backups with equal labels get separate objects, and none takes an existing object", async () => {
    const { databaseId } = await base();
    await takeByHand(databaseId, "same");
    const [one, two] = [rig().resource(type), rig().resource(type)];
    await Promise.all([one.up({ databaseId, label: "same" }), two.up({ databaseId, label: "same" })]);
    const [byHand, ...ids] = (await snapshots(databaseId)).map(({ id }) => `${databaseId}/${id}`);
    expect([one.id, two.id].sort()).toEqual(ids.sort());
    expect(ids).not.toContain(byHand);
  });

  test("a fourth backup fails, and the error names the three existing backups and what to do", async () => {
    const { databaseId } = await base();
    for (const label of ["a", "b", "c"]) await takeByHand(databaseId, label);
    await rig().requests();
    const refused = rig().resource(type).up({ databaseId, label: "d" });
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^create ${type} d of database ${databaseId}: A database can have up to 3 snapshots: delete one first\\. \\(400\\)\\. ` +
          `The database already has a \\(${databaseId}/\\d+\\), b \\(.*\\), c \\(.*\\): ${advice} \\[NC1005\\]$`,
      ),
    );
    expect((await rig().requests())[asked]).toBe(1);
  });

  test("a lost answer to a creation leaves one backup", async () => {
    const args = { ...(await base()), label: "lost" };
    const faults = {
      method: "POST",
      path: `/v4/databases/${kind}/instances/*/backups`,
      effect: "drop-response",
    };
    await rig().emulator.control("POST", "/faults", faults);
    const resource = rig().resource(type);
    await resource.up(args);
    expect(await labels(args.databaseId)).toEqual(["lost"]);
    expect(await resource.live()).toMatchObject({ label: "lost" });
  });

  test("a refusal names the input, and the request is not retried", async () => {
    await rig().emulator.control("POST", "/faults", {
      method: "POST",
      path: `/v4/databases/${kind}/instances/*/backups`,
      effect: { status: 400, body: { errors: [{ reason: "is reserved", field: "label" }] } },
    });
    await rig().requests();
    const refused = rig()
      .resource(type)
      .up({ ...(await base()), label: "auto" });
    await expect(refused).rejects.toThrow(
      /^create .* auto of database \d+: label: is reserved \(400\) \[NC1005\]$/,
    );
    expect((await rig().requests())[asked]).toBe(1);
  });

  test("is gone when the service drops it", async () => {
    const resource = rig().resource(type);
    await resource.up(await base());
    await rig().emulator.control("DELETE", `${rig().objects(type)}/${resource.id}`);
    expect(await resource.drifted()).toBe(true);
    expect(await resource.refresh()).toBeUndefined();
    await resource.destroy();
  });

  test("is gone when its database is gone", async () => {
    const database = await aDatabase();
    const resource = rig().resource(type);
    await resource.up({ databaseId: database.id });
    await rig().restart();
    await database.destroy();
    expect(await resource.refresh()).toBeUndefined();
    await resource.destroy();
  });

  test("a refresh and a delete wait while the database is provisioning", async () => {
    const database = await aDatabase();
    const resource = rig().resource(type);
    await resource.up({ databaseId: database.id });
    for (const step of [() => resource.refresh(), () => resource.destroy()]) {
      await database.patch({ status: "provisioning" });
      stopClock();
      const before = resource.progress().length;
      const done = step();
      await eventually("it waits", () => resource.progress()[before]);
      expect(resource.progress()[before]).toBe("database provisioning");
      await database.patch({ status: "active" });
      runClock();
      await done;
    }
    expect((await resource.live()) === undefined).toBe(!stays);
  });

  test("setting a write-only input of an imported backup replaces nothing", async () => {
    const args = { ...(await base()), label: "adopt" };
    const made = rig().resource(type);
    await made.up({ ...args, target: "secondary" });
    const adopted = rig().resource(type);
    await adopted.up(args, { import: made.id });
    const more = { target: "secondary", triggers: { release: 1 } };
    expect(await adopted.preview({ ...args, ...more })).toMatchObject({ changes: false, replaces: [] });
  });

  test("setting the default target is not a change", async () => {
    const args = await base();
    const resource = rig().resource(type);
    await resource.up(args);
    expect(await resource.preview({ ...args, target: "primary" })).toMatchObject({ changes: false });
    expect(await resource.preview({ ...args, target: "secondary" })).toMatchObject({ replaces: ["target"] });
  });

  test("a replacement takes the new backup before it deletes the old one", async () => {
    const args = { ...(await base()), label: "same" };
    const resource = rig().resource(type);
    await resource.up(args);
    expect(await resource.preview({ ...args, triggers: { release: 2 } })).toMatchObject({
      replaces: ["triggers"],
      deleteBeforeReplace: false,
    });
  });
}
