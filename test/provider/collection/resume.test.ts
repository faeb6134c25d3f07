import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { memberIdsIn, objectIn } from "../../../src/provider/state/codec";
import { classIn } from "../../../src/provider/describe/type-token";
import { typeInUrn } from "../../../src/provider/describe/urn";
import { type CutOff, type Interrupted, stateIn } from "../../../src/provider/engine/stack-state";
import { type Managed, type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, refusalOf, reasonsOf, saidOf, startZones, type Zone } from "./zone";

const POST = "POST /v4/domains/:id/records";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  /** What the state says: the operation in which a run was interrupted, and the objects that it has. */
  let cutOff: CutOff | undefined;
  let known: string[];
  let interrupted: Interrupted[];
  beforeAll(async () => {
    const state = {
      objects: [],
      settingsOf: () => undefined,
      knows: (type: string, id: string) => type === "DomainRecord" && known.includes(id),
      otherIdOf: () => undefined,
      cutOff: [],
      standing: () => undefined,
      hasImported: () => false,
      makerOf: () => undefined,
      holdersOf: () => [],
      pendingCreation: ({ type }: { type: string }) =>
        type === "DomainRecordSet" && cutOff === "creating"
          ? { requested: [{ inputs: {} }], isOpen: true }
          : undefined,
      interrupted: (type: string) => interrupted.filter(({ urn }) => classIn(typeInUrn(urn)) === type),
      wasCutOff: (operation: CutOff, { type }: { type: string }) =>
        type === "DomainRecordSet" && operation === cutOff,
    };
    ({ rig, newZone } = await startZones(way, { state, environment: { NODECLOUD_RESUME: "true" } }));
  });
  beforeEach(async () => {
    await rig.restart();
    [cutOff, known, interrupted] = [undefined, [], []];
  });
  afterAll(() => rig.stop());

  /** A domain with a record of an interrupted run, which the state does not have. */
  async function withLeftRecord() {
    const zone = await newZone();
    const { id } = await zone.create(a("left"));
    return { zone, id: `${zone.domainId}/${id}`, set: rig.resource("DomainRecordSet") };
  }

  describe("with nodecloud:resume, a set whose creation was interrupted", () => {
    test("continues with the records that exist, and the preview names them", async () => {
      cutOff = "creating";
      const { zone, id, set } = await withLeftRecord();
      const args = zone.set([a("left"), a("new")]);
      expect(await reasonsOf(set.check(args))).toBe("");
      expect(await saidOf(set, 2)).toEqual([
        `continues with 1 of the records, which exist already and are not in the state: ${id}`,
        "records: 1 to create",
        "+ new A 192.0.2.1",
      ]);
      await set.up(args);
      expect((await rig.requests())[POST]).toBe(1);
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });

    test("updates a record that exists with another value", async () => {
      cutOff = "creating";
      const zone = await newZone();
      const { id } = await zone.create(a("left", "192.0.2.1", { ttl_sec: 300 }));
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("left", "192.0.2.1", { ttlSec: 3600 })]));
      expect(await zone.live()).toMatchObject([{ id, ttl_sec: 3600 }]);
    });

    test("refuses a record that the state has for another resource", async () => {
      cutOff = "creating";
      const { zone, id, set } = await withLeftRecord();
      known = [id];
      expect(await refusalOf(set.up(zone.set([a("left")])))).toContain(
        `left A 192.0.2.1 already exists with the id ${id}`,
      );
      expect(await zone.names()).toEqual(["left"]);
    });
  });

  test("with nodecloud:resume, a set whose update was interrupted continues with the records that exist", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await zone.create(a("left"));
    await rig.restart();
    cutOff = "updating";
    expect(await set.up(zone.set([a("www"), a("left")]))).toBe("updated");
    expect((await rig.requests())[POST]).toBeUndefined();
    expect(await zone.names()).toEqual(["left", "www"]);
    await rig.restart();
    await set.destroy();
    expect(await zone.names()).toEqual([]);
  });

  test("with nodecloud:resume, records of an interrupted operation are named, although the program no longer has them", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    const { inputs } = await set.check(zone.set([a("www"), a("left"), a("never")]));
    const id = `${zone.domainId}/${(await zone.create(a("left"))).id}`;
    await rig.restart();
    [known, interrupted] = [[await zone.idOf("www")], [{ urn: set.urn, inputs }]];
    const said = async () => {
      await rig.restart();
      await set.preview(zone.set([a("www")]));
      return rig.plugin.logs.map(({ message }) => message).filter((line) => line.includes("interrupted"));
    };
    expect(await said()).toEqual([
      `the state says that runs of this stack were interrupted, and it does not have what they may have created: DomainRecordSet ${set.name} (${id}). ` +
        "Of what the program still declares, this run says what becomes of it. Delete or import the rest",
    ]);
    known.push(id);
    expect(await said()).toEqual([]);
  });

  test.each<[string, CutOff | undefined]>([
    ["no interrupted operation", undefined],
    ["an interrupted operation of another kind", "updating"],
  ])("with nodecloud:resume, a new set takes nothing if the state has %s", async (_, operation) => {
    cutOff = operation;
    const { zone, id, set } = await withLeftRecord();
    const refusal = await refusalOf(set.up(zone.set([a("left")])));
    expect(refusal).toContain(`already exists with the id ${id}`);
    expect(refusal).toContain(
      `nodecloud:resume does not apply, because the state has no interrupted operation on this resource. ` +
        `To manage what exists, set the option import: "${zone.domainId}", or set exclusive`,
    );
  });
});

