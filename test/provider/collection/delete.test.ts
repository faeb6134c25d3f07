import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, refusalOf, saidOf, startZones, type Zone } from "./zone";

const DELETE = "DELETE /v4/domains/:id/records/:id";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  afterEach(() => rig.emulator.control("POST", "/reset?only=faults"));
  afterAll(() => rig.stop());

  const refusing = (reason: string, status: number) => ({ status, body: { errors: [{ reason }] } });
  const ten = Array.from({ length: 10 }, (_, index) => a(`host${index}`));

  describe("the deletion of a set", () => {
    test("deletes each record with one request", async () => {
      const zone = await newZone();
      const set = await zone.made(ten);
      await set.destroy();
      expect((await rig.requests())[DELETE]).toBe(10);
      expect(await zone.names()).toEqual([]);
    });

    test("names what it deletes if the set is exclusive and has taken records over", async () => {
      const zone = await newZone();
      const set = await zone.made([a("one")], { exclusive: true });
      await zone.create(a("theirs"));
      await rig.restart();
      await set.refresh();
      await rig.restart();
      await set.destroy();
      expect(await saidOf(set)).toEqual([
        "deletes 2 of the records, also those that it has taken over, because it is exclusive",
        "- one A 192.0.2.1",
        "- theirs A 192.0.2.1",
      ]);
      expect(await zone.names()).toEqual([]);
    });

    test("succeeds if some records are gone already", async () => {
      const zone = await newZone();
      const set = await zone.made([a("one"), a("two")]);
      await rig.emulator.call("DELETE", `/domains/${(await zone.idOf("one")).replace("/", "/records/")}`);
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });

    test("repeats a refused deletion for a while, and its row shows the reason", async () => {
      const zone = await newZone();
      const set = await zone.made([a("one")]);
      await zone.plan("DELETE", { times: 2, effect: refusing("It is in use", 409) });
      await rig.requests();
      await set.destroy();
      expect((await rig.requests())[DELETE]).toBe(3);
      expect(set.progress()).toContainEqual(expect.stringMatching(/^delete refused: It is in use/));
      expect(await zone.names()).toEqual([]);
    });

    test("that the service refuses begins no others, and the next one deletes the rest", async () => {
      const zone = await newZone();
      const set = await zone.made(Array.from({ length: 60 }, (_, index) => a(`host${index}`)));
      await zone.plan("DELETE", { times: 1000, effect: refusing("Not allowed", 403) });
      await rig.requests();
      expect(await refusalOf(set.destroy())).toContain("Not allowed");
      expect((await rig.requests())[DELETE]).toBeLessThan(60);
      expect(await zone.names()).toHaveLength(60);
      await rig.emulator.control("POST", "/reset?only=faults");
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });
  });

  test("a record that a set no longer declares and that its deletion denies stays in the state", async () => {
    const zone = await newZone();
    const set = await zone.made([a("stays"), a("goes")]);
    await zone.plan("DELETE", { times: 1, effect: refusing("Not allowed", 422) });
    expect(await refusalOf(set.up(zone.set([a("stays")])))).toMatch(
      /delete DomainRecord A goes .*Not allowed/,
    );
    expect(await set.up(zone.set([a("stays")]))).toBe("updated");
    expect(await zone.names()).toEqual(["stays"]);
  });

  test("a record deleted for a new one of another type at its name is gone before the new one is created", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await zone.plan("DELETE", { times: 1, effect: refusing("It is in use", 409) });
    await rig.requests();
    await set.up(zone.set([{ type: "CNAME", name: "www", target: "other.example" }]));
    const { body } = await rig.emulator.control<{ last: { method: string }[] }>("GET", "/requests");
    const writes = body.last.map(({ method }) => method).filter((method) => method !== "GET");
    expect(writes).toEqual(["DELETE", "DELETE", "POST"]);
    expect(await zone.live()).toMatchObject([{ type: "CNAME", name: "www" }]);
  });
});
