import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, refusalOf, startZones, type Zone } from "./zone";

const POST = "POST /v4/domains/:id/records";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way));
  });
  afterEach(() => rig.emulator.control("POST", "/reset?only=faults"));
  afterAll(() => rig.stop());

  const nextRun = async () => {
    await rig.restart();
    await rig.requests();
  };
  const creations = async () => (await rig.requests())[POST] ?? 0;

  describe.each([504, 408])("a record whose creation timed out (%s)", (status) => {
    /** A set of two records. The gateway gave up waiting for the answer to the creation of one of them. */
    async function timedOut() {
      const zone = await newZone();
      await zone.plan("POST", {
        times: 1,
        effect: { status, body: { errors: [{ reason: "Too late" }] } },
      });
      const set = rig.resource("DomainRecordSet");
      const args = zone.set([a("one"), a("two")]);
      const refusal = await refusalOf(set.up(args));
      const [made = ""] = await zone.names();
      return { zone, set, args, refusal, missing: made === "one" ? "two" : "one" };
    }

    test("is not requested again in the same run, and its set says that the outcome is unknown", async () => {
      const { zone, set, refusal, missing } = await timedOut();
      expect(refusal).toContain("1 change failed. 1 change succeeded and is in the state");
      expect(refusal).toMatch(
        new RegExp(
          `create DomainRecord A ${missing} of domain ${zone.domainId}: .*; it is unknown whether it was created\\. ` +
            "The next `pulumi up` on this machine looks for it first",
        ),
      );
      expect(set.initFailed).toBe(true);
      expect(await zone.names()).toHaveLength(1);
    });

    test("is requested again by the next run, when the first request can no longer take effect", async () => {
      const { zone, set, args } = await timedOut();
      const before = rig.clock.now();
      await nextRun();
      await set.up(args);
      expect(await creations()).toBe(1);
      expect(rig.clock.now() - before).toBeGreaterThanOrEqual(90_000);
      expect(await zone.names()).toEqual(["one", "two"]);
      expect(await set.up(args)).toBe("same");
    });

    test("is taken by the next run if the service has made it late", async () => {
      const { zone, set, args, missing } = await timedOut();
      await zone.create(a(missing));
      await nextRun();
      await set.up(args);
      expect(await creations()).toBe(0);
      expect(await zone.names()).toEqual(["one", "two"]);
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });
  });

  test("records whose answers are lost are requested three times, and then left to the next run", async () => {
    const zone = await newZone();
    await zone.plan("POST", { times: 3, effect: "drop-request" });
    const set = rig.resource("DomainRecordSet");
    const refusal = await refusalOf(set.up(zone.set([a("www")])));
    expect(refusal).toContain("it is unknown whether it was created");
    expect(await creations()).toBe(3);
    await nextRun();
    await set.up(zone.set([a("www")]));
    expect(await zone.names()).toEqual(["www"]);
  });

  test("a record whose answer is lost is not requested again if the records cannot be listed", async () => {
    const zone = await newZone();
    await zone.plan("POST", { times: 1, effect: "drop-response" });
    // The preview and the creation have listed the records before.
    await zone.plan("GET", { times: 2, effect: { delayMs: 0 } });
    await zone.plan("GET", {
      times: 100,
      effect: { status: 403, body: { errors: [{ reason: "Not now" }] } },
    });
    const set = rig.resource("DomainRecordSet");
    expect(await refusalOf(set.up(zone.set([a("www")])))).toMatch(
      /Not now.*; it is unknown whether it was created/,
    );
    expect(await creations()).toBe(1);
    await rig.emulator.control("POST", "/reset?only=faults");
    await nextRun();
    await set.up(zone.set([a("www")]));
    expect(await creations()).toBe(0);
    expect(await zone.names()).toEqual(["www"]);
  });

  describe("a refusal that no single record explains", () => {
    test("ends the run, and the error counts what was not started", async () => {
      const zone = await newZone();
      await zone.plan("POST", { times: 3, effect: { delayMs: 0 } });
      await zone.plan("POST", {
        times: 1000,
        effect: { status: 403, body: { errors: [{ reason: "Not yours" }] } },
      });
      const set = rig.resource("DomainRecordSet");
      const all = Array.from({ length: 60 }, (_, index) => a(`host${index}`));
      const refusal = await refusalOf(set.up(zone.set(all)));
      const { failed, left, done } =
        /(?<failed>\d+) changes? failed\. (?<left>\d+) further changes? w\w+ not started\. (?<done>\d+) changes? succeeded/.exec(
          refusal,
        )?.groups ?? {};
      expect(Number(done)).toBe(3);
      expect(Number(left)).toBeGreaterThan(20);
      expect(Number(failed) + Number(left) + Number(done)).toBe(60);
      expect(refusal).toContain("Not yours");
    });
  });

  test("refusals of twenty records end the run, as the cause is not one of them", async () => {
    const zone = await newZone();
    await zone.plan("POST", { times: 1000, effect: { status: 400, body: { errors: [{ reason: "Odd" }] } } });
    const set = rig.resource("DomainRecordSet");
    const all = Array.from({ length: 120 }, (_, index) => a(`host${index}`));
    expect(await refusalOf(set.up(zone.set(all)))).toContain("Odd");
    const sent = await creations();
    expect(sent).toBeGreaterThanOrEqual(20);
    expect(sent).toBeLessThan(60);
    expect(set.id).toBe("");
  });
});
