import { type Standing, stateIn } from "../../../src/provider/engine/stack-state";
import { handedInputs, handedStanding } from "../../../src/provider/state/handed";
import { UNKNOWN } from "../../../src/provider/base/values";
import { type Rig } from "../../helpers/lifecycle";
import { type Properties } from "../../helpers/plugin";
import { a, reasonsOf, saidOf, startZones, type Zone } from "./zone";

let rig: Rig;
let newZone: () => Promise<Zone>;
/** What the state has for each resource. */
let standing: Standing | undefined;
let holdersOf: ReturnType<typeof stateIn>["holdersOf"];
let objects: ReturnType<typeof stateIn>["objects"];
const environment: Record<string, string> = {};
beforeAll(async () => {
  // Only dynamic resources are told of the option. The engine itself handles it for the full plugin.
  const state = {
    ...stateIn({}),
    standing: () => standing,
    get holdersOf() {
      return holdersOf;
    },
    get objects() {
      return objects;
    },
  };
  ({ rig, newZone } = await startZones("dynamic", { state, environment }));
});
beforeEach(() => {
  standing = undefined;
  ({ holdersOf, objects } = stateIn({}));
  Reflect.deleteProperty(environment, "NODECLOUD_VALIDATE");
  return rig.restart();
});
afterAll(() => rig.stop());

const KEYED = { web: a("www"), api: a("api") };