inEachWay((way) => {
  test("on the same machine, records that an interrupted update has requested are named, although the program no longer has them", async () => {
    let interrupted: Interrupted[] = [];
    const state = {
      ...stateIn({}),
      interrupted: (type: string) => (type === "DomainRecordSet" ? interrupted : []),
    };
    const { rig, newZone } = await startZones(way, { state });
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await zone.plan("POST", {
      times: 1,
      effect: { status: 504, body: { errors: [{ reason: "Too late" }] } },
    });
    const args = zone.set([a("www"), a("left")]);
    const { inputs } = await set.check(args);
    expect(await refusalOf(set.up(args))).toContain("it is unknown whether it was created");
    interrupted = [{ urn: set.urn, inputs }];
    const id = `${zone.domainId}/${(await zone.create(a("left"))).id}`;
    await rig.restart();
    await set.preview(zone.set([a("www"), a("other")]));
    expect(rig.plugin.logs.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(
        `it does not have what they may have created: DomainRecordSet ${set.name} (${id}). `,
      ),
    );
    await rig.stop();
  });

  test("what an interrupted update has requested counts once: a later record of the same content is somebody else's", async () => {
    const { rig, newZone } = await startZones(way);
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await zone.plan("POST", {
      times: 1,
      effect: { status: 504, body: { errors: [{ reason: "Too late" }] } },
    });
    expect(await refusalOf(set.up(zone.set([a("www"), a("left")])))).toContain(
      "it is unknown whether it was created",
    );
    await zone.create(a("left"));
    await rig.restart();
    await rig.requests();
    expect(await set.up(zone.set([a("www"), a("left")]))).toBe("updated");
    expect((await rig.requests())[POST]).toBeUndefined();
    const { id } = await zone.create(a("mail"));
    await rig.restart();
    expect(await refusalOf(set.up(zone.set([a("www"), a("left"), a("mail")])))).toContain(
      `mail A 192.0.2.1 already exists with the id ${zone.domainId}/${id}`,
    );
    await rig.stop();
  });

  test("without nodecloud:resume, the refusal of records that exist names the setting and the import", async () => {
    const { rig, newZone } = await startZones(way);
    const zone = await newZone();
    const { id } = await zone.create(a("left"));
    const set = rig.resource("DomainRecordSet");
    expect(await refusalOf(set.up(zone.set([a("left")])))).toContain(
      `left A 192.0.2.1 already exists with the id ${zone.domainId}/${id}. If an interrupted run created it, set nodecloud:resume (or NODECLOUD_RESUME=true). ` +
        `To manage what exists, set the option import: "${zone.domainId}", or set exclusive`,
    );
    const other = await zone.made([a("www")]);
    await rig.restart();
    expect(await refusalOf(other.up(zone.set([a("www"), a("left")])))).toContain(
      "Otherwise delete it in the account, remove it from the program, or set exclusive to take it over",
    );
    await rig.stop();
  });
});

