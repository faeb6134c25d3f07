import { type z } from "zod";
import type * as backups from "../../src/api/backups";
import type * as databases from "../../src/api/databases";
import type * as domains from "../../src/api/domains";
import type * as engines from "../../src/api/engines";
import type * as images from "../../src/api/images";
import type * as nodes from "../../src/api/nodes";
import type * as records from "../../src/api/records";
import type * as regions from "../../src/api/regions";
import type * as schema from "../../src/api/schema";
import {
  type AnyDatabase,
  type Client,
  type Database,
  type DatabaseBackup,
  type DatabaseBackupCreate,
  type DatabaseCredentials,
  type DatabaseEngine,
  type DatabaseUpdate,
  type Domain,
  type DomainClone,
  type DomainCreate,
  type DomainImport,
  type DomainRecord,
  type DomainRecordCreate,
  type DomainRecordUpdate,
  type DomainUpdate,
  type Empty,
  type Image,
  type ImageCreate,
  type ImageUpdate,
  type ImageUpload,
  type ImageUploadCreate,
  type MysqlDatabaseCreate,
  type Node,
  type NodeBackup,
  type NodeBackupList,
  type NodeBackupRestore,
  type NodeBoot,
  type NodeClone,
  type NodeCreate,
  type NodeResize,
  type NodeSnapshotCreate,
  type NodeUpdate,
  type PostgresqlDatabaseCreate,
  type Region,
  type RegionAvailability,
  type Service,
  type SslCertificate,
  type ZoneFile,
} from "../../src/api";
import type * as functions from "../../src/functions";
import { type Schema, type ValueOf } from "../../src/api/operation";
import { type ReadOperation } from "../../src/functions/types";

/** A type with its members written out at every depth, independent of how it is composed. */
type Plain<Type> = Type extends object ? { [Name in keyof Type]: Plain<Type[Name]> } : Type;
type Same<One, Other> =
  (<Any>() => Any extends Plain<One> ? 1 : 2) extends <Any>() => Any extends Plain<Other> ? 1 : 2
    ? true
    : { readonly differs: [One, Other] };
type WithoutJson<Type> = Omit<Type, "stackscript_data">;

/** Each written interface equals the type of its schema. */
export const written: readonly true[] = [
  true satisfies Same<Node, z.infer<typeof nodes.node>>,
  true satisfies Same<WithoutJson<NodeCreate>, WithoutJson<z.infer<typeof nodes.nodeCreate>>>,
  true satisfies Same<NodeUpdate, z.infer<typeof nodes.nodeUpdate>>,
  true satisfies Same<NodeClone, z.infer<typeof nodes.nodeClone>>,
  true satisfies Same<NodeBoot, z.infer<typeof nodes.nodeBoot>>,
  true satisfies Same<NodeResize, z.infer<typeof nodes.nodeResize>>,
  true satisfies Same<NodeBackup, z.infer<typeof backups.nodeBackup>>,
  true satisfies Same<NodeBackupList, z.infer<typeof backups.nodeBackupList>>,
  true satisfies Same<NodeSnapshotCreate, z.infer<typeof backups.nodeSnapshotCreate>>,
  true satisfies Same<NodeBackupRestore, z.infer<typeof backups.nodeBackupRestore>>,
  true satisfies Same<DatabaseEngine, z.infer<typeof engines.databaseEngine>>,
  true satisfies Same<AnyDatabase, z.infer<typeof databases.anyDatabase>>,
  true satisfies Same<Database, z.infer<typeof databases.database>>,
  true satisfies Same<DatabaseBackup, z.infer<typeof databases.databaseBackup>>,
  true satisfies Same<DatabaseCredentials, z.infer<typeof databases.databaseCredentials>>,
  true satisfies Same<SslCertificate, z.infer<typeof databases.sslCertificate>>,
  true satisfies Same<MysqlDatabaseCreate, z.infer<typeof databases.mysqlDatabaseCreate>>,
  true satisfies Same<PostgresqlDatabaseCreate, z.infer<typeof databases.postgresqlDatabaseCreate>>,
  true satisfies Same<DatabaseUpdate, z.infer<typeof databases.databaseUpdate>>,
  true satisfies Same<DatabaseBackupCreate, z.infer<typeof databases.databaseBackupCreate>>,
  true satisfies Same<Domain, z.infer<typeof domains.domain>>,
  true satisfies Same<DomainCreate, z.infer<typeof domains.domainCreate>>,
  true satisfies Same<DomainUpdate, z.infer<typeof domains.domainUpdate>>,
  true satisfies Same<DomainImport, z.infer<typeof domains.domainImport>>,
  true satisfies Same<DomainClone, z.infer<typeof domains.domainClone>>,
  true satisfies Same<ZoneFile, z.infer<typeof domains.zoneFile>>,
  true satisfies Same<DomainRecord, z.infer<typeof records.domainRecord>>,
  true satisfies Same<DomainRecordCreate, z.infer<typeof records.domainRecordCreate>>,
  true satisfies Same<DomainRecordUpdate, z.infer<typeof records.domainRecordUpdate>>,
  true satisfies Same<Image, z.infer<typeof images.image>>,
  true satisfies Same<ImageUpload, z.infer<typeof images.imageUpload>>,
  true satisfies Same<ImageCreate, z.infer<typeof images.imageCreate>>,
  true satisfies Same<ImageUploadCreate, z.infer<typeof images.imageUploadCreate>>,
  true satisfies Same<ImageUpdate, z.infer<typeof images.imageUpdate>>,
  true satisfies Same<Region, z.infer<typeof regions.region>>,
  true satisfies Same<RegionAvailability, z.infer<typeof regions.regionAvailability>>,
  true satisfies Same<Empty, z.infer<typeof schema.empty>>,
];

