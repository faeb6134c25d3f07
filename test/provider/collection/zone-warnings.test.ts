import { type Rig, type Managed } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { UNKNOWN } from "../../../src/provider/base/values";
import { a, startZones, type Zone } from "./zone";

const alias = (name: string, target = "www.example.net"): Properties => ({ type: "CNAME", name, target });
const mx = (target: string, more: Properties = {}): Properties => ({
  type: "MX",
  target,
  priority: 10,
  ...more,
});

const isAlone = (other: string) =>
  `type is CNAME, and ${other} has the same name; a CNAME is the only record of its name (RFC 1034, 3.6.2): remove or rename one of them`;
const isAlias = (target: string, other: string, type = "MX") =>
  `target "${target}" is an alias (${other}), and a record of type ${type} must name a host (RFC 2181, 10.3): write the name that the CNAME has as its target`;
const hasNoAddress = (target: string) =>
  `target "${target}" is in the domain, and no record that exists or was declared before gives it an address: create an A or AAAA record`;

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  // Each test is a run of the command line of its own.
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  /** The warnings about zones since the last call, of all resources. */
  function said(): string[] {
    const lines = rig.plugin.logs
      .splice(0)
      .flatMap(({ message, ephemeral }) => (ephemeral ? [] : message.split("\n")));
    return lines.filter((line) => /RFC|in the domain|of the domain|priority/.test(line));
  }

  const single = async (zone: Zone, name: string, args: Properties): Promise<Managed> => {
    const record = rig.resource("DomainRecord", `${name}${rig.serial()}`);
    await record.up({ domainId: zone.domainId, ...args });
    return record;
  };
  const domainOf = async (zone: Zone): Promise<string> => {
    const { body } = await rig.emulator.call<{ domain: string }>("GET", `/domains/${zone.domainId}`);
    await rig.requests();
    return body.domain;
  };

  /** Why a resource is refused whose `domainId` comes from a resource of the program. */
  async function reasonsBelow(domain: Managed, resource: Managed, args: Properties): Promise<string[]> {
    const news = await resource.news({ domainId: UNKNOWN, ...args });
    const within =
      way === "plugin"
        ? { [HIDDEN.within]: domain.urn }
        : { [HIDDEN.urn]: `${String(news[HIDDEN.urn])}\n${domain.urn}` };
    const { failures } = await rig.plugin.check(resource, { ...news, ...within });
    return failures.map(({ reason }) => reason);
  }

  describe("the preview of a set warns of", () => {
    test("a CNAME beside another record of the set, with the property of the program", async () => {
      const zone = await newZone();
      const set = rig.resource("DomainRecordSet");
      await set.check(zone.set([a("www"), alias("www"), alias("docs")]));
      expect(said()).toEqual([`DomainRecordSet ${set.name}: records[1].${isAlone("records[0]")}`]);
    });

    test("a line of its zone file, and a key of its object", async () => {
      const zone = await newZone();
      const set = rig.resource("DomainRecordSet");
      const zoneFile = ["$ORIGIN x.example.", "www A 192.0.2.1", "www CNAME a.example.net."].join("\n");
      await set.check({ domainId: zone.domainId, zoneFile });
      expect(said()).toEqual([
        `DomainRecordSet ${set.name}: zoneFile: line 3: ${isAlone("zoneFile: line 2")}`,
      ]);
      await set.check(zone.set({ one: a("www"), two: alias("www") }));
      expect(said()).toEqual([`DomainRecordSet ${set.name}: records["two"].${isAlone('records["one"]')}`]);
    });

    test("a CNAME beside a record that the account has, at its creation and at an update", async () => {
      const zone = await newZone();
      await zone.create({ type: "A", name: "www", target: "192.0.2.1" });
      const id = await zone.idOf("www");
      const there = `the DomainRecord A www (${id}) of the account`;
      const set = rig.resource("DomainRecordSet");
      await set.check(zone.set([a("docs"), alias("www")]));
      expect(said()).toEqual([`DomainRecordSet ${set.name}: records[1].${isAlone(there)}`]);
      await rig.restart();
      const other = await zone.made([a("docs")]);
      said();
      await other.preview(zone.set([a("docs"), alias("www")]));
      expect(said()).toEqual([`DomainRecordSet ${other.name}: records[1].${isAlone(there)}`]);
    });

    test("nothing that the account has and the set deletes, changes or replaces", async () => {
      const zone = await newZone();
      const set = await zone.made([a("www"), a("docs")]);
      await rig.restart();
      said();
      await set.preview(zone.set([alias("www"), a("docs")]));
      expect(said()).toEqual([]);
      const exclusive = rig.resource("DomainRecordSet");
      await exclusive.check(zone.set([alias("www")], { exclusive: true }));
      expect(said()).toEqual([]);
    });

    test("the target of an MX record that has no address, unless the account gives it one", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      const set = rig.resource("DomainRecordSet");
      await set.check(zone.set([mx(`mail.${domain}`)]));
      expect(said()).toEqual([`DomainRecordSet ${set.name}: records[0].${hasNoAddress(`mail.${domain}`)}`]);
      await zone.create({ type: "A", name: "mail", target: "192.0.2.1" });
      await rig.restart();
      await rig.resource("DomainRecordSet").check(zone.set([mx(`mail.${domain}.`)]));
      expect(said()).toEqual([]);
    });

    test("an alias as the target of an MX record, and a name that repeats the domain", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      const set = rig.resource("DomainRecordSet");
      const records = [
        mx(`mail.${domain}`),
        alias("mail"),
        a(`www.${domain}`),
        mx("10 mx.example.net", { name: "x" }),
      ];
      await set.check(zone.set(records));
      expect(said()).toEqual([
        `DomainRecordSet ${set.name}: records[0].${isAlias(`mail.${domain}`, "records[1]")}`,
        `records[2].name "www.${domain}" ends in the name of the domain, so the record is that of "www.${domain}.${domain}"; write "www"`,
        'records[3].target "10 mx.example.net" begins with a priority: set priority, and target to the name alone',
      ]);
    });

    test("nothing while values are not known yet, or if the state has the same records", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      const set = rig.resource("DomainRecordSet");
      await set.check(zone.set([mx(`mail.${domain}`), { type: UNKNOWN, name: "mail", target: UNKNOWN }]));
      await set.check(zone.set([mx(UNKNOWN), a(UNKNOWN), alias("www")]));
      expect(said()).toEqual([]);
      await set.up(zone.set([a("www"), alias("www")]));
      await rig.restart();
      said();
      await set.up(zone.set([a("www"), alias("www")]));
      expect(said()).toEqual([]);
    });
  });

  describe("of a domain that the run creates, the preview", () => {
    const checkBelow = async (...given: Parameters<typeof reasonsBelow>) =>
      expect(await reasonsBelow(...given)).toEqual([]);
    async function newDomain(more: Properties = {}): Promise<Managed> {
      const domain = rig.resource("Domain");
      await domain.check({ domain: "new.example", type: "master", soaEmail: "dns@new.example", ...more });
      return domain;
    }

    test("knows the name, and warns of a set without an address, but of no single record", async () => {
      const domain = await newDomain();
      const set = rig.resource("DomainRecordSet");
      await checkBelow(domain, rig.resource("DomainRecord"), mx("mail.new.example"));
      expect(said()).toEqual([]);
      await checkBelow(domain, set, {
        records: [mx("mail.new.example", { name: "x" }), a("www.new.example")],
      });
      expect(said()).toEqual([
        `DomainRecordSet ${set.name}: records[0].${hasNoAddress("mail.new.example")}`,
        'records[1].name "www.new.example" ends in the name of the domain, so the record is that of "www.new.example.new.example"; write "www"',
      ]);
    });

    test("warns of what an exclusive set may delete there if the domain is a clone", async () => {
      const clone = await newDomain({ cloneFrom: "12" });
      for (const domain of [clone, await newDomain()])
        await checkBelow(domain, rig.resource("DomainRecordSet"), { exclusive: true, records: [a("www")] });
      const may = rig.plugin.logs.filter(({ message }) => message.includes("may delete existing records"));
      expect(may).toHaveLength(1);
    });

    test("and the update say the same of a single record whose address is declared later", async () => {
      const zone = await newZone();
      await single(zone, "mail", mx(`mail.${await domainOf(zone)}`));
      await single(zone, "mail", a("mail"));
      expect(said()).toEqual([]);
    });

    test("does not know the records of a domain that starts as a copy", async () => {
      const domain = await newDomain({ cloneFrom: "12" });
      await checkBelow(domain, rig.resource("DomainRecordSet"), { records: [mx("mail.new.example")] });
      await checkBelow(domain, rig.resource("DomainRecord"), a("www"));
      await checkBelow(domain, rig.resource("DomainRecordSet"), { records: [a("api")], exclusive: true });
      const logs = rig.plugin.logs.map(({ message }) => message);
      expect(said()).toEqual([]);
      expect(logs.filter((line) => line.includes("the domain starts as a copy"))).toHaveLength(2);
    });
  });

  describe("the preview of a single record warns of", () => {
    test("a CNAME beside a record that the program has declared before, or declares later", async () => {
      const zone = await newZone();
      const first = await single(zone, "www", a("www"));
      const second = await single(zone, "alias", alias("www"));
      expect(said()).toEqual([`DomainRecord ${second.name}: ${isAlone(`DomainRecord ${first.name}`)}`]);
      const third = await single(zone, "docs", alias("docs"));
      const fourth = await single(zone, "docs", a("docs"));
      expect(said()).toEqual([
        `DomainRecord ${fourth.name}: DomainRecord ${third.name}: ${isAlone("this resource")}`,
      ]);
    });

    test("a CNAME that an MX record names which was declared before, and of a set", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      const set = await zone.made([mx(`mail.${domain}`)]);
      said();
      const record = await single(zone, "mail", alias("mail"));
      expect(said()).toEqual([
        `DomainRecord ${record.name}: DomainRecordSet ${set.name}: records[0].${isAlias(`mail.${domain}`, "this resource")}`,
      ]);
    });

    test("a record of the account that no resource manages, and not one that the state has", async () => {
      const zone = await newZone();
      await zone.create({ type: "A", name: "www", target: "192.0.2.1" });
      const there = `the DomainRecord A www (${await zone.idOf("www")}) of the account`;
      const record = await single(zone, "www", alias("www"));
      expect(said()).toEqual([`DomainRecord ${record.name}: ${isAlone(there)}`]);
    });

    test("a record of the account that a change of its name or target clashes with", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      const there: Record<string, string> = {};
      for (const name of ["www", "mail"]) {
        await zone.create({ type: "CNAME", name, target: "www.example.net" });
        there[name] = `the DomainRecord CNAME ${name} (${await zone.idOf(name)}) of the account`;
      }
      const clash = `${there["www"]}: ${isAlone("this resource")}`;
      const target = `mail.${domain}`;
      const [renamed, mail] = [
        await single(zone, "docs", a("docs")),
        await single(zone, "mx", mx("mx.example")),
      ];
      await rig.restart();
      said();
      await renamed.preview({ domainId: zone.domainId, ...a("www") });
      await mail.preview({ domainId: zone.domainId, ...mx(target) });
      expect(said()).toEqual([
        `DomainRecord ${renamed.name}: ${clash}`,
        `DomainRecord ${mail.name}: ${isAlias(target, there["mail"] ?? "")}`,
      ]);
      const set = await zone.made({ key: a("docs2"), other: mx("mx2.example", { name: "sub" }) });
      await rig.restart();
      said();
      await set.preview(zone.set({ key: a("www"), other: mx(target, { name: "sub" }) }));
      expect(said()).toEqual([
        `DomainRecordSet ${set.name}: ${clash.replace("this resource", 'records["key"]')}`,
        `records["other"].${isAlias(target, there["mail"] ?? "")}`,
      ]);
    });

    test("no record that it takes the place of", async () => {
      const zone = await newZone();
      const record = await single(zone, "www", a("www"));
      await rig.restart();
      said();
      expect(await record.up({ domainId: zone.domainId, ...alias("www") })).toBe("replaced");
      expect(said()).toEqual([]);
    });

    test("a target without an address, once for all records of a domain with one list of its records", async () => {
      const zone = await newZone();
      const domain = await domainOf(zone);
      await rig.restart();
      await rig.requests();
      const records = [];
      for (const name of ["x", "y", "z"]) {
        const record = rig.resource("DomainRecord");
        await record.check({ domainId: zone.domainId, ...mx(`mail.${domain}`, { name }) });
        records.push(record);
      }
      expect(said()).toEqual(
        records.map(({ name }) => `DomainRecord ${name}: ${hasNoAddress(`mail.${domain}`)}`),
      );
      expect(await rig.requests()).toEqual({
        "GET /v4/domains/:id/records": 1,
        "GET /v4/domains": 1,
      });
    });
  });
});
