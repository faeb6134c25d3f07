import { type Rig, everyField, lifecycle, type Managed, refusals, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";
import { UNKNOWN } from "../../src/provider/base/values";

inEachWay((way) => {
  let rig: Rig;
  let domain: Managed;
  let otherDomain: Managed;

  beforeAll(async () => {
    rig = await startRig({ Domain: "domains", DomainRecord: "records" }, {}, way);
    domain = rig.resource("Domain");
    await domain.up({ domain: "records.example", type: "master", soaEmail: "dns@records.example" });
    otherDomain = rig.resource("Domain");
    await otherDomain.up({ domain: "others.example", type: "master", soaEmail: "dns@others.example" });
  });
  afterAll(() => rig.stop());

  const srv = (): Properties => ({
    domainId: domain.id,
    type: "SRV",
    name: `srv${rig.serial()}`,
    target: `sip${rig.serial()}.records.example`,
    priority: 10,
    weight: 5,
    port: 5060,
  });

  lifecycle(() => rig, {
    type: "DomainRecord",
    first: () => ({ ...srv(), service: "_sip", protocol: "_tcp", ttlSec: 299 }),
    changed: (first) => ({ ...first, target: "sip2.records.example", ttlSec: 3000, weight: 0 }),
    adopted: (first) => ({ ...first, ttlSec: 300 }),
    replaced: (first) => ({ ...first, domainId: otherDomain.id }),
    ids: { unknown: "1/999999", malformed: "17" },
    different: { path: "port", value: 5061 },
  });

  describe("inputs", () => {
    everyField(() => rig, {
      type: "DomainRecord",
      base: srv,
      cases: {
        domainId: { change: "replaces", first: () => domain.id, then: () => otherDomain.id, shown: null },
        type: {
          change: "replaces",
          first: "CNAME",
          then: "NS",
          with: { target: "ns.example.org" },
          without: ["priority", "weight", "port", "service", "protocol"],
        },
        name: { change: "updates", first: () => `one${rig.serial()}`, then: () => `two${rig.serial()}` },
        target: { change: "updates", first: "one.example", then: "two.example" },
        priority: {
          change: "updates",
          first: 1,
          then: 0,
          with: { type: "MX" },
          without: ["weight", "port", "service", "protocol"],
        },
        weight: { change: "updates", first: 1, then: 0, required: true },
        port: { change: "updates", first: 1, then: 65535, required: true },
        service: { change: "updates", first: "_sip", then: "_xmpp", removed: null },
        protocol: { change: "updates", first: "_tcp", then: "_udp", removed: null },
        tag: {
          change: "updates",
          first: "issue",
          then: "iodef",
          required: true,
          with: { type: "CAA", target: "ca.example" },
          without: ["priority", "weight", "port", "service", "protocol"],
        },
        ttlSec: { change: "updates", first: 3600, then: 86400 },
        served: null,
      },
    });
  });

  refusals(() => rig, "DomainRecord", srv, [
    [
      { domainId: "records.example" },
      'domainId must be the id of a domain (a whole number), not "records.example"',
    ],
    [{ type: "HINFO" }, 'type must be A, AAAA, NS, MX, CNAME, TXT, SRV, PTR or CAA, not "HINFO"'],
    [{ name: "" }, "name is empty; omit it for the domain itself"],
    [{ name: "x".repeat(101) }, "name must be at most 100 characters long, not 101"],
    [{ target: "x".repeat(65_536) }, "target must be at most 65535 characters long, not 65536"],
    [{ priority: 256 }, "priority must be at most 255, not 256"],
    [{ priority: -1 }, "priority must be at least 0, not -1"],
    [{ weight: 65_536 }, "weight must be at most 65535, not 65536"],
    [{ port: 65_536 }, "port must be at most 65535, not 65536"],
    [{ port: "5060" }, 'port must be a number, not "5060"'],
    [{ type: "CAA", tag: "policy" }, 'tag must be issue, issuewild or iodef, not "policy"'],
    [{ ttlSecs: 300 }, "ttlSecs is not a property of this resource; did you mean ttlSec?"],
  ]);

  const a = (): Properties => ({
    domainId: domain.id,
    type: "A",
    name: `a${rig.serial()}`,
    target: "192.0.2.1",
  });

  test("a time to live that the service rounds is neither a change nor drift, and the preview warns of it", async () => {
    const record = rig.resource("DomainRecord");
    const args = { ...a(), ttlSec: 299 };
    await record.up(args);
    expect(await record.warnings()).toEqual([
      expect.stringMatching(/^ttlSec is rounded by the service, which has 300, 3600, /),
    ]);
    expect(await record.live()).toMatchObject({ ttl_sec: 300 });
    expect(record.outputs["ttlSec"]).toBe(300);
    expect(await record.preview(args)).toMatchObject({ changes: false });
    expect(await record.drifted()).toBe(false);
    expect(await record.refresh()).toEqual([]);
    expect(record.inputs["ttlSec"]).toBe(299);
    expect(await record.up({ ...args, ttlSec: 310 })).toBe("updated");
    expect(await record.drifted()).toBe(false);
  });

  test("a preview says in the row of a record why it may be replaced", async () => {
    const record = rig.resource("DomainRecord");
    await record.up(a());
    await record.preview({ ...a(), domainId: UNKNOWN });
    expect(await record.warnings()).toEqual(["may be replaced: domainId is not known yet"]);
  });

  test("a refresh keeps the live value of a rounded time to live that drifts", async () => {
    const record = rig.resource("DomainRecord");
    const args = { ...a(), ttlSec: 299 };
    await record.up(args);
    await record.patch({ ttl_sec: 3600 });
    expect(await record.drifted()).toBe(true);
    expect(await record.refresh()).toEqual(["ttlSec"]);
    expect(record.inputs["ttlSec"]).toBe(3600);
    expect(await record.preview(args)).toMatchObject({ changes: true, replaces: [] });
    expect(await record.up(args)).toBe("updated");
    expect(await record.live()).toMatchObject({ ttl_sec: 300 });
  });

  test("the outputs have a priority, a weight and a port only where the record's type has them", async () => {
    const numbersOf = async (args: Properties) => {
      const record = rig.resource("DomainRecord");
      await record.up(args);
      expect(await record.drifted()).toBe(false);
      const { priority, weight, port } = record.outputs;
      return { priority, weight, port };
    };
    expect(await numbersOf(a())).toEqual({});
    expect(await numbersOf({ ...a(), type: "MX", target: "mx.example.org", priority: 0 })).toEqual({
      priority: 0,
    });
    expect(await numbersOf({ ...srv(), priority: 0, weight: 0, port: 0 })).toEqual({
      priority: 0,
      weight: 0,
      port: 0,
    });
  });

  test("the domain's id can be a number or a string", async () => {
    const record = rig.resource("DomainRecord");
    const args = a();
    await record.up({ ...args, domainId: Number(domain.id) });
    expect(record.outputs["domainId"]).toBe(domain.id);
    expect(await record.preview(args)).toMatchObject({ changes: false });
    expect(await record.preview({ ...args, domainId: Number(domain.id) })).toMatchObject({ changes: false });
  });

  test("a replacement deletes the old record first", async () => {
    const record = rig.resource("DomainRecord");
    const args = a();
    await record.up(args);
    expect(await record.preview({ ...args, domainId: otherDomain.id })).toMatchObject({
      replaces: ["domainId"],
      deleteBeforeReplace: true,
    });
  });

  test("its state is small", async () => {
    const record = rig.resource("DomainRecord");
    await record.up(a());
    expect(Buffer.byteLength(JSON.stringify([record.inputs, record.outputs]))).toBeLessThan(600);
  });

  if (way === "dynamic") {
    test("the provider text in the state of a dynamic resource is small", async () => {
      const record = rig.resource("DomainRecord");
      await record.up(a());
      expect(Buffer.byteLength(String(record.outputs["__provider"]))).toBeLessThan(100);
    });
  }

  test("a lost answer to a creation leaves one record", async () => {
    const zone = rig.resource("Domain");
    await zone.up({ domain: "lost.example", type: "master", soaEmail: "dns@lost.example" });
    const args = { ...a(), domainId: zone.id };
    const records = `/domains/${zone.id}/records`;
    await rig.emulator.control("POST", "/faults", {
      method: "POST",
      path: `/v4${records}`,
      effect: "drop-response",
    });
    const record = rig.resource("DomainRecord");
    await record.up(args);
    const after = await rig.emulator.call<{ data: { id: number }[] }>("GET", records);
    expect(after.body.data.map(({ id }) => `${zone.id}/${id}`)).toEqual([record.id]);
  });

  test("an existing record is not created again: the preview gives its id and says what to do", async () => {
    const zone = rig.resource("Domain");
    await zone.up({ domain: "twice.example", type: "master", soaEmail: "dns@twice.example" });
    const args = { ...a(), domainId: zone.id };
    const { name, type, target } = args as Properties;
    const records = `/domains/${zone.id}/records`;
    const { body } = await rig.emulator.call<{ id: number }>("POST", records, {
      body: { name, type, target },
    });
    const id = `${zone.id}/${body.id}`;
    await expect(rig.resource("DomainRecord").up(args)).rejects.toThrow(
      `cannot be created: the DomainRecord ${id} has the same content, and the state, which may contain it, could not be read. ` +
        `If an interrupted run of this stack created it, give this resource the option import: "${id}". If another resource manages it, remove this resource from the program`,
    );
    await rig.restart();
    const adopting = rig.resource("DomainRecord");
    await adopting.up(args, { import: id });
    expect(adopting.id).toBe(id);
  });

  test("get of a record in a missing domain names the domain", async () => {
    const record = rig.resource("DomainRecord");
    await expect(record.get("999999/1")).rejects.toThrow(
      "get DomainRecord: there is no DomainRecord with the id 999999/1",
    );
  });

  test("a record whose domain was deleted is gone", async () => {
    const zone = rig.resource("Domain");
    await zone.up({ domain: "gone.example", type: "master", soaEmail: "dns@gone.example" });
    const record = rig.resource("DomainRecord");
    await record.up({ ...a(), domainId: zone.id });
    await rig.restart();
    await zone.destroy();
    expect(await record.refresh()).toBeUndefined();
    await record.destroy();
  });
});