describe("replaceOnChanges", () => {
  const asked = (...paths: string[]) => ({ replaceOnChanges: paths });

  /** What a change of a set does with this option. */
  async function replacesBy(before: unknown, after: unknown, ...paths: string[]): Promise<readonly string[]> {
    const zone = await newZone();
    const set = await zone.made(before);
    return (await set.preview(zone.set(after), asked(...paths))).replaces;
  }

  test.each<[string, Properties, string, readonly string[]]>([
    ["the records", { ...KEYED, web: a("www", "192.0.2.2") }, "records", ["records"]],
    ["all inputs", { ...KEYED, web: a("www", "192.0.2.2") }, "*", ["records"]],
    ["the record that changes", { ...KEYED, web: a("www", "192.0.2.2") }, "records.web", ["records"]],
    ["the field that changes", { ...KEYED, web: a("www", "192.0.2.2") }, "records.web.target", ["records"]],
    ["that field of all records", { ...KEYED, web: a("www", "192.0.2.2") }, "records.*.target", ["records"]],
    ["another record", { ...KEYED, web: a("www", "192.0.2.2") }, "records.api", []],
    ["another field", { ...KEYED, web: a("www", "192.0.2.2") }, "records.web.ttlSec", []],
    ["a record that is added", { ...KEYED, more: a("more") }, "records.more", ["records"]],
    ["a record that stays beside one that is added", { ...KEYED, more: a("more") }, "records.web", []],
    ["a record that is removed", { web: KEYED.web }, "records.api", ["records"]],
  ])("with %s in its paths replaces the set, or does not", async (_, after, path, replaces) => {
    expect(await replacesBy(KEYED, after, path)).toEqual(replaces);
  });

  test("of all fields of the records in a list replaces the set", async () => {
    expect(await replacesBy([a("www")], [a("www", "192.0.2.2")], "records[*].target")).toEqual(["records"]);
  });

  test("replaces nothing if nothing changes", async () => {
    expect(await replacesBy(KEYED, KEYED, "records")).toEqual([]);
  });

  test("may replace the set if a value is not known yet", async () => {
    const after = { ...KEYED, web: a("www", UNKNOWN) };
    expect(await replacesBy(KEYED, after, "records.web.target")).toEqual(["records"]);
    expect(await replacesBy(KEYED, after, "records.api")).toEqual([]);
  });

  test.each(["records", "records.web", "records.web.target"])(
    "of %s may replace the set if none of the records is known yet",
    async (path) => {
      expect(await replacesBy(KEYED, UNKNOWN, path)).toEqual(["records"]);
    },
  );

  test.each<[string, Properties[], RegExp]>([
    [
      "is certain if all records are known",
      [a("www", "192.0.2.2")],
      /replacing it, because .*its 1 records are/,
    ],
    [
      "is possible if a new record is not known yet, as it may be the one that is removed",
      [a("www", UNKNOWN)],
      /may be replaced: .*If it is replaced, its 1 records are deleted first/,
    ],
  ])("says in the preview that the replacement %s", async (_, after, line) => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    rig.plugin.logs.length = 0;
    await set.preview(zone.set(after), asked("records"));
    expect((await saidOf(set)).join("\n")).toMatch(line);
  });

  test("says that a replacement is only possible while a removed record may be one that is not known yet", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")]);
    rig.plugin.logs.length = 0;
    const other = { type: "MX", target: UNKNOWN, priority: 10 };
    await set.preview(zone.set([a("www"), other]), asked("records[*].name", "records"));
    expect((await saidOf(set)).join("\n")).toContain("may be replaced");
  });

  test("says in the preview how many records are deleted first, and deletes and creates them", async () => {
    const zone = await newZone();
    const set = await zone.made(KEYED);
    const ids = (await zone.live()).map(({ id }) => id);
    const after = zone.set({ ...KEYED, web: a("www", "192.0.2.2") });
    rig.plugin.logs.length = 0;
    expect(await set.preview(after, asked("records"))).toMatchObject({ deleteBeforeReplace: true });
    expect((await saidOf(set)).join()).toContain("its 2 records are deleted first");
    expect(await set.up(after, asked("records"))).toBe("replaced");
    const now = await zone.live();
    expect(now.map(({ name }) => name).sort()).toEqual(["api", "www"]);
    expect(now.filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});

test.each([
  ["replacementTrigger", true],
  ["replaceOnChanges", true],
  ["replacementTrigger", false],
  ["replaceOnChanges", false],
])(
  "a replacement by %s stands against the records that retainOnDelete keeps, before anything is done (nodecloud:validate %s)",
  async (option, validate) => {
    Object.assign(environment, { NODECLOUD_VALIDATE: String(validate) });
    await rig.restart();
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")]);
    const { id, urn, outputs } = set;
    const type = String(urn.split("::")[2]);
    const state = stateIn({ resources: [{ urn, type, id, outputs, retainOnDelete: true }] });
    standing = state.standing({ urn, type: "DomainRecordSet", name: set.name });
    ({ holdersOf, objects } = state);
    const asked = option === "replaceOnChanges" ? { replaceOnChanges: ["records"] } : {};
    const after = zone.set([a("www", "192.0.2.2"), a("api")]);
    await set.preview(after, asked);
    const again = rig.resource("DomainRecordSet", set.name);
    expect(await reasonsOf(again.check(after))).toMatch(
      /api A 192\.0\.2\.1 already exists with the id \d+\/\d+, which this resource replaces and the option retainOnDelete keeps: first remove/,
    );
  },
);

describe("a replacement by replacementTrigger, which the engine checks again without a comparison", () => {
  /** The second check. The engine tells nobody whether `deleteBeforeReplace` is set. */
  async function checkedAgain(more: Properties, options: { readonly retainOnDelete?: true } = {}) {
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")], more);
    const { id, urn, outputs, inputs } = set;
    const type = String(urn.split("::")[2]);
    const state = stateIn({ resources: [{ urn, type, id, outputs, ...options }] });
    standing = state.standing({ urn, type: "DomainRecordSet", name: set.name });
    ({ holdersOf } = state);
    const after = zone.set([a("www"), a("api")], more);
    await set.check(after);
    rig.plugin.logs.length = 0;
    const again = rig.resource("DomainRecordSet", set.name);
    const reasons = await reasonsOf(again.check(after));
    return { zone, set, again, reasons, after, old: { urn, id, inputs, outputs } };
  }

  test("says of an exclusive set that its records are deleted and created again if they are deleted first, and so they are", async () => {
    const { zone, set, again, reasons, after, old } = await checkedAgain({ exclusive: true });
    const ids = (await zone.live()).map(({ id }) => `${zone.domainId}/${id}`);
    expect(reasons).toBe("");
    expect(await saidOf(set)).toEqual([
      `takes over 2 of the records, which it has before the replacement. If deleteBeforeReplace is set, they are deleted and created again: ${ids.join(", ")}`,
    ]);
    await rig.plugin.delete(old);
    await again.up(after);
    const now = await zone.live();
    expect(now.map(({ name }) => name).sort()).toEqual(["api", "www"]);
    expect(now.filter(({ id }) => ids.includes(`${zone.domainId}/${id}`))).toEqual([]);
  });

  test("says of an exclusive set whose records retainOnDelete keeps that it takes them over", async () => {
    const { set, reasons } = await checkedAgain({ exclusive: true }, { retainOnDelete: true });
    expect(reasons).toBe("");
    expect((await saidOf(set)).join()).toContain("takes over 2 of the records, which exist already");
  });

  test("is refused for a set that is not exclusive, with the options that allow it", async () => {
    const { reasons } = await checkedAgain({});
    expect(reasons).toMatch(
      /api A 192\.0\.2\.1 already exists with the id \d+\/\d+, which this resource replaces: set the option deleteBeforeReplace, and NODECLOUD_VALIDATE=false for this run/,
    );
  });
});

test("the replacement of a set does not stand against its own records in the preview", async () => {
  const zone = await newZone();
  const set = await zone.made([a("www"), a("api")]);
  const other = await newZone();
  await other.create(a("api"));
  const args = { ...other.set([a("www"), a("new")]) };
  expect(await set.preview(args)).toMatchObject({ replaces: ["domainId"] });
  const again = rig.resource("DomainRecordSet", set.name);
  expect(await reasonsOf(again.check(zone.set([a("www"), a("api")])))).toBe("");
});

describe("a replacement by the command line, which the engine checks as a new resource", () => {
  const checked = async (goesFirst: boolean) => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    await rig.restart();
    const standing = handedInputs({ standing: handedStanding({ goesFirst }) });
    const news = { ...(await set.news(zone.set([a("www")]))), ...standing };
    return { set, ...(await rig.plugin.check({ urn: set.urn, inputs: {} }, news)) };
  };

  test("is refused while its records exist", async () => {
    expect((await checked(false)).failures.map(({ reason }) => reason)).toEqual([
      "records cannot be replaced while they exist: set the option deleteBeforeReplace to delete them first [NC1207]",
    ]);
  });

  test("is announced if the records are deleted first", async () => {
    const { set, failures } = await checked(true);
    expect(failures).toEqual([]);
    expect(await saidOf(set)).toEqual([
      "replaces the set in the state: its records are deleted and created again, and the option import is ignored",
    ]);
  });
});

