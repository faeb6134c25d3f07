import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  // Each test is a run of the command line of its own.
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  const deletions = async () =>
    Object.keys(await rig.requests()).filter((operation) => operation.startsWith("DELETE"));

  test("exclusive sets that swap their domains take over no record that the other one is deleting", async () => {
    const exclusive = { exclusive: true };
    const [one, two] = [await newZone(), await newZone()];
    const first = await one.made([a("www"), a("one")], exclusive);
    const second = await two.made([a("www"), a("two")], exclusive);
    await rig.restart();
    // The first set lists the domain while the second one deletes.
    await two.plan("DELETE", { effect: { delayMs: 500 }, times: 2 });
    await Promise.all([
      first.up(two.set([a("www"), a("one")], exclusive)),
      second.up(one.set([a("www"), a("two")], exclusive)),
    ]);
    expect(await two.names()).toEqual(["one", "www"]);
    expect(await one.names()).toEqual(["two", "www"]);
    await rig.restart();
    expect(await first.refresh()).toEqual([]);
    expect(await second.refresh()).toEqual([]);
  });

  test("a record that moves to another domain leaves its old object to the exclusive set that has taken it over", async () => {
    const exclusive = { exclusive: true };
    const [one, two] = [await newZone(), await newZone()];
    const set = await one.made([a("www"), a("one")], exclusive);
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: two.domainId, ...a("www") });
    await rig.restart();
    await set.up(two.set([a("www"), a("one")], exclusive));
    expect(await record.up({ domainId: one.domainId, ...a("www") })).toBe("replaced");
    expect(await two.names()).toEqual(["one", "www"]);
    expect(await one.names()).toEqual(["www"]);
  });

  test.each([true, false])(
    "a record that somebody has deleted and created again is not created beside that one (exclusive: %s)",
    async (exclusive) => {
      const zone = await newZone();
      const set = await zone.made([a("www"), a("api")], { exclusive });
      const www = (await zone.live()).find(({ name }) => name === "www");
      await rig.emulator.call("DELETE", `/domains/${zone.domainId}/records/${www?.id}`);
      const { id } = await zone.create(a("www"));
      const after = zone.set([a("www", "192.0.2.1", { ttlSec: 300 }), a("api")], { exclusive });
      await expect(set.up(after)).rejects.toThrow(
        `it was deleted, and the DomainRecord ${zone.domainId}/${id} has been created with the same content. Run \`pulumi up --refresh\``,
      );
      expect(await zone.names()).toEqual(["api", "www"]);
      await rig.restart();
      await set.refresh();
      if (exclusive) await set.up(after);
      else await expect(set.up(after)).rejects.toThrow("already exists with the id");
      expect((await zone.live()).filter(({ name }) => name === "www")).toMatchObject([{ id }]);
    },
  );

  describe("a record that another resource has too, as the state says and --target hides,", () => {
    const kept: { readonly has: string; readonly urn: string }[] = [];
    let targeted: Awaited<ReturnType<typeof startZones>>;
    beforeAll(async () => {
      const holdersOf = (_: string, id: string) =>
        kept.filter(({ has }) => has === id).map(({ urn }) => ({ urn, baseUrl: targeted.rig.emulator.url }));
      targeted = await startZones(way, { state: { ...stateIn({}), holdersOf } });
    });
    afterAll(() => targeted.rig.stop());

    test("stays for a single resource if the set no longer declares it, and the preview says so", async () => {
      const { rig } = targeted;
      const zone = await targeted.newZone();
      const set = await zone.made([a("stays"), a("goes")]);
      await rig.restart();
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("goes") }, { import: await zone.idOf("goes") });
      kept.push({ has: record.id, urn: record.urn });
      // The next run asks about the set alone.
      await rig.restart();
      await set.preview(zone.set([a("stays")]));
      expect((await saidOf(set))[0]).toBe("records: 1 to leave to another resource");
      await rig.restart();
      await set.up(zone.set([a("stays")]));
      expect(await zone.names()).toEqual(["goes", "stays"]);
    });

    test("stays for another set that has it, until both have given it up", async () => {
      const { rig } = targeted;
      const zone = await targeted.newZone();
      const set = await zone.made([a("stays"), a("goes")]);
      await rig.restart();
      const other = rig.resource("DomainRecordSet");
      await other.up(zone.set([a("goes")]), { import: zone.domainId });
      const has = await zone.idOf("goes");
      kept.push({ has, urn: set.urn }, { has, urn: other.urn });
      await rig.restart();
      await set.preview(zone.set([a("stays")]));
      expect((await saidOf(set))[0]).toBe("records: 1 to leave to another resource");
      await set.up(zone.set([a("stays")]));
      expect(await zone.names()).toEqual(["goes", "stays"]);
      await other.up(zone.set([]));
      expect(await zone.names()).toEqual(["stays"]);
    });
  });

  describe("a record that the state has under two names, as after an alias and an import in a run that was cut off,", () => {
    const kept: string[] = [];
    let run: Awaited<ReturnType<typeof startZones>>;
    beforeAll(async () => {
      const holdersOf = (_: string, id: string) =>
        kept
          .filter((one) => one.startsWith(`${id} `))
          .map((one) => ({ urn: one, baseUrl: run.rig.emulator.url }));
      run = await startZones(way, { state: { ...stateIn({}), holdersOf } });
    });
    afterAll(() => run.rig.stop());

    // The state of a renamed resource that has not changed keeps the old name: the deletion comes under the name of the one that stays.
    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "is not deleted for the %s that goes, and is deleted by a replacement that the engine decides",
      async (type) => {
        const zone = await run.newZone();
        const record = a("www");
        const args = type === "DomainRecord" ? { domainId: zone.domainId, ...record } : zone.set([record]);
        const one = run.rig.resource(type);
        await one.up(args);
        const id = await zone.idOf("www");
        kept.push(`${id} stays`, `${id} goes`);
        await run.rig.restart();
        await one.preview(args);
        await one.destroy();
        expect(await zone.names()).toEqual(["www"]);
        kept.splice(0, kept.length, `${id} stays`);
        await run.rig.restart();
        await one.preview(args);
        await one.destroy();
        expect(await zone.names()).toEqual([]);
      },
    );
  });

  describe("a record that leaves a set", () => {
    /** A run in which a single record imports a record of the set. */
    async function handedOver() {
      const zone = await newZone();
      const set = await zone.made([a("stays"), a("goes")]);
      const id = await zone.idOf("goes");
      await rig.restart();
      const record = rig.resource("DomainRecord");
      const args = { domainId: zone.domainId, ...a("goes") };
      return { zone, set, record, args, id };
    }

    test("for a single record that imports it is forgotten by the set, and not deleted", async () => {
      const { zone, set, record, args, id } = await handedOver();
      await record.up(args, { import: id });
      expect(await set.up(zone.set([a("stays")]))).toBe("updated");
      expect(await deletions()).toEqual([]);
      expect(await zone.names()).toEqual(["goes", "stays"]);
      expect((await saidOf(set)).slice(-2)).toEqual([
        "forgets 1 of the records without deleting them",
        expect.stringMatching(
          new RegExp(`^- goes .*A 192\\.0\\.2\\.1 \\(${id}\\): DomainRecord ${record.name} manages it now$`),
        ),
      ]);
      // It is the single record's now.
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual(["goes"]);
      await record.destroy();
      expect(await zone.names()).toEqual([]);
    });

    test("for a single record that imports it is named in the preview as left to that one", async () => {
      const { zone, set, record, args, id } = await handedOver();
      await record.check(args, { import: id });
      await record.up(args, { import: id });
      rig.plugin.logs.length = 0;
      await set.preview(zone.set([a("stays")]));
      const lines = await saidOf(set);
      expect(lines[0]).toBe("records: 1 to leave to another resource");
      expect(lines[1]).toMatch(new RegExp(`^goes .*: left to DomainRecord ${record.name}$`));
    });

    test("stays in the account when its old set is deleted", async () => {
      const { zone, set, record, args, id } = await handedOver();
      await record.up(args, { import: id });
      await set.destroy();
      expect(await zone.names()).toEqual(["goes"]);
      expect(await saidOf(set)).toContain("forgets 1 of the records without deleting them");
    });
  });

  describe("a single record", () => {
    test("whose object a set imports is forgotten when it leaves the program", async () => {
      const zone = await newZone();
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("www") });
      await rig.restart();
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")]), { import: zone.domainId });
      await record.destroy();
      expect(await zone.names()).toEqual(["www"]);
      // The state of a single record has no URN, so the message has no resource to name.
      expect(rig.plugin.logs.map(({ message }) => message)).toContainEqual(
        expect.stringContaining(`without deleting it: DomainRecordSet ${set.name} manages it now`),
      );
    });

    test("whose object an exclusive set takes over is forgotten when it leaves the program", async () => {
      const zone = await newZone();
      const record = rig.resource("DomainRecord");
      await record.up({ domainId: zone.domainId, ...a("www") });
      await rig.restart();
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")], { exclusive: true }));
      await record.destroy();
      expect(await zone.names()).toEqual(["www"]);
      expect(await set.drifted()).toBe(false);
    });

    if (way === "dynamic") {
      test("that stays in the program prevents the import of its object by a set", async () => {
        const zone = await newZone();
        const record = rig.resource("DomainRecord");
        const args = { domainId: zone.domainId, ...a("www") };
        await record.up(args);
        const id = await zone.idOf("www");
        await rig.restart();
        await record.preview(args);
        const set = rig.resource("DomainRecordSet");
        const checked = set.check(zone.set([a("www")]), { import: zone.domainId });
        expect(await reasonsOf(checked)).toMatch(
          new RegExp(`^import www .*\\(${id}\\): DomainRecord ${record.name} in this program manages it`),
        );
      });
    }

    test("below an exclusive set is neither taken over nor deleted by it", async () => {
      const zone = await newZone();
      const record = rig.resource("DomainRecord");
      const args = { domainId: zone.domainId, ...a("single") };
      await record.up(args);
      await rig.restart();
      await record.preview(args);
      await zone.create({ type: "A", name: "stranger", target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")], { exclusive: true }));
      expect(await zone.names()).toEqual(["single", "www"]);
    });

    test("is not deleted by a set that a policy has made exclusive after its check", async () => {
      const zone = await newZone();
      await zone.create(a("stray"));
      const set = rig.resource("DomainRecordSet");
      const { inputs } = await set.check(zone.set([a("www")]));
      expect(await refusalOf(rig.plugin.create(set, { ...inputs, exclusive: true }))).toContain(
        "exclusive was set after the check, as a policy does, so the preview does not show what is deleted",
      );
      expect(await zone.names()).toEqual(["stray"]);
    });

    test("that is just being created is not deleted by an exclusive set", async () => {
      const zone = await newZone();
      await rig.resource("DomainRecord").check({ domainId: zone.domainId, ...a("single") });
      const other = rig.resource("DomainRecordSet");
      await other.check(zone.set([a("other")]));
      // The service has created them, and the answers are still under way.
      for (const record of [a("single"), a("other"), a("stranger")]) await zone.create(record);
      await rig.resource("DomainRecordSet").up(zone.set([a("www")], { exclusive: true }));
      expect(await zone.names()).toEqual(["other", "single", "www"]);
    });
  });

  if (way === "dynamic") {
    describe("a set whose records another set imports", () => {
      async function split() {
        const zone = await newZone();
        const all = await zone.made([a("a"), a("b"), a("c")]);
        await rig.restart();
        const other = rig.resource("DomainRecordSet");
        const args = zone.set([a("a"), a("b")]);
        // The program has registered it, and the engine has not checked it yet.
        await other.news(args, { import: zone.domainId });
        return { zone, all, other, args };
      }

      test("says in its preview which records may be excepted", async () => {
        const { zone, all, other } = await split();
        await all.preview(zone.set([a("c")]));
        expect((await saidOf(all)).at(-1)).toBe(`(except those that DomainRecordSet ${other.name} imports)`);
      });

      test("deletes nothing while the other one is not accepted, and says what to do", async () => {
        const { zone, all, other } = await split();
        const before = rig.clock.now();
        expect(await refusalOf(all.up(zone.set([a("c")])))).toContain(
          `DomainRecordSet ${other.name} imports records that this set covers, and the engine has not accepted it yet, so nothing was deleted. ` +
            `If DomainRecordSet ${other.name} waits for this set (dependsOn, parent, an input), remove that dependency. Otherwise run \`pulumi up\` again`,
        );
        expect(rig.clock.now() - before).toBeGreaterThanOrEqual(15_000);
        expect(await deletions()).toEqual([]);
        expect(all.progress()).toContain("waits until another resource has imported its records");
      });

      test("forgets them once the other one has imported them", async () => {
        const { zone, all, other, args } = await split();
        const updated = all.up(zone.set([a("c")]));
        await other.up(args, { import: zone.domainId });
        expect(await updated).toBe("updated");
        expect(await deletions()).toEqual([]);
        expect(await zone.names()).toEqual(["a", "b", "c"]);
        await rig.restart();
        await other.destroy();
        expect(await zone.names()).toEqual(["c"]);
      });

      test("does not wait for a set of another domain", async () => {
        const { all, other } = await split();
        const elsewhere = await newZone();
        const set = await elsewhere.made([a("a"), a("b")]);
        expect(await set.up(elsewhere.set([a("b")]))).toBe("updated");
        expect(set.progress()).not.toContain("waits until another resource has imported its records");
        expect(await elsewhere.names()).toEqual(["b"]);
        expect([all.id, other.id]).not.toContain(elsewhere.domainId);
      });
    });
  }
});
