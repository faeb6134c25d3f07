import { type Rig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, refusalOf, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  const importing = (zone: Zone, args: Properties, id = zone.domainId) =>
    rig.resource("DomainRecordSet").up(args, { import: id });

  describe("an import of records that differ", () => {
    test("only in what the service rounds says how to keep the program's values", async () => {
      const zone = await newZone();
      await zone.create(a("www", "192.0.2.1", { ttl_sec: 300 }));
      const refusal = await refusalOf(importing(zone, zone.set([a("www", "192.0.2.1", { ttlSec: 299 })])));
      expect(refusal).toContain("ttlSec is 299 in the program and 300 in the account");
      expect(refusal).toContain("The service may have rewritten the program's value");
    });

    test("by one that is missing says so, and adopts none of the others", async () => {
      const zone = await newZone();
      await zone.create(a("www"));
      const refusal = await refusalOf(importing(zone, zone.set([a("www"), a("missing")])));
      expect(refusal).toMatch(/: missing .*A 192\.0\.2\.1 does not exist\. Write the account's values/);
      const rounded = zone.set([a("www", "192.0.2.1", { ttlSec: 299 }), a("missing")]);
      expect(await refusalOf(importing(zone, rounded))).not.toContain("may have rewritten");
      // The record is free: another set may import it.
      await importing(zone, zone.set([a("www")]));
    });
  });

  test("an import by an exclusive set of all records manages them, and deletes none", async () => {
    const zone = await newZone();
    await zone.create(a("www"));
    await zone.create(a("api"));
    const set = rig.resource("DomainRecordSet");
    const args = zone.set([a("www"), a("api")], { exclusive: true });
    await set.up(args, { import: zone.domainId });
    expect(await zone.names()).toEqual(["api", "www"]);
    expect(await set.up(args)).toBe("same");
    await rig.restart();
    await set.destroy();
    expect(await zone.names()).toEqual([]);
  });

  test("an import below a subdomain takes the records of that part only", async () => {
    const zone = await newZone();
    for (const name of ["dev", "api.dev", "www"]) await zone.create(a(name));
    const set = rig.resource("DomainRecordSet");
    const args = zone.set([a("dev"), a("api.dev")], { subdomain: "dev", exclusive: true });
    await set.up(args, { import: `${zone.domainId}/dev` });
    expect(set.id).toBe(`${zone.domainId}/dev`);
    await rig.restart();
    await set.destroy();
    expect(await zone.names()).toEqual(["www"]);
  });

  if (way === "dynamic") {
    test("an import by an id of another part is refused before the records are read", async () => {
      const zone = await newZone();
      await rig.requests();
      const part = zone.set([a("dev")], { subdomain: "dev" });
      expect(await refusalOf(importing(zone, part))).toBe(
        `import DomainRecordSet ${zone.domainId}: subdomain is "dev" in the program, and not set in the id [NC1307]`,
      );
      expect(await rig.requests()).toEqual({});
    });

    test("an import of the records of a missing domain is refused", async () => {
      const zone = await newZone();
      const args = { ...zone.set([a("www")]), domainId: "999999" };
      const reason =
        "import DomainRecordSet 999999: there is no domain 999999. It was deleted, or another account has it. To create a new one, remove the id from the call of adopt (adopt.ts), or the option import";
      expect(await refusalOf(importing(zone, args, "999999"))).toContain(reason);
      const ignoring = { import: "999999", ignoreChanges: ["records"] };
      expect(await refusalOf(rig.resource("DomainRecordSet").up(args, ignoring))).toContain(reason);
    });
  }

  describe("an import whose option ignoreChanges names the records", () => {
    const options = (zone: Zone) => ({ import: zone.domainId, ignoreChanges: ["records"] });

    test("is refused, as it would take what the program does not declare", async () => {
      const zone = await newZone();
      await zone.create(a("www"));
      await zone.create(a("api"));
      const set = rig.resource("DomainRecordSet");
      expect(await refusalOf(set.up(zone.set([a("www")]), options(zone)))).toContain(
        "ignoreChanges names records, so this would manage all 2 of the records that exist, also those that the program does not declare. " +
          "Remove records from ignoreChanges and declare the records to manage, or set exclusive",
      );
    });

    test("takes all that exist for an exclusive set, and says how many", async () => {
      const zone = await newZone();
      await zone.create(a("www"));
      await zone.create(a("api"));
      const set = rig.resource("DomainRecordSet");
      const args = zone.set([a("other")], { exclusive: true });
      await set.up(args, options(zone));
      expect(await saidOf(set)).toContain(
        "imports all 2 of the records that exist, because ignoreChanges names records",
      );
      expect(String(set.outputs["records"]).trim().split("\n")).toHaveLength(2);
      expect(await set.up(args, options(zone))).toBe("same");
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });

    if (way === "dynamic")
      test("takes no record of another resource of the program", async () => {
        const zone = await newZone();
        const record = rig.resource("DomainRecord");
        const args = { domainId: zone.domainId, ...a("www") };
        await record.up(args);
        await rig.restart();
        await record.preview(args);
        const set = rig.resource("DomainRecordSet");
        const all = zone.set([a("other")], { exclusive: true });
        expect(await refusalOf(set.up(all, options(zone)))).toContain(
          `DomainRecord ${record.name} in this program manages it`,
        );
      });
  });
});
