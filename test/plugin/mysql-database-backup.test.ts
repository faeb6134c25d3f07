import { type Rig, startRig } from "../helpers/lifecycle";
import { databaseBackupClaims } from "./database-backup-claims";
import { inEachWay } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ MysqlDatabase: "mysql", MysqlDatabaseBackup: "databaseBackups" }, {}, way);
  });
  afterAll(() => rig.stop());

  databaseBackupClaims(() => rig, {
    type: "MysqlDatabaseBackup",
    databases: "MysqlDatabase",
    engine: "mysql/8.0.30",
    kind: "mysql",
    advice: "delete one, or give the resource that is being replaced the option deleteBeforeReplace",
    stays: false,
  });

  test("the database can restore the backup by its id", async () => {
    const args = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
    const database = rig.resource("MysqlDatabase");
    await database.up(args);
    const backup = rig.resource("MysqlDatabaseBackup");
    await backup.up({ databaseId: database.id });
    await rig.requests();
    expect(await database.up({ ...args, restoreFromBackupId: backup.id })).toBe("updated");
    expect(await rig.requests()).toMatchObject({
      "POST /v4/databases/mysql/instances/:id/backups/:id/restore": 1,
    });
  });
});
