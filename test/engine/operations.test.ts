import { type OperationSpec } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { declarations, type ListDeclaration } from "../../src/functions/declarations";
import "../../src/functions";
import { specOf } from "../../src/functions/api-reads";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type NameServer, startEmptyZones } from "../helpers/name-server";
import { objectsOf, objectWith, oneChange, placeOf } from "../helpers/samples";
import { testStack, type TestStack } from "../helpers/stack";
import { argsCode, FIRST, UNSAMPLED } from "../matrix/every-kind";

let emulator: TestEmulator;
let nameServer: NameServer;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  nameServer = await startEmptyZones();
  stack = await testStack(emulator);
  stack.folder.write("disk.img", "a small disk");
});
afterAll(async () => {
  stack.remove();
  await nameServer.stop();
  await emulator.stop();
});

/** The changes of the second run. */
interface Changes {
  readonly web?: string;
  readonly spare?: string;
  readonly mysql?: string;
  readonly postgresql?: string;
  readonly zone?: string;
  readonly record?: string;
  readonly image?: string;
  readonly more?: string;
  /** Whether the kinds without samples have a changed input. */
  readonly others?: true;
}

/** A resource of each kind that the program does not name, in its own words. */
const others = (changes: Changes) =>
  UNSAMPLED.map((kind) => {
    const { path, other } = oneChange(kind);
    const inputs = { ...FIRST[kind], ...(changes.others && objectWith(path, other)) };
    return `objects.${kind} = new nodecloud.${kind}("${kind}", ${argsCode(inputs)});`;
  }).join("\n  ");

/** Every function of these kinds. */
const otherFunctions = UNSAMPLED.flatMap((kind) =>
  [...declarations.values()]
    .filter(
      (one) =>
        one.kind !== "view" &&
        placeOf(specOf(one.kind === "list" ? one.reads : one.list.reads)) === objectsOf(kind),
    )
    .map(({ name, ...one }) => {
      const list = one.kind === "item" ? one.list : (one as ListDeclaration);
      const parent =
        list.parent === undefined ? {} : { [list.parent.property]: FIRST[kind][list.parent.property] };
      const args = one.kind === "item" ? { id: `$objects.${kind}.id` } : parent;
      return `nodecloud.${name}Output(${argsCode(args)}),`;
    }),
).join(" ");

const program = (changes: Changes = {}) => `
  const deployed = { region: "us-east", image: "node/alpine3.20" };
  const web = new nodecloud.Node("web", { ...deployed, type: "g6-nanode-1", ${changes.web ?? ""} });
  const snapshot = new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id });
  new nodecloud.Node("spare", { ...deployed, type: "g6-standard-2", backupsEnabled: true, booted: false, ${changes.spare ?? ""} });
  new nodecloud.Node("clone", { region: "us-east", type: "g6-nanode-1", cloneFrom: web.id });
  const database = { region: "us-east", type: "g6-standard-1" };
  const mysql = new nodecloud.MysqlDatabase("mysql", { ...database, engine: "mysql/8.0.30", ${changes.mysql ?? ""} });
  const backup = new nodecloud.MysqlDatabaseBackup("mysql-backup", { databaseId: mysql.id });
  const postgresql = new nodecloud.PostgresqlDatabase("postgresql", { ...database, engine: "postgresql/14.6", ${changes.postgresql ?? ""} });
  new nodecloud.PostgresqlDatabaseBackup("postgresql-backup", { databaseId: postgresql.id });
  const owner = { type: "master", soaEmail: "dns@example.org" };
  const zone = new nodecloud.Domain("zone", { ...owner, domain: "example.org", ${changes.zone ?? ""} });
  new nodecloud.Domain("copy", { ...owner, domain: "example.net", cloneFrom: zone.id });
  new nodecloud.Domain("imported", { ...owner, domain: "example.com", importFrom: "${nameServer.address}" });
  const record = new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", target: "192.0.2.1", ${changes.record ?? ""} });
  const image = new nodecloud.Image("image", { source: "disk.img", region: "us-east", ${changes.image ?? ""} });
  const objects = { Node: web, MysqlDatabase: mysql, PostgresqlDatabase: postgresql, Domain: zone };
  ${others(changes)}
  ${changes.more ?? ""}`;

/** Every function, called for the objects of the program. */
const functions = `
  exports.all = [
    nodecloud.getNodesOutput(), nodecloud.getNodeOutput({ id: web.id }),
    nodecloud.getNodeBackupsOutput({ nodeId: web.id }), nodecloud.getNodeBackupOutput({ id: snapshot.id }),
    nodecloud.getDatabaseEnginesOutput(), nodecloud.getDatabaseEngineOutput({ id: "mysql/8.0.30" }),
    nodecloud.getDatabasesOutput(),
    nodecloud.getMysqlDatabasesOutput(), nodecloud.getMysqlDatabaseOutput({ id: mysql.id }),
    nodecloud.getMysqlDatabaseBackupsOutput({ databaseId: mysql.id }), nodecloud.getMysqlDatabaseBackupOutput({ id: backup.id }),
    nodecloud.getPostgresqlDatabasesOutput(), nodecloud.getPostgresqlDatabaseOutput({ id: postgresql.id }),
    nodecloud.getRegionsOutput(), nodecloud.getRegionOutput({ id: "us-east" }),
    nodecloud.getRegionAvailabilitiesOutput(), nodecloud.getRegionAvailabilityOutput({ regionId: "us-east" }),
    nodecloud.getDomainsOutput(), nodecloud.getDomainOutput({ id: zone.id }), nodecloud.getDomainZoneFileOutput({ domainId: zone.id }),
    nodecloud.getDomainRecordsOutput({ domainId: zone.id }), nodecloud.getDomainRecordOutput({ id: record.id }),
    nodecloud.getImagesOutput(), nodecloud.getImageOutput({ id: image.id }), ${otherFunctions}
  ].map((found) => found.apply(() => "found"));`;

test("programs use every operation of the API", async () => {
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });

  const { web, "mysql-backup": backup } = await stack.state();
  const disks = await emulator.call<{ data: { id: number }[] }>("GET", `/node/instances/${web?.id}/disks`);
  stack.program(
    program({
      web: 'label: "renamed", type: "g6-standard-1", backupsEnabled: true',
      spare:
        "backupsEnabled: false, booted: true, restoreFromBackup: { backupId: snapshot.id, overwrite: true }",
      mysql: `label: "shop", restoreFromBackupId: "${backup?.id}", credentialsResetTrigger: 1, patchTrigger: 1`,
      postgresql: 'allowList: ["192.0.2.0/24"]',
      zone: 'description: "ours"',
      record: "ttlSec: 3600",
      image: 'description: "a disk"',
      others: true,
      more: `new nodecloud.Image("captured", { diskId: ${disks.body.data[0]?.id} }); ${functions}`,
    }),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });

  expect(await stack.destroy()).toMatchObject({ code: 0 });

  const counts = await emulator.counts();
  const operations = Object.values(service).flatMap((family) => Object.values<OperationSpec>(family));
  const unreached = operations
    .map(({ method, path }) => `${method} /v4${path.replace(/\{\w+\}/g, ":id")}`)
    .filter((operation) => counts[operation] === undefined);
  expect(unreached).toEqual([]);
});
