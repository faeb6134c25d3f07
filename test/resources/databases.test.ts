import { type Client } from "../../src/api";
import { ApiError } from "../../src/api/errors";
import { type Properties } from "../../src/provider/base/values";
import { MysqlDatabase, PostgresqlDatabase } from "../../src/sdk";
import { descriptionOf } from "./describe";

const mysql = descriptionOf(MysqlDatabase);
const postgresql = descriptionOf(PostgresqlDatabase);

describe.each([mysql, postgresql])("$type", (description) => {
  const shown = (reply: Properties) =>
    description.toOutputs?.({
      id: 1,
      label: "db",
      engine: "mysql",
      version: "8.0.30",
      status: "active",
      ...reply,
    });

  test("the output engine contains the version, as in the program", () => {
    expect(shown({})).toMatchObject({ engine: "mysql/8.0.30", version: "8.0.30" });
  });

  test("the output replicationType has the spelling of the requests", () => {
    expect(shown({ replication_type: "async" })).toMatchObject({ replicationType: "asynch" });
    expect(shown({ replication_type: "semi_synch" })).toMatchObject({ replicationType: "semi_synch" });
    expect(shown({})).not.toHaveProperty("replicationType");
  });

  test("a deletion or replacement warns that the data is lost", () => {
    expect(description.lossOfData).toBe("the database's data and backups are lost");
  });

  test("the service may change its version", () => {
    expect(description.fields["engine"]).toMatchObject({ change: "replace", followsService: true });
  });
});

describe("a MySQL database", () => {
  const more = (status: string, mysqlOf: object) =>
    mysql.extraOutputs?.({ mysql: mysqlOf } as unknown as Client, { id: "1" }, { status }, {});
  const answers = {
    getCredentials: () => Promise.resolve({ username: "root", password: "s3cret" }),
    getSslCertificate: () => Promise.resolve({ ca_certificate: "Q0E=" }),
  };
  const refusing = (status: number) => ({
    ...answers,
    getCredentials: () =>
      Promise.reject(new ApiError({ operation: "GET", status, reasons: [{ reason: "no" }] })),
  });

  test("has its credentials and certificate as outputs while it is active", async () => {
    expect(await more("active", answers)).toEqual({
      rootUsername: "root",
      rootPassword: "s3cret",
      caCertificate: "Q0E=",
    });
    expect(mysql.secretOutputs).toContain("rootPassword");
  });

  test("does not read them in other statuses, in which the service refuses", async () => {
    expect(await more("updating", {})).toEqual({});
  });

  test("keeps the known outputs if it stops being active during the read, and reports other failures", async () => {
    expect(await more("active", refusing(400))).toEqual({});
    await expect(more("active", refusing(403))).rejects.toMatchObject({ status: 403 });
  });

  test("warns that a restore erases the current data", () => {
    const warnings = (path: string) =>
      mysql.warnings?.((changed) => changed === path, {}).map(({ line }) => line);
    expect(warnings("restoreFromBackupId")).toEqual([
      "restoring a backup erases all current data, and permanently fails the database if its credentials have been reset",
    ]);
    expect(warnings("label")).toEqual([]);
  });
});

test("a failed MySQL database accepts only a restore", () => {
  const requirement = (path: string) => {
    const update = mysql.waitsForStatusOf?.update;
    return typeof update === "function" ? update((changed) => changed === path).status?.only : undefined;
  };
  expect(requirement("restoreFromBackupId")).toEqual(["active", "degraded", "failed"]);
  expect(requirement("label")).toEqual(["active"]);
});

test("only MySQL has operations on credentials, patches and restores, and for PostgreSQL the error says so", () => {
  const own = ["credentialsResetTrigger", "patchTrigger", "restoreFromBackupId"];
  for (const name of own) expect(postgresql.unsupported?.[name]).toContain("the API has no operation to");
  expect(own.filter((name) => name in mysql.fields)).toEqual(own);
  expect(own.filter((name) => name in postgresql.fields)).toEqual([]);
  expect("replicationCommitType" in postgresql.fields).toBe(true);
});
