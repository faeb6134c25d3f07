import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsOf } from "../faults/account";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Rig, descriptionOf, Managed, type ResourceType } from "../helpers/lifecycle";
import { inEachWay, type Plugin, type Properties } from "../helpers/plugin";
import { stateIn, type StackState } from "../../src/provider/engine/stack-state";
import { pluginClock, servePlugin } from "../helpers/plugin/in-process";
import { type FakeClock } from "../provider/fake-clock";
import { eventually, programFolder } from "../helpers/programs";

type Environment = Readonly<Record<string, string>>;

inEachWay((way) => {
  let emulator: TestEmulator;
  let homes: string;
  let plugins: Plugin[];
  let clock: FakeClock;
  let names = 0;
  /** The state that the last killed run has left. */
  let pending: StackState;
  beforeEach(async () => {
    clock = pluginClock();
    emulator = await startTestEmulator({ speed: AT_ONCE });
    homes = mkdtempSync(join(tmpdir(), "homes-"));
    plugins = [];
  });
  afterEach(async () => {
    for (const plugin of plugins) await plugin.stop();
    await emulator.stop();
    rmSync(homes, { recursive: true, force: true });
  });

  // The full plugin derives automatic names only where stacks have no organization. Elsewhere they are random, and only this machine has noted them.
  const DERIVED_NAMES: Environment = way === "plugin" ? { PULUMI_BACKEND_URL: "file:///state" } : {};

  /** A run on a machine with its own home directory. */
  async function runOn(
    machine: string,
    environment: Environment,
    settings: Record<string, string> = {},
    state?: StackState,
  ) {
    const folder = programFolder();
    const plugin = await servePlugin(
      { "nodecloud:token": emulator.token, "nodecloud:baseUrl": emulator.url, ...settings },
      {
        way,
        clock,
        folder,
        environment: { PULUMI_HOME: join(homes, machine), ...environment },
        ...(state === undefined ? {} : { state }),
      },
    );
    plugins.push(plugin);
    folder.write("disk.img", "a small disk");
    const rig = { plugin, way } as unknown as Rig;
    return { plugin, resource: (type: ResourceType, name: string) => new Managed(rig, type, name), folder };
  }

  interface Kind {
    readonly type: ResourceType;
    readonly path: string;
    readonly args: (above: ParentObject) => Properties;
    /** The number of reads before a creation. */
    readonly reads?: number;
    /** The pattern of the message in which a preview on another machine names the object with this id. */
    readonly refusal?: (id: string) => string;
  }

  interface ParentObject {
    readonly node: string;
    readonly domain: string;
  }

  /** The emulator's control API names each kind. */
  const LISTS: Partial<Record<ResourceType, string>> = {
    Node: "nodes",
    MysqlDatabase: "mysql",
    PostgresqlDatabase: "postgresql",
    Image: "images",
    Domain: "domains",
    DomainRecord: "records",
    DomainRecordSet: "records",
    NodeBackupSnapshot: "nodeBackups",
  };

  const database = { region: "us-east", type: "g6-standard-1" };
  const KINDS: readonly Kind[] = [
    {
      type: "Node",
      path: "/node/instances",
      args: () => ({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" }),
    },
    {
      type: "MysqlDatabase",
      path: "/databases/mysql/instances",
      args: () => ({ ...database, engine: "mysql/8.0.30" }),
    },
    {
      type: "PostgresqlDatabase",
      path: "/databases/postgresql/instances",
      args: () => ({ ...database, engine: "postgresql/14.6" }),
    },
    { type: "Image", path: "/images/upload", args: () => ({ region: "us-east", source: "disk.img" }) },
    {
      type: "Domain",
      path: "/domains",
      args: () => ({ domain: "cut.example", type: "master", soaEmail: "dns@cut.example" }),
      refusal: (id) =>
        `is taken by the Domain ${id}, which an interrupted run has requested .*nodecloud:resume.*import: "${id}"`,
    },
    {
      type: "DomainRecord",
      path: "/domains/*/records",
      args: ({ domain }) => ({ domainId: domain, type: "A", name: "www", target: "192.0.2.1" }),
    },
    {
      type: "DomainRecordSet",
      path: "/domains/*/records",
      args: ({ domain }) => ({
        domainId: domain,
        records: [{ type: "A", name: "www", target: "192.0.2.1" }],
      }),
      reads: 1,
      refusal: (id) => `www A 192\\.0\\.2\\.1 already exists with the id ${id}\\. .*nodecloud:resume`,
    },
    { type: "NodeBackupSnapshot", path: "/node/instances/*/backups", args: ({ node }) => ({ nodeId: node }) },
  ];

  /** Creates the parents of the objects before the interrupted run. */
  async function above(): Promise<ParentObject> {
    const node = await emulator.call<{ id: number }>("POST", "/node/instances", {
      body: {
        region: "us-east",
        type: "g6-nanode-1",
        image: "node/debian12",
        root_pass: "correct horse",
        backups_enabled: true,
      },
    });
    const domain = await emulator.call<{ id: number }>("POST", "/domains", {
      body: { domain: "above.example", type: "master", soa_email: "dns@above.example" },
    });
    return { node: String(node.body.id), domain: String(domain.body.id) };
  }

  /** Creates a resource in a run that is killed after the service acts and before the answer. */
  async function killedWhenActed(
    { type, path, args, reads = 0 }: Kind,
    name: string,
    over: ParentObject,
    environment: Environment = {},
  ) {
    const { plugin, resource } = await runOn("this", environment);
    const there = await objectsLike(type);
    const created = resource(type, name);
    const { inputs, failures } = await created.check(args(over));
    expect(failures).toEqual([]);
    const plan = (fault: object) => emulator.control("POST", "/faults", fault);
    await plan({ method: "POST", path: `/v4${path}`, effect: "drop-response" });
    if (reads > 0) await plan({ method: "GET", path: "/v4/**", times: reads, effect: { delayMs: 0 } });
    await plan({ method: "GET", path: "/v4/**", times: 50, effect: { delayMs: 600_000 } });
    const cut = plugin.create(created, inputs).catch(() => "cut off");
    const left = await eventually("the service has acted", async () => {
      const now = await objectsLike(type);
      return now.length > there.length ? now : undefined;
    });
    await plugin.kill();
    expect(await cut).toBe("cut off");
    await emulator.control("POST", "/reset?only=faults");
    pending = stateIn({ pending_operations: [{ type: "creating", resource: { urn: created.urn, inputs } }] });
    return left;
  }

  const objectsLike = async (type: ResourceType): Promise<string[]> =>
    (await objectsOf(emulator.control, LISTS[type] ?? "")).map(({ id }) => String(id));

  describe.each(KINDS)("a $type whose run is killed after the service acts and before the answer", (kind) => {
    test("is resumed by the next run on this machine, which creates no duplicate", async () => {
      const over = await above();
      const name = `cut${++names}`;
      const there = await killedWhenActed(kind, name, over);
      const { resource } = await runOn("this", {});
      const again = resource(kind.type, name);
      await again.up(kind.args(over));
      expect(descriptionOf(kind.type).id.pattern.test(again.id)).toBe(true);
      // An image that waits for its upload is deleted and created again.
      expect((await objectsLike(kind.type)).length).toBe(there.length);
    });

    test("is named by the preview on another machine, and resumed with nodecloud:resume", async () => {
      const over = await above();
      const name = `cut${++names}`;
      const there = await killedWhenActed(kind, name, over, DERIVED_NAMES);
      const { resource } = await runOn("other", DERIVED_NAMES, {}, pending);
      const refusal =
        kind.refusal ??
        ((id: string) => `the ${kind.type} ${id} has the same (label|content), .*import: "${id}"`);
      await expect(resource(kind.type, name).up(kind.args(over))).rejects.toThrow(
        new RegExp(refusal(`(\\d+/)?${there.at(-1) ?? ""}`)),
      );
      expect(await objectsLike(kind.type)).toHaveLength(there.length);
      const resuming = await runOn("another", DERIVED_NAMES, { "nodecloud:resume": "true" }, pending);
      const again = resuming.resource(kind.type, name);
      await again.up(kind.args(over));
      expect((await objectsLike(kind.type)).length).toBe(there.length);
    });
  });

  describe("a creation whose run is killed before the service acts", () => {
    beforeEach(async () => {
      await emulator.stop();
      // Its clock runs like the provider's, so its answers tell the time.
      emulator = await startTestEmulator({ speed: 1, realNow: () => clock.now() });
    });

    /** Creates a resource in a run that is killed while its request is on its way. */
    async function killedOnTheWay({ type, path, args }: Kind, name: string, over: ParentObject) {
      const { plugin, resource } = await runOn("this", DERIVED_NAMES);
      const created = resource(type, name);
      const { inputs } = await created.check(args(over));
      await emulator.control("POST", "/faults", {
        method: "POST",
        path: `/v4${path}`,
        effect: { delayMs: 600_000 },
      });
      const cut = plugin.create(created, inputs).catch(() => "cut off");
      await eventually("the request was sent", async () => {
        const faults = await emulator.control<{ faults: { left: number }[] }>("GET", "/faults");
        return JSON.stringify(faults.body).includes("600000") ? undefined : true;
      });
      await plugin.kill();
      expect(await cut).toBe("cut off");
      await emulator.control("POST", "/reset?only=faults");
      pending = stateIn({
        pending_operations: [{ type: "creating", resource: { urn: created.urn, inputs } }],
      });
    }

    /** After such a run and some time, another machine makes an equal object. */
    async function madeLater(kind: Kind, ms: number) {
      const over = await above();
      const name = `cut${++names}`;
      await killedOnTheWay(kind, name, over);
      await clock.advance(ms);
      const theirs = (await runOn("other", DERIVED_NAMES)).resource(kind.type, name);
      const args = kind.args(over);
      await theirs.up(args);
      const resumed = async (state = pending, settings: Record<string, string> = {}) =>
        (await runOn("this", DERIVED_NAMES, settings, state)).resource(kind.type, name);
      return { over, args, theirs, resumed };
    }

    const dated = KINDS.filter(({ type }) => !["Image", "NodeBackupSnapshot", "Domain"].includes(type));

    test.each(dated)("continues with an equal $type that appears a minute later", async (kind) => {
      const { args, theirs, resumed } = await madeLater(kind, 60_000);
      const again = await resumed();
      await again.up(args);
      expect(again.id).toBe(theirs.id);
    });

    test.each(dated)("does not take an equal $type that somebody made three minutes later", async (kind) => {
      const { over, args, resumed } = await madeLater(kind, 180_000);
      const there = await objectsLike(kind.type);
      const id = there.at(-1) ?? "";
      await expect((await resumed()).up(args)).rejects.toThrow(
        new RegExp(`id ${over.domain}/${id}\\.|${id} has the same .* too late for the request`),
      );
      // The state has the creation as pending, and the note of this machine knows better.
      const resuming = await resumed(pending, { "nodecloud:resume": "true" });
      await expect(resuming.up(args)).rejects.toThrow("NC1306");
      expect(await objectsLike(kind.type)).toEqual(there);
    });

    test.each(dated.filter(({ type }) => /Node|Database/.test(type)))(
      "creates another $type under the next derived name once the pending creation is cleared",
      async (kind) => {
        const { args, theirs, resumed } = await madeLater(kind, 180_000);
        const again = await resumed(stateIn({}));
        await again.up(args);
        expect(again.id).not.toBe(theirs.id);
        expect(again.outputs["label"]).not.toBe(theirs.outputs["label"]);
      },
    );

    test("does not take a Domain that did not exist when a run looked after the last request", async () => {
      const kind = KINDS.find(({ type }) => type === "Domain") as Kind;
      const over = await above();
      await killedOnTheWay(kind, "later", over);
      await clock.advance(100_000);
      expect(await toldBy(await runOn("this", DERIVED_NAMES, {}, pending))).toHaveLength(1);
      const theirs = (await runOn("other", DERIVED_NAMES)).resource("Domain", "later");
      await theirs.up(kind.args(over));
      const again = (await runOn("this", DERIVED_NAMES, {}, pending)).resource("Domain", "later");
      await expect(again.up(kind.args(over))).rejects.toThrow(`is taken by the Domain ${theirs.id}`);
    });
  });

  test("the next preview names, once, the pending creations that the program no longer declares", async () => {
    const over = await above();
    for (const kind of KINDS.filter(({ type }) => type === "Node")) await killedWhenActed(kind, "lost", over);
    expect(await toldBy(await runOn("this", {}))).toEqual([
      expect.stringContaining(
        "were creating Node lost (requested). Of those that the program still declares, this run says what becomes of them.",
      ),
    ]);
    const { host, href } = new URL(emulator.url);
    const elsewhere = { "nodecloud:baseUrl": href.replace("127.0.0.1", "localhost") };
    expect(await toldBy(await runOn("this", {}, elsewhere))).toEqual([
      expect.stringContaining(`were creating Node lost (requested at ${host}). Of those`),
    ]);
  });

  test("the next preview says nothing of a pending creation whose object is in the state, and forgets its note", async () => {
    const { plugin, resource } = await runOn("this", {});
    const created = resource("Node", "saved");
    const { inputs } = await created.check({
      region: "us-east",
      type: "g6-nanode-1",
      image: "node/debian12",
    });
    await emulator.control("POST", "/faults", {
      method: "GET",
      path: "/v4/node/instances/*",
      effect: { delayMs: 600_000 },
    });
    const cut = plugin.create(created, inputs).catch(() => "cut off");
    await eventually("the node is read", async () =>
      (await emulator.counts())["GET /v4/node/instances/:id"] === undefined ? undefined : true,
    );
    await plugin.kill();
    expect(await cut).toBe("cut off");
    await emulator.control("POST", "/reset?only=faults");
    const [id = ""] = await objectsLike("Node");
    const state = stateIn({ resources: [{ urn: created.urn, type: "nodecloud:index:Node", id }] });
    expect(await toldBy(await runOn("this", {}, {}, state))).toEqual([]);
    expect(await toldBy(await runOn("this", {}))).toEqual([]);
  });

  /** What a preview of other resources says of interrupted runs. */
  async function toldBy({ plugin, resource }: Awaited<ReturnType<typeof runOn>>): Promise<string[]> {
    for (const name of ["one", "two"])
      await resource("Domain", name).check({
        domain: `${name}.example`,
        type: "slave",
        masterIps: ["192.0.2.1"],
      });
    return plugin.logs
      .map(({ message }) => message)
      .filter((message) => message.startsWith("interrupted runs of this stack"));
  }
});
