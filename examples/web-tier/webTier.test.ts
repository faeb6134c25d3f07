import * as assert from "node:assert";
import { before, describe, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type * as webTier from "./webTier";

/** The inputs of each registered resource, by kind and name. */
const registered = new Map<string, Record<string, unknown>>();

/** Outputs that only the service sets. */
const assigned: Record<string, (name: string) => object> = {
  Node: (name) => ({ ipv4: [`192.0.2.${name.split("-").at(-1)}`] }),
  MysqlDatabase: (name) => ({
    hosts: { primary: `${name}.databases.example` },
    rootUsername: "root",
    rootPassword: pulumi.secret("from the service"),
  }),
};

before(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, type, inputs }) => {
      const kind = type.split(":").at(-1) ?? "";
      registered.set(`${kind} ${name}`, inputs);
      return { id: `${name}-id`, state: { ...inputs, ...assigned[kind]?.(name) } };
    },
    call: ({ token }) => {
      throw new Error(`this program calls no function, but called ${token}`);
    },
  }),
);

const valueOf = <Value>(output: pulumi.Output<Value>) =>
  new Promise<Value>((resolve) => output.apply(resolve));

const args: webTier.WebTierArgs = {
  domain: "shop.example",
  soaEmail: "dns@shop.example",
  region: "us-east",
  nodeType: "g6-nanode-1",
  databaseType: "g6-standard-1",
};

/** Creates a web tier, and waits until all its resources are registered. */
async function deploy(name: string, more: Partial<webTier.WebTierArgs> = {}): Promise<webTier.WebTier> {
  const { WebTier } = await import("./webTier");
  const tier = new WebTier(name, { ...args, ...more });
  await valueOf(tier.records.urn);
  return tier;
}

function inputsOf(kind: string, name: string): Record<string, unknown> {
  const inputs = registered.get(`${kind} ${name}`);
  assert.ok(inputs, `the program has no ${kind} ${name}`);
  return inputs;
}

describe("the nodes", () => {
  test("are three unless the program sets nodeCount", async () => {
    assert.equal((await deploy("three")).nodes.length, 3);
    assert.equal((await deploy("five", { nodeCount: 5 })).nodes.length, 5);
    assert.ok(registered.has("Node five-5"));
  });

  test("must be at least one", async () => {
    await assert.rejects(
      deploy("none", { nodeCount: 0 }),
      /nodeCount is 0; it must be a whole number from 1/,
    );
    await assert.rejects(deploy("half", { nodeCount: 1.5 }), /nodeCount is 1.5/);
  });

  test("set no label, so stacks do not collide", async () => {
    await deploy("unlabelled");
    assert.equal(inputsOf("Node", "unlabelled-1").label, undefined);
    assert.equal(inputsOf("MysqlDatabase", "unlabelled-db").label, undefined);
  });

  test("have the tags, the plan and the backups that the program sets", async () => {
    await deploy("tagged", { tags: ["shop", "prod"], backups: true, nodeType: "g6-standard-2" });
    for (const name of ["tagged-1", "tagged-2", "tagged-3"]) {
      const { tags, backupsEnabled, type } = inputsOf("Node", name);
      assert.deepEqual(
        { tags, backupsEnabled, type },
        { tags: ["shop", "prod"], backupsEnabled: true, type: "g6-standard-2" },
      );
    }
  });

  test("use a DNS name of the zone for the database", async () => {
    await deploy("named");
    // The mock receives a secret in an envelope.
    const { value } = inputsOf("Node", "named-1").userData as { value: string };
    assert.match(value, /DATABASE_HOST=db\.shop\.example\n/);
  });
});

describe("the database", () => {
  test("allows only the nodes", async () => {
    await deploy("closed");
    assert.deepEqual(inputsOf("MysqlDatabase", "closed-db").allowList, [
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
    ]);
  });

  test("has one machine unless the program sets databaseStandby", async () => {
    await deploy("alone");
    await deploy("standby", { databaseStandby: true });
    assert.equal(inputsOf("MysqlDatabase", "alone-db").clusterSize, 1);
    assert.equal(inputsOf("MysqlDatabase", "standby-db").clusterSize, 3);
  });

  test("has a secret password", async () => {
    const { database } = await deploy("secret");
    assert.equal(await pulumi.isSecret(database.rootPassword), true);
  });
});

test("the zone has records for every node, the site and the database", async () => {
  const tier = await deploy("site");
  assert.deepEqual(inputsOf("DomainRecordSet", "site-records"), {
    domainId: "site-zone-id",
    records: [
      { type: "A", target: "192.0.2.1", ttlSec: 300 },
      { type: "A", target: "192.0.2.2", ttlSec: 300 },
      { type: "A", target: "192.0.2.3", ttlSec: 300 },
      { type: "CNAME", name: "www", target: "shop.example" },
      { type: "CNAME", name: "db", target: "site-db.databases.example", ttlSec: 300 },
    ],
  });
  assert.equal(await valueOf(tier.url), "http://www.shop.example/");
});
