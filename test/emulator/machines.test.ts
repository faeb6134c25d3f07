import { type Store } from "../../src/emulator/kind/kind";
import { planMachines } from "../../src/emulator/machines/plan";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { type RequestOptions, request as requestTls } from "node:https";
import { type Socket, createServer, connect as open } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ListenOptions } from "../../src/emulator";
import { CERTIFICATE } from "../helpers/certificate";
import { type TestEmulator, deployedNode, withEmulator } from "../helpers/emulator";

const PORT = 18_080;
const PROVISIONED = 20 * 60;

const withMachines = (use: (emulator: TestEmulator) => Promise<void>, options: ListenOptions = {}) =>
  withEmulator(use, { machines: true, warn: () => undefined, ...options });

async function create(emulator: TestEmulator, body: object = {}) {
  const answer = await emulator.call<{ id: number; ipv4: string[] }>("POST", "/node/instances", {
    body: { ...deployedNode, label: "web", ...body },
  });
  const [address = "", privateAddress = ""] = answer.body.ipv4;
  return { id: answer.body.id, address, privateAddress };
}

const advance = (emulator: TestEmulator, seconds: number) =>
  emulator.control("POST", "/clock", { advance: seconds });

/** Sets what every node serves, and creates one that is running. */
async function running(emulator: TestEmulator, ...services: object[]) {
  const set = await emulator.control("PUT", "/machines", [{ services }]);
  expect(set.status).toBe(200);
  const node = await create(emulator);
  await advance(emulator, PROVISIONED);
  return node;
}

async function connect(address: string, port = PORT): Promise<Socket> {
  const socket = open(port, address);
  await once(socket, "connect");
  return socket;
}

const connects = (address: string, port = PORT): Promise<boolean> =>
  connect(address, port).then(
    (socket) => Boolean(socket.destroy()),
    () => false,
  );

async function textOf(message: IncomingMessage | Socket): Promise<string> {
  const chunks = await message.setEncoding("utf8").toArray();
  return chunks.join("");
}

async function get(address: string, port = PORT) {
  const response = await fetch(`http://${address}:${port}/`);
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
}

test("each node has addresses of its own on this machine, and answers there while it runs", () =>
  withMachines(async (emulator) => {
    await emulator.control("PUT", "/machines", [{ services: [{ port: PORT, protocol: "http" }] }]);
    const [one, other] = [
      await create(emulator, { private_ip: true }),
      await create(emulator, { label: "db1" }),
    ];
    const addresses = [one.address, one.privateAddress, other.address];
    expect(new Set(addresses).size).toBe(3);
    for (const address of addresses) expect(address).toMatch(/^127\.(?!0\.)\d+\.\d+\.\d+$/);
    expect(await connects(one.address)).toBe(false);
    await advance(emulator, PROVISIONED);
    const answer = { status: 200, type: "text/plain; charset=utf-8" };
    expect(await get(one.address)).toEqual({ ...answer, text: "web\n" });
    expect(await get(one.privateAddress)).toEqual({ ...answer, text: "web\n" });
    expect(await get(other.address)).toEqual({ ...answer, text: "db1\n" });
    expect(await connects("127.0.0.1")).toBe(false);
  }));

test("the first rule that matches a node decides what it serves", () =>
  withMachines(async (emulator) => {
    const { id } = await create(emulator, { label: "one" });
    await create(emulator, { label: "web-1" });
    await create(emulator, { label: "alpine" });
    await create(emulator, { label: "debian", image: "node/debian12" });
    await advance(emulator, PROVISIONED);
    const service = (port: number) => ({ services: [{ port }] });
    await emulator.control("PUT", "/machines", [
      { id, ...service(PORT + 1) },
      { label: "web-*", ...service(PORT + 2) },
      { image: "node/alpine*", ...service(PORT + 3) },
    ]);
    const { body } = await emulator.control<{ machines: { label: string; services: { port: number }[] }[] }>(
      "GET",
      "/machines",
    );
    expect(body.machines.map(({ label, services }) => [label, services.map(({ port }) => port)])).toEqual([
      ["one", [PORT + 1]],
      ["web-1", [PORT + 2]],
      ["alpine", [PORT + 3]],
      ["debian", [22, 2222, 80, 8080]],
    ]);
  }));

