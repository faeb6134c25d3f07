import { type Bench, startBench } from "../helpers/lifecycle";
import { databaseBackupClaims } from "./database-backup-claims";
import { inEachWay } from "../helpers/plugin";

inEachWay((way) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench(
      { PostgresqlDatabase: "postgresql", PostgresqlDatabaseBackup: "databaseBackups" },
      {},
      way,
    );
  });
  afterAll(() => bench.stop());

  databaseBackupClaims(() => bench, {
    type: "PostgresqlDatabaseBackup",
    databases: "PostgresqlDatabase",
    engine: "postgresql/14.6",
    kind: "postgresql",
    advice: "the API has no operation to delete one, so delete it outside Pulumi",
    stays: true,
  });

  test("a delete leaves it in the account, sends nothing, and warns", async () => {
    const database = bench.resource("PostgresqlDatabase");
    await database.up({ region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6" });
    const backup = bench.resource("PostgresqlDatabaseBackup");
    await backup.up({ databaseId: database.id });
    await bench.requests();
    await backup.destroy();
    const counts = await bench.requests();
    expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
    expect(await backup.live()).toBeDefined();
    expect(await backup.warnings()).toEqual([
      `stays in the account as ${backup.id}: ` +
        "the API has no operation to delete a backup of a PostgreSQL database",
    ]);
  });
});
