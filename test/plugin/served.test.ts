import { type Managed, type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

inEachWay((way) => {
  let rig: Rig;
  let domain: Managed;
  beforeEach(async () => {
    rig = await startRig({ Domain: "domains", DomainRecord: "records", DomainRecordSet: "records" }, {}, way);
    domain = rig.resource("Domain");
    await domain.up({ domain: "one.example", type: "master", soaEmail: "a@one.example" });
    await rendersAfter(3_600);
  });
  afterEach(() => rig.stop());

  const rendersAfter = (seconds: number) => rig.emulator.control("POST", "/zones", { delaySeconds: seconds });
  const HOURS = { customTimeouts: { create: "9h", update: "9h", delete: "9h" } };
  const www = (target = "192.0.2.1", more: Properties = {}) => ({
    ...{ domainId: domain.id, type: "A", name: "www", target, served: true, ...more },
  });
  const zone = async () =>
    (await rig.emulator.call<{ zone_file: string[] }>("GET", `/domains/${domain.id}/zone-file`)).body
      .zone_file;
  const zoneReads = async () => (await rig.requests())["GET /v4/domains/:id/zone-file"] ?? 0;

  test("a record is created, changed and deleted when the zone shows it", async () => {
    const record = rig.resource("DomainRecord");
    await record.up(www(), HOURS);
    expect((await zone()).join()).toContain("www IN A 192.0.2.1");
    expect(record.outputs["served"]).toBe(true);
    await record.up(www("192.0.2.2"), HOURS);
    expect((await zone()).join()).toContain("www IN A 192.0.2.2");
    await expect(record.preview(www("192.0.2.2"))).resolves.toMatchObject({ changes: false });
    await record.destroy();
    expect((await zone()).join()).not.toContain("www");
  });

  test("a record that the zone does not show in time stays, and the next run goes on", async () => {
    rig.emulator.clock.setSpeed(0);
    const record = rig.resource("DomainRecord");
    await expect(record.up(www())).rejects.toThrow(
      /^create DomainRecord A www \(\d+\/\d+\): for 5 min, the zone of the domain \d+ has not been rendered so that it shows DomainRecord A www\. It stays in the state, and the next `pulumi up` continues to wait\. To wait longer, set customTimeouts\.create \[NC1501\]$/,
    );
    const { id } = record;
    await record.refresh();
    await expect(record.preview(www())).resolves.toMatchObject({ changes: true, replaces: [] });
    rig.runTime();
    await expect(record.up(www(), HOURS)).resolves.toBe("updated");
    expect(record.id).toBe(id);
    await expect(record.preview(www())).resolves.toMatchObject({ changes: false });
  });

  test("many records that wait share the reads of the zone", async () => {
    const names = ["a", "b", "c", "d"];
    await rig.requests();
    rig.emulator.clock.setSpeed(0);
    const sleeps = rig.clock.sleeps.length;
    const all = names.map((name) => rig.resource("DomainRecord", name).up(www("192.0.2.9", { name }), HOURS));
    await eventually("they wait", () => rig.clock.sleeps.length - sleeps > 40 || undefined);
    rig.runTime();
    await Promise.all(all);
    expect(await zoneReads()).toBeLessThan((rig.clock.sleeps.length - sleeps) / 2);
  });

  test("a set waits for all of its records, and its removal until they are gone", async () => {
    const set = rig.resource("DomainRecordSet");
    const records = (...names: string[]) => ({
      domainId: domain.id,
      served: true,
      records: names.map((name) => ({ type: "A", name, target: "192.0.2.1" })),
    });
    await set.up(records("a", "b"), HOURS);
    expect((await zone()).join()).toMatch(/a IN A .*b IN A/);
    await set.up(records("b", "c"), HOURS);
    const now = (await zone()).join();
    expect(now).toMatch(/b IN A .*c IN A/);
    expect(now).not.toContain("a IN A");
    await expect(set.preview(records("b", "c"))).resolves.toMatchObject({ changes: false });
    rig.emulator.clock.setSpeed(0);
    await expect(set.up(records("d"))).rejects.toThrow(
      /^update DomainRecordSet .*: for 5 min, the zone of the domain \d+ has not been rendered so that it shows DomainRecord A d/,
    );
    rig.runTime();
    await expect(set.preview(records("d"))).resolves.toMatchObject({ changes: true, replaces: [] });
    await set.up(records("d"), HOURS);
    await set.destroy();
    expect((await zone()).join()).not.toContain("d IN A");
  });

  test("records of all types are recognised in the zone", async () => {
    const all: Properties[] = [
      { type: "A", target: "192.0.2.1" },
      { type: "AAAA", name: "six", target: "2001:DB8:0::1" },
      { type: "CNAME", name: "alias", target: "www.one.example." },
      { type: "MX", target: "Mail.one.example", priority: 10 },
      { type: "NS", name: "sub", target: "ns.one.example" },
      { type: "TXT", name: "text", target: 'v=spf1 "quoted" ~all; and a \\ backslash' },
      {
        type: "SRV",
        name: "sip",
        service: "sip",
        protocol: "tcp",
        target: "sip.one.example",
        priority: 1,
        weight: 2,
        port: 5060,
      },
      { type: "CAA", target: "letsencrypt.org", tag: "issue" },
      { type: "PTR", name: "4", target: "host.one.example" },
    ];
    const set = rig.resource("DomainRecordSet");
    await set.up({ domainId: domain.id, served: true, records: all }, HOURS);
  });

  test.each(["DomainRecord", "DomainRecordSet"] as const)(
    "its removal from a %s leaves no drift",
    async (type) => {
      const own =
        type === "DomainRecord"
          ? { ...www(), served: undefined }
          : { domainId: domain.id, records: [{ type: "A", target: "192.0.2.1" }] };
      const resource = rig.resource(type);
      await resource.up({ ...own, served: true }, HOURS);
      await expect(resource.up(own)).resolves.toBe("updated");
      await expect(resource.refresh()).resolves.toEqual([]);
      await expect(resource.preview(own)).resolves.toMatchObject({ changes: false });
    },
  );

  test("without it the zone is not read", async () => {
    await rig.requests();
    const record = rig.resource("DomainRecord");
    await record.up({ ...www(), served: false });
    await record.up({ ...www("192.0.2.3"), served: false });
    await record.destroy();
    expect(await zoneReads()).toBe(0);
  });

  test("a destruction does not wait for the zone", async () => {
    const record = rig.resource("DomainRecord");
    await record.up(www(), HOURS);
    await rig.restart();
    await rig.requests();
    await record.destroy();
    expect(await zoneReads()).toBe(0);
  });
});