test("a service comes after its time and goes, and a boot begins the time again", () =>
  withMachines(async (emulator) => {
    const { id, address } = await running(emulator, { port: PORT, afterSeconds: 60, forSeconds: 120 });
    const states: boolean[] = [];
    for (const seconds of [59, 1, 119, 1]) {
      await advance(emulator, seconds);
      states.push(await connects(address));
    }
    expect(states).toEqual([false, true, true, false]);
    await emulator.call("POST", `/node/instances/${id}/resize`, { body: { type: "g6-standard-1" } });
    await advance(emulator, 10 * 60 + 59);
    expect(await connects(address)).toBe(false);
    await advance(emulator, 1);
    expect(await connects(address)).toBe(true);
  }));

test("a service takes over the port of an earlier one", () =>
  withMachines(async (emulator) => {
    const { address } = await running(
      emulator,
      { port: PORT, protocol: "http", status: 503, forSeconds: 30 },
      { port: PORT, protocol: "http", afterSeconds: 30, body: { ready: true } },
    );
    expect(await get(address)).toMatchObject({ status: 503 });
    await advance(emulator, 30);
    expect(await get(address)).toEqual({ status: 200, text: '{"ready":true}', type: "application/json" });
  }));

test.each<[string, (emulator: TestEmulator, id: number) => Promise<unknown>]>([
  [
    "is resized",
    ({ call }, id) => call("POST", `/node/instances/${id}/resize`, { body: { type: "g6-standard-1" } }),
  ],
  ["is deleted", ({ call }, id) => call("DELETE", `/node/instances/${id}`)],
  ["reboots", ({ control }, id) => control("PATCH", `/objects/nodes/${id}`, { status: "rebooting" })],
  ["powers off", ({ control }, id) => control("POST", `/objects/nodes/${id}/power-off`)],
  ["disappears in a reset", ({ control }) => control("POST", "/reset")],
])("a node that %s closes its port and its connections", (_, act) =>
  withMachines(async (emulator) => {
    const { id, address } = await running(emulator, { port: PORT });
    const socket = await connect(address);
    const closed = once(socket, "close");
    await act(emulator, id);
    await closed;
    expect(await connects(address)).toBe(false);
  }),
);

test("an SSH service sends its identification, and closes when the client goes on", () =>
  withMachines(async (emulator) => {
    const { address } = await running(emulator, { port: PORT, protocol: "ssh" });
    const socket = await connect(address);
    const [banner] = await once(socket.setEncoding("utf8"), "data");
    expect(banner).toMatch(/^SSH-2\.0-\S+\r\n$/);
    socket.write("SSH-2.0-client\r\n");
    await once(socket, "close");
  }));

test("a TCP service sends its banner and waits", () =>
  withMachines(async (emulator) => {
    const { address } = await running(emulator, { port: PORT, banner: "220 mail\r\n" });
    const socket = await connect(address);
    expect(String((await once(socket, "data"))[0])).toBe("220 mail\r\n");
    socket.destroy();
  }));

test("a web service answers with its status, headers and body", () =>
  withMachines(async (emulator) => {
    const headers = { "Content-Type": "text/html", "X-Served-By": "web" };
    const { address } = await running(emulator, {
      ...{ port: PORT, protocol: "http", status: 404, headers },
      ...{ body: "<p>No</p>", delayMs: 1 },
    });
    const response = await fetch(`http://${address}:${PORT}/missing`, { method: "POST", body: "text" });
    expect([response.status, await response.text()]).toEqual([404, "<p>No</p>"]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html",
      "x-served-by": "web",
      connection: "close",
    });
  }));

test.each([
  ["close", "socket hang up"],
  ["reset", "ECONNRESET"],
])("a service with the failure %s answers nothing", (failure, message) =>
  withMachines(async (emulator) => {
    const { address } = await running(emulator, { port: PORT, protocol: "http", failure });
    const asked = request({ host: address, port: PORT }).end();
    const [error] = await once(asked, "error");
    expect(String(error)).toContain(message);
  }),
);

test("a service that hangs accepts connections and is silent until it is gone", () =>
  withMachines(async (emulator) => {
    const { address } = await running(emulator, {
      port: PORT,
      failure: "hang",
      banner: "no",
      forSeconds: 60,
    });
    const text = textOf((await connect(address)).end("hello")).catch(() => "");
    await advance(emulator, 60);
    expect(await text).toBe("");
  }));

