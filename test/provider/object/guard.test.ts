import { stackOf } from "../../../src/provider/engine/other-stacks";
import { type Rig, type Managed, type ResourceType, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { UNKNOWN } from "../../../src/provider/base/values";
import { withTextsOfStack } from "../../../src/provider/settings/config";
import { a, refusalOf, Zone } from "../collection/zone";

const NODE = { region: "us-east", type: "n1-standard-1", image: "node/debian12", label: "web" };
const DATABASE = { region: "us-east", type: "g6-standard-1" };
const MYSQL = { ...DATABASE, engine: "mysql/8.0.30" };
const LABELLED = { ...MYSQL, label: "shared" };
const POSTGRESQL = { ...DATABASE, engine: "postgresql/14.6" };
const ALL = "data-loss,interruption,replacement,deletion,shared";

inEachWay((way) => {
  let rig: Rig;
  const environment: Record<string, string> = {};
  const settings: Record<string, string> = {};
  const configuration: Record<string, string> = {};
  const others: ReturnType<typeof stackOf>[] = [];
  const unread: { unread?: number; failed?: readonly string[]; isUnknown?: true } = {};
  beforeAll(async () => {
    const kinds = { Node: "nodes", NodeBackupSnapshot: "backups", Domain: "domains" } as const;
    const backups = { PostgresqlDatabaseBackup: "databaseBackups" } as const;
    const records = { DomainRecord: "records", DomainRecordSet: "records" } as const;
    rig = await startRig({ ...kinds, ...backups, ...records }, {}, way, {
      environment,
      settings,
      configuration,
      others: others as never,
      unread,
    });
  });
  afterAll(() => rig.stop());

  /** Starts another run with these settings. */
  async function run(deny = "", allow = ""): Promise<void> {
    Object.assign(environment, { NODECLOUD_DENY: deny, NODECLOUD_ALLOW: allow });
    await rig.restart();
    await rig.requests();
  }
  beforeEach(() => run());

  async function made(type: ResourceType, args: Properties): Promise<Managed> {
    const one = rig.resource(type);
    await one.up(args);
    return one;
  }
  const zoneArgs = (domain: string) => ({ domain, type: "master", soaEmail: `dns@${domain}` });
  const disk = async () => {
    const node = await (await made("Node", NODE)).live();
    return { diskId: (node?.["disks"] as { id: number }[])[0]?.id };
  };
  const recordIn = ({ domainId }: Zone) => ({ domainId, ...a("www") });

  /** A step is refused with these classes and the line that allows it, and nothing but reads was sent. The line then lets it pass. */
  async function isRefused(one: Managed, classes: string, step: () => Promise<unknown>): Promise<string> {
    await run(ALL);
    const refusal = await refusalOf(step());
    expect(refusal).toContain(`NODECLOUD_DENY denies ${classes}: `);
    const { value = "" } = /set NODECLOUD_ALLOW=(?<value>\S+) for one run/.exec(refusal)?.groups ?? {};
    expect(value).toBe(
      classes
        .split(/, | and /)
        .map((kind) => `${kind}:${one.type}:${one.name}`)
        .join(","),
    );
    const sent = Object.keys(await rig.requests());
    expect(sent.filter((operation) => !operation.startsWith("GET "))).toEqual([]);
    await run(ALL, value);
    expect(await refusalOf(step())).toBe("it is not refused");
    return refusal;
  }

  test("a deletion is refused until it is allowed, and the error says what is lost", async () => {
    const node = await made("Node", NODE);
    const refusal = await isRefused(node, "data-loss and deletion", () => node.destroy());
    expect(refusal).toContain(`the node's disks, backups and addresses are lost; it is deleted`);
    expect(refusal).toContain(`of the Node ${node.id}`);
    expect(await node.live()).toBeUndefined();
  });

  test("a replacement that creates first is refused before the new object exists", async () => {
    const node = await made("Node", NODE);
    const { id } = node;
    const change = () => node.up({ ...NODE, label: "web-2", image: "node/debian11" });
    await isRefused(node, "data-loss and replacement", change);
    expect(node.id).not.toBe(id);
  });

  test("the old object of an allowed replacement goes, also under the name that an alias leads to", async () => {
    const old = await made("Node", NODE);
    await run("deletion");
    const renamed = rig.resource("Node");
    Object.assign(renamed, { id: old.id, inputs: old.inputs, outputs: old.outputs });
    await renamed.preview({ ...NODE, label: "web-2", image: "node/debian11" });
    await old.destroy();
    expect(await old.live()).toBeUndefined();
  });

  test("a replacement that deletes first is refused before the old object goes", async () => {
    const zone = await made("Domain", {
      domain: "first.example",
      type: "master",
      soaEmail: "a@first.example",
    });
    const set = rig.resource("DomainRecordSet");
    await set.up({ domainId: zone.id, records: [a("www")] });
    const other = await made("Domain", { domain: "second.example", type: "master", soaEmail: "a@b.example" });
    await isRefused(set, "interruption and replacement", () =>
      set.up({ domainId: other.id, records: [a("www")] }),
    );
  });

  test("an update that interrupts a service is refused, and the preview says so", async () => {
    const node = await made("Node", NODE);
    await run("interruption");
    await node.preview({ ...NODE, type: "n1-standard-2" });
    expect((await node.warnings()).join("\n")).toContain(
      "`pulumi up` refuses this: NODECLOUD_DENY denies interruption: the node is not available during the resize",
    );
    await isRefused(node, "interruption", () => node.up({ ...NODE, type: "n1-standard-2" }));
  });

  const [patch, reset] = ["the patch takes the database down", "old root password can no longer connect"];
  const [blocked, unanswered] = ["no address may connect any more", "the service no longer answers for the"];
  const [open, closed] = [{ allowList: ["192.0.2.0/24"] }, { allowList: [] }];
  test.each<[string, ResourceType, Properties, Properties, string, string]>([
    ["a patch", "MysqlDatabase", MYSQL, { patchTrigger: 1 }, "interruption", patch],
    ["a reset", "MysqlDatabase", MYSQL, { credentialsResetTrigger: 1 }, "interruption", reset],
    ["an empty list", "MysqlDatabase", { ...MYSQL, ...open }, closed, "interruption", blocked],
    ["an empty list", "PostgresqlDatabase", { ...POSTGRESQL, ...open }, closed, "interruption", blocked],
    [
      "the end of the backup service",
      "Node",
      { ...NODE, backupsEnabled: true },
      { backupsEnabled: false },
      "data-loss",
      "deletes all backups of the node for good",
    ],
    [
      "another name",
      "Domain",
      zoneArgs("named.example"),
      { domain: "renamed.example" },
      "interruption",
      unanswered,
    ],
    [
      "the status disabled",
      "Domain",
      zoneArgs("able.example"),
      { status: "disabled" },
      "interruption",
      unanswered,
    ],
    [
      "another type",
      "Domain",
      zoneArgs("copied.example"),
      { type: "slave", masterIps: ["198.51.100.7"] },
      "interruption",
      "answers with other records",
    ],
  ])("%s of a %s is refused", async (_, type, first, then, classes, says) => {
    const one = await made(type, first);
    expect(await isRefused(one, classes, () => one.up({ ...first, ...then }))).toContain(says);
  });

  test("a restore that deletes data is refused, and one that only adds disks is not", async () => {
    const database = await made("MysqlDatabase", MYSQL);
    const { id: restoreFromBackupId } = await made("MysqlDatabaseBackup", { databaseId: database.id });
    expect(
      await isRefused(database, "data-loss", () => database.up({ ...MYSQL, restoreFromBackupId })),
    ).toContain("restoring a backup erases all current data");
    const args = { ...NODE, backupsEnabled: true };
    const node = await made("Node", args);
    const { id: backupId } = await made("NodeBackupSnapshot", { nodeId: node.id });
    const restore = (more: Properties) => node.up({ ...args, restoreFromBackup: { backupId, ...more } });
    expect(await isRefused(node, "data-loss", () => restore({ overwrite: true }))).toContain(
      "restoring a backup with overwrite deletes all the node's disks",
    );
    expect(await refusalOf(restore({}))).toBe("it is not refused");
  });

  const loss = "the database's data and backups are lost";
  const anotherDatabase = async () => ({ databaseId: (await made("MysqlDatabase", MYSQL)).id });
  const moved = { region: "us-west" };
  test.each<
    [ResourceType, () => Properties | Promise<Properties>, () => Properties | Promise<Properties>, string]
  >([
    ["MysqlDatabase", () => MYSQL, () => moved, loss],
    ["PostgresqlDatabase", () => POSTGRESQL, () => moved, loss],
    ["Image", disk, disk, "the image is lost"],
    ["MysqlDatabaseBackup", anotherDatabase, anotherDatabase, "the backup is lost"],
  ])("the deletion and the replacement of a %s are refused", async (type, first, then, says) => {
    const args = await first();
    const one = await made(type, args);
    const change = { ...args, ...(await then()) };
    expect(await isRefused(one, "data-loss and replacement", () => one.up(change))).toContain(says);
    expect(await isRefused(one, "data-loss and deletion", () => one.destroy())).toContain(says);
  });

  test("the deletion and the replacement of a Domain, which interrupts its service, are refused", async () => {
    const source = await made("Domain", zoneArgs("model.example"));
    const one = await made("Domain", zoneArgs("cloned.example"));
    const change = () => one.up({ ...zoneArgs("cloned.example"), cloneFrom: source.id });
    const refusal = await isRefused(one, "data-loss, interruption and replacement", change);
    expect(refusal).toContain(
      "the domain is deleted first, with all its records, including those of other programs; the old object is deleted before the new one exists; it is replaced",
    );
    expect(await isRefused(one, "data-loss and deletion", () => one.destroy())).toContain(
      "all records of the domain are deleted",
    );
  });

  test("a backup of a PostgreSQL database is not replaced, and stays in the account when it leaves the program", async () => {
    const { id: databaseId } = await made("PostgresqlDatabase", POSTGRESQL);
    const backup = await made("PostgresqlDatabaseBackup", { databaseId, triggers: { release: 1 } });
    await isRefused(backup, "replacement", () => backup.up({ databaseId, triggers: { release: 2 } }));
    await run(ALL);
    expect(await refusalOf(backup.destroy())).toBe("it is not refused");
    expect(await backup.live()).toBeDefined();
  });

  test("a change without such an effect is made, and so is a creation", async () => {
    await run(ALL);
    const node = await made("Node", NODE);
    await node.up({ ...NODE, label: "renamed" });
    expect(await node.live()).toMatchObject({ label: "renamed" });
  });

  test("a default that the account has is written without a warning, unless the account has changed", async () => {
    const node = await made("Node", NODE);
    const written = { ...NODE, backupsEnabled: false };
    const line = "loses data: turning the backup service off deletes all backups of the node for good";
    const said = () => rig.plugin.logs.splice(0).map(({ message }) => message.split("\n")[0]);
    await rig.emulator.call("POST", `/node/instances/${node.id}/backups/enable`, { body: {} });
    await run("data-loss");
    said();
    expect(await refusalOf(node.up(written))).toContain(
      "NODECLOUD_DENY denies data-loss: turning the backup",
    );
    expect(said()).toContain(`Node ${node.name}: ${line}`);
    await rig.emulator.call("POST", `/node/instances/${node.id}/backups/cancel`, { body: {} });
    Object.assign(environment, { NODECLOUD_VALIDATE: "false" });
    await run("data-loss");
    said();
    await node.preview(written);
    expect(said()).toContain(`Node ${node.name}: ${line}`);
    Object.assign(environment, { NODECLOUD_VALIDATE: "true" });
    await run("data-loss");
    expect(await node.up(written)).toBe("updated");
    expect(said()).toEqual([]);
  });

  test("members that a set deletes count as deletions, and so do all of a set that goes", async () => {
    const zone = await zoneNamed("members.example");
    const set = await zone.made([a("www"), a("api")]);
    const refusal = await isRefused(set, "deletion", () => set.up(zone.set([a("www")])));
    expect(refusal).toContain("deletes 1 of its records: api A 192.0.2.1");
    await isRefused(set, "deletion", () => set.destroy());
    expect(await zone.names()).toEqual([]);
  });

  test("what an exclusive set finds is not deleted until that is allowed", async () => {
    const zone = await zoneNamed("exclusive.example");
    await zone.create(a("old"));
    const set = rig.resource("DomainRecordSet");
    const taking = () => set.up(zone.set([a("www")], { exclusive: true }));
    await isRefused(set, "deletion", taking);
    expect(await zone.names()).toEqual(["www"]);
  });

  test("a set that is emptied, and one that becomes exclusive or covers more, delete records", async () => {
    const zone = await zoneNamed("wider.example");
    const set = await zone.made([a("www.dev")], { subdomain: "dev" });
    await zone.create(a("old.dev"));
    await zone.create(a("old"));
    const own = [a("www.dev")];
    for (const [records, more, left] of [
      [own, { subdomain: "dev" }, ["old", "www.dev"]],
      [own, {}, ["www.dev"]],
      [[], {}, []],
    ] as const) {
      await isRefused(set, "deletion", () => set.up(zone.set(records, { exclusive: true, ...more })));
      expect(await zone.names()).toEqual(left);
    }
  });

  test.each<[string, (zone: Zone) => Promise<() => Promise<unknown>>]>([
    [
      "an object that another resource imports",
      async (zone) => {
        const old = await made("DomainRecord", recordIn(zone));
        const heir = rig.resource("DomainRecord");
        return () => heir.up(recordIn(zone), { import: old.id }).then(() => old.destroy());
      },
    ],
    [
      "a record that moves into an exclusive set",
      async (zone) => {
        const old = await made("DomainRecord", recordIn(zone));
        const heir = rig.resource("DomainRecordSet");
        return () => heir.up(zone.set([a("www")], { exclusive: true })).then(() => old.destroy());
      },
    ],
    [
      "a member of a set that a single record imports",
      async (zone) => {
        const set = await zone.made([a("www")]);
        const id = await zone.idOf("www");
        const heir = rig.resource("DomainRecord");
        return () => heir.up(recordIn(zone), { import: id }).then(() => set.up(zone.set([])));
      },
    ],
  ])("%s is not deleted, so no class denies that", async (_, begin) => {
    const zone = await zoneNamed(`moves${rig.serial()}.example`);
    const moves = await begin(zone);
    await run(ALL);
    expect(await refusalOf(moves())).toBe("it is not refused");
    expect(await zone.names()).toEqual(["www"]);
  });

  test("the allowed replacement of a set lets no other set of its domain go", async () => {
    const [zone, other] = [await zoneNamed("both.example"), await zoneNamed("one.example")];
    const [moves, goes] = [await zone.made([a("one")]), await zone.made([a("two")])];
    await run(ALL, ["interruption", "replacement"].map((kind) => `${kind}:${moves.name}`).join());
    await moves.up(other.set([a("one")]));
    expect(await refusalOf(goes.destroy())).toContain("denies deletion");
    expect(await zone.names()).toEqual(["two"]);
  });

  test("a set that moves is kept if its creation would delete what is denied", async () => {
    const [zone, other] = [await zoneNamed("from.example"), await zoneNamed("to.example")];
    const set = await zone.made([a("www")], { exclusive: true });
    await other.create(a("foreign"));
    await run("deletion");
    const moves = set.up(other.set([a("www")], { exclusive: true }));
    expect(await refusalOf(moves)).toContain("deletes 1 of the existing records");
    expect(await zone.names()).toEqual(["www"]);
    expect(await other.names()).toEqual(["foreign"]);
  });

  test.each(["data-loss", "interruption"])(
    "what depends on an object goes only if its replacement is allowed: %s",
    async (denied) => {
      const first = { domain: `source-${denied}.example`, type: "master", soaEmail: "dns@source.example" };
      const source = await made("Domain", first);
      const zone = await zoneNamed(`copy-${denied}.example`);
      const domain = rig.resource("Domain");
      const inputs = { ...first, domain: `parent-${denied}.example` };
      await domain.up(inputs);
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("www") });
      await run(denied);
      // The engine deletes a dependent after the comparison of what it depends on.
      await domain.preview({ ...inputs, cloneFrom: source.id });
      expect(await refusalOf(record.destroy())).toMatch(
        new RegExp(
          `nothing is deleted for a replacement that is refused: Domain \\S+: NODECLOUD_DENY denies ${denied}: `,
        ),
      );
      expect(await zone.names()).toEqual(["www"]);
    },
  );

  describe("the deletion of what depends on an object", () => {
    async function dependent() {
      const zone = await zoneNamed(`dependent${rig.serial()}.example`);
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("www") });
      const set = await zone.made([a("api")]);
      await run("deletion");
      return { zone, record, set, all: [record, set] };
    }
    const compare = ({ id, inputs, outputs, urn }: Managed) =>
      rig.plugin.diff({ urn, id, inputs, outputs }, { ...inputs, domainId: UNKNOWN });

    test("is one in a destruction, although the engine compares it", async () => {
      const { zone, all } = await dependent();
      for (const one of all) {
        await compare(one);
        expect(await refusalOf(one.destroy())).toContain("denies deletion: it is deleted.");
      }
      expect(await zone.names()).toEqual(["api", "www"]);
      expect(rig.plugin.logs.filter(({ message }) => message.includes("replaced"))).toEqual([]);
    });

    test("is one before the program has declared it again", async () => {
      const { zone, all } = await dependent();
      await rig.resource("Node").check(NODE);
      for (const one of all) {
        await compare(one);
        expect(await refusalOf(one.destroy())).toContain("denies deletion: it is deleted before");
      }
      expect(await zone.names()).toEqual(["api", "www"]);
    });

    test("is none of a replacement that the program declares", async () => {
      const { zone, record, set, all } = await dependent();
      await record.preview({ domainId: UNKNOWN, ...a("www") });
      await set.preview({ domainId: UNKNOWN, records: [a("api")] });
      for (const one of all) await one.destroy();
      expect(await zone.names()).toEqual([]);
    });
  });

  test("an exclusive set warns without a look at the account, and a snapshot of a node that is not known yet", async () => {
    const zone = await zoneNamed("unseen.example");
    await run("deletion,data-loss");
    Object.assign(environment, { NODECLOUD_VALIDATE: "false" });
    await rig.restart();
    const set = rig.resource("DomainRecordSet");
    await set.check(zone.set([a("www")], { exclusive: true }));
    expect((await set.warnings()).join("\n")).toContain(
      "may delete existing records which the program does not declare, because exclusive is set, and nodecloud:validate is false",
    );
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.check({ nodeId: UNKNOWN });
    expect((await snapshot.warnings()).join("\n")).toContain(
      "loses data: a NodeBackupSnapshot that the node, which is not known yet, may have is overwritten",
    );
    Object.assign(environment, { NODECLOUD_VALIDATE: "true" });
  });

  test("a resource whose name the text of an allowance cannot hold is named by its URN", async () => {
    const node = rig.resource("Node", "a:b");
    await node.up(NODE);
    await run("deletion");
    const refusal = await refusalOf(node.destroy());
    expect(refusal).toContain(`NODECLOUD_ALLOW=deletion:${node.urn} for one run`);
    await run("deletion", `deletion:${node.urn}`);
    expect(await refusalOf(node.destroy())).toBe("it is not refused");
  });

  test("a snapshot that would overwrite another one is not taken", async () => {
    const node = await made("Node", { ...NODE, backupsEnabled: true });
    const first = rig.resource("NodeBackupSnapshot");
    await first.up({ nodeId: node.id, label: "first" });
    await first.refresh();
    const second = rig.resource("NodeBackupSnapshot");
    const refusal = await isRefused(second, "data-loss", () =>
      second.up({ nodeId: node.id, label: "second" }),
    );
    expect(refusal).toMatch(/NodeBackupSnapshot .* is overwritten, because a node keeps one snapshot/);
  });

  test("of two new snapshots of one node, none overwrites the other", async () => {
    const node = await made("Node", { ...NODE, backupsEnabled: true });
    await run("data-loss");
    const [one, two] = [rig.resource("NodeBackupSnapshot"), rig.resource("NodeBackupSnapshot")];
    await one.check({ nodeId: node.id });
    expect(await refusalOf(two.up({ nodeId: node.id }))).toContain(
      `NODECLOUD_DENY denies data-loss: NodeBackupSnapshot ${one.name} has the same nodeId`,
    );
    expect((await two.warnings()).join("\n")).toMatch(
      /^loses data: NodeBackupSnapshot \S+ has the same nodeId/,
    );
  });

  test("the import of what another stack manages is refused", async () => {
    const zone = await zoneNamed("shared.example");
    await zone.create(a("www"));
    const id = await zone.idOf("www");
    const type = "pulumi-nodejs:dynamic/nodecloud:DomainRecord";
    others.push(stackOf({ resources: [{ type, id, urn: `urn:pulumi:prod::shop::${type}::main` }] }));
    const record = rig.resource("DomainRecord");
    const refusal = await isRefused(record, "shared", () =>
      record.up({ domainId: zone.domainId, ...a("www") }, { import: id }),
    );
    expect(refusal).toContain("DomainRecord main of the stack shop/prod");
    others.length = 0;
  });

  test.each([
    ["a record", "DomainRecord", "destroy"],
    ["a set", "DomainRecordSet", "destroy"],
    ["a member of a set", "DomainRecordSet", "update"],
  ] as const)(
    "the deletion of %s is refused if another stack manages the same, as its state may be a copy",
    async (what, type, step) => {
      const zone = await zoneNamed(`${what.replaceAll(" ", "-")}.example`);
      const own = await made(type, type === "DomainRecord" ? recordIn(zone) : zone.set([a("www"), a("api")]));
      const id = await zone.idOf("www");
      const token = "pulumi-nodejs:dynamic/nodecloud:DomainRecord";
      others.push(stackOf({ resources: [{ type: token, id, urn: `urn:pulumi:copy::shop::${token}::www` }] }));
      const refusal = await isRefused(own, "deletion and shared", () =>
        step === "destroy" ? own.destroy() : own.up(zone.set([a("api")])),
      );
      expect(refusal).toContain("DomainRecord www of the stack shop/copy");
      expect(await zone.names()).not.toContain("www");
      others.length = 0;
    },
  );

  test.each([
    ["a node, which comes first", "Node", "data-loss, replacement and shared"],
    ["a database, which goes first", "MysqlDatabase", "data-loss, interruption, replacement and shared"],
    ["a set", "DomainRecordSet", "interruption, replacement and shared"],
    ["a member of a set", "DomainRecordSet", "deletion and shared"],
  ] as const)(
    "the replacement of %s is refused before anything is sent if another stack manages the same, and the preview says so",
    async (what, type, classes) => {
      const zone = await zoneNamed(`shared-${rig.serial()}.example`);
      const parent = what.includes("member") ? zone : await zoneNamed(`shared-${rig.serial()}.example`);
      const steps = {
        Node: [NODE, { ...NODE, label: "web-2", region: "eu-west" }],
        MysqlDatabase: [LABELLED, { ...LABELLED, region: "eu-west" }],
        DomainRecordSet: [zone.set([a("www"), a("api")]), parent.set([a("api")])],
      } as const;
      const [args, news] = steps[type];
      const own = await made(type, args);
      const id = type === "DomainRecordSet" ? await zone.idOf("www") : own.id;
      const token = `pulumi-nodejs:dynamic/nodecloud:${type.replace("Set", "")}`;
      others.push(stackOf({ resources: [{ type: token, id, urn: `urn:pulumi:copy::shop::${token}::www` }] }));
      await run("shared");
      await own.preview(news);
      const owner = `${type.replace("Set", "")} www of the stack shop/copy`;
      const said = rig.plugin.logs.map(({ message }) => message).join("\n");
      expect(said).toMatch(
        new RegExp(`\`pulumi up\` refuses this: NODECLOUD_DENY denies shared: .*${owner}`),
      );
      expect(await isRefused(own, classes, () => own.up(news))).toContain(owner);
      others.length = 0;
    },
  );

  test("the deletion of an object is refused if what another stack manages goes with it", async () => {
    const domain = await made("Domain", zoneArgs("below.example"));
    const type = "nodecloud:index:DomainRecord";
    const urn = `urn:pulumi:prod::shop::${type}::www`;
    others.push(stackOf({ resources: [{ type, id: `${domain.id}/1`, urn }] }));
    const refusal = await isRefused(domain, "data-loss, deletion and shared", () => domain.destroy());
    expect(refusal).toContain("what DomainRecord www of the stack shop/prod manages goes with it");
    others.length = 0;
  });

  /** A node with a snapshot, and a stack whose state has this id as that of its snapshot. */
  async function snapshotElsewhere(idIn: (own: { id: string }, node: { id: string }) => string) {
    const node = await made("Node", { ...NODE, backupsEnabled: true });
    const own = await made("NodeBackupSnapshot", { nodeId: node.id });
    const type = "nodecloud:index:NodeBackupSnapshot";
    const urn = `urn:pulumi:prod::shop::${type}::golden`;
    others.push(stackOf({ resources: [{ type, id: idIn(own, node), urn }] }));
    return node;
  }

  test("a snapshot is not taken in place of another stack's", async () => {
    const node = await snapshotElsewhere(({ id }) => id);
    const lost = "what NodeBackupSnapshot golden of the stack shop/prod manages is overwritten";
    await run("shared");
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.check({ nodeId: node.id });
    expect((await snapshot.warnings()).join("\n")).toContain(
      `\`pulumi up\` refuses this: NODECLOUD_DENY denies shared: ${lost}`,
    );
    const up = () => snapshot.up({ nodeId: node.id });
    expect(await isRefused(snapshot, "data-loss and shared", up)).toContain(lost);
    others.length = 0;
  });

  test("the warning of a snapshot that overwrites another stack's names its resource", async () => {
    const node = await snapshotElsewhere(({ id }) => id);
    await run();
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.check({ nodeId: node.id });
    expect((await snapshot.warnings()).join("\n")).toContain(
      "is overwritten, because a node keeps one snapshot. It is managed by NodeBackupSnapshot golden of the stack shop/prod",
    );
    others.length = 0;
  });

  test("another stack whose snapshot has been overwritten already does not own the one that is there", async () => {
    const node = await snapshotElsewhere((_, { id }) => `${id}/77`);
    await run("shared");
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.check({ nodeId: node.id });
    const said = (await snapshot.warnings()).join("\n");
    expect(said).toContain("is overwritten, because a node keeps one snapshot");
    expect(said).not.toContain("golden");
    await snapshot.up({ nodeId: node.id });
    others.length = 0;
  });

  test.each([
    ["could not be listed", { isUnknown: true }, "the stacks of the backend could not be listed"],
    ["could not all be read", { unread: 3 }, "3 stacks of the backend could not be read"],
    [
      "include one that is damaged",
      { unread: 1, failed: ["shop/prod"] },
      "1 stack of the backend could not be read (shop/prod)",
    ],
  ])(
    "nothing is deleted or imported that another stack may manage, if the stacks of the backend %s",
    async (_, state, why) => {
      const zone = await zoneNamed(`unread${why.length}.example`);
      await zone.create(a("www"));
      const imported = rig.resource("DomainRecord");
      for (const key of Object.keys(unread)) Reflect.deleteProperty(unread, key);
      Object.assign(unread, state);
      await run();
      const id = await zone.idOf("www");
      await imported.up(recordIn(zone), { import: id });
      await run();
      expect(await refusalOf(imported.destroy())).toContain(
        `it is not known whether another stack manages what this deletes or takes over, because ${why}`,
      );
      const own = await made("DomainRecord", { domainId: zone.domainId, ...a("own") });
      expect(await isRefused(own, "deletion and shared", () => own.destroy())).toContain(why);
      const another = rig.resource("DomainRecord");
      await zone.create(a("other"));
      const there = await zone.idOf("other");
      const args = { domainId: zone.domainId, ...a("other") };
      expect(await isRefused(another, "shared", () => another.up(args, { import: there }))).toContain(why);
      const many = rig.resource("DomainRecordSet");
      const all = { import: zone.domainId };
      expect(await isRefused(many, "shared", () => many.up(zone.set([a("other")]), all))).toContain(why);
      await run();
      const set = rig.resource("DomainRecordSet");
      const whole = await zoneNamed(`whole${why.length}.example`);
      await whole.create(a("stray"));
      expect(await refusalOf(set.up(whole.set([a("new")], { exclusive: true })))).toContain(why);
      expect(await whole.names()).toEqual(["stray"]);
      await run("", `shared:DomainRecord:${imported.name}`);
      expect(await refusalOf(imported.destroy())).toBe("it is not refused");
      for (const key of Object.keys(unread)) Reflect.deleteProperty(unread, key);
    },
  );

  test.each([
    ["the type and all names", "deletion:Node:*"],
    ["the name alone", "deletion:NAME"],
    ["the URN", "deletion:URN"],
    ["a list of several, as a configuration has it", '["deletion:Domain:x","deletion:Node:NAME"]'],
  ])("an allowance names %s", async (_, allow) => {
    const node = await made("Node", NODE);
    await run("deletion:Node", allow.replace("NAME", node.name).replace("URN", node.urn));
    expect(await refusalOf(node.destroy())).toBe("it is not refused");
  });

  test("a rule and an allowance for another type or name have no effect", async () => {
    const node = await made("Node", NODE);
    await run("deletion:Domain");
    const other = await made("Node", NODE);
    expect(await refusalOf(other.destroy())).toBe("it is not refused");
    await run("deletion", "deletion:Node:other,deletion:Domain:*,data-loss:Node:*");
    expect(await refusalOf(node.destroy())).toContain("NODECLOUD_DENY denies deletion: it is deleted");
  });

  const zoneNamed = async (domain: string): Promise<Zone> =>
    new Zone(rig, (await made("Domain", zoneArgs(domain))).id);

  test("a destruction heeds the stack's configuration as it is, although it gets that of the last up", async () => {
    const node = await made("Node", NODE);
    Object.assign(settings, { "nodecloud:deny": '["deletion"]' });
    await run();
    expect(await refusalOf(node.destroy())).toContain("nodecloud:deny denies deletion: it is deleted");
    Object.assign(settings, { "nodecloud:allow": `deletion:Node:${node.name}` });
    await run();
    expect(await refusalOf(node.destroy())).toBe("it is not refused");
    Object.assign(settings, { "nodecloud:deny": "", "nodecloud:allow": "" });
  });

  test("a destruction is refused if a key of the stack's configuration is misspelt", async () => {
    const node = await made("Node", NODE);
    Object.assign(settings, { "nodecloud:Deny": "deletion" });
    await run();
    expect(await refusalOf(node.destroy())).toContain(
      "the configuration of the stack: nodecloud:Deny is not a setting of the provider; did you mean deny?",
    );
    delete settings["nodecloud:Deny"];
    await run();
    expect(await refusalOf(node.destroy())).toBe("it is not refused");
  });

  test.each([
    ["the stack no longer has is not heeded", (allowed: string) => allowed, false],
    [
      "the stack no longer has is not heeded, although an explicit provider has it too",
      (allowed: string) => withTextsOfStack([], [allowed]),
      false,
    ],
    ["an explicit provider has itself is heeded", (allowed: string) => withTextsOfStack([allowed], []), true],
  ])("in a destruction, an allowance that %s", async (_, handed, counts) => {
    const node = await made("Node", NODE);
    const allowed = `deletion:Node:${node.name}`;
    Object.assign(configuration, { "nodecloud:deny": "deletion", "nodecloud:allow": handed(allowed) });
    await run();
    const refusal = await refusalOf(node.destroy());
    expect(refusal).toContain(counts ? "it is not refused" : "nodecloud:deny denies deletion");
    Object.assign(configuration, { "nodecloud:deny": "", "nodecloud:allow": "" });
  });
});
