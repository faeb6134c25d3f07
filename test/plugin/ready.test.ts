import { stateIn } from "../../src/provider/engine/stack-state";
import { type Answering, closedPort, startAnswering, startTalking } from "../helpers/answering";
import { type Managed, type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

const NODE = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: "web" };

inEachWay((way) => {
  let rig: Rig;
  let site: Answering;
  /** The object that the state has for the resource besides its own. */
  let old: string | undefined;
  beforeEach(async () => {
    old = undefined;
    const state = { ...stateIn({}), otherIdOf: () => old };
    rig = await startRig({ Node: "nodes", PostgresqlDatabase: "postgresql" }, {}, way, { state });
    site = await startAnswering();
  });
  afterEach(async () => {
    await site.stop();
    await rig.stop();
  });

  const http = (more: Properties = {}) => ({
    http: { address: "127.0.0.1", port: site.port, path: "/healthz", ...more },
  });
  const asking = (readyWhen: Properties, more: Properties = {}) => ({ ...NODE, readyWhen, ...more });
  const SHORT = { customTimeouts: { create: "90s", update: "90s" } };
  const LONG = { customTimeouts: { create: "72h" } };
  /** A node that exists, and whose service answers. */
  async function served(): Promise<Managed> {
    const web = rig.resource("Node");
    site.set(200);
    await web.up(asking(http()));
    await rig.requests();
    return web;
  }
  const nodesCreated = async () => (await rig.requests())["POST /v4/node/instances"] ?? 0;

  test("a creation is done when the service answers", async () => {
    const web = rig.resource("Node");
    const created = web.up(asking(http()), LONG);
    await eventually("the row shows the answer", () =>
      web.progress().find((line) => /^waiting for http :\d+\/healthz, 503 for \d+ s$/.test(line)),
    );
    site.set(200);
    await created;
    expect(new Set(site.asked)).toEqual(new Set(["GET /healthz"]));
    expect(web.outputs).toMatchObject({ status: "running", readyWhen: http() });
    await expect(web.preview(asking(http()))).resolves.toMatchObject({ changes: false });
  });

  test("a node that does not answer in time stays, and the next run goes on", async () => {
    const web = rig.resource("Node");
    const failed = web.up(asking(http()), SHORT);
    await expect(failed).rejects.toThrow(
      /after 90 s it is not ready: http :\d+\/healthz at 127\.0\.0\.1 has not answered as asked\. The last answer was: 503, for \d+ s\. It stays in the state, and the next `pulumi up` continues to wait, for the time of customTimeouts\.update\. To wait longer, set customTimeouts\.create\. .*The Node \d+ has been running for at least \d+ s; this shows its state: curl .*\/v4\/node\/instances\/\d+ \[NC1502\]$/,
    );
    const { id } = web;
    expect(id).not.toBe("");
    await expect(nodesCreated()).resolves.toBe(1);
    await web.refresh();
    await expect(web.preview(asking(http()))).resolves.toMatchObject({ changes: true, replaces: [] });
    await expect(web.up(asking(http()), SHORT)).rejects.toThrow("it is not ready");
    site.set(204);
    await expect(web.up(asking(http()))).resolves.toBe("updated");
    expect(web.id).toBe(id);
    await expect(rig.requests()).resolves.not.toHaveProperty(["POST /v4/node/instances"]);
    await expect(web.preview(asking(http()))).resolves.toMatchObject({ changes: false });
  });

  test("a private address that the node does not get is refused before the node exists", async () => {
    const web = rig.resource("Node");
    const tcp = { tcp: { port: 80, address: "private" } };
    await expect(web.preview(asking(tcp))).rejects.toThrow(
      "readyWhen asks for the private IPv4 address, and the node gets none; set privateIp: true, or another address",
    );
    await expect(web.preview(asking(tcp, { privateIp: true }))).resolves.toMatchObject({});
  });

  test("a preview that goes back to the old image says that the old node goes too", async () => {
    const web = rig.resource("Node");
    await expect(web.up(asking(http()), SHORT)).rejects.toThrow("it is not ready");
    const before = asking(http(), { image: "node/alpine3.20" });
    await web.preview(before);
    expect((await web.warnings()).join()).not.toContain("is deleted too");
    old = "5";
    await web.preview(before);
    expect(await web.warnings()).toContain(
      `loses data: the old Node 5, which ${web.id} was to replace, is deleted too, even if the program is now as it was`,
    );
  });

  test("it is not sent", async () => {
    await served();
    const web = rig.resource("Node");
    await web.up(asking(http(), { label: "other" }));
    const { body } = await rig.emulator.control<{ last: { method: string; body?: Properties }[] }>(
      "GET",
      "/requests",
    );
    const created = body.last.filter(({ method }) => method === "POST").map((request) => request.body);
    expect(created).toEqual([expect.not.objectContaining({ ready_when: expect.anything() as unknown })]);
    expect(JSON.stringify(created)).not.toContain("healthz");
  });

  test("a change of it asks again and sends nothing", async () => {
    const web = await served();
    site.set(301);
    const changed = asking(http({ answers: 2 }));
    await expect(web.preview(changed)).resolves.toMatchObject({ changes: true, replaces: [] });
    await expect(web.up(changed, SHORT)).rejects.toThrow("The last answer was: 301");
    site.set(200);
    await expect(web.up(changed)).resolves.toBe("updated");
    expect(Object.keys(await rig.requests()).filter((name) => !name.startsWith("GET"))).toEqual([]);
    await expect(web.up(asking(http()))).resolves.toBe("updated");
    await expect(web.up(NODE)).resolves.not.toBe("replaced");
  });

  test("after a resize it has to answer again, also if that run failed", async () => {
    const web = await served();
    site.set(503);
    const larger = asking(http(), { type: "g6-standard-1" });
    await expect(web.up(larger, SHORT)).rejects.toThrow("update Node web");
    await expect(web.live()).resolves.toMatchObject({ type: "g6-standard-1", status: "running" });
    await web.refresh();
    await expect(web.up(larger, SHORT)).rejects.toThrow("it is not ready");
    site.set(200);
    await web.up(larger);
    expect((await rig.requests())["POST /v4/node/instances/:id/resize"]).toBe(1);
    await expect(web.preview(larger)).resolves.toMatchObject({ changes: false });
  });

  test("after a resize that was killed it has to answer too", async () => {
    const web = await served();
    const larger = asking(http(), { type: "g6-standard-1" });
    void web.up(larger, LONG).catch(() => undefined);
    site.set(503);
    await eventually("it is resized", async () =>
      (await web.live())?.["type"] === "g6-standard-1" ? true : undefined,
    );
    await rig.restart();
    await expect(web.up(larger, SHORT)).rejects.toThrow("it is not ready");
    site.set(200);
    await expect(web.up(larger)).resolves.toBe("updated");
  });

  test("its removal asks nothing, sends nothing, and leaves no drift", async () => {
    const web = await served();
    const asked = site.asked.length;
    await expect(web.up(NODE)).resolves.toBe("updated");
    await expect(web.refresh()).resolves.toEqual([]);
    await expect(web.preview(NODE)).resolves.toMatchObject({ changes: false });
    expect(site.asked).toHaveLength(asked);
    expect(Object.keys(await rig.requests()).filter((name) => !name.startsWith("GET"))).toEqual([]);
  });

  test("an update that interrupts nothing does not ask", async () => {
    const web = await served();
    const asked = site.asked.length;
    await web.up(asking(http(), { tags: ["blue"] }));
    expect(site.asked).toHaveLength(asked);
  });

  test("all of several have to answer", async () => {
    const ssh = await startTalking("SSH-2.0-OpenSSH_9.6\r\n");
    const other = await startTalking("220 mail\r\n");
    const at = { address: "127.0.0.1" };
    site.set(200);
    const web = rig.resource("Node");
    const all = (sshPort: number) => ({
      ...http(),
      tcp: { port: other.port, ...at },
      ssh: { port: sshPort, ...at },
    });
    await expect(web.up(asking(all(other.port)), SHORT)).rejects.toThrow(
      /ssh :\d+ at 127\.0\.0\.1 has not answered as asked\. The last answer was: it is not an SSH server/,
    );
    await web.up(asking(all(ssh.port)));
    await Promise.all([ssh.stop(), other.stop()]);
  });

  test("if nothing ever answers, the error says from where it is asked", async () => {
    const web = rig.resource("Node");
    const tcp = { port: await closedPort(), address: "127.0.0.1" };
    await expect(web.up(asking({ tcp }), SHORT)).rejects.toThrow(
      "connection refused, for 90 s. Nothing answered from the first try to the last: the machine that runs Pulumi asks",
    );
  });

  test("an address that the node lacks is named", async () => {
    const web = rig.resource("Node");
    await web.up(NODE);
    await expect(web.up(asking({ tcp: { port: 80, address: "private" } }))).rejects.toThrow(
      /^update Node web \(\d+\): readyWhen asks for the private IPv4 address, and it has none: set another/,
    );
  });

  test("a preview says what it waits for, and how long that usually takes on this machine", async () => {
    const web = rig.resource("Node");
    await web.check(asking(http()));
    await expect(web.warnings()).resolves.toEqual([`waits for http :${site.port}/healthz`]);
    const created = web.up(asking(http()), LONG);
    await eventually("it has asked", () => site.asked.length > 3 || undefined);
    site.set(200);
    await created;
    const next = rig.resource("Node");
    await next.check(asking(http(), { label: "next" }));
    expect(await next.warnings()).toEqual([
      expect.stringMatching(/^waits for http :\d+\/healthz \(usually \d+ (s|min)\)$/),
    ]);
  });

  test("a preview says nothing of waits that took no time", async () => {
    await served();
    const next = rig.resource("Node");
    await next.check(asking(http(), { label: "next" }));
    await expect(next.warnings()).resolves.toEqual([`waits for http :${site.port}/healthz`]);
  });

  test("a database is ready when its port accepts a connection", async () => {
    const database = rig.resource("PostgresqlDatabase");
    const inputs = { region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", label: "app" };
    const asked = { ...inputs, readyWhen: { tcp: true, address: "127.0.0.1" } };
    await expect(database.up(asked, SHORT)).rejects.toThrow("tcp :5432 at 127.0.0.1 has not answered");
    await expect(database.up({ ...inputs, readyWhen: { tcp: false } })).rejects.toThrow(
      "readyWhen.tcp must be true; to ask for nothing, remove readyWhen",
    );
  });

  test.each([
    [{}, "readyWhen asks for nothing: set http, tcp or ssh, or remove it"],
    [{ tcp: {} }, "readyWhen.tcp.port"],
    [{ tcp: { port: 0 } }, "readyWhen.tcp.port"],
    [{ http: { path: "healthz" } }, "readyWhen.http.path must begin with a slash"],
    [{ http: { prot: 80 } }, "readyWhen.http"],
    [{ http: { interval: 0 } }, "readyWhen.http.interval"],
  ])("%j is refused", async (readyWhen, reason) => {
    await expect(rig.resource("Node").preview(asking(readyWhen))).rejects.toThrow(reason);
  });
});
