import { Resolver } from "node:dns/promises";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForAllTests } from "../helpers/with-stack";

/** A service on an unprivileged port that answers half a minute after each boot, as long as the image is a good one. */
const PORT = 8000;
const RULES = [
  { image: "node/debian11", services: [] },
  { services: [{ port: PORT, protocol: "http", afterSeconds: 30 }] },
];

/** Between two requests of a client: a client without it would take a processor away from the engine. */
const PACE_MS = 20;

interface Sent {
  answered: number;
  readonly failures: string[];
  stop(): Promise<Sent>;
}

/** Sends requests to the name of the pool all the time, and resolves it each time, as a client that caches nothing. */
function client(emulator: TestEmulator, name: string): Sent {
  const resolver = new Resolver();
  resolver.setServers([emulator.dns ?? ""]);
  let isOver = false;
  const sent: Sent = { answered: 0, failures: [], stop: () => ((isOver = true), ended) };
  const ended = (async () => {
    for (let turn = 0; !isOver; turn++) {
      try {
        const addresses = (await resolver.resolve4(name)).sort();
        await get(addresses[turn % addresses.length] ?? "");
        sent.answered++;
      } catch (error) {
        sent.failures.push(String(error));
      }
      await pause(PACE_MS);
    }
    return sent;
  })();
  return sent;
}

const get = (host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request({ host, port: PORT, agent: false, timeout: 2_000 }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${host} answers ${response.statusCode ?? 0}`));
      });
    });
    asked.once("error", reject).end();
  });

let emulator: TestEmulator;
let stack: TestStack;
stackForAllTests(
  async (own) => {
    ({ emulator, stack } = own);
    await emulator.control("PUT", "/machines", RULES);
  },
  { speed: 600, machines: true, dns: 0, zoneDelaySeconds: 600 },
);

const program = ({ image = "node/debian12", size = 3, type = "g6-nanode-1" }) => {
  stack.program(`
const zone = new nodecloud.Domain("zone", { domain: "pool.example", type: "master", soaEmail: "a@pool.example" });
const { nodes: [first] } = new nodecloud.NodePool("web", {
  size: ${size},
  node: { region: "us-east", type: "${type}", image: "${image}", backupsEnabled: true },
  readyWhen: { http: { port: ${PORT}, path: "/healthz", interval: 0.2 } },
  records: [{ domainId: zone.id, name: "www" }],
  drainSec: 1,
}, { customTimeouts: { create: "15s", update: "5m", delete: "5m" } });
new nodecloud.NodeBackupSnapshot("first", { nodeId: first.id }, { deletedWith: first });`);
};
const images = async () => {
  const { body } = await emulator.control<{ data: { image: string }[] }>("GET", "/objects/nodes");
  return body.data.map(({ image }) => image);
};

test("a pool is created, and its name leads to its nodes", async () => {
  program({});
  expect(await stack.up()).toMatchObject({ code: 0 });
  await expectSettled(stack);
  const before = client(emulator, "www.pool.example");
  expect(await images()).toEqual(Array(3).fill("node/debian12"));
  const { failures } = await before.stop();
  expect(failures).toEqual([]);
});

test("a new image rolls through it, and no request fails", async () => {
  const sent = client(emulator, "www.pool.example");
  program({ image: "node/ubuntu24.04" });
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  const { answered, failures } = await sent.stop();
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  expect(await images()).toEqual(Array(3).fill("node/ubuntu24.04"));
  await expectSettled(stack);
});

test("an image that never answers leaves the old nodes and records, and a good one converges", async () => {
  const sent = client(emulator, "www.pool.example");
  const { first: before } = await stack.state();
  program({ image: "node/debian11" });
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(failed.printed).toContain("it is not ready: http :8000/healthz");
  expect((await images()).filter((image) => image === "node/ubuntu24.04")).toHaveLength(3);
  expect((await stack.state())["first"]).toEqual(before);
  const { body } = await emulator.control<{ data: { type: string }[] }>("GET", "/objects/nodeBackups");
  // The service takes others at midnight.
  expect(body.data.filter(({ type }) => type === "snapshot")).toHaveLength(1);
  program({ image: "node/alpine3.20" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { failures } = await sent.stop();
  expect(failures).toEqual([]);
  expect(await images()).toEqual(Array(3).fill("node/alpine3.20"));
  await expectSettled(stack);
});

test("a smaller size takes the last node out of DNS before it deletes it", async () => {
  const sent = client(emulator, "www.pool.example");
  program({ image: "node/alpine3.20", size: 2 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { failures } = await sent.stop();
  expect(failures).toEqual([]);
  expect(await images()).toHaveLength(2);
  await expectSettled(stack);
});

test("six nodes are resized with five of them serving all the time", async () => {
  program({ image: "node/alpine3.20", size: 6 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { body } = await emulator.control<{ data: { ipv4: string[] }[] }>("GET", "/objects/nodes");
  const addresses = body.data.map(({ ipv4 }) => ipv4[0] ?? "");
  let isOver = false;
  let fewest = addresses.length;
  let sweeps = 0;
  const watching = (async () => {
    for (; !isOver; sweeps++) {
      const answers = await Promise.allSettled(addresses.map(get));
      fewest = Math.min(fewest, answers.filter(({ status }) => status === "fulfilled").length);
      await pause(PACE_MS);
    }
  })();
  program({ image: "node/alpine3.20", size: 6, type: "g6-standard-1" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  isOver = true;
  await watching;
  expect({ fewest, isWatched: sweeps > 50 }).toEqual({ fewest: 5, isWatched: true });
  await expectSettled(stack);
});
