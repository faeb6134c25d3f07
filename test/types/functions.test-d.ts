import * as pulumi from "@pulumi/pulumi";
import {
  type Domain,
  DomainRecord,
  getDatabaseEngine,
  getDatabases,
  getDomain,
  getDomainOutput,
  getDomainRecord,
  getDomainRecordOutput,
  getDomainRecords,
  getDomainRecordsOutput,
  getDomains,
  getDomainZoneFile,
  getImage,
  getMysqlDatabaseCredentials,
  getMysqlDatabaseCredentialsOutput,
  getNode,
  getNodeBackups,
  getNodeOutput,
  getNodes,
  getNodesOutput,
  getRegion,
  getRegionAvailabilities,
  getRegionAvailability,
  getRegions,
  Image,
  type NodeResult,
  Provider,
} from "../../src";

declare const zone: Domain;
const provider = new Provider("staging");

export async function lists(): Promise<void> {
  const { nodes } = await getNodes();
  const all: NodeResult[] = nodes;
  const id: string | undefined = all[0]?.id;
  const memory: number | undefined = nodes[0]?.specs?.memory;
  const userData: boolean | undefined = nodes[0]?.hasUserData;
  void [id, memory, userData];
  await getNodes({}, { provider });
  await getNodes({ filter: { label: "web", region: ["us-east", "us-west"], "specs.memory": [1024, 2048] } });
  await getNodes({
    filter: { label: { contains: "web" }, image: { matches: "^node/" }, watchdogEnabled: true },
  });
  await getNodes({ sortBy: "specs.vcpus", order: "desc", mostRecent: true });
  await getNodes({ filter: { id: [12, "13"] } });
  await getDatabases({ filter: { status: "active", engine: "mysql" } }, { parent: zone });
  const { records } = await getDomainRecords({ domainId: "12", filter: { type: ["A", "NEW"], ttlSec: 300 } });
  const target: string | undefined = records[0]?.target;
  const { backups } = await getNodeBackups({ nodeId: 12, sortBy: "created" });
  const disks: number | undefined = backups[0]?.disks?.[0]?.size;
  const { availabilities } = await getRegionAvailabilities({ filter: { available: true } });
  const plan: string | undefined = availabilities[0]?.plan;
  void [target, disks, plan];

  // @ts-expect-error -- records belong to a domain
  await getDomainRecords();
  await getNodes({ filter: { tags: "web", ipv4: ["192.0.2.1", "192.0.2.2"] } });
  await getNodes({ filter: { tags: { any: ["web", "db"] }, ipv4: { contains: "192.0.2.1" } } });
  await getRegions({ filter: { capabilities: { all: ["Nodes", "Metadata"] } } });
  await getDomains({ filter: { tags: { matches: "^env:" }, masterIps: "192.0.2.1" } });
  await getNodeBackups({ nodeId: 12, filter: { configs: { contains: "main" } } });

  // @ts-expect-error -- tags are strings
  await getNodes({ filter: { tags: 1 } });
  // @ts-expect-error -- tags are strings
  await getNodes({ filter: { tags: { any: ["web", 1] } } });
  // @ts-expect-error -- a list of values
  await getNodes({ filter: { tags: { all: "web" } } });
  // @ts-expect-error -- one value
  await getNodes({ filter: { tags: { contains: ["web"] } } });
  // @ts-expect-error -- this operator does not exist
  await getNodes({ filter: { tags: { has: "web" } } });
  // @ts-expect-error -- one operator at a time
  await getNodes({ filter: { tags: { any: ["web"], all: ["db"] } } });
  // @ts-expect-error -- a string has no entries
  await getNodes({ filter: { label: { any: ["web"] } } });
  // @ts-expect-error -- disks are not scalars
  await getNodeBackups({ nodeId: 12, filter: { disks: "a" } });
  // @ts-expect-error -- a list has no order
  await getNodes({ sortBy: "tags" });
  // @ts-expect-error -- names are in camel case
  await getNodes({ filter: { has_user_data: true } });
  // @ts-expect-error -- memory is a number
  await getNodes({ filter: { "specs.memory": "1024" } });
  // @ts-expect-error -- contains is only for strings
  await getNodes({ filter: { "specs.memory": { contains: 1 } } });
  // @ts-expect-error -- this operator does not exist
  await getNodes({ filter: { label: { startsWith: "web" } } });
  // @ts-expect-error -- one operator at a time
  await getNodes({ filter: { label: { contains: "web", matches: "web" } } });
  // @ts-expect-error -- specs are not a scalar
  await getNodes({ sortBy: "specs" });
  // @ts-expect-error -- there are two orders
  await getNodes({ sortBy: "label", order: "up" });
  // @ts-expect-error -- the API shows no creation time of domains
  await getDomains({ mostRecent: true });
  // @ts-expect-error -- the promise form accepts no outputs
  await getDomainRecords({ domainId: zone.id });
  // @ts-expect-error -- fields that the reference does not name are not typed
  void nodes[0]?.colour;
  // @ts-expect-error -- a provider is an object
  await getNodes({}, { provider: "staging" });
}

