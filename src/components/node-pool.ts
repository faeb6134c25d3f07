import type * as pulumi from "@pulumi/pulumi";
// A program imports these from "@pulumi/pulumi". The package loads only the parts that it needs.
import { RunError } from "@pulumi/pulumi/errors";
import { all } from "@pulumi/pulumi/output";
import { ComponentResource } from "@pulumi/pulumi/resource";
import { DomainRecord, Node, type NodeArgs, type NodeReadyWhenArgs } from "../sdk";

/** A name that leads to the nodes of a {@link NodePool}: each node has a record with this name. */
export interface NodePoolRecord {
  /**
   * The id of the domain.
   * @example zone.id
   */
  domainId: pulumi.Input<string | number>;
  /**
   * The name of the records, relative to the domain. It must be known when the program runs.
   * @default the domain itself
   * @example "www"
   */
  name?: string;
  /**
   * `A` leads to a node's IPv4 address, and `AAAA` to its IPv6 address.
   * @default "A"
   * @example "AAAA"
   */
  type?: "A" | "AAAA";
  /**
   * The time to live in seconds. The service rounds it to a supported value, such as 300 or 3600.
   * @default 300
   * @example 3600
   */
  ttlSec?: number;
  /**
   * The end of the names of these resources: `web-0-KEY`. Records with the same name in several domains need one, and another key makes other resources.
   * @default the name, and `-ipv6` for `AAAA`
   */
  key?: string;
}

/** Inputs of a {@link NodePool}. */
export interface NodePoolArgs {
  /**
   * The number of nodes, which must be known when the program runs. A smaller number deletes the nodes with the highest ordinals, each after its records.
   * @example 3
   */
  size: number;
  /**
   * The inputs of each node. Labels are automatic, so that an old node stays until its successor is ready.
   * @example { region: "us-east", type: "g6-nanode-1", image: golden.id }
   */
  node: Omit<NodeArgs, "label" | "readyWhen" | "turn" | "drainSec">;
  /**
   * The services that have to answer before a node counts as ready: see `readyWhen` of a {@link Node}. Until then its records still lead to its
   * predecessor.
   * @default the status of the node
   * @example { http: { port: 8080, path: "/health" } }
   */
  readyWhen?: pulumi.Input<NodeReadyWhenArgs>;
  /**
   * How many nodes may be interrupted or not ready at a time.
   * @default 1
   * @example 2
   */
  maxUnavailable?: number;
  /**
   * The names that lead to the nodes.
   * @example [{ domainId: zone.id, name: "www" }]
   */
  records?: readonly NodePoolRecord[];
  /**
   * How long an old node stays after its records are gone from the zone, in seconds: clients still have them.
   * @default the greatest time to live of the records
   * @example 600
   */
  drainSec?: number;
}

const TTL_SEC = 300;

/**
 * Nodes that serve together under some names. Each has an ordinal from 0: the resources of the node `web-0` are `web-0` and its records
 * `web-0-www`. A change of `node` that replaces nodes rolls through the pool: the new node is created, it answers, its records lead to it, the
 * zone shows that, the time to live passes, and the old node goes.
 * The option `customTimeouts` holds for the nodes and the records.
 *
 * ```ts
 * const web = new nodecloud.NodePool("web", {
 *   size: 3,
 *   node: { region: "us-east", type: "g6-standard-1", image: "private/12" },
 *   readyWhen: { http: { path: "/healthz" } },
 *   records: [{ domainId: zone.id, name: "www" }],
 * });
 * ```
 */
export class NodePool extends ComponentResource {
  /** The classes of its children. The entry `pulumi-nodecloud/plugin` has its own. */
  protected static readonly children: {
    readonly Node: typeof Node;
    readonly DomainRecord: typeof DomainRecord;
  } = { Node, DomainRecord };

  /** The nodes, by their ordinals. */
  readonly nodes: readonly Node[];
  /** The public IPv4 addresses of the nodes, by their ordinals. */
  readonly addresses: pulumi.Output<string[]>;

  constructor(name: string, args: NodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super("nodecloud:components:NodePool", name, {}, opts);
    const { size, records = [], maxUnavailable = 1 } = args;
    checkCount(name, "size", size, 0);
    checkCount(name, "maxUnavailable", maxUnavailable, 1);
    checkKeys(name, records);
    const { drainSec = Math.max(0, ...records.map(({ ttlSec = TTL_SEC }) => ttlSec)) } = args;
    const { Node, DomainRecord } = new.target.children;
    // The engine does not hand this option to children.
    const own = { parent: this, ...(opts?.customTimeouts && { customTimeouts: opts.customTimeouts }) };
    this.nodes = Array.from({ length: size }, (_, ordinal) => {
      const called = `${name}-${ordinal}`;
      const node = new Node(
        called,
        {
          ...args.node,
          ...(args.readyWhen === undefined ? {} : { readyWhen: args.readyWhen }),
          turn: { group: name, max: maxUnavailable },
          drainSec,
        },
        own,
      );
      for (const record of records) {
        const { domainId, name: label, type = "A", ttlSec = TTL_SEC } = record;
        new DomainRecord(
          `${called}-${keyOf(record)}`,
          {
            ...{ domainId, type, ttlSec, served: true },
            ...(label === undefined ? {} : { name: label }),
            target: type === "A" ? publicAddress(node) : node.ipv6.apply(withoutMask),
          },
          own,
        );
      }
      return node;
    });
    this.addresses = all(this.nodes.map(publicAddress));
    this.registerOutputs({ addresses: this.addresses });
  }
}

const keyOf = ({ key, name = "apex", type }: NodePoolRecord): string =>
  key ?? `${name}${type === "AAAA" ? "-ipv6" : ""}`;

function checkKeys(pool: string, records: readonly NodePoolRecord[]): void {
  const keys = records.map(keyOf);
  const second = keys.findIndex((key, place) => keys.indexOf(key) !== place);
  if (second >= 0)
    throw new RunError(
      `NodePool ${pool}: records[${second}] would have the same resource names as records[${keys.indexOf(keys[second] ?? "")}]: give one of them a key, such as "${keys[second]}-2"${INVALID}`,
    );
}

const publicAddress = (node: Node): pulumi.Output<string> =>
  // The mock of a test may have no addresses.
  node.ipv4.apply(([first = ""] = []) => first);

/** The code of an input that is not valid. */
const INVALID = " [NC1101]";

const withoutMask = (address = ""): string => address.replace(/\/\d+$/, "");

function checkCount(pool: string, property: string, count: number, least: number): void {
  if (!Number.isInteger(count) || count < least)
    throw new RunError(
      `NodePool ${pool}: ${property} must be a whole number from ${least}, not ${String(count)}${INVALID}`,
    );
}