test("HTTPS serves the given certificate, right or wrong", () =>
  withMachines(async (emulator) => {
    const { address } = await running(emulator, { port: PORT, protocol: "https", ...CERTIFICATE });
    const ask = async (options: RequestOptions) => {
      const asked = requestTls({ host: address, port: PORT, agent: false, ...options }).end();
      const response = once(asked, "response").then(([message]) => textOf(message as IncomingMessage));
      return response.catch((error: unknown) => (error as NodeJS.ErrnoException).code);
    };
    const ca = CERTIFICATE.cert;
    expect(await ask({ ca, servername: "web.example.org" })).toBe("web\n");
    expect(await ask({ ca, servername: "api.example.org" })).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await ask({ servername: "web.example.org" })).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    // Not TLS at all.
    await expect(get(address)).rejects.toThrow("fetch failed");
    expect(await ask({ ca, servername: "web.example.org" })).toBe("web\n");
  }));

test("a port that is in use is reported and warned of once, and tried again with new rules", async () => {
  const warnings: string[] = [];
  await withMachines(
    async (emulator) => {
      const { id, address } = await create(emulator);
      const taken = createServer().listen(PORT, address);
      await once(taken, "listening");
      await emulator.control("PUT", "/machines", [{ services: [{ port: PORT }, { port: PORT + 1 }] }]);
      await advance(emulator, PROVISIONED);
      const found = async () => (await emulator.control("GET", "/machines")).body["machines"];
      const service = { address, port: PORT, protocol: "tcp" };
      expect(await found()).toEqual([
        {
          ...{ kind: "node", id, label: "web", status: "running" },
          services: [
            { ...service, state: "failed", reason: "EADDRINUSE" },
            { ...service, port: PORT + 1, state: "listening" },
          ],
        },
      ]);
      await advance(emulator, 1);
      expect(warnings).toEqual([
        `a machine cannot listen on ${address}:${PORT} (EADDRINUSE); GET /_emulator/machines lists what listens`,
      ]);
      await new Promise((resolve) => taken.close(resolve));
      const services = [{ port: PORT }, { port: PORT, banner: "220" }, { port: PORT + 1, afterSeconds: 60 }];
      await emulator.control("PUT", "/machines", [{ services }]);
      expect(await found()).toMatchObject([
        { services: [{ state: "listening" }, { state: "hidden" }, { state: "later" }] },
      ]);
    },
    { warn: (message) => void warnings.push(message) },
  );
});

test("a database listens on its host and port while it is active", () =>
  withMachines(async (emulator) => {
    const { body } = await emulator.call("POST", "/databases/mysql/instances", {
      body: {
        label: "shop",
        region: "us-east",
        type: "g6-nanode-1",
        engine: "mysql/8.0.30",
        cluster_size: 3,
      },
    });
    const path = `/databases/mysql/instances/${String(body["id"])}`;
    await advance(emulator, 25 * 60);
    const { hosts, port } = (
      await emulator.call<{ hosts: { primary: string; secondary: string }; port: number }>("GET", path)
    ).body;
    expect(hosts.primary).not.toBe(hosts.secondary);
    expect([await connects(hosts.primary, port), await connects(hosts.secondary, port)]).toEqual([
      true,
      true,
    ]);
    await emulator.call("PUT", path, { body: { label: "store" } });
    expect(await connects(hosts.primary, port)).toBe(false);
    await advance(emulator, 60);
    expect(await connects(hosts.primary, port)).toBe(true);
  }));

test("ports open by themselves as the clock runs", () =>
  withMachines(
    async (emulator) => {
      const { address } = await running(emulator, { port: PORT, afterSeconds: 30 });
      // No request to the emulator opens the port.
      while (!(await connects(address)));
    },
    { speed: 600 },
  ));

test("the port is open for a client that has read that the node runs", async () => {
  let now = Date.UTC(2026, 0, 1, 6);
  await withMachines(
    async (emulator) => {
      const { address } = await running(emulator, { port: PORT, afterSeconds: 600 });
      now += 1000;
      const { body } = await emulator.call("GET", "/node/instances");
      expect([body["results"], await connects(address)]).toEqual([1, true]);
    },
    { speed: 600, realNow: () => now },
  );
});

test("the clock of a program opens ports too", () =>
  withMachines(async (emulator) => {
    await emulator.control("PUT", "/machines", [{ services: [{ port: PORT }] }]);
    const { address } = await create(emulator);
    emulator.clock.advance(PROVISIONED);
    expect(await connects(address)).toBe(true);
    emulator.reset();
    expect(await connects(address)).toBe(false);
  }));

