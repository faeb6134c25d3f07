import { type Description } from "../../src/provider/describe/define-resource";
import { descriptions } from "../../src/resources";
import { argsCode, FIRST, type Kind, UNSAMPLED } from "./every-kind";

/** The arguments of a kind without samples, by which two resources do not have one name. */
function argsOf(kind: Kind): string {
  const name = (descriptions[kind] as Partial<Description>).autoname?.path;
  return argsCode(Object.fromEntries(Object.entries(FIRST[kind]).filter(([path]) => path !== name)));
}

/** Code that makes a resource of each kind without samples. Its arguments may need `objects`, the resources of other kinds. */
export const unsampled = (make: (kind: Kind, args: string) => string): string =>
  UNSAMPLED.map((kind) => make(kind, argsOf(kind))).join("\n    ");

const others = unsampled((kind, args) => `make("${kind}", ${args});`);

/** Two resources of each kind, named after `site`, with the options that `opts` returns for a name. */
export const pairs = `
function build(site, opts) {
  const at = { region: "us-east" };
  const db = { ...at, type: "g6-standard-1" };
  for (const n of ["a", "b"]) {
    const named = (kind) => site + "-" + kind + "-" + n;
    const objects = {};
    const make = (kind, args) => (objects[kind] = new nodecloud[kind](named(kind), args, opts(named(kind))));
    const node = make("Node", { ...at, type: "g6-nanode-1", image: "node/debian12" });
    make("NodeBackupSnapshot", { nodeId: node.id, label: "first" });
    const mysql = make("MysqlDatabase", { ...db, engine: "mysql/8.0.30" });
    const postgresql = make("PostgresqlDatabase", { ...db, engine: "postgresql/14.6" });
    make("MysqlDatabaseBackup", { databaseId: mysql.id });
    make("PostgresqlDatabaseBackup", { databaseId: postgresql.id });
    const name = site + "-" + n + ".example.org";
    const zone = make("Domain", { domain: name, type: "master", soaEmail: "dns@example.org" });
    make("DomainRecord", { domainId: zone.id, type: "A", name: "www", target: node.ipv4.apply(([first]) => first) });
    make("DomainRecordSet", { domainId: zone.id, records: [{ type: "TXT", name: "txt", target: "set" }] });
    make("Image", { ...at, source: "disk.img" });
    ${others}
  }
}`;

/** A component with two resources of each kind: Site(name, whether it registers outputs, its options, the options of its children). */
export const component = `${pairs}
class Site extends pulumi.ComponentResource {
  constructor(name, registers, opts = {}, more = () => ({})) {
    super("test:index:Site", name, {}, opts);
    build(name, (inner) => ({ parent: this, ...more(inner) }));
    if (registers) this.registerOutputs({ name });
  }
}`;
