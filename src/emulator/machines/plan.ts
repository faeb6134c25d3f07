import { isLoopback } from "../operations/loopback";
import { type Store } from "../kind/kind";
import { type DatabaseEntity, database } from "../kinds/database";
import { type NodeEntity, node } from "../kinds/node";
import { type Entity } from "../store/table";
import { type MachineRules, type Service, servicesOf } from "./rules";

/** A service at an address, and the emulated time of its beginning and its end. */
export interface MachineEndpoint {
  readonly address: string;
  readonly service: Service;
  readonly from: number;
  readonly to: number;
}

/** A node or a database, and what it serves. Nothing unless it is running or active. */
export interface Machine {
  readonly kind: "node" | "database";
  readonly id: number;
  readonly label: string;
  readonly status: string;
  readonly endpoints: readonly MachineEndpoint[];
}

function nodeMachine({ fields, since = 0 }: NodeEntity, rules: MachineRules): Machine {
  const { id, label, status, ipv4 } = fields;
  const services = status === "running" ? servicesOf(rules, fields) : [];
  const endpoints = services.flatMap((service) =>
    ipv4.filter(isLoopback).map((address) => {
      const from = since + service.afterSeconds * 1000;
      return { address, service, from, to: from + (service.forSeconds ?? Infinity) * 1000 };
    }),
  );
  return { kind: "node", id, label, status, endpoints };
}

function databaseMachine({ fields }: DatabaseEntity): Machine {
  const { id, label, status, port } = fields;
  const hosts = status === "active" ? [fields.hosts.primary, fields.hosts.secondary] : [];
  const service: Service = { port, protocol: "tcp", afterSeconds: 0 };
  const addresses = hosts.flatMap((host) => (host !== null && isLoopback(host) ? host : []));
  const endpoints = addresses.map((address) => ({ address, service, from: 0, to: Infinity }));
  return { kind: "database", id, label, status, endpoints };
}

/** All machines as they are now, and when the next of them changes. */
export function planMachines(store: Store, rules: MachineRules): { machines: Machine[]; nextAt: number } {
  // Read first: what moves while the objects are read is still to come.
  const now = store.clock.now();
  const [nodes, databases] = [store.table(node).all(), store.table(database).all()];
  const machines = [
    ...nodes.map((entity) => nodeMachine(entity, rules)),
    ...databases.map((entity) => databaseMachine(entity)),
  ];
  let nextAt = Infinity;
  const notice = (at: number) => {
    if (at > now && at < nextAt) nextAt = at;
  };
  for (const { moves } of [...nodes, ...databases] as readonly Entity[]) notice(moves[0]?.at ?? Infinity);
  for (const { endpoints } of machines) {
    for (const { from, to } of endpoints) {
      notice(from);
      notice(to);
    }
  }
  return { machines, nextAt };
}
