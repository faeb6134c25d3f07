import { eventually } from "../../helpers/programs";
import { READER, withReader } from "../../helpers/emulator";
import { type Managed, type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { refusalOf } from "../collection/zone";

const DATABASE = { region: "us-east", type: "g6-standard-1" };
const HIDDEN = "the token may not read what needs the scope databases:read_write";

inEachWay((way) => {
  let rig: Rig;
  const configuration: Record<string, string> = {};
  let backups: [Managed, Properties][];
  let database: Managed;

  /** Starts another plugin with this token. */
  const as = async (token: string) => {
    configuration["nodecloud:token"] = token;
    await rig.restart();
  };
  const said = (manner: "warning" | "info") =>
    rig.plugin.logs.filter(({ message, severity }) => severity === manner && message.includes(HIDDEN));
  const isSaid = (manner: "warning" | "info") =>
    eventually("it says so", () => (said(manner).length > 0 ? true : undefined));

  beforeAll(async () => {
    const accounts = withReader();
    rig = await startRig({}, { accounts }, way, { configuration });
    database = rig.resource("MysqlDatabase");
    const other = rig.resource("PostgresqlDatabase");
    await database.up({ ...DATABASE, engine: "mysql/8.0.30" });
    await other.up({ ...DATABASE, engine: "postgresql/14.6" });
    const args = [database.id, database.id, other.id].map((databaseId, at) => ({
      databaseId,
      label: `backup${at}`,
    }));
    backups = args.map((one, at) => [
      rig.resource(at < 2 ? "MysqlDatabaseBackup" : "PostgresqlDatabaseBackup"),
      one,
    ]);
    for (const [backup, inputs] of backups) await backup.up(inputs);
  });
  afterAll(() => rig.stop());
  beforeEach(() => as(READER));

  test("a refresh with a read_only token keeps the state of database backups, and warns of it once", async () => {
    for (const [backup] of backups) {
      const { label, created } = backup.outputs;
      expect(await backup.refresh()).toEqual([]);
      expect(backup.inputs).toMatchObject({ label, databaseId: backup.id.split("/")[0] });
      expect(backup.outputs).toMatchObject({ label, created, type: "snapshot" });
      expect(await backup.drifted()).toBe(false);
    }
    await isSaid("warning");
    expect([said("warning"), said("info")]).toMatchObject([{ length: 1 }, { length: 0 }]);
  });

  test("a preview with a read_only token goes through with new, unchanged and renamed backups", async () => {
    const [[backup, args]] = backups as [[Managed, Properties]];
    expect(await backup.preview(args)).toMatchObject({ changes: false });
    expect(await backup.preview({ databaseId: args["databaseId"] })).toMatchObject({ replaces: [] });
    expect(await backup.previewOfUpdate({ databaseId: args["databaseId"] })).toBeDefined();
    expect(await backup.preview({ ...args, label: "other" })).toMatchObject({
      replaces: [expect.stringContaining("label")],
    });
    expect((await rig.resource("MysqlDatabaseBackup").check({ databaseId: database.id })).failures).toEqual(
      [],
    );
    await isSaid("info");
    expect([said("warning"), said("info")]).toMatchObject([{ length: 0 }, { length: 1 }]);
  });

  test("the preview of a restore with a read_only token does not say that the backup is missing", async () => {
    const [[backup]] = backups as [[Managed, Properties]];
    const args = { ...DATABASE, engine: "mysql/8.0.30", restoreFromBackupId: backup.id };
    expect(await database.preview(args)).toMatchObject({ changes: true });
  });

  test("what writes fails with a read_only token, before anything is sent", async () => {
    const [[backup, args]] = backups as [[Managed, Properties]];
    rig.emulator.reset("requests");
    expect(await refusalOf(rig.resource("MysqlDatabaseBackup").up({ databaseId: database.id }))).toContain(
      "databases:read_write",
    );
    expect(await refusalOf(backup.destroy())).toContain("databases:read_write");
    expect(await rig.emulator.writes()).toEqual([]);
    await as(rig.emulator.token);
    expect(await backup.refresh()).toEqual([]);
    expect(await backup.up(args)).toBe("same");
  });

  test("a read by the id of a backup fails with a read_only token, and names the scope", async () => {
    const [[backup]] = backups as [[Managed, Properties]];
    expect(await refusalOf(rig.resource("MysqlDatabaseBackup").get(backup.id))).toContain(
      "databases:read_write",
    );
  });
});