describe("a replacement by a changed input of a set whose option import is still in the program", () => {
  /** The second check, in which the engine hands no old inputs. */
  async function checkedAgain(more: Properties) {
    const [zone, other] = [await newZone(), await newZone()];
    const set = await zone.made([a("www")], more);
    await other.create(a("www"));
    await other.create(a("foreign"));
    rig.plugin.logs.length = 0;
    const standing = handedInputs({ standing: handedStanding({ goesFirst: true }) });
    const wanted = other.set([a("www")], more);
    await set.preview(wanted, { import: zone.domainId });
    const news = { ...(await set.news(wanted, { import: zone.domainId })), ...standing };
    const { failures } = await rig.plugin.check({ urn: set.urn, inputs: {} }, news);
    return { reasons: failures.map(({ reason }) => reason).join(), said: (await saidOf(set)).join("\n") };
  }

  test("is compared with the new domain, so that records of others stand against it", async () => {
    const { reasons, said } = await checkedAgain({});
    expect(reasons).toContain("www A 192.0.2.1 already exists with the id");
    expect(said).not.toContain("the option import is ignored");
  });

  test("says which records of the new domain an exclusive set deletes and takes over", async () => {
    const { reasons, said } = await checkedAgain({ exclusive: true });
    expect(reasons).toBe("");
    expect(said).toMatch(/deletes[^]*foreign A 192\.0\.2\.1/);
  });
});

test("a set whose replacement has deleted its records already is made again without an option", async () => {
  const zone = await newZone();
  const set = await zone.made([a("www")]);
  standing = { id: set.id, object: set.id, isRetained: false, isGone: true };
  await rig.restart();
  const handed = handedInputs({ standing: handedStanding({ goesFirst: false }) });
  await set.destroy();
  const news = { ...(await set.news(zone.set([a("www")]))), ...handed };
  expect((await rig.plugin.check({ urn: set.urn, inputs: {} }, news)).failures).toEqual([]);
});
