import { lastingUrn } from "../../../src/provider/describe/urn";
import { type Standing, stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig, type Managed } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, startZones, type Zone } from "../collection/zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  const environment: Record<string, string> = {};
  /** What the state has of the resource. */
  let standing: Standing | undefined;
  beforeAll(async () => {
    const state = { ...stateIn({}), standing: () => standing };
    ({ rig, newZone } = await startZones(way, { environment, state }));
  });
  beforeEach(async () => {
    standing = undefined;
    await setTo("");
  });
  afterAll(() => rig.stop());

  async function setTo(text: string) {
    environment["NODECLOUD_IMPORT"] = text;
    await rig.restart();
  }

  /** A record outside Pulumi, and a resource of a program that would create the same. */
  async function existing() {
    const zone = await newZone();
    const id = `${zone.domainId}/${(await zone.create(a("www"))).id}`;
    const args: Properties = { domainId: zone.domainId, ...a("www") };
    return { zone, id, args, record: rig.resource("DomainRecord") };
  }

  const entry = ({ urn }: Managed, id: string) => `${urn}=${id}`;

  test("NODECLOUD_IMPORT adopts an object that stands against a creation, and says so", async () => {
    const { zone, id, args, record } = await existing();
    expect(await reasonsOf(record.check(args))).toContain("cannot be created");
    await setTo(entry(record, id));
    await record.up(args);
    expect(record.id).toBe(id);
    expect(rig.plugin.logs).toContainEqual(
      expect.objectContaining({
        message: `DomainRecord ${record.name}: imports the existing DomainRecord ${id}, as NODECLOUD_IMPORT says`,
      }),
    );
    expect(await zone.names()).toEqual(["www"]);
  });

  test("and stays without effect on the same resource, set or not", async () => {
    const { args, id, record } = await existing();
    await setTo(entry(record, id));
    await record.up(args);
    const changed = { ...args, ttlSec: 3600 };
    expect(await record.up(args)).toBe("same");
    expect(await record.drifted()).toBe(false);
    expect(await record.up(changed)).toBe("updated");
    await setTo("");
    expect(await record.up(changed)).toBe("same");
    expect(await record.drifted()).toBe(false);
    expect(record.id).toBe(id);
  });

  test("keeps an object that the run would delete for its old resource, unless the state has the new one", async () => {
    const { zone, args } = await existing();
    const [old, next] = [rig.resource("DomainRecord"), rig.resource("DomainRecord")];
    await old.up({ ...args, name: "moves" });
    await setTo(entry(next, old.id));
    expect(await refusalOf(old.destroy())).toContain(
      `DomainRecord ${next.name} imports it, and this run leaves it out, so nothing is deleted. Run the command again without \`--target\` and \`--exclude\``,
    );
    await next.up({ ...args, name: "moves" });
    expect(await refusalOf(old.destroy())).toBe("it is not refused");
    expect(await zone.names()).toEqual(["moves", "www"]);
  });

  test("has no effect on a resource that manages another object, such as after a replacement", async () => {
    const { zone, args, id } = await existing();
    const named = (domain: string) => ({ domain, type: "master", soaEmail: `dns@${domain}` });
    const [record, domain] = [rig.resource("DomainRecord"), rig.resource("Domain")];
    await record.up({ ...args, name: "ftp" });
    await domain.up(named("one.example"));
    const own = [record.id, domain.id];
    await setTo(`${entry(record, id)},${entry(domain, zone.domainId)}`);
    expect(await record.up({ ...args, name: "ftp" })).toBe("same");
    expect(await record.up({ ...args, name: "ftp", ttlSec: 3600 })).toBe("updated");
    expect(await domain.up(named("one.example"))).toBe("same");
    expect([await record.refresh(), await domain.refresh()]).toEqual([[], []]);
    expect([record.id, domain.id]).toEqual(own);
    expect(rig.plugin.logs.filter(({ ephemeral }) => !ephemeral)).toEqual([]);
    expect(await zone.names()).toEqual(["ftp", "www"]);
  });

  test.each([
    ["an object", false],
    ["the records of a set", true],
  ])("does not adopt again %s that a run replaces by the command line", async (_, isSet) => {
    const { zone, args, id } = await existing();
    const made = rig.resource(isSet ? "DomainRecordSet" : "DomainRecord");
    const [inputs, wished] = isSet ? [zone.set([a("www")]), zone.domainId] : [args, id];
    await setTo(entry(made, wished));
    await made.up(inputs);
    await rig.restart();
    standing = { id: wished, object: wished, isRetained: false, isGone: false };
    // The engine checks it as a new resource.
    const { inputs: checked } = await rig.plugin.check(
      { urn: made.urn, inputs: {} },
      await made.news(isSet ? zone.set([a("new")]) : { ...args, target: "192.0.2.9" }),
    );
    const created = await rig.plugin.create(made, checked);
    if (!isSet) expect(created.id).not.toBe(wished);
    expect(await zone.names()).toEqual(isSet ? ["new", "www"] : ["www", "www"]);
    expect(rig.plugin.logs).toContainEqual(
      expect.objectContaining({
        message: `${made.type} ${made.name}: replaces the ${made.type} in the state: a new one is created, and NODECLOUD_IMPORT is ignored`,
      }),
    );
  });

  test("is compared with the program, and writes nothing", async () => {
    const { zone, args, id, record } = await existing();
    await setTo(entry(record, id));
    expect(await refusalOf(record.up({ ...args, target: "192.0.2.9" }))).toContain(
      `import DomainRecord ${id}: target is "192.0.2.9" in the program and "192.0.2.1" in the account`,
    );
    expect(await zone.live()).toMatchObject([{ target: "192.0.2.1" }]);
  });

  test("adopts the records of a set", async () => {
    const { zone } = await existing();
    const set = rig.resource("DomainRecordSet");
    await setTo(entry(set, zone.domainId));
    await set.up(zone.set([a("www")]));
    expect(await zone.names()).toEqual(["www"]);
    expect(await set.warnings()).toEqual(["imports the existing records, as NODECLOUD_IMPORT says"]);
  });

  test("names a resource by its URN of either way, and no other of the same name", async () => {
    const { args, id, record } = await existing();
    const urn = lastingUrn(record.urn);
    const other =
      way === "dynamic" ? urn.replace("pulumi-nodejs:dynamic/nodecloud:", "nodecloud:index:") : urn;
    await setTo(`${other.replace("::test::", "::test::my:Site$")}=9/9,${other}=${id}`);
    await record.up(args);
    expect(record.id).toBe(id);
  });

  test("fails every check if it is malformed", async () => {
    const { args, record } = await existing();
    await setTo(`${record.name}=12`);
    expect(await refusalOf(record.check(args))).toContain(
      `NODECLOUD_IMPORT: "${record.name}=12" is no URN with an id. Write URN=ID`,
    );
  });
});