/** A run was killed while it added records to a set, and the next run is on another machine and does not resume: after it, the engine knows nothing of the killed run. */
inEachWay((way) => {
  const environment: Record<string, string> = { PULUMI_BACKEND_URL: "s3://states" };
  let cutOff: "updating" | undefined;
  /** The ids that the set of the killed run manages. */
  let object = "";
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  beforeAll(async () => {
    const state = {
      ...stateIn({}),
      wasCutOff: (operation: CutOff) => operation === cutOff,
      get cutOff() {
        return cutOff === undefined ? [] : [{ operation: cutOff, type: "DomainRecordSet", object }];
      },
    };
    ({ rig, newZone } = await startZones(way, { state, environment }));
  });
  beforeEach(() => {
    cutOff = undefined;
    delete environment["NODECLOUD_RESUME"];
  });
  afterAll(() => rig.stop());

  /** Another process, which resumes or not, and whose state has the interrupted update or not. */
  const restart = async (resume: boolean, operation?: "updating") => {
    cutOff = operation;
    if (resume) environment["NODECLOUD_RESUME"] = "true";
    await rig.restart();
    await rig.requests();
  };

  async function continued(zone: Zone, set: Managed) {
    await restart(true);
    expect(await set.up(zone.set([a("www"), a("left")]))).toBe("updated");
    expect((await rig.requests())[POST]).toBeUndefined();
    expect(set.outputs["__doubtful"]).toBeUndefined();
    await rig.restart();
    await set.destroy();
    expect(await zone.names()).toEqual([]);
  }

  test("the update that is refused leaves the evidence to a later run that resumes", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await zone.create(a("left"));
    await restart(false, "updating");
    const wanted = zone.set([a("www"), a("left")]);
    // As the engine previews it: it asks the plugin for the update, and the class tells a dynamic provider that it is a preview.
    const news = { ...(await set.news(wanted)), ...(way === "dynamic" ? { __preview: true } : {}) };
    const previewed = async () => {
      const { inputs } = await rig.plugin.check(set, news);
      await rig.plugin.diff(set, inputs);
      if (way === "plugin") await rig.plugin.update(set, inputs, { isPreview: true });
    };
    await expect(previewed()).rejects.toThrow("If an interrupted run created it, set nodecloud:resume");
    await restart(false, "updating");
    expect(await refusalOf(set.up(wanted))).toContain(
      "If an interrupted run created it, set nodecloud:resume",
    );
    await restart(false);
    expect(await refusalOf(set.up(wanted))).toContain(
      "If an interrupted run created it, set nodecloud:resume",
    );
    await continued(zone, set);
  });

  test("a run for other resources leaves it in a note of its machine, where a file has the state", async () => {
    const { PULUMI_BACKEND_URL: before = "" } = environment;
    const folder = mkdtempSync(join(tmpdir(), "states-"));
    environment["PULUMI_BACKEND_URL"] = pathToFileURL(folder).href;
    const file = join(folder, ".pulumi/stacks/test/dev.json");
    mkdirSync(dirname(file), { recursive: true });
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    object = objectIn(set.id, memberIdsIn(set.outputs));
    await zone.create(a("left"));
    writeFileSync(file, '"pending_operations": [{ "type": "updating" }]');
    await restart(true, "updating");
    const other = rig.resource("Domain");
    await other.up({ domain: "other.example", type: "master", soaEmail: "a@other.example" });
    writeFileSync(file, "{}");
    await continued(zone, set);
    environment["PULUMI_BACKEND_URL"] = before;
    rmSync(folder, { recursive: true });
  });

  test("a refresh leaves it, as long as there are records that the killed run may have made", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    environment["NODECLOUD_RESUME"] = "true";
    await restart(false, "updating");
    await set.refresh();
    expect(set.outputs["__doubtful"]).toBeUndefined();
    await zone.create(a("left"));
    await restart(false, "updating");
    await set.refresh();
    expect(set.outputs["__doubtful"]).toBe(true);
    await restart(false);
    await set.refresh();
    await continued(zone, set);
  });
});
