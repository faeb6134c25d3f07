import { type Rig, everyField, type FieldCase, lifecycle, refusals, waiting } from "../helpers/lifecycle";
import { type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

interface Engine {
  readonly type: "MysqlDatabase" | "PostgresqlDatabase";
  readonly engine: string;
  readonly otherEngine: string;
  /** The version that the account shows after the service has patched the database. */
  readonly patchedVersion: string;
  /** Inputs that only this engine has and that can be set at creation. */
  readonly more: Properties;
  readonly cases: Readonly<Record<string, FieldCase | null>>;
}

/** The tests that apply to the databases of both engines. */
export function databaseClaims(
  rig: () => Rig,
  { type, engine, otherEngine, patchedVersion, more, cases }: Engine,
): void {
  const base = (): Properties => ({ region: "us-east", type: "g6-standard-1", engine });
  const label = () => `db-${rig().serial()}`;

  lifecycle(rig, {
    type,
    first: () => ({
      ...base(),
      label: label(),
      clusterSize: 3,
      encrypted: true,
      sslConnection: false,
      replicationType: "asynch",
      allowList: ["192.0.2.0/24", "10.0.0.1"],
      updates: { dayOfWeek: 3, duration: 2, frequency: "monthly", hourOfDay: 4, weekOfMonth: 2 },
      ...more,
    }),
    changed: (first) => ({
      ...first,
      label: label(),
      allowList: [],
      updates: { dayOfWeek: 5, duration: 2, frequency: "weekly", hourOfDay: 5, weekOfMonth: 1 },
    }),
    replaced: (first) => ({ ...first, region: "eu-west" }),
    ids: { unknown: "999999", malformed: "db-1" },
    different: { path: "updates.hourOfDay", value: 9 },
  });

  const window = (first: unknown, then: unknown): FieldCase => ({ change: "updates", first, then });
  describe("inputs", () => {
    everyField(rig, {
      type,
      base,
      cases: {
        label: { change: "updates", first: label, then: label },
        region: { change: "replaces", first: "us-east", then: "us-west" },
        type: { change: "replaces", first: "g6-standard-1", then: "g6-standard-2" },
        engine: {
          change: "replaces",
          first: engine,
          then: otherEngine,
          shown: null,
          patch: { version: patchedVersion },
          movesByItself: true,
        },
        clusterSize: { change: "replaces", first: 3, then: 1, removed: 1 },
        encrypted: { change: "replaces", first: true, then: false, removed: false },
        sslConnection: { change: "replaces", first: false, then: true, removed: true },
        replicationType: {
          change: "replaces",
          first: "asynch",
          then: "none",
          shows: (value) => (value === "asynch" ? "async" : value),
        },
        allowList: { change: "updates", first: ["10.0.0.1"], then: ["10.0.0.0/8"], removed: [] },
        readyWhen: null,
        "updates.dayOfWeek": window(2, 3),
        "updates.duration": window(1, 2),
        "updates.frequency": window("monthly", "weekly"),
        "updates.hourOfDay": window(5, 0),
        "updates.weekOfMonth": { ...window(1, 2), removed: null },
        ...cases,
      },
    });
  });

  refusals(rig, type, base, [
    [{ label: "db" }, 'label must be at least 3 characters long, not "db"'],
    [{ label: "x".repeat(33) }, "label must be at most 32 characters long, not 33"],
    [{ clusterSize: 2 }, "clusterSize must be 1 or 3, not 2"],
    [
      { engine: "8.0.30" },
      'engine must have the form <engine>/<version> (such as mysql/8.0.30), not "8.0.30"',
    ],
    [{ encrypted: "yes" }, 'encrypted must be true or false, not "yes"'],
    [{ allowList: "0.0.0.0/0" }, "allowList must be a list, not a string"],
    [{ updates: "weekly" }, "updates must be an object"],
    [
      { updates: { hour: 3 } },
      "updates.hour is not a property of this resource; did you mean updates.hourOfDay?",
    ],
    [
      { version: "8.0.33" },
      "version is part of engine: the API has no operation to upgrade in place, and a change of engine replaces the database",
    ],
    [
      { suspended: true },
      "suspended is not supported: the API has no operation to suspend or resume a database",
    ],
    [{ maintenanceWindow: {} }, "maintenanceWindow is not a property of this resource"],
  ]);

  waiting(rig, {
    type,
    first: base,
    during: "provisioning",
    ready: "active",
    failed: "failed",
    deleting: "suspending",
  });

  const database = async (args = base()) => {
    const resource = rig().resource(type);
    await resource.up(args);
    return resource;
  };

  test("an update waits until the database accepts it", async () => {
    const resource = await database();
    await resource.patch({ status: "backing_up" });
    rig().stopTime();
    await rig().requests();
    const updated = resource.up({ ...base(), allowList: ["10.0.0.1"] });
    await eventually("the update waits", () =>
      resource.progress().find((line) => line.startsWith("backing_up")),
    );
    expect(Object.keys(await rig().requests()).filter((operation) => operation.startsWith("PUT"))).toEqual(
      [],
    );
    await resource.patch({ status: "active" });
    rig().runTime();
    expect(await updated).toBe("updated");
    expect(await resource.live()).toMatchObject({ allow_list: ["10.0.0.1"], status: "active" });
  });

  test("an update returns when the database has finished it", async () => {
    const resource = await database();
    rig().stopTime();
    const updated = resource.up({ ...base(), allowList: ["10.0.0.1"] });
    await eventually("the update is waited for", () =>
      resource.progress().find((line) => line.startsWith("updating")),
    );
    rig().runTime();
    expect(await updated).toBe("updated");
    expect(resource.outputs).toMatchObject({ status: "active", allowList: ["10.0.0.1"] });
  });

  test("an update of a failed database fails at once", async () => {
    const resource = await database();
    await resource.patch({ status: "failed" });
    await expect(resource.up({ ...base(), allowList: ["10.0.0.1"] })).rejects.toThrow(
      new RegExp(`^update ${type} .*: its status is failed`),
    );
    expect(resource.id).not.toBe("");
  });

  test("a delete waits until the database accepts it", async () => {
    const resource = await database();
    await resource.patch({ status: "restoring" });
    rig().stopTime();
    await rig().requests();
    const deleted = resource.destroy();
    await eventually("the delete waits", () =>
      resource.progress().find((line) => line.startsWith("restoring")),
    );
    expect(Object.keys(await rig().requests()).filter((operation) => operation.startsWith("DELETE"))).toEqual(
      [],
    );
    await resource.patch({ status: "active" });
    rig().runTime();
    await deleted;
    expect(await resource.live()).toBeUndefined();
  });

  test("addresses are compared by value, in any order", async () => {
    const args = { ...base(), allowList: ["10.0.0.1", "2001:db8::1"] };
    const resource = await database(args);
    const respelt = { ...args, allowList: ["2001:DB8:0:0::1/128", "10.0.0.1/32"] };
    expect(await resource.preview(respelt)).toMatchObject({ changes: false, row: [] });
    await resource.patch({ allow_list: ["2001:db8::1/128", "10.0.0.1/32"] });
    expect(await resource.drifted()).toBe(false);
    expect(await resource.refresh()).toEqual([]);
  });

  test("a replacement creates first with an automatic name, and deletes first with a label that the program sets", async () => {
    const automatic = await database();
    expect(await automatic.preview({ ...base(), region: "us-west" })).toMatchObject({
      deleteBeforeReplace: false,
    });
    const named = await database({ ...base(), label: label() });
    const moved = { ...base(), label: named.inputs["label"], region: "us-west" };
    expect(await named.preview(moved)).toMatchObject({ deleteBeforeReplace: true });
    const renamed = { ...moved, label: label() };
    expect(await named.preview(renamed)).toMatchObject({ deleteBeforeReplace: false });
  });

  test("the preview of a replacement warns that the data is lost", async () => {
    const resource = await database();
    await resource.preview({ ...base(), region: "us-west" });
    expect(await resource.warnings()).toEqual([
      "replacing it, because region changed, and the API has no operation to change it: the database's data and backups are lost",
    ]);
  });

  test("the preview of an empty list of allowed addresses warns that it blocks all", async () => {
    const resource = await database({ ...base(), allowList: ["10.0.0.1"] });
    await resource.preview({ ...base(), allowList: [] });
    expect(await resource.warnings()).toEqual(["interrupts a service: no address may connect any more"]);
  });

  test("a label that is taken after the preview's lookup fails, and the error gives the id to import", async () => {
    await database({ ...base(), label: label() });
    const args = { ...base(), label: label() };
    const path = `/databases/${engine.split("/", 1)[0]}/instances`;
    const { body } = await rig().emulator.call<{ id: number }>("POST", path, { body: args });
    await expect(rig().resource(type).up(args)).rejects.toThrow(
      `label: is taken by another database (400). To manage the existing ${type}, give this resource the option import: "${body.id}"`,
    );
  });

  test("a label that two resources of a program share fails for the second", async () => {
    const taken = await database({ ...base(), label: label() });
    const { label: same } = taken.inputs;
    await expect(database({ ...base(), label: same })).rejects.toThrow(
      new RegExp(
        `^label "${String(same)}" is also the label of \\w+ res-\\d+ in this program, and must be unique \\[NC1301\\]$`,
      ),
    );
  });

  test("a lost answer to a creation leaves one database", async () => {
    const args = { ...base(), label: label() };
    await rig().emulator.control("POST", "/faults", {
      method: "POST",
      path: "/v4/databases/*/instances",
      effect: "drop-response",
    });
    await database(args);
    const objects = await rig().emulator.control<{ data: Properties[] }>("GET", rig().objects(type));
    expect(objects.body.data.filter((object) => object["label"] === args.label)).toHaveLength(1);
  });
}
