import { type Rig, type Managed, type ResourceType, startRig } from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ MysqlDatabase: "mysql" }, {}, way);
  });
  afterAll(() => rig.stop());

  const node = (): Properties => ({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
  const database = (engine: string): Properties => ({ region: "us-east", type: "g6-nanode-1", engine });
  const mysql = () => database("mysql/8.0.30");
  const postgresql = () => database("postgresql/14.6");

  async function make(count: number, type: ResourceType, args: () => Properties): Promise<Managed[]> {
    const all = Array.from({ length: count }, () => rig.resource(type));
    await Promise.all(all.map((resource) => resource.up(args())));
    return all;
  }

  /** The number of requests for each kind of read. A read by id ends in the id. */
  const readsOf = (counts: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(counts).filter(([route]) => route.startsWith("GET")));

  test("a refresh of many resources reads one list per kind, and does not read credentials again", async () => {
    const zone = rig.resource("Domain");
    await zone.up({ domain: "many.example", type: "master", soaEmail: "dns@many.example" });
    const record = () => ({ domainId: zone.id, type: "A", name: `a${rig.serial()}`, target: "192.0.2.1" });
    const all = [
      ...(await make(60, "DomainRecord", record)),
      ...(await make(10, "Node", node)),
      ...(await make(5, "MysqlDatabase", mysql)),
      ...(await make(5, "PostgresqlDatabase", postgresql)),
    ];
    await rig.requests();
    const changed = await Promise.all(all.map((resource) => resource.refresh()));
    expect(changed).toEqual(all.map(() => []));
    expect(await rig.requests()).toEqual({
      "GET /v4/domains/:id/records": 1,
      "GET /v4/node/instances": 1,
      "GET /v4/databases/mysql/instances": 1,
      "GET /v4/databases/postgresql/instances": 1,
    });
  });

  test.each<[ResourceType, string, () => Properties]>([
    ["Node", "GET /v4/node/instances", node],
    ["PostgresqlDatabase", "GET /v4/databases/postgresql/instances", postgresql],
  ])(
    "50 resources %s that are created together are watched with few list requests",
    async (type, route, args) => {
      await rig.requests();
      const all = await make(50, type, args);
      const reads = readsOf(await rig.requests());
      expect(reads[`${route}/:id`] ?? 0).toBeLessThan(10);
      // This includes the reads before the creation and the lookups in the account.
      expect(reads[route]).toBeLessThan(15);
      await rig.requests();
      await Promise.all(all.map((resource) => resource.destroy()));
      const deletions = readsOf(await rig.requests());
      // Each one is gone when its own read says so.
      expect((deletions[route] ?? 0) + (deletions[`${route}/:id`] ?? 0)).toBeLessThan(50 + 15);
    },
  );

  test("a record is deleted with one request, and read once if it is already gone", async () => {
    const zone = rig.resource("Domain");
    await zone.up({ domain: "few.example", type: "master", soaEmail: "dns@few.example" });
    const [record] = await make(1, "DomainRecord", () => ({
      domainId: zone.id,
      type: "A",
      target: "192.0.2.1",
    }));
    await rig.requests();
    const route = "/v4/domains/:id/records/:id";
    await record?.destroy();
    expect(await rig.requests()).toEqual({ [`DELETE ${route}`]: 1 });
    await record?.destroy();
    expect(await rig.requests()).toEqual({ [`DELETE ${route}`]: 1, [`GET ${route}`]: 1 });
  });

  test("a refresh finds a password that somebody else has reset", async () => {
    const [resource] = await make(1, "MysqlDatabase", mysql);
    const path = `/databases/mysql/instances/${resource?.id}/credentials/reset`;
    // The service's times have a resolution of one second.
    await rig.emulator.control("POST", "/clock", { advance: 60 });
    expect(await rig.emulator.call("POST", path)).toMatchObject({ status: 200 });
    await rig.emulator.control("POST", "/clock", { advance: 600 });
    const before = resource?.outputs["rootPassword"];
    await resource?.refresh();
    expect(resource?.outputs["rootPassword"]).not.toBe(before);
    expect(resource?.outputs["rootPassword"]).toBe((await resource?.live())?.["root_password"]);
  });
});
