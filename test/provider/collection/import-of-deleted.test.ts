import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { eventually } from "../../helpers/programs";
import { a, refusalOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  // Each test is a run of the command line of its own.
  beforeEach(() => rig.restart());
  afterEach(() => rig.runTime());
  afterAll(() => rig.stop());

  const asked = (operation: string) =>
    eventually(`${operation} is asked`, async () => {
      const made = Object.keys(await rig.requests()).some((one) => one.startsWith(operation));
      return made || undefined;
    });

  /** A set that no longer declares a record. Time stands still while the service refuses to delete that. */
  async function dropping() {
    const zone = await newZone();
    const set = await zone.made([a("a"), a("k")]);
    const id = await zone.idOf("a");
    await rig.restart();
    rig.stopTime();
    const refused = { status: 400, body: { errors: [{ reason: "Busy" }] } };
    await zone.plan("DELETE", { effect: refused, times: 1 });
    const drop = () => set.up(zone.set([a("k")]));
    return { zone, set, id, drop };
  }

  describe("an import of what a set of the run just deletes is refused", () => {
    test("for another set", async () => {
      const { zone, set, drop } = await dropping();
      const work = drop();
      await asked("DELETE");
      const other = rig.resource("DomainRecordSet");
      expect(await refusalOf(other.up(zone.set([a("a")]), { import: zone.domainId }))).toContain(
        `DomainRecordSet ${set.name} no longer has it, and this run deletes it. Remove the option import`,
      );
      rig.runTime();
      await work;
      expect(await zone.names()).toEqual(["k"]);
    });

    if (way === "plugin") {
      test("for a record, whose state would have the old id", async () => {
        const { zone, set, id, drop } = await dropping();
        const work = drop();
        await asked("DELETE");
        const record = rig.resource("DomainRecord");
        const declared = { domainId: zone.domainId, ...a("a") };
        expect(await refusalOf(record.up(declared, { import: id }))).toBe(
          `import DomainRecord ${id}: DomainRecordSet ${set.name} no longer has it, and this run deletes it. ` +
            "Remove the option import and run `pulumi up --refresh`: that creates another one [NC1308]",
        );
        rig.runTime();
        await work;
        expect(await refusalOf(record.up(declared, { import: id }))).toContain("this run deletes it");
        expect(await zone.names()).toEqual(["k"]);
      });

      test("for a record that is being read when the deletion begins", async () => {
        const { zone, id, drop } = await dropping();
        await zone.plan("GET", { effect: { status: 503 }, times: 1 });
        const record = rig.resource("DomainRecord");
        const read = refusalOf(rig.plugin.readForImport(record, id));
        await asked("GET");
        const work = drop();
        await asked("DELETE");
        rig.runTime();
        await work;
        expect(await read).toContain("this run deletes it");
        expect(await zone.names()).toEqual(["k"]);
      });

      test("unless the record has been read before, so that the set keeps it", async () => {
        const { zone, id, drop } = await dropping();
        const record = rig.resource("DomainRecord");
        await rig.plugin.readForImport(record, id);
        const work = drop();
        await record.up({ domainId: zone.domainId, ...a("a") }, { import: id });
        rig.runTime();
        await work;
        expect(record.id).toBe(id);
        expect(await zone.names()).toEqual(["a", "k"]);
      });
    }
  });

  // The program in this process registers its imports for all tests, and the first one is named.
  const misread = [
    { type: "DomainRecord", id: "8", form: "domainId/recordId, such as 12/345" },
    { type: "DomainRecordSet", id: "www", form: "123 or 123/subdomain" },
  ] as const;
  test.each(way === "dynamic" ? misread.slice(0, 1) : misread)(
    "a set deletes nothing while it is not known what a $type imports",
    async ({ type, id, form }) => {
      const zone = await newZone();
      const set = await zone.made([a("a"), a("k")]);
      await rig.restart();
      const other = rig.resource(type);
      if (way === "dynamic") await other.news({ domainId: zone.domainId, ...a("a") }, { import: id });
      const told = way === "dynamic" ? {} : { __imports: [`${type} ${id} ${other.name}`] };
      expect(await refusalOf(set.up(zone.set([a("k")], told)))).toContain(
        `${type} ${other.name} imports "${id}", which is not the id of a ${type} (it has the form ${form}), ` +
          "so it is not known which records it is to have, and nothing was deleted. Correct that id",
      );
      expect(await zone.names()).toEqual(["a", "k"]);
      expect(await set.up(zone.set([a("a"), a("k"), a("new")], told))).toBe("updated");
    },
  );
});
