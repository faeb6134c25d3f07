import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Managed, type ResourceType, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";

const zone = { domain: "kept.example", type: "master", soaEmail: "dns@kept.example" };
const database = {
  region: "us-east",
  type: "g6-standard-1",
  engine: "mysql/8.0.30",
  label: "kept",
  allowList: [],
};
const KEPT = "which this resource replaces and the option retainOnDelete keeps";

inEachWay((way) => {
  /** Runs a program whose state has one resource, with these facts. */
  async function withState(
    type: ResourceType,
    args: Properties,
    facts: Properties,
    work: (one: Managed) => Promise<void>,
    validate = true,
  ) {
    const left: Properties[] = [];
    const standing: ReturnType<typeof stateIn>["standing"] = (who) =>
      stateIn({ resources: left }).standing(who);
    const kinds = { Domain: "domains", MysqlDatabase: "mysql" } as const;
    const state = {
      ...stateIn({}),
      standing,
      get objects() {
        return stateIn({ resources: left }).objects;
      },
    };
    const environment = { NODECLOUD_VALIDATE: String(validate) };
    const rig = await startRig(kinds, {}, way, { state, environment });
    const one = rig.resource(type);
    await one.up(args);
    await rig.restart();
    const { urn, id, outputs } = one;
    left.push({ urn, type: urn.split("::")[2], id, outputs, ...facts });
    await work(one);
    await rig.stop();
  }

  /** The reasons against a replacement that the engine decides, as it asks for them: it compares, and checks as a new one then. */
  async function reasons(one: Managed, news: Properties): Promise<string[]> {
    await one.preview(news);
    const { inputs } = one;
    one.inputs = {};
    const { failures } = await one.check(news);
    one.inputs = inputs;
    return failures.map(({ reason }) => reason);
  }

  test.each([
    ["that the engine decides", "Domain", zone, { ...zone, description: "new" }, "domain"],
    [
      "that the engine decides",
      "MysqlDatabase",
      database,
      { ...database, allowList: ["192.0.2.0/24"] },
      "label",
    ],
    ["by another region", "MysqlDatabase", database, { ...database, region: "eu-west" }, "label"],
  ] as const)(
    "a replacement %s of a %s is refused before anything is deleted if retainOnDelete keeps the old one's name",
    async (_, type, args, news, property) => {
      const kept = async (one: Managed) => {
        expect(await reasons(one, news)).toEqual([
          `${property} "${args[property as never] as string}" is taken by the ${type} ${one.id}, ${KEPT}. Choose another ${property}, or, to have it deleted, ` +
            "remove retainOnDelete and run `pulumi up` before this change [NC1301]",
        ]);
        expect(await reasons(one, { ...news, [property]: "other.example" })).toEqual([]);
      };
      const gone = async (one: Managed) => {
        expect(await reasons(one, news)).toEqual([]);
      };
      for (const validate of [true, false]) {
        await withState(type, args, { retainOnDelete: true }, kept, validate);
        await withState(type, args, {}, gone, validate);
      }
    },
  );

  test("one that has failed because of that says how to manage the old object again", async () => {
    await withState("Domain", zone, { retainOnDelete: true, pendingReplacement: true }, async (one) => {
      expect(await reasons(one, zone)).toEqual([
        `domain "kept.example" is taken by the Domain ${one.id}, ${KEPT}: an earlier replacement has given it up. Choose another domain, or, to manage it again, ` +
          `remove the resource from the state with \`pulumi state delete\` and give it the option import: "${one.id}" [NC1301]`,
      ]);
    });
  });
});
