import { UNKNOWN } from "../../src/provider/base/values";
import { type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";
import { databaseClaims } from "./database-claims";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ MysqlDatabase: "mysql" }, {}, way);
  });
  afterAll(() => rig.stop());

  databaseClaims(() => rig, {
    type: "MysqlDatabase",
    engine: "mysql/8.0.30",
    otherEngine: "mysql/5.7.39",
    patchedVersion: "8.0.33",
    more: { credentialsResetTrigger: "first", patchTrigger: 1 },
    cases: {
      credentialsResetTrigger: { change: "updates", first: "one", then: 2, shown: null },
      patchTrigger: { change: "updates", first: false, then: true, shown: null },
      // A backup belongs to one database, which exists only after the first `up`: see below.
      restoreFromBackupId: null,
    },
  });

  const base = (): Properties => ({ region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" });
  const database = async (args: Properties = base()) => {
    const resource = rig.resource("MysqlDatabase");
    await resource.up(args);
    return resource;
  };
  const count = async (operation: string) => (await rig.requests())[operation] ?? 0;

  test("shows the root user, its password and the certificate", async () => {
    const resource = await database();
    const live = await resource.live();
    expect(resource.outputs).toMatchObject({ rootUsername: "root", rootPassword: live?.["root_password"] });
    expect(Buffer.from(String(resource.outputs["caCertificate"]), "base64").toString()).toContain(
      "CERTIFICATE",
    );
  });

  test("keeps its password while a refresh finds the database busy", async () => {
    const resource = await database();
    const { rootPassword } = resource.outputs;
    await resource.patch({ status: "updating" });
    expect(await resource.refresh()).toEqual([]);
    expect(resource.outputs).toMatchObject({ status: "updating", rootPassword });
  });

  test("credentialsResetTrigger resets the password when it changes, and only then", async () => {
    const args = { ...base(), credentialsResetTrigger: "one" };
    await rig.requests();
    const resource = await database(args);
    const { rootPassword } = resource.outputs;
    await resource.up({ ...args, allowList: ["10.0.0.1"] });
    const reset = "POST /v4/databases/mysql/instances/:id/credentials/reset";
    expect(await count(reset)).toBe(0);
    await resource.up({ ...args, allowList: ["10.0.0.1"], credentialsResetTrigger: "two" });
    expect(await count(reset)).toBe(1);
    expect(resource.outputs["rootPassword"]).not.toBe(rootPassword);
    expect(resource.outputs["rootPassword"]).toBe((await resource.live())?.["root_password"]);
  });

  test("patchTrigger patches when it changes, and only then", async () => {
    await rig.requests();
    const resource = await database({ ...base(), patchTrigger: 1 });
    const patch = "POST /v4/databases/mysql/instances/:id/patch";
    expect(await count(patch)).toBe(0);
    await resource.up({ ...base(), patchTrigger: 2 });
    expect(await count(patch)).toBe(1);
    expect(resource.outputs["status"]).toBe("active");
  });

  test.each([
    [
      "credentialsResetTrigger",
      "clients with the old root password can no longer connect, and a later restore makes the database fail",
    ],
    ["patchTrigger", "the patch takes the database down"],
  ])("the preview of another %s warns of the interruption", async (trigger, line) => {
    const resource = await database();
    await resource.preview({ ...base(), [trigger]: 1 });
    expect(await resource.warnings()).toEqual([`interrupts a service: ${line}`]);
  });

  const withBackup = async () => {
    const resource = await database();
    const path = `/databases/mysql/instances/${resource.id}/backups`;
    await rig.emulator.call("POST", path, { body: { label: "one" } });
    // The service's own daily backups soon disappear.
    const backupId = await eventually("the backup is listed", async () => {
      const { body } = await rig.emulator.call<{ data: { id: number; type: string }[] }>("GET", path);
      return body.data.find(({ type }) => type === "snapshot")?.id;
    });
    return { resource, backupId };
  };

  test("restoreFromBackupId restores when it changes, and the preview warns of the loss", async () => {
    const { resource, backupId } = await withBackup();
    const args = { ...base(), restoreFromBackupId: backupId };
    expect(await resource.preview(args)).toMatchObject({ changes: true, replaces: [] });
    expect(await resource.warnings()).toEqual([
      "loses data: restoring a backup erases all current data, and permanently fails the database if its credentials have been reset",
    ]);
    await rig.requests();
    expect(await resource.up(args)).toBe("updated");
    expect(await count("POST /v4/databases/mysql/instances/:id/backups/:id/restore")).toBe(1);
    expect(resource.outputs["status"]).toBe("active");
    expect(await resource.preview(args)).toMatchObject({ changes: false });
    const number = String(backupId).split("/").at(-1);
    for (const respelt of [String(number), `${resource.id}/${number}`])
      expect(await resource.preview({ ...base(), restoreFromBackupId: respelt })).toMatchObject({
        row: [],
        changes: false,
      });
  });

  test("restoreFromBackupId of another database is refused, also in the preview, although the number is that of an own backup", async () => {
    const { resource, backupId } = await withBackup();
    const number = String(backupId).split("/").at(-1);
    const args = { ...base(), restoreFromBackupId: `999/${number}` };
    await rig.requests();
    const refusal = `restoreFromBackupId is a backup of the MysqlDatabase 999, and the service restores only a database's own backups: use the id of one of the MysqlDatabase ${resource.id}`;
    await expect(resource.preview(args)).rejects.toThrow(refusal);
    await expect(resource.up(args)).rejects.toThrow(refusal);
    expect(await count("POST /v4/databases/mysql/instances/:id/backups/:id/restore")).toBe(0);
    expect(await resource.up({ ...base(), restoreFromBackupId: `${resource.id}/${number}` })).toBe("updated");
  });

  test("restoreFromBackupId must be the id of a backup", async () => {
    const { failures } = await rig
      .resource("MysqlDatabase")
      .check({ ...base(), restoreFromBackupId: "latest" });
    expect(failures.map(({ reason }) => reason)).toEqual([
      'restoreFromBackupId must be the id of a backup (a whole number, or databaseId/backupId), not "latest" [NC1101]',
    ]);
  });

  test.each(["12/34", 34])(
    "restoreFromBackupId %s is refused at a creation and at a replacement, and adopted databases keep it",
    async (restoreFromBackupId) => {
      const none = [
        {
          property: "",
          reason: `restoreFromBackupId cannot restore the backup ${restoreFromBackupId} to a new database: a new database has no backups, and the service restores only a database's own; remove restoreFromBackupId [NC1101]`,
        },
      ];
      const args = { ...base(), restoreFromBackupId };
      expect((await rig.resource("MysqlDatabase").check(args)).failures).toEqual(none);
      const made = await database();
      const moved = made.up({ ...args, region: "eu-west" });
      await expect(moved).rejects.toThrow("a new database has no backups");
      await rig.restart();
      await rig.resource("MysqlDatabase").up({ ...args, label: made.inputs["label"] }, { import: made.id });
    },
  );

  test("the preview of a creation warns of a restoreFromBackupId that is not known yet", async () => {
    const resource = rig.resource("MysqlDatabase");
    expect((await resource.check({ ...base(), restoreFromBackupId: UNKNOWN })).failures).toEqual([]);
    expect(await resource.warnings()).toEqual([
      "restoreFromBackupId is not known yet, and `pulumi up` refuses every backup: a new database has no backups, and the service restores only a database's own; remove restoreFromBackupId",
    ]);
  });

  test("the root password cannot be set, and the failed check does not show the value", async () => {
    const { failures } = await rig.resource("MysqlDatabase").check({ ...base(), rootPassword: "hush" });
    expect(failures).toEqual([
      {
        property: "",
        reason:
          "rootPassword cannot be set: the API generates it, and a new one whenever credentialsResetTrigger changes [NC1101]",
      },
    ]);
  });

  test("a failed database accepts a restore, and is active afterwards", async () => {
    const { resource, backupId } = await withBackup();
    await resource.patch({ status: "failed" });
    expect(await resource.up({ ...base(), restoreFromBackupId: backupId })).toBe("updated");
    expect(resource.outputs["status"]).toBe("active");
  });

  test("a restore after a reset of the credentials makes the database fail, and the error says so at once", async () => {
    const { resource, backupId } = await withBackup();
    await resource.up({ ...base(), credentialsResetTrigger: 1 });
    const restored = resource.up({ ...base(), credentialsResetTrigger: 1, restoreFromBackupId: backupId });
    await expect(restored).rejects.toThrow(
      `restore backup ${backupId} to MysqlDatabase ${resource.id}: the database is failed, as after a reset of its credentials.`,
    );
    expect(resource.initFailed).toBe(true);
  });

  test("the triggers of an imported database run when they are set", async () => {
    const made = await database();
    const args = { ...base(), label: made.inputs["label"] };
    const adopted = rig.resource("MysqlDatabase");
    await adopted.up(args, { import: made.id });
    await rig.requests();
    expect(await adopted.up({ ...args, patchTrigger: 1 })).toBe("updated");
    expect(await count("POST /v4/databases/mysql/instances/:id/patch")).toBe(1);
  });
});
