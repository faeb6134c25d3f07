import { stateIn, type StackState } from "../../../src/provider/engine/stack-state";
import { type Managed, type ResourceType, type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, reasonsOf, saidOf, Zone } from "../collection/zone";

const database = { region: "us-east", type: "g6-nanode-1", label: "shop" };
const MYSQL = { ...database, engine: "mysql/8.0.30" };
const KINDS: [ResourceType, Properties, Properties | undefined][] = [
  ["Domain", { domain: "example.org", type: "master", soaEmail: "x@example.org" }, undefined],
  ["MysqlDatabase", MYSQL, { region: "eu-west" }],
  ["PostgresqlDatabase", { ...database, engine: "postgresql/14.6" }, { region: "eu-west" }],
];

/** A run has replaced resources and failed before the engine deleted their old objects. Then the program goes back. */
inEachWay((way) => {
  const run: { state?: StackState } = {};
  let rig: Rig;
  beforeEach(async () => {
    delete run.state;
    rig = await startRig(
      {
        Domain: "domains",
        DomainRecordSet: "records",
        MysqlDatabase: "mysql",
        PostgresqlDatabase: "postgresql",
      },
      {},
      way,
      run,
    );
  });
  afterEach(() => rig.stop());

  /** The next run, whose state still has to delete these resources. */
  async function replaced(...olds: Pick<Managed, "urn" | "id" | "outputs">[]): Promise<void> {
    run.state = stateIn({
      resources: olds.map(({ urn, id, outputs }) => {
        const type = urn.split("::")[2]?.split("$").at(-1);
        return { urn, id, type, outputs, delete: true };
      }),
    });
    await rig.restart();
    await rig.requests();
  }

  const again = (old: Managed): Managed => rig.resource(old.type, old.urn.split("::").at(-1));
  const changes = async () => Object.keys(await rig.requests()).filter((one) => !one.startsWith("GET"));

  const LEFT = "which an earlier run replaced and has not deleted";

  test.each(KINDS)(
    "a %s takes back the object with its unique name, and the engine's deletion leaves it",
    async (type, inputs, other) => {
      const old = rig.resource(type, "main");
      await old.up(inputs);
      await replaced(old);
      if (other !== undefined) {
        expect(await reasonsOf(again(old).check({ ...inputs, ...other }))).toContain(
          `label "shop" is that of the ${type} ${old.id}, ${LEFT}, and its region cannot be changed. Run \`pulumi up\` with the program of that run, which deletes it`,
        );
        await rig.restart();
      }
      const back = again(old);
      await back.up(inputs);
      expect(back.id).toBe(old.id);
      expect(await saidOf(back, 1)).toEqual([`takes back the ${type} ${old.id}, ${LEFT}`]);
      await old.destroy();
      expect(await back.live()).toBeDefined();
      expect(await changes()).toEqual([]);
    },
  );

  test("an object that is no longer as the replacement has left it is not taken back", async () => {
    const old = rig.resource("MysqlDatabase", "main");
    await old.up(MYSQL);
    const { urn, id, outputs } = old;
    await replaced({ urn, id, outputs: { ...outputs, status: "resuming" } });
    expect(await reasonsOf(again(old).check(MYSQL))).toContain(
      `${LEFT}, and its status is active. Run \`pulumi up\` with the program of that run`,
    );
  });

  test("a set takes back its records, and the engine's deletion leaves them", async () => {
    const domain = rig.resource("Domain", "zone");
    await domain.up({ domain: "example.org", type: "master", soaEmail: "x@example.org" });
    const zone = new Zone(rig, domain.id);
    const args = zone.set([a("one"), a("two")]);
    const old = rig.resource("DomainRecordSet", "records");
    await old.up(args);
    await replaced(old);
    const back = again(old);
    await back.up(args);
    await old.destroy();
    expect(await changes()).toEqual([]);
    await rig.restart();
    await back.destroy();
    expect(await zone.names()).toEqual([]);
  });

  test("an object that another resource of the stack is to lose is not taken", async () => {
    const [, inputs] = KINDS[0] ?? [];
    const old = rig.resource("Domain", "main");
    await old.up(inputs ?? {});
    await replaced(old);
    expect(await reasonsOf(rig.resource("Domain", "other").check(inputs ?? {}))).toContain(
      "is taken by the Domain",
    );
  });
});
