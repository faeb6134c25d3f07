import { type Rig, everyField, lifecycle, refusals, startRig } from "../helpers/lifecycle";
import { type NameServer, startEmptyZones } from "../helpers/name-server";
import { inEachWay, type Properties } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  let nameServer: NameServer;
  let otherNameServer: NameServer;
  beforeAll(async () => {
    rig = await startRig({ Domain: "domains", DomainRecord: "records" }, {}, way);
    nameServer = await startEmptyZones();
    otherNameServer = await startEmptyZones();
  });
  afterAll(async () => {
    await rig.stop();
    await nameServer.stop();
    await otherNameServer.stop();
  });

  const name = () => `zone${rig.serial()}.example`;
  const master = (): Properties => ({ domain: name(), type: "master", soaEmail: "dns@example.org" });
  const slave = { type: "slave", masterIps: ["192.0.2.1"] };

  const everything = (): Properties => ({
    ...master(),
    status: "disabled",
    description: "A zone",
    group: "zones",
    masterIps: ["192.0.2.1", "2001:DB8::1"],
    axfrIps: ["192.0.2.2", "192.0.2.3"],
    expireSec: 604800,
    refreshSec: 7200,
    retrySec: 3600,
    ttlSec: 300,
    tags: ["b", "a"],
  });

  lifecycle(() => rig, {
    type: "Domain",
    first: everything,
    changed: (first) => ({ ...first, domain: name(), status: "active", tags: ["c"], ttlSec: 3600 }),
    replaced: async (first) => {
      const source = rig.resource("Domain");
      await source.up(master());
      const { domain, type, soaEmail } = first;
      return { domain, type, soaEmail, cloneFrom: source.id };
    },
    ids: { unknown: "999999", malformed: "zone.example" },
    different: { path: "description", value: "Another zone" },
  });

  describe("inputs", () => {
    everyField(() => rig, {
      type: "Domain",
      base: master,
      cases: {
        domain: { change: "updates", first: name, then: name },
        type: { change: "updates", first: "master", then: "slave", with: { masterIps: ["192.0.2.1"] } },
        status: { change: "updates", first: "disabled", then: "active", removed: "active" },
        description: { change: "updates", first: "one", then: "two", removed: null },
        group: { change: "updates", first: "one", then: "two", removed: null },
        soaEmail: { change: "updates", first: "a@example.org", then: "b@example.org", with: slave },
        masterIps: { change: "updates", first: ["192.0.2.1"], then: ["192.0.2.1", "192.0.2.2"], removed: [] },
        axfrIps: { change: "updates", first: ["192.0.2.1"], then: ["2001:db8::1"], removed: [] },
        expireSec: { change: "updates", first: 604800, then: 1209600, removed: 0 },
        refreshSec: { change: "updates", first: 7200, then: 14400, removed: 0 },
        retrySec: { change: "updates", first: 3600, then: 7200, removed: 0 },
        ttlSec: { change: "updates", first: 300, then: 3600, removed: 0 },
        tags: { change: "updates", first: ["one"], then: ["one", "two"], removed: [] },
        cloneFrom: {
          change: "replaces",
          first: async () => (await aDomain()).id,
          then: async () => (await aDomain()).id,
          shown: null,
        },
        importFrom: {
          change: "replaces",
          first: () => nameServer.address,
          then: () => otherNameServer.address,
          shown: null,
        },
      },
    });
  });

  async function aDomain() {
    const domain = rig.resource("Domain");
    await domain.up(master());
    return domain;
  }

  refusals(() => rig, "Domain", master, [
    [{ domain: "" }, "domain must not be empty"],
    [{ domain: `${"long.".repeat(50)}zone` }, "domain must be at most 253 characters long, not 254"],
    [{ domain: `${"x".repeat(64)}.example` }, "domain must have labels of at most 63 characters each"],
    [{ type: "primary" }, 'type must be master or slave, not "primary"'],
    [{ status: "off" }, 'status must be disabled or active, not "off"'],
    [{ description: "" }, "description must not be empty"],
    [{ description: "x".repeat(254) }, "description must be at most 253 characters long, not 254"],
    [{ group: "x".repeat(51) }, "group must be at most 50 characters long, not 51"],
    [{ soaEmail: "nobody" }, 'soaEmail must be an email address, not "nobody"'],
    [
      { axfrIps: Array(30).fill("2001:0db8:0000:0000:0000:ffff:192.0.2.255") },
      "axfrIps must have at most 1000 characters in total",
    ],
    [{ ttlSec: 1.5 }, "ttlSec must be a whole number, not 1.5"],
    [{ tags: "web" }, "tags must be a list, not a string"],
    [
      { records: [] },
      "records is not supported here: declare DomainRecord resources, or a DomainRecordSet for many records",
    ],
    [
      { zoneFile: "@ SOA" },
      "zoneFile is not supported here: pass it to a DomainRecordSet, or import a zone from a nameserver with importFrom",
    ],
    [{ soaMail: "a@example.org" }, "soaMail is not a property of this resource; did you mean soaEmail?"],
    [
      { cloneFrom: "zone.example" },
      'cloneFrom must be the id of a domain (a whole number), not "zone.example"',
    ],
    [
      { cloneFrom: "1", importFrom: "ns1.example.net" },
      "importFrom cannot be set together with cloneFrom; set one of them",
    ],
  ]);

  // The full plugin gets numbers of seconds.
  if (way === "dynamic") {
    test("a dynamic resource refuses a timeout that is not a duration", async () => {
      const { failures } = await rig
        .resource("Domain")
        .check(master(), { customTimeouts: { create: "soon" } });
      expect(failures.map(({ reason }) => reason)).toEqual([
        'customTimeouts.create "soon" is not a duration such as "90s", "30m" or "1h30m" [NC1101]',
      ]);
    });
  }

  test("a different order, or a different spelling of an address or a name, is neither a change nor drift", async () => {
    const domain = rig.resource("Domain");
    const own = master();
    const args = { ...own, tags: ["a", "b"], axfrIps: ["10.0.0.1", "2001:db8::1"] };
    await domain.up(args);
    const name = `${String(own["domain"]).toUpperCase()}.`;
    const respelt = { ...args, domain: name, tags: ["b", "a"], axfrIps: ["2001:0DB8:0::1", "10.0.0.1/32"] };
    expect(await domain.preview(respelt)).toMatchObject({ changes: false, row: [] });
    const described = { ...respelt, description: "respelt" };
    expect(await domain.preview(described)).toMatchObject({ changes: true, row: ["description"] });
    await domain.patch({ tags: ["b", "a"], axfr_ips: ["2001:db8:0:0::1/128", "10.0.0.1"] });
    expect(await domain.drifted()).toBe(false);
    expect(await domain.refresh()).toEqual([]);
    expect(await domain.preview(args)).toMatchObject({ changes: false });
  });

  test("a replacement deletes the old domain first, because its name is unique", async () => {
    const domain = await aDomain();
    const preview = await domain.preview({ ...master(), importFrom: "ns1.example.net" });
    expect(preview).toMatchObject({ replaces: ["importFrom"], deleteBeforeReplace: true });
  });

  test.each<[string, () => Properties, string]>([
    ["another name", () => ({ domain: name() }), "the service no longer answers for the old name"],
    ["the status disabled", () => ({ status: "disabled" }), "the service no longer answers for the domain"],
  ])("a preview of %s says what is no longer answered for", async (_, change, line) => {
    const domain = rig.resource("Domain");
    const args = master();
    await domain.up(args);
    await domain.preview({ ...args, ...change() });
    expect(await domain.warnings()).toEqual([`interrupts a service: ${line}`]);
  });

  test("a clone starts with the records of its source and the program's own fields", async () => {
    const source = await aDomain();
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: source.id, type: "A", name: "www", target: "192.0.2.1" });
    const clone = rig.resource("Domain");
    await clone.up({ ...master(), cloneFrom: Number(source.id), description: "A clone" });
    expect(await clone.live()).toMatchObject({ description: "A clone" });
    expect(clone.outputs).toMatchObject({ description: "A clone", cloneFrom: source.id });
    const records = await rig.emulator.call<{ data: unknown[] }>("GET", `/domains/${clone.id}/records`);
    expect(records.body.data).toMatchObject([{ name: "www", target: "192.0.2.1" }]);
  });

  test("a taken name fails, and the error gives the id to import", async () => {
    const { soaEmail, ...rest } = master();
    const { body } = await rig.emulator.call<{ id: number }>("POST", "/domains", {
      body: { ...rest, soa_email: soaEmail },
    });
    await expect(rig.resource("Domain").up({ ...rest, soaEmail })).rejects.toThrow(
      new RegExp(`is taken.* give this resource the option import: "${body.id}"`),
    );
  });

  test("an update of a deleted domain says that it is gone", async () => {
    const domain = await aDomain();
    await rig.emulator.call("DELETE", `/domains/${domain.id}`);
    const args = { ...domain.inputs, description: "gone" };
    await expect(domain.up(args)).rejects.toThrow(
      new RegExp(
        `^update Domain .* \\(${domain.id}\\): it no longer exists\\. Run \`pulumi refresh\` to remove it from the state`,
      ),
    );
  });

  test("a cleared field is sent as cleared", async () => {
    const domain = rig.resource("Domain");
    const args = everything();
    await domain.up(args);
    const { domain: zone, type, soaEmail } = args;
    await domain.up({ domain: zone, type, soaEmail });
    const { body } = await rig.emulator.control<{ last: { method: string; body: unknown }[] }>(
      "GET",
      "/requests",
    );
    expect(body.last.findLast(({ method }) => method === "PUT")?.body).toEqual({
      status: "active",
      description: null,
      group: null,
      master_ips: [],
      axfr_ips: [],
      expire_sec: 0,
      refresh_sec: 0,
      retry_sec: 0,
      ttl_sec: 0,
      tags: [],
    });
  });

  test("only fields that the program sets are sent", async () => {
    const args = master();
    await rig.resource("Domain").up(args);
    const { body } = await rig.emulator.control<{ last: { method: string; body: unknown }[] }>(
      "GET",
      "/requests",
    );
    expect(body.last.findLast(({ method }) => method === "POST")?.body).toEqual({
      domain: args["domain"],
      type: "master",
      soa_email: "dns@example.org",
    });
  });

  test("a lost answer to a creation leaves one domain", async () => {
    const args = master();
    await rig.emulator.control("POST", "/faults", {
      method: "POST",
      path: "/v4/domains",
      effect: "drop-response",
    });
    const domain = rig.resource("Domain");
    await domain.up(args);
    const list = await rig.emulator.call<{ data: Properties[] }>("GET", "/domains?page_size=500");
    expect(list.body.data.filter((item) => item["domain"] === args["domain"])).toHaveLength(1);
    expect(await domain.drifted()).toBe(false);
  });
});
