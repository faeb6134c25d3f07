import { lastingUrn } from "../../../src/provider/describe/urn";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Managed, type Options, type Rig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  /** What the state has at the beginning of a run. */
  let resources: Properties[] = [];
  beforeAll(async () => {
    const state = {
      ...stateIn({}),
      holdersOf: (type: string, id: string) => stateIn({ resources }).holdersOf(type, id),
    };
    ({ rig, newZone } = await startZones(way, { state }));
  });
  afterEach(() => rig.runTime());
  afterAll(() => rig.stop());

  interface InProgram {
    readonly set: Managed;
    readonly args: Properties;
    readonly options?: Options;
  }

  /** Begins a run of a program with these sets, which the engine has not come to. */
  async function begin(zone: Zone, program: readonly InProgram[]): Promise<InProgram[]> {
    resources = program.flatMap(({ set: { urn, id, outputs } }) =>
      id === "" ? [] : [{ urn, type: urn.split("::")[2], id, outputs }],
    );
    await rig.restart();
    rig.stopTime();
    await rig.requests();
    if (way === "dynamic") for (const { set, args, options } of program) await set.news(args, options);
    const told = way === "dynamic" ? {} : { __beside: program.map(({ set }) => lastingUrn(set.urn)) };
    return program.map((one) => ({ ...one, args: { ...one.args, ...told } }));
  }

  const written = async () => Object.keys(await rig.requests()).filter((one) => !one.startsWith("GET"));
  const up = ({ set, args, options }: InProgram) => set.up(args, options);

  /** A set of three records, of which the program now gives two to another one. */
  async function split(more: Properties = {}) {
    const zone = await newZone();
    const giver = await zone.made([a("one"), a("two.dev"), a("three.dev")]);
    const taker = rig.resource("DomainRecordSet");
    const before = await zone.live();
    const [gives, takes] = await begin(zone, [
      { set: giver, args: zone.set([a("one")]) },
      { set: taker, args: zone.set([a("two.dev"), a("three.dev")], more) },
    ]);
    if (gives === undefined || takes === undefined) throw new Error("the program has two sets");
    const given = before.filter(({ name }) => name !== "one");
    const ids = given.map(({ id }) => `${zone.domainId}/${id}`).join(", ");
    return { zone, giver, taker, gives, takes, before, ids };
  }

  test("a set does not take over a single record that leaves the program, and says what does", async () => {
    const zone = await newZone();
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: zone.domainId, ...a("www") });
    await begin(zone, [{ set: record, args: {} }]);
    rig.runTime();
    const line = `www A 192.0.2.1 already exists with the id ${record.id}, and DomainRecord ${record.name} has it: declare it in one of the two. To move records here from a resource that leaves the program, `;
    const set = rig.resource("DomainRecordSet");
    expect(await reasonsOf(set.check(zone.set([a("www")])))).toContain(
      `${line}set the option import: "${zone.domainId}", or set exclusive`,
    );
    await set.up(zone.set([a("other")]));
    expect(await refusalOf(set.up(zone.set([a("other"), a("www")])))).toContain(`${line}set exclusive`);
  });

  describe.each([
    ["a set that owns what it created", {}],
    ["an exclusive set", { exclusive: true, subdomain: "dev" }],
  ])("%s takes over the records that another set of the program gives up,", (_, more) => {
    test("as the preview says, without a request that writes", async () => {
      const { zone, giver, taker, gives, takes, before, ids } = await split(more);
      await giver.preview(gives.args);
      expect((await saidOf(giver)).at(-1)).toBe("(except those that another set of the program takes over)");
      await taker.check(takes.args);
      expect((await saidOf(taker)).join()).toContain(
        `takes over 2 of the records, which DomainRecordSet ${giver.name} gives up: ${ids}`,
      );
      // The giver begins its update first, and waits.
      const work = up(gives);
      await up(takes);
      rig.runTime();
      expect(await work).toBe("updated");
      expect(await written()).toEqual([]);
      expect(await zone.live()).toEqual(before);
      await begin(zone, [gives, takes]);
      expect([await up(gives), await up(takes)]).toEqual(["same", "same"]);
    });

    test("which are then no longer those of the other one", async () => {
      const { zone, giver, gives, takes } = await split(more);
      const work = up(gives);
      await up(takes);
      rig.runTime();
      await work;
      await begin(zone, [gives, takes]);
      await giver.destroy();
      expect(await zone.names()).toEqual(["three.dev", "two.dev"]);
    });
  });

  test("the state keeps what a set has taken over, although all else of its update has failed", async () => {
    const zone = await newZone();
    const giver = await zone.made([a("one"), a("two")]);
    const taker = await zone.made([a("three")]);
    const [gives, takes] = await begin(zone, [
      { set: giver, args: zone.set([a("one")]) },
      { set: taker, args: zone.set([a("three"), a("two"), a("four")]) },
    ]);
    if (gives === undefined || takes === undefined) throw new Error("the program has two sets");
    await zone.plan("POST", { effect: { status: 400, body: { errors: [{ reason: "No" }] } }, times: 1 });
    const work = up(gives);
    expect(await refusalOf(up(takes))).toContain("1 change failed");
    rig.runTime();
    await work;
    expect(taker.outputs["__ids"]).toContain((await zone.idOf("two")).split("/")[1]);
    expect(giver.outputs["__ids"]).not.toContain((await zone.idOf("two")).split("/")[1]);
  });

  test("a set takes them over also after a run whose request for another record has an unknown outcome", async () => {
    const zone = await newZone();
    const giver = await zone.made([a("one"), a("two")]);
    const taker = rig.resource("DomainRecordSet");
    await zone.plan("POST", { effect: { status: 504, body: { errors: [{ reason: "Late" }] } }, times: 1 });
    expect(await refusalOf(taker.up(zone.set([a("four")])))).toContain(
      "it is unknown whether it was created",
    );
    const id = await zone.idOf("two");
    const [gives, takes] = await begin(zone, [
      { set: giver, args: zone.set([a("one")]) },
      { set: taker, args: zone.set([a("two"), a("four")]) },
    ]);
    if (gives === undefined || takes === undefined) throw new Error("the program has two sets");
    const work = Promise.all([up(gives), up(takes)]);
    rig.runTime();
    await work;
    expect((await saidOf(taker)).join()).toContain(`which DomainRecordSet ${giver.name} gives up: ${id}`);
    expect(await written()).toEqual([expect.stringMatching(/^POST/)]);
    expect(await zone.idOf("two")).toBe(id);
  });

  test("two sets can each take over what the other one gives up", async () => {
    const zone = await newZone();
    const one = await zone.made([a("a"), a("b")]);
    const other = await zone.made([a("c"), a("d")]);
    const before = await zone.live();
    const both = await begin(zone, [
      { set: one, args: zone.set([a("a"), a("d")]) },
      { set: other, args: zone.set([a("c"), a("b")]) },
    ]);
    const work = Promise.all(both.map(up));
    rig.runTime();
    await work;
    expect(await written()).toEqual([]);
    expect(await zone.live()).toEqual(before);
  });

  test("what the other set still declares is refused", async () => {
    const { zone, giver, taker, takes } = await split();
    await taker.check(takes.args);
    expect(await reasonsOf(giver.check(zone.set([a("one"), a("two.dev")])))).toContain(
      `DomainRecordSet ${taker.name} in this program declares the same object`,
    );
  });

  test("a set that waits for other resources is not waited for, and its preview is not sure", async () => {
    const { zone, giver, gives, takes, ids } = await split();
    const late = rig.resource("DomainRecordSet");
    await begin(zone, [gives]);
    await late.check(way === "plugin" ? { ...takes.args, __beside: [lastingUrn(giver.urn)] } : takes.args, {
      dependsOn: [],
    });
    expect((await saidOf(late)).join()).toContain(
      `takes over 2 of the records, or creates them again if they are deleted first: they are those of DomainRecordSet ${giver.name}: ${ids}`,
    );
  });
});
