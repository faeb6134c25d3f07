import { type OperationSpec, fillPath } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { disks } from "../../src/emulator/routes/disks";
import { type TestEmulator } from "./emulator";
import { changedBody, makeExample, paramsAt, placeOf } from "./samples";
import { answer as dnsAnswer, soa, startNameServer } from "./name-server";

/** An operation that was called, with its request and its answer. */
export interface Called {
  /** Such as `domains.create`. */
  readonly name: string;
  readonly spec: OperationSpec;
  readonly sent: unknown;
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Every operation of the emulator, by its name. */
export const operations: ReadonlyMap<string, OperationSpec> = new Map(
  Object.entries({ ...service, disks }).flatMap(([family, members]) =>
    Object.entries<OperationSpec>(members).map(([name, spec]) => [`${family}.${name}`, spec]),
  ),
);

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Calls every operation at least once, on objects in various states. The emulator's clock stands still. */
export async function callEveryOperation(emulator: TestEmulator): Promise<Called[]> {
  const all: Called[] = [];

  async function call(
    name: string,
    { body: sent, ...params }: Readonly<Record<string, unknown>> & { body?: unknown } = {},
    wait = 0,
  ) {
    const spec = operations.get(name);
    if (!spec) throw new Error(`There is no operation ${name}.`);
    const ids = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
    const { status, body } = await emulator.call(spec.method, fillPath(spec.path, ids), { body: sent });
    all.push({ name, spec, sent, status, body });
    emulator.clock.advance(wait);
    return body;
  }

  async function callNodes() {
    const full = {
      ...{ region: "us-east", type: "g6-nanode-1", image: "node/debian12", root_pass: "correct horse" },
      ...{ backups_enabled: true, private_ip: true, tags: ["web"], metadata: { user_data: "aGVsbG8=" } },
    };
    const { id: nodeId } = await call("nodes.create", { body: full }, 20 * MINUTE);
    await call("nodes.create", { body: { region: "us-east", type: "any" } });
    await call("nodes.get", { nodeId });
    await call("nodes.update", { nodeId, body: { label: "renamed" } });
    await call("nodes.boot", { nodeId });
    await call("nodes.resize", { nodeId, body: { type: "g6-standard-2" } }, 10 * MINUTE);
    await call("nodes.clone", { nodeId, body: { label: "copy", metadata: full.metadata } }, 10 * MINUTE);
    await call("nodeBackups.enable", { nodeId });
    emulator.clock.advance(DAY);
    const body = { label: "first" };
    const { id: backupId } = await call("nodeBackups.create", { nodeId, body });
    await call("nodeBackups.get", { nodeId, backupId });
    await call("nodeBackups.list", { nodeId }, 10 * MINUTE);
    await call("nodeBackups.get", { nodeId, backupId });
    await call("nodeBackups.list", { nodeId });
    const restore = { node_id: nodeId, overwrite: true };
    await call("nodeBackups.restore", { nodeId, backupId, body: restore }, 10 * MINUTE);
    await call("nodes.list");
    const { data } = (await call("disks.list", { nodeId })) as { data?: { id: number }[] };
    const { id: imageId } = await call("images.create", { body: { disk_id: data?.[0]?.id } }, 5 * MINUTE);
    await call("images.upload", { body: { label: "mine", region: "us-east" } });
    await call("images.list");
    await call("images.get", { imageId });
    await call("images.get", { imageId: "node/debian10" });
    await call("images.update", { imageId, body: { description: "from a disk" } });
    await call("images.delete", { imageId });
    await call("nodeBackups.cancel", { nodeId });
    await call("nodes.delete", { nodeId });
  }

  async function callDatabases(kind: "mysql" | "postgresql", engine: string, replication_type: string) {
    const plain = { region: "us-east", type: "g6-nanode-1", engine, label: `${kind}-one` };
    const cluster = { ...plain, label: `${kind}-many`, cluster_size: 3, replication_type };
    await call(`${kind}.create`, { body: cluster });
    const { id: instanceId } = await call(`${kind}.create`, { body: plain }, 25 * MINUTE);
    await call(`${kind}.get`, { instanceId });
    await call(`${kind}.update`, { instanceId, body: { allow_list: ["192.0.2.1"] } }, MINUTE);
    await call(`${kind}.createBackup`, { instanceId, body: { label: "first" } }, DAY);
    const { data } = (await call(`${kind}.listBackups`, { instanceId })) as { data?: { id: number }[] };
    await call(`${kind}.list`);
    await call("databases.list");
    if (kind === "mysql") {
      const backup = { instanceId, backupId: data?.[0]?.id };
      await call("mysql.getBackup", backup);
      await call("mysql.restoreBackup", backup, 10 * MINUTE);
      await call("mysql.deleteBackup", backup);
      await call("mysql.getCredentials", { instanceId });
      await call("mysql.getSslCertificate", { instanceId });
      await call("mysql.patch", { instanceId }, 5 * MINUTE);
      await call("mysql.resetCredentials", { instanceId }, MINUTE);
    }
    await call(`${kind}.delete`, { instanceId });
  }

  async function callDomains() {
    const master = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
    const { id: domainId } = await call("domains.create", { body: master });
    await call("domains.create", {
      body: { domain: "slave.example", type: "slave", master_ips: ["192.0.2.1"] },
    });
    const address = { type: "A", name: "www", target: "192.0.2.1" };
    const { id: recordId } = await call("records.create", { domainId, body: address });
    const srv = { type: "SRV", target: "sip.example.org", priority: 1, weight: 2, port: 5060 };
    await call("records.create", { domainId, body: { ...srv, service: "sip", protocol: "tcp" } });
    await call("records.create", { domainId, body: { type: "CAA", target: "ca.example", tag: "issue" } });
    await call("records.get", { domainId, recordId });
    await call("records.update", { domainId, recordId, body: { ttl_sec: 300 } });
    await call("records.list", { domainId });
    await call("records.delete", { domainId, recordId });
    await call("domains.get", { domainId });
    await call("domains.list");
    await call("domains.update", { domainId, body: { tags: ["web"], description: "text", group: "one" } });
    await call("domains.clone", { domainId, body: { domain: "example.net" } });
    const { address: remote_nameserver, stop } = await startNameServer((question, socket) =>
      socket.end(dnsAnswer(question, [soa("example.com"), soa("example.com")])),
    );
    await call("domains.import", { body: { domain: "example.com", remote_nameserver } });
    await stop();
    await call("domains.getZoneFile", { domainId });
    await call("domains.delete", { domainId });
  }

  /** Calls the operations of each family that has no steps above, on the example of the emulator. */
  async function callFamiliesWithoutSteps() {
    const known = new Set(all.map(({ name }) => name.split(".")[0]));
    const others = [...operations].filter(([name]) => !known.has(name.split(".")[0]));
    const order = ["create", "get", "list", "update", "delete"];
    for (const own of order) {
      for (const [name, spec] of others.filter(([name]) => name.endsWith(`.${own}`))) {
        const place = placeOf(spec);
        if (place === undefined) throw new Error(`The emulator has no example for ${name}.`);
        const params = paramsAt(spec, await makeExample(emulator, place));
        const body =
          own === "create"
            ? place.view.example.body
            : own === "update"
              ? changedBody(spec, place)
              : undefined;
        await call(name, { ...params, ...(body === undefined ? {} : { body }) });
      }
    }
  }

  await callNodes();
  await callDatabases("mysql", "mysql/8.0.30", "semi_synch");
  await callDatabases("postgresql", "postgresql/14.6", "asynch");
  await callDomains();
  await call("engines.list");
  await call("engines.get", { engineId: "mysql/8.0.30" });
  await call("regions.list");
  await call("regions.listAvailability");
  await call("regions.get", { regionId: "us-east" });
  await call("regions.getAvailability", { regionId: "us-east" });
  await callFamiliesWithoutSteps();
  return all;
}
