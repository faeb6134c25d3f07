import { stateIn } from "../../../src/provider/engine/stack-state";
import { type ResourceType, type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  const kept: { readonly below: string; readonly urn: string }[] = [];
  beforeAll(async () => {
    const kinds = {
      ...{ Domain: "domains", DomainRecord: "records", DomainRecordSet: "records" },
      ...{ Node: "nodes", NodeBackupSnapshot: "nodeBackups" },
      ...{ MysqlDatabase: "mysql", MysqlDatabaseBackup: "databaseBackups" },
    };
    const holdersOf = (_: string, id: string) => kept.filter(({ below }) => `${below}/` === id);
    rig = await startRig(kinds, {}, way, { state: { ...stateIn({}), holdersOf } });
  });
  // Each test is a run of the command line of its own.
  beforeEach(async () => {
    kept.length = 0;
    await rig.restart();
  });
  afterAll(() => rig.stop());

  const record = { type: "A", name: "www", target: "192.0.2.1" };
  const parents: Record<"Domain" | "Node" | "MysqlDatabase", () => Properties> = {
    Domain: () => ({ domain: `zone${rig.serial()}.example`, type: "master", soaEmail: "dns@zone.example" }),
    Node: () => ({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" }),
    MysqlDatabase: () => ({ region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" }),
  };
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "it is not refused",
      (error: Error) => error.message,
    );

  type Child = readonly [
    keyof typeof parents,
    Exclude<ResourceType, keyof typeof parents>,
    (id: string) => Properties,
  ];
  const children: readonly Child[] = [
    ["Domain", "DomainRecord", (domainId: string) => ({ domainId, ...record })],
    ["Domain", "DomainRecordSet", (domainId: string) => ({ domainId, records: [record] })],
    ["Node", "NodeBackupSnapshot", (nodeId: string) => ({ nodeId })],
    ["MysqlDatabase", "MysqlDatabaseBackup", (databaseId: string) => ({ databaseId })],
  ];

  /** A run that follows the one which made both. */
  async function made([parentType, type, argsOf]: Child) {
    const parent = rig.resource(parentType);
    const args = parents[parentType]();
    await parent.up(args);
    const child = rig.resource(type);
    await child.up(argsOf(parent.id));
    await rig.restart();
    return { parent, args, child, argsOf };
  }

  test.each(children)(
    "a %s that leaves the program is not deleted while a %s below it stays",
    async (...types) => {
      const { parent, child, argsOf } = await made(types);
      await child.preview(argsOf(parent.id));
      expect(await refusal(parent.destroy())).toMatch(
        new RegExp(
          `^delete ${types[0]} .*: this program declares ${child.type} ${child.name} below it, which would be deleted with it, so nothing is deleted. Remove it first, or keep this resource \\[NC1206\\]$`,
        ),
      );
      expect(await parent.live()).toBeDefined();
      // The next program has neither.
      await rig.restart();
      await parent.destroy();
      expect(await parent.live()).toBeUndefined();
    },
  );

  test.each(children.filter(([, type]) => type.startsWith("DomainRecord")))(
    "a %s is deleted once a %s has moved to another one",
    async (...types) => {
      const { parent, child, argsOf } = await made(types);
      const other = rig.resource("Domain");
      await other.up(parents.Domain());
      await child.up(argsOf(other.id));
      await parent.destroy();
      expect(await parent.live()).toBeUndefined();
    },
  );

  test("the replacement of a node keeps the old one while a snapshot names it by a text", async () => {
    const { parent, args, child, argsOf } = await made(children[2] as Child);
    const { id } = parent;
    await child.preview(argsOf(id));
    const replaced = parent.up({ ...args, region: "eu-west" });
    expect(await refusal(replaced)).toContain("below it, which would be deleted with it");
    expect(parent.id).not.toBe(id);
    expect(await child.live()).toBeDefined();
  });

  test("a node that is deleted before it is replaced stays while the state has a snapshot below it", async () => {
    const { parent, args, child } = await made(children[2] as Child);
    kept.push({ below: parent.id, urn: child.urn });
    expect(await parent.preview({ ...args, region: "eu-west" })).toMatchObject({ replaces: ["region"] });
    // The engine asks about what names the id by a text whenever it comes to it.
    expect(await refusal(parent.destroy())).toContain(
      `the state has NodeBackupSnapshot ${child.name} below it, which would be deleted with it`,
    );
    // The engine deletes what it knows to depend on the node before that.
    await child.destroy();
    await parent.destroy();
    expect(await parent.live()).toBeUndefined();
  });
});