export async function items(): Promise<void> {
  const node = await getNode({ label: "web" });
  const label: string = node.label;
  const image: string | undefined = node.image;
  await getNode({ id: 12 });
  await getNode({ id: node.id }, { provider });
  await getNode({ filter: { region: "us-east" }, mostRecent: true });
  await getDomainRecord({ id: "12/345" });
  await getDomainRecord({ domainId: 12, id: 345 });
  const record = await getDomainRecord({ domainId: 12, type: "A", name: "www" });
  const domainId: string = record.domainId;
  await getDomain({ domain: "example.org" });
  await getDatabaseEngine({ id: "mysql/8.0.30" });
  await getDatabaseEngine({ engine: "mysql", version: "8.0.30" });
  Image.get("image", (await getImage({ id: "private/3" })).id);
  new DomainRecord("www", { domainId: (await getDomain({ id: zoneId })).id, type: "A", target: "192.0.2.1" });
  const { available }: { available: boolean } = await getRegionAvailability({ regionId: "us-east" });
  const { zoneFile }: { zoneFile: string[] } = await getDomainZoneFile({ domainId: 12 });
  void [label, image, domainId, available, zoneFile];

  // @ts-expect-error -- an argument must select the item
  await getNode();
  // @ts-expect-error -- an id already selects the item
  await getNode({ id: 12, label: "web" });
  // @ts-expect-error -- an id already selects the item
  await getNode({ id: 12, filter: { label: "web" } });
  // @ts-expect-error -- a lookup of a record requires its domain
  await getDomainRecord({ type: "A" });
  // @ts-expect-error -- the API shows no creation time of regions
  await getRegion({ filter: { country: "us" }, mostRecent: true });
  // @ts-expect-error -- the ids of images are strings
  await getImage({ id: 3 });
  // @ts-expect-error -- the ids of regions are strings
  await getRegionAvailability({ regionId: 3 });
  // @ts-expect-error -- an item has no order
  await getNode({ label: "web", sortBy: "label" });
}
declare const zoneId: string;

export const nodes: pulumi.Output<NodeResult[]> = getNodesOutput().nodes;
export const records: pulumi.Output<string | undefined> = getDomainRecordsOutput({
  domainId: zone.id,
  filter: { type: ["A", pulumi.output("AAAA")], name: { contains: zone.domain } },
}).apply(({ records: [first] }) => first?.target);
export const node: pulumi.Output<string> = getNodeOutput(
  { label: pulumi.output("web") },
  { dependsOn: zone },
).id;
getNodeOutput(pulumi.output({ label: "web" }), { dependsOn: [zone], parent: zone });
getDomainOutput({ filter: { type: pulumi.output("master"), ttlSec: pulumi.output([300]) } });
getDomainOutput({ filter: { tags: pulumi.output("web"), axfrIps: { all: [zone.domain, "192.0.2.1"] } } });
getNodesOutput({
  filter: { tags: { any: pulumi.output(["web"]) }, ipv4: pulumi.output({ contains: "192.0.2.1" }) },
});
getNodesOutput({ filter: { tags: zone.tags } });
// @ts-expect-error -- tags are strings
getNodesOutput({ filter: { tags: { contains: pulumi.output(1) } } });
getDomainRecordOutput({ id: pulumi.interpolate`${zone.id}/345` });
getDomainRecordOutput({ domainId: zone.id, name: Promise.resolve("www") });

// @ts-expect-error -- records belong to a domain
getDomainRecordsOutput();
// @ts-expect-error -- a label is a string
getNodeOutput({ label: pulumi.output(12) });
// @ts-expect-error -- domains have no labels
getDomainOutput({ label: "web" });
// @ts-expect-error -- a dependency is a resource
getNodesOutput({}, { dependsOn: "web" });

export async function credentials(): Promise<void> {
  const { username, password } = await getMysqlDatabaseCredentials({ databaseId: 12 });
  const name: string = username;
  const secret: pulumi.Output<string> = password;
  void [name, secret];
  // @ts-expect-error -- the password is an output, so that it stays secret
  const text: string = password;
  void text;
}
export const secret: pulumi.Output<{ username: string; password: string }> =
  getMysqlDatabaseCredentialsOutput({ databaseId: zone.id });
