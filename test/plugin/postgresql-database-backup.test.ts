import { type Rig, startRig } from "../helpers/lifecycle";
import { databaseBackupClaims } from "./database-backup-claims";
import { inEachWay } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig(
      { PostgresqlDatabase: "postgresql", PostgresqlDatabaseBackup: "databaseBackups" },
      {},
      way,
    );
  });
  afterAll(() => rig.stop());

  databaseBackupClaims(() => rig, {
    type: "PostgresqlDatabaseBackup",
    databases: "PostgresqlDatabase",
    engine: "postgresql/14.6",
    kind: "postgresql",
    advice: "the API has no operation to delete one, so delete it outside Pulumi",
    stays: true,
  });

  test("a delete leaves it in the account, sends nothing, and warns", async () => {
    const database = rig.resource("PostgresqlDatabase");
    await database.up({ region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6" });
    const backup = rig.resource("PostgresqlDatabaseBackup");
    await backup.up({ databaseId: database.id });
    await rig.requests();
    await backup.destroy();
    const counts = await rig.requests();
    expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
    expect(await backup.live()).toBeDefined();
    expect(await backup.warnings()).toEqual([
      `stays in the account as ${backup.id}, until PostgresqlDatabase ${database.id} is deleted: ` +
        "the API has no operation to delete a backup of a PostgreSQL database",
    ]);
  });
});