/** The two recursive JSON types accept each other. */
export const json = (
  one: NodeCreate,
  other: z.infer<typeof nodes.nodeCreate>,
): [NodeCreate, typeof other] => [other, one];

type SpecOf<Operation> = Operation extends `${infer Family}.${infer Name}`
  ? Family extends keyof Service
    ? Name extends keyof Service[Family]
      ? Service[Family][Name]
      : never
    : never
  : never;

/** The answer of an operation. For a list, one item. */
type Answer<Operation> =
  SpecOf<Operation> extends { readonly reply: infer Reply extends Schema } ? ValueOf<Reply> : never;

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

type Scalar = string | number | boolean;

/** A value as programs see it: with names in camelCase, without null values, and only with names from the reference. */
type Shown<Value> = Value extends Scalar | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? Shown<Item>[]
    : {
        [Name in keyof Value as string extends Name ? never : CamelName<Name & string>]: Shown<
          Exclude<Value[Name], null>
        >;
      };

/** One item of a list. Its id and its parent's id are strings, as for resources. */
type ItemOf<Operation extends ReadOperation, Parent extends string = never> = Flat<
  ("id" extends keyof Shown<Answer<Operation>> ? { /** The id of its resource. */ id: string } : unknown) & {
    [Name in Parent]: string;
  } & Omit<Shown<Answer<Operation>>, "id">
>;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** Each written result of a data function matches the answer of its operation. */
export const results: readonly true[] = [
  true satisfies Same<functions.NodeResult, ItemOf<"nodes.list">>,
  true satisfies Same<functions.NodeBackupResult, ItemOf<"nodeBackups.get", "nodeId">>,
  true satisfies Same<functions.DatabaseResult, ItemOf<"databases.list">>,
  true satisfies Same<functions.DatabaseEngineResult, ItemOf<"engines.list">>,
  true satisfies Same<functions.MysqlDatabaseResult, ItemOf<"mysql.list">>,
  true satisfies Same<functions.MysqlDatabaseBackupResult, ItemOf<"mysql.listBackups", "databaseId">>,
  true satisfies Same<functions.MysqlDatabaseCredentialsResult, Shown<Answer<"mysql.getCredentials">>>,
  true satisfies Same<functions.MysqlDatabaseCertificateResult, Shown<Answer<"mysql.getSslCertificate">>>,
  true satisfies Same<functions.PostgresqlDatabaseResult, ItemOf<"postgresql.list">>,
  true satisfies Same<
    functions.PostgresqlDatabaseBackupResult,
    ItemOf<"postgresql.listBackups", "databaseId">
  >,
  true satisfies Same<functions.DomainResult, ItemOf<"domains.list">>,
  true satisfies Same<functions.DomainZoneFileResult, Shown<Answer<"domains.getZoneFile">>>,
  true satisfies Same<functions.DomainRecordResult, ItemOf<"records.list", "domainId">>,
  true satisfies Same<functions.ImageResult, ItemOf<"images.list">>,
  true satisfies Same<functions.RegionResult, ItemOf<"regions.list">>,
  true satisfies Same<functions.RegionAvailabilityResult, ItemOf<"regions.listAvailability">>,
  true satisfies Same<functions.RegionAvailabilityResult, Shown<Answer<"regions.getAvailability">>>,
];

export async function client(api: Client): Promise<void> {
  const node: Node = await api.nodes.get({ nodeId: 1 });
  const created: Node = await api.nodes.create({ region: "us-east", type: "g6-nanode-1" });
  const page: Domain[] = (await api.domains.list({ page: 1 })).data;
  for await (const record of api.records.list.all({ domainId: 1 })) {
    const known: DomainRecord = record;
    void known;
  }
  await api.nodes.boot({ nodeId: 1 });
  await api.nodes.boot({ nodeId: 1 }, { config_id: 3 });
  void [node, created, page];

  // @ts-expect-error -- the type is required
  await api.nodes.create({ region: "us-east" });
  // @ts-expect-error -- the field does not exist
  await api.nodes.update({ nodeId: 1 }, { lable: "web" });
  // @ts-expect-error -- a boot has parameters
  await api.nodes.boot();
  // @ts-expect-error -- this record type does not exist
  await api.records.create({ domainId: 1 }, { type: "B" });
}

/** An availability has no id. */
// @ts-expect-error -- it cannot be a filter
void ((): unknown => functionsOf.getRegionAvailabilities({ filter: { id: "us-east" } }));
declare const functionsOf: typeof functions;
