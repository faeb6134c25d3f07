import { type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { UNKNOWN } from "../../../src/provider/base/values";
import { a, reasonsOf, refusalOf } from "../collection/zone";

inEachWay((way) => {
  let rig: Rig;
  const environment: Record<string, string> = {};
  beforeAll(async () => {
    rig = await startRig({ Node: "nodes", Domain: "domains" }, {}, way, { environment });
  });
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  const fails = (path: string, effect: unknown) =>
    rig.emulator.control("POST", "/faults", { method: "GET", path, times: 99, effect });
  afterEach(() => rig.emulator.control("DELETE", "/faults"));

  test.each<[Parameters<Rig["resource"]>[0], Properties, string]>([
    [
      "DomainRecord",
      { domainId: "999", ...a("www") },
      "domainId names the domain 999, which does not exist [NC1103]",
    ],
    [
      "DomainRecordSet",
      { domainId: "999", records: [a("www")] },
      "domainId names the domain 999, which does not exist [NC1103]",
    ],
    ["NodeBackupSnapshot", { nodeId: "999" }, "nodeId names the node 999, which does not exist [NC1103]"],
    [
      "MysqlDatabaseBackup",
      { databaseId: "999" },
      "databaseId names the database 999, which does not exist [NC1103]",
    ],
    [
      "PostgresqlDatabaseBackup",
      { databaseId: "999" },
      "databaseId names the database 999, which does not exist [NC1103]",
    ],
  ])("a new %s below an object that does not exist fails at that property", async (type, args, reason) => {
    expect(await reasonsOf(rig.resource(type).check(args))).toBe(reason);
  });

  const ZONE = { domain: "seen.example", type: "master", soaEmail: "dns@seen.example" };
  const WITHOUT = "To preview without it, set nodecloud:validate to false (or NODECLOUD_VALIDATE=false)";

  test.each([
    [401, "cannot be read: Planned failure 401 (401); check that the token"],
    [403, "the Domain objects cannot be read: Planned failure 403 (403)"],
    [503, "the account at http://127.0.0.1:"],
  ])("a service that answers %i fails the preview of a new resource", async (status, says) => {
    await fails("/v4/**", { status });
    const refusal = await refusalOf(rig.resource("Domain").check(ZONE));
    expect(refusal).toContain(says);
    expect(refusal).toContain(WITHOUT);
  });

  const DATABASE = { region: "us-east", type: "g6-standard-1" };
  test.each<[Parameters<Rig["resource"]>[0], Properties]>([
    ["Node", { region: "us-east", type: "g6-nanode-1" }],
    ["NodeBackupSnapshot", { nodeId: "1" }],
    ["Domain", ZONE],
    ["DomainRecord", { domainId: "1", ...a("www") }],
    ["DomainRecordSet", { domainId: "1", records: [a("www")] }],
    ["Image", { diskId: 1 }],
    ["MysqlDatabase", { ...DATABASE, engine: "mysql/8.0.30" }],
    ["PostgresqlDatabase", { ...DATABASE, engine: "postgresql/14.6" }],
    ["MysqlDatabaseBackup", { databaseId: "1" }],
    ["PostgresqlDatabaseBackup", { databaseId: "1" }],
  ])("a token that is refused fails the preview of a new %s", async (type, args) => {
    await fails("/v4/**", { status: 401 });
    expect(await refusalOf(rig.resource(type).check(args))).toContain(WITHOUT);
  });

  /** Values that are not known yet cannot be compared with anything. */
  test.each<[Parameters<Rig["resource"]>[0], Properties]>([
    ["Node", { region: UNKNOWN, type: UNKNOWN }],
    ["NodeBackupSnapshot", { nodeId: UNKNOWN }],
    ["Domain", { ...ZONE, domain: UNKNOWN }],
    ["DomainRecord", { domainId: "1", ...a("www"), target: UNKNOWN }],
    ["DomainRecord", { domainId: UNKNOWN, ...a("www") }],
    ["DomainRecordSet", { domainId: "1", records: UNKNOWN }],
    ["DomainRecordSet", { domainId: UNKNOWN, records: [a("www")] }],
    ["Image", { diskId: UNKNOWN }],
    ["MysqlDatabase", { region: UNKNOWN, type: UNKNOWN, engine: UNKNOWN }],
    ["PostgresqlDatabaseBackup", { databaseId: UNKNOWN }],
  ])("a token that is refused fails the preview of a new %s with unknown values", async (type, args) => {
    await fails("/v4/**", { status: 401 });
    expect(await refusalOf(rig.resource(type).check(args))).toContain(WITHOUT);
  });

  test.each<[Parameters<Rig["resource"]>[0], Properties]>([
    ["DomainRecord", { domainId: "999", ...a("www"), target: UNKNOWN }],
    ["DomainRecordSet", { domainId: "999", records: UNKNOWN }],
  ])("a new %s with unknown values fails at a parent that does not exist", async (type, args) => {
    const reason = "domainId names the domain 999, which does not exist [NC1103]";
    expect(await reasonsOf(rig.resource(type).check(args))).toBe(reason);
  });

  test("a connection that is dropped fails the preview of a new resource", async () => {
    await fails("/v4/**", "drop-request");
    expect(await refusalOf(rig.resource("Domain").check(ZONE))).toContain(WITHOUT);
  });

  test("a token that is refused fails the preview of a change that is compared with nothing else", async () => {
    const zone = rig.resource("Domain");
    await zone.up(ZONE);
    const change = { ...ZONE, description: "the zone" };
    await rig.restart();
    await fails("/v4/**", { status: 401 });
    expect(await refusalOf(zone.preview(change))).toContain(WITHOUT);
    Object.assign(environment, { NODECLOUD_VALIDATE: "false" });
    await rig.restart();
    expect(await refusalOf(zone.preview(change))).toBe("it is not refused");
    Object.assign(environment, { NODECLOUD_VALIDATE: "true" });
  });

  const SET_CHANGES: [string, Properties][] = [
    ["another target", { records: [{ ...a("www"), target: "192.0.2.99" }, a("mail")] }],
    ["a record less", { records: [a("www")] }],
    ["a record more", { records: [a("www"), a("mail"), a("more")] }],
    ["unknown records", { records: UNKNOWN }],
    ["an exclusive set", { records: [a("www"), a("mail")], exclusive: true }],
  ];

  test.each(SET_CHANGES)("the preview of a set looks at the account: %s", async (_, change) => {
    const zone = rig.resource("Domain");
    await zone.up({ ...ZONE, domain: `set-${rig.serial()}.example` });
    const set = rig.resource("DomainRecordSet");
    await set.up({ domainId: zone.id, records: [a("www"), a("mail")] });
    const args = { domainId: zone.id, ...change };
    await rig.restart();
    await fails("/v4/**", { status: 401 });
    expect(await refusalOf(set.preview(args))).toContain(WITHOUT);
    await rig.emulator.control("DELETE", "/faults");
    await rig.emulator.call("DELETE", `/domains/${zone.id}`);
    await rig.restart();
    const gone = `update DomainRecordSet ${zone.id}`;
    expect(await refusalOf(set.preview(args))).toMatch(
      new RegExp(`${gone}.*: domainId names the domain ${zone.id}, which does not exist`),
    );
  });

  test("the preview of a change of an object that is gone fails, as its update does", async () => {
    const zone = rig.resource("Domain");
    const GONE = { ...ZONE, domain: "gone.example" };
    await zone.up(GONE);
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: zone.id, ...a("www") });
    await rig.emulator.call("DELETE", `/domains/${zone.id}`);
    await rig.restart();
    const changes = [
      [zone, { ...GONE, description: "the zone" }],
      [record, { domainId: zone.id, ...a("www"), target: "192.0.2.99" }],
    ] as const;
    for (const [resource, args] of changes) {
      const says = "it no longer exists. Run `pulumi refresh` to remove it from the state";
      await expect(resource.preview(args)).rejects.toThrow(says);
      await expect(resource.up(args)).rejects.toThrow(says);
    }
    expect(await zone.preview(GONE)).toMatchObject({ changes: false });
  });
});
