import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, refusalOf, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  // Each test is a run of the command line of its own.
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  /** A set in a domain, and another one that imports records of it and one that does not exist. The import has failed. */
  async function failed() {
    const zone = await newZone();
    const set = await zone.made([a("a"), a("b"), a("k")]);
    await rig.restart();
    const other = rig.resource("DomainRecordSet");
    const refusal = await refusalOf(
      other.up(zone.set([a("a"), a("b"), a("missing")]), { import: zone.domainId }),
    );
    expect(refusal).toContain("does not exist");
    return { zone, set, other };
  }

  describe("a set whose records another set fails to import", () => {
    test("keeps them in the state, says so, and gives them up once the other one has them", async () => {
      const { zone, set, other } = await failed();
      await set.up(zone.set([a("k")]));
      expect((await saidOf(set)).slice(-3)).toEqual([
        "keeps 2 of the records in the state until their new owner has them",
        expect.stringMatching(`^- a .*: DomainRecordSet ${other.name} failed to import it$`),
        expect.stringMatching(`^- b .*: DomainRecordSet ${other.name} failed to import it$`),
      ]);
      expect(await zone.names()).toEqual(["a", "b", "k"]);
      await rig.restart();
      const next = rig.resource("DomainRecordSet");
      await next.up(zone.set([a("a"), a("b")]), { import: zone.domainId });
      expect(await set.up(zone.set([a("k")]))).toBe("updated");
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual(["a", "b"]);
    });

    test("has them again when the program is reverted", async () => {
      const { zone, set } = await failed();
      await set.up(zone.set([a("k")]));
      await rig.restart();
      const all = zone.set([a("a"), a("b"), a("k")]);
      expect(await set.up(all)).toBe("updated");
      expect(String(set.outputs["records"]).trim().split("\n")).toHaveLength(3);
      expect(await set.up(all)).toBe("same");
    });

    test("deletes them with the stack", async () => {
      const { zone, set } = await failed();
      await set.up(zone.set([a("k")]));
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });
  });

  /** A record that begins to import what a set gives up, which the set has not been told of, and then differs. */
  async function late(isFirst: boolean) {
    const zone = await newZone();
    const set = await zone.made([a("a"), a("k")]);
    const id = await zone.idOf("a");
    await rig.restart();
    const record = rig.resource("DomainRecord");
    const declared = { domainId: zone.domainId, ...a("a"), ttlSec: 300 };
    const fail = async () => {
      expect(await refusalOf(record.up(declared, { import: id }))).toContain("ttlSec is 300");
    };
    if (isFirst) await fail();
    else await rig.plugin.readForImport(record, id);
    const dropping = set.up(zone.set([a("k")]));
    if (!isFirst) await fail();
    await dropping;
    expect((await saidOf(set)).slice(-2)).toEqual([
      "keeps 1 of the records in the state until their new owner has them",
      expect.stringMatching(`^- a .*: DomainRecord ${record.name} failed to import it$`),
    ]);
    return { zone, set };
  }

  test.each(way === "plugin" ? [true, false] : [true])(
    "a set keeps a record whose late import fails, and an undo of the program has it again (the set comes last: %s)",
    async (isFirst) => {
      const { zone, set } = await late(isFirst);
      expect(await zone.names()).toEqual(["a", "k"]);
      await rig.restart();
      await set.up(zone.set([a("a"), a("k")]));
      expect(await set.up(zone.set([a("a"), a("k")]))).toBe("same");
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    },
  );

  if (way === "dynamic") {
    /** The engine has checked the other set, and then left it out because what it waits for has failed. */
    async function leftOut() {
      const zone = await newZone();
      const set = await zone.made([a("a"), a("k")]);
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("single") });
      await rig.restart();
      const other = rig.resource("DomainRecordSet");
      await other.check(zone.set([a("a"), a("single")]), { import: zone.domainId });
      return { zone, set, record, other };
    }

    test("a set keeps the records of an import that the engine has left out", async () => {
      const { zone, set, other } = await leftOut();
      const before = rig.clock.now();
      await set.up(zone.set([a("k")]));
      expect(rig.clock.now() - before).toBeGreaterThanOrEqual(15_000);
      expect((await saidOf(set)).at(-1)).toMatch(
        new RegExp(`^- a .*: DomainRecordSet ${other.name} has not imported it in this run$`),
      );
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual(["single"]);
    });

    test("a resource that leaves the program stays in the state for an import that the engine has left out", async () => {
      const { zone, set, record, other } = await leftOut();
      const reason = `DomainRecordSet ${other.name} imports it, and has not done so in this run, so nothing is deleted`;
      expect(await refusalOf(record.destroy())).toContain(reason);
      expect(await refusalOf(set.destroy())).toContain(reason);
      expect(await zone.names()).toEqual(["a", "k", "single"]);
    });
  }
});
