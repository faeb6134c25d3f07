import { type Client } from "../../src/api";
import { MysqlDatabaseBackup, PostgresqlDatabaseBackup } from "../../src/sdk";
import { descriptionOf } from "./describe";

const mysql = descriptionOf(MysqlDatabaseBackup);
const postgresql = descriptionOf(PostgresqlDatabaseBackup);

const backups = [
  { id: 1, label: "auto20261121", type: "auto" },
  { id: 2, label: "before", type: "snapshot" },
];
const clientOf = (kind: string) =>
  ({ [kind]: { listBackups: { all: () => backups.values() } } }) as unknown as Client;

describe.each([
  { description: mysql, kind: "mysql" },
  { description: postgresql, kind: "postgresql" },
])("$description.type", ({ description, kind }) => {
  test("its list omits daily backups", async () => {
    const found: unknown[] = [];
    for await (const item of description.list?.(clientOf(kind), "12") ?? []) found.push(item);
    expect(found).toEqual([backups[1]]);
  });

  test("its id consists of the database's id and its own", () => {
    expect(description.id.pattern.exec("12/345")?.groups).toEqual({ parent: "12", id: "345" });
    expect(description.id.pattern.test("345")).toBe(false);
  });

  test("it is created only while the database is active, and read unless the database is provisioning", () => {
    expect(description.waitsForStatusOf).toMatchObject({
      create: { status: { only: ["active"] } },
      read: { status: { not: ["provisioning"] } },
    });
  });
});

test("a PostgreSQL backup is read from the list, including daily backups, because the API has no operation to view it", async () => {
  const read = (id: string) => postgresql.read(clientOf("postgresql"), { parent: "12", id });
  expect(await read("1")).toEqual(backups[0]);
  expect(await read("2")).toEqual(backups[1]);
  expect(await read("3")).toBeUndefined();
});

test("only a MySQL backup can be deleted, and a PostgreSQL backup has a reason", () => {
  expect(mysql.delete).toBeDefined();
  expect(postgresql.delete).toBeUndefined();
  expect(postgresql.undeletable).toContain("no operation to delete");
});
