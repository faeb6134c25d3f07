import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

/** Inputs of a {@link WebTier}. */
export interface WebTierArgs {
  /** The domain of the site, such as `example.org`. It is unique on the whole platform, so each stack has its own. */
  domain: pulumi.Input<string>;
  /** Mail address of the domain's administrator. */
  soaEmail: pulumi.Input<string>;
  region: pulumi.Input<string>;
  /** Plan of each node. A change resizes the nodes. */
  nodeType: pulumi.Input<string>;
  /** @default 3 */
  nodeCount?: number;
  /** Image of each node. It must have the capability `cloud-init`. A change replaces the nodes. @default "node/ubuntu24.04" */
  image?: pulumi.Input<string>;
  /** Plan of the database. A change replaces the database, and its data is lost. */
  databaseType: pulumi.Input<string>;
  /** Whether the database has two standby machines. A change replaces the database, and its data is lost. @default false */
  databaseStandby?: boolean;
  /** Whether the nodes are backed up. @default false */
  backups?: pulumi.Input<boolean>;
  /** Tags of the nodes and of the domain. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Nodes that serve one site, their database, and the DNS zone for both. */
export class WebTier extends pulumi.ComponentResource {
  readonly nodes: nodecloud.Node[];
  readonly database: nodecloud.MysqlDatabase;
  readonly zone: nodecloud.Domain;
  readonly records: nodecloud.DomainRecordSet;

  readonly url: pulumi.Output<string>;
  readonly addresses: pulumi.Output<string[]>;
  /** The DNS name that the nodes use for the database. */
  readonly databaseName: pulumi.Output<string>;

  constructor(name: string, args: WebTierArgs, opts?: pulumi.ComponentResourceOptions) {
    super("web-tier:index:WebTier", name, {}, opts);
    const { nodeCount = 3 } = args;
    if (!Number.isInteger(nodeCount) || nodeCount < 1) {
      const hideStack = true;
      throw new pulumi.ResourceError(
        `nodeCount is ${nodeCount}; it must be a whole number from 1`,
        this,
        hideStack,
      );
    }

    this.databaseName = pulumi.interpolate`db.${args.domain}`;
    const { region, tags } = args;

    this.nodes = Array.from(
      { length: nodeCount },
      (_, index) =>
        new nodecloud.Node(
          `${name}-${index + 1}`,
          {
            region,
            type: args.nodeType,
            image: args.image ?? "node/ubuntu24.04",
            userData: cloudConfig(this.databaseName),
            backupsEnabled: args.backups ?? false,
            tags,
          },
          { parent: this },
        ),
    );
    const addresses = this.nodes.map(({ ipv4 }) => ipv4[0]);
    this.addresses = pulumi.output(addresses);

    // The database allows the nodes' addresses, so it depends on the nodes. The nodes use a DNS name of the zone and not the database's host. This avoids a cycle,
    // and a new database changes a record and not the nodes' user data.
    this.database = new nodecloud.MysqlDatabase(
      `${name}-db`,
      {
        region,
        type: args.databaseType,
        engine: "mysql/8.0.30",
        clusterSize: args.databaseStandby ? 3 : 1,
        encrypted: true,
        allowList: addresses,
      },
      { parent: this },
    );

    this.zone = new nodecloud.Domain(
      `${name}-zone`,
      { domain: args.domain, type: "master", soaEmail: args.soaEmail, tags },
      { parent: this },
    );
    this.records = new nodecloud.DomainRecordSet(
      `${name}-records`,
      {
        domainId: this.zone.id,
        records: [
          ...addresses.map((target) => ({ type: "A" as const, target, ttlSec: 300 })),
          { type: "CNAME", name: "www", target: this.zone.domain },
          { type: "CNAME", name: "db", target: this.database.hosts.primary, ttlSec: 300 },
        ],
      },
      { parent: this },
    );

    this.url = pulumi.interpolate`http://www.${this.zone.domain}/`;
    this.registerOutputs({ url: this.url, addresses: this.addresses, databaseName: this.databaseName });
  }
}

/** The configuration for the first boot of a node. A change replaces the nodes. */
function cloudConfig(databaseName: pulumi.Input<string>): pulumi.Output<string> {
  return pulumi.interpolate`#cloud-config
packages: [nginx]
write_files:
  - path: /etc/web-tier.env
    content: |
      DATABASE_HOST=${databaseName}
`;
}
