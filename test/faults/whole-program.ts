import { type StateResource } from "../helpers/stack";
import { type Control, objectsOf, ownId, type Problems } from "./account";

/** A program with a resource of each kind. The second version changes most of them and replaces two. */
export const wholeProgram = (
  version: 1 | 2,
  domain = "ours.example",
  labels?: { readonly web: string; readonly image: string },
): string => `
const web = new nodecloud.Node("web", {
  region: "us-east", type: "g6-nanode-1", image: "node/debian12", backupsEnabled: true, tags: ["v${version}"],${labelOf(labels?.web)}
});
new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id, triggers: { release: ${version} } });
const place = { region: "us-east", type: "g6-nanode-1", allowList: ["192.0.2.${version}/32"] };
const mysql = new nodecloud.MysqlDatabase("mysql", { ...place, engine: "mysql/8.0.30" });
const postgresql = new nodecloud.PostgresqlDatabase("postgresql", { ...place, engine: "postgresql/14.6" });
new nodecloud.MysqlDatabaseBackup("mysql-backup", { databaseId: mysql.id, triggers: { release: ${version} } });
new nodecloud.PostgresqlDatabaseBackup("postgresql-backup", { databaseId: postgresql.id });
const zone = new nodecloud.Domain("zone", {
  domain: "${domain}", type: "master", soaEmail: "dns@ours.example", description: "v${version}",
});
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.${version}" });
new nodecloud.DomainRecordSet("hosts", {
  domainId: zone.id,
  records: Object.fromEntries(["a", "b", "c"].map((name, index) =>
    [name, { type: "A", name, target: "192.0.2." + (index + ${version}), ttlSec: 300 }])),
});
new nodecloud.Image("image", { source: "disk.img", region: "us-east", description: "v${version}",${labelOf(labels?.image)} });
`;

const labelOf = (label: string | undefined) => (label === undefined ? "" : ` label: "${label}"`);

/** The number of objects of each kind in this program. */
export const WHOLE: Readonly<Record<string, number>> = {
  nodes: 1,
  nodeBackups: 1,
  mysql: 1,
  postgresql: 1,
  databaseBackups: 2,
  domains: 1,
  records: 4,
  images: 1,
};

export const EMPTY: typeof WHOLE = Object.fromEntries(Object.keys(WHOLE).map((kind) => [kind, 0]));

/** Compares an account with numbers of objects, and with the ids in a state. */
export async function judgeAccount(
  control: Control,
  wanted: Readonly<Record<string, number>>,
  state: Readonly<Record<string, StateResource>>,
): Promise<Problems> {
  const ids = Object.values(state).map(({ id }) => ownId(id));
  const found = new Set<string>();
  const problems: Problems = [];
  for (const [kind, count] of Object.entries(wanted)) {
    const objects = await objectsOf(control, kind);
    for (const { id } of objects) found.add(String(id));
    if (objects.length === count) continue;
    const told = objects.map(
      ({ id, label, name, domain }) => `${id} ${String(label ?? name ?? domain ?? "")}`,
    );
    problems.push(
      `${objects.length > count ? "duplicated" : "lost"}: ${kind} are ${told.join(", ")}, expected ${count}`,
    );
  }
  for (const id of ids)
    if (!found.has(id)) problems.push(`lost: the state names ${id}, which does not exist`);
  return problems;
}
