import { type Managed, type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, refusalOf } from "../collection/zone";

const ZONE = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
const DATABASE = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
const REASON = "nothing was sent, because readOnly is set, which allows only reads";

inEachWay((way) => {
  let rig: Rig;
  const configuration: Record<string, string> = {};
  const environment: Record<string, string> = {};
  let zone: Managed;
  let set: Managed;
  let records: Properties;

  beforeAll(async () => {
    rig = await startRig({}, {}, way, { configuration, environment });
    zone = rig.resource("Domain");
    await zone.up(ZONE);
    set = rig.resource("DomainRecordSet");
    records = { domainId: zone.id, records: [a("www")] };
    await set.up(records);
  });
  afterAll(() => rig.stop());
  afterEach(() => {
    delete configuration["nodecloud:readOnly"];
    delete environment["NODECLOUD_READ_ONLY"];
  });

  const restart = async () => {
    await rig.restart();
    rig.emulator.reset("requests");
  };

  test.each([
    ["the configuration", { "nodecloud:readOnly": "true" }, {}],
    ["the environment", {}, { NODECLOUD_READ_ONLY: "true" }],
    [
      "the environment, whatever the configuration says,",
      { "nodecloud:readOnly": "false" },
      { NODECLOUD_READ_ONLY: "true" },
    ],
  ])(
    "with readOnly in %s every change fails with that reason, and nothing is sent",
    async (_, own, variables) => {
      Object.assign(configuration, own);
      Object.assign(environment, variables);
      await restart();
      const changes: [string, Promise<unknown>][] = [
        ["a creation", rig.resource("Domain").up({ ...ZONE, domain: "new.example" })],
        ["a slow creation", rig.resource("MysqlDatabase").up(DATABASE)],
        ["an update", zone.up({ ...ZONE, description: "the zone" })],
        ["a replacement", zone.up({ ...ZONE, type: "slave", masterIps: ["192.0.2.53"] })],
        ["a change of a set", set.up({ ...records, records: [a("mail")] })],
        ["the deletion of a set", set.destroy()],
        ["a deletion", zone.destroy()],
      ];
      for (const [what, change] of changes) {
        const refusal = await refusalOf(change);
        expect({ what, refusal }).toEqual({ what, refusal: expect.stringContaining(REASON) });
        expect(refusal).toContain("nodecloud:readOnly or NODECLOUD_READ_ONLY");
      }
      expect(await rig.emulator.writes()).toEqual([]);
    },
  );

  test("with readOnly, reads, previews and refreshes work, and without it the next run makes the changes", async () => {
    Object.assign(environment, { NODECLOUD_READ_ONLY: "true" });
    await restart();
    expect(await zone.preview({ ...ZONE, description: "the zone" })).toMatchObject({ changes: true });
    expect(await zone.refresh()).toEqual([]);
    expect(await set.refresh()).toEqual([]);
    expect(await zone.up(ZONE)).toBe("same");
    const next = rig.resource("Domain");
    const NEXT = { ...ZONE, domain: "next.example" };
    expect(await refusalOf(next.up(NEXT))).toContain(REASON);
    expect(await rig.emulator.writes()).toEqual([]);
    delete environment["NODECLOUD_READ_ONLY"];
    await restart();
    expect(await next.up(NEXT)).toBe("created");
    expect(await rig.emulator.writes()).toEqual(["POST /v4/domains"]);
  });
});