test("a new node does not get the address that another object has", () =>
  withMachines(async (emulator) => {
    await create(emulator);
    const second = await create(emulator);
    await emulator.control("POST", "/reset");
    const { id } = await create(emulator);
    await emulator.control("PATCH", `/objects/nodes/${id}`, { ipv4: [second.address] });
    const again = await create(emulator);
    expect(again.id).toBe(second.id);
    expect(again.address).not.toBe(second.address);
  }));

test("a restart keeps the addresses and the time of the boot", async () => {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-machines-"));
  const data = join(directory, "data");
  const services = [{ port: PORT, afterSeconds: 60, forSeconds: 60 }];
  let address = "";
  await withMachines(
    async (emulator) => {
      const node = await running(emulator, ...services);
      ({ address } = node);
      await advance(emulator, 60);
      // A change of the node, so that the file has it after the boot.
      const renamed = await emulator.control("PATCH", `/objects/nodes/${node.id}`, { label: "renamed" });
      expect(renamed.status).toBe(200);
    },
    { data },
  );
  await withMachines(
    async (emulator) => {
      await emulator.control("PUT", "/machines", [{ services }]);
      expect(await connects(address)).toBe(true);
      const { address: other } = await create(emulator);
      expect(other).not.toBe(address);
      await advance(emulator, 60);
      expect(await connects(address)).toBe(false);
    },
    { data },
  );
  rmSync(directory, { recursive: true });
});

test("stopping the emulator closes the ports and the connections", async () => {
  let socket: Socket | undefined;
  let address = "";
  await withMachines(async (emulator) => {
    ({ address } = await running(emulator, { port: PORT }));
    socket = await connect(address);
  });
  expect(await connects(address)).toBe(false);
  if (socket && !socket.closed) await once(socket, "close");
});

test("a reset drops the rules, and a reset of a part keeps them", () =>
  withMachines(async (emulator) => {
    const rules = async () => (await emulator.control("GET", "/machines")).body["rules"];
    await emulator.control("PUT", "/machines", [{ services: [] }]);
    await emulator.control("POST", "/reset?only=faults");
    expect(await rules()).toEqual([{ services: [] }]);
    await emulator.control("POST", "/reset");
    expect(await rules()).toEqual([]);
  }));

test.each<[unknown, string, string]>([
  [{ services: [] }, "", "must be a list"],
  [[{ label: "web" }], "0.services", "is required"],
  [[{ services: [{ port: 0 }] }], "0.services.0.port", "must be at least 1"],
  [[{ services: [{ port: 80, ready: true }] }], "0.services.0", "must not have ready"],
  [[{ services: [{ port: 80, status: 200 }] }], "0.services.0.status", "does not apply to the protocol tcp"],
  [[{ services: [{ port: 443, protocol: "https" }] }], "0.services.0.cert", "and key must be a certificate"],
  [
    [{ services: [{ port: 80, protocol: "http", headers: { "a b": "c" } }] }],
    "0.services.0.headers",
    "are not valid HTTP headers",
  ],
])("the rules %j are refused with the field", (rules, field, reason) =>
  withMachines(async (emulator) => {
    const { status, body } = await emulator.control("PUT", "/machines", rules);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ reason: expect.stringContaining(reason) }] },
    });
    expect((body["errors"] as { field?: string }[])[0]?.field ?? "").toBe(field);
  }),
);

test("without the option nothing listens, and rules are refused", () =>
  withEmulator(async (emulator) => {
    expect((await create(emulator)).address).toMatch(/^192\.0\.2\./);
    expect((await emulator.control("GET", "/machines")).body).toEqual({
      enabled: false,
      rules: [],
      machines: [],
    });
    const { status, body } = await emulator.control("PUT", "/machines", []);
    expect({ status, body }).toEqual({
      status: 400,
      body: { errors: [{ reason: "No machines listen: start the emulator with --machines." }] },
    });
  }));

test("a change that is due while the objects are read is not missed", () => {
  let time = 4;
  const fields = { id: 1, label: "web", status: "booting", ipv4: [] };
  const all = () => {
    time = 6;
    return [{ fields, moves: [{ at: 5 }] }];
  };
  const store = { clock: { now: () => time }, table: () => ({ all }) } as unknown as Store;
  expect(planMachines(store, []).nextAt).toBe(5);
});
