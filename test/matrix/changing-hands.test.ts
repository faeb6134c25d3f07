import { type TestEmulator } from "../helpers/emulator";
import { type Outcome, type TestStack } from "../helpers/stack";
import { expectSettled, stackForAllTests, stackForEachTest } from "../helpers/with-stack";
import { recordA, ZONE } from "../helpers/zone";
import { atNight } from "../helpers/whole";

let emulator: TestEmulator;
let stack: TestStack;
const begin: Parameters<typeof stackForEachTest>[0] = (own) => {
  ({ emulator, stack } = own);
};

const single = (resource: string, name: string, opts = "{}") =>
  `new nodecloud.DomainRecord("${resource}", { domainId: zone.id, ...${recordA(name)} }, ${opts});`;
const set = (resource: string, names: readonly string[], { exclusive = false, opts = "{}" } = {}) =>
  `new nodecloud.DomainRecordSet("${resource}", { domainId: zone.id, exclusive: ${exclusive}, records: [${names.map(recordA).join()}] }, ${opts});`;
const node = (resource: string, opts = "{}") =>
  `new nodecloud.Node("${resource}", { region: "us-east", type: "g6-nanode-1", label: "web" }, ${opts});`;
const imported = (id: string | undefined, more = "") => `{ import: "${id}", ${more} }`;
const OTHER = `const other = new nodecloud.Provider("other", { token: process.env.NODECLOUD_TOKEN, baseUrl: process.env.NODECLOUD_BASE_URL });`;

type Ids = Readonly<Record<string, string>>;

interface Move {
  readonly before: string;
  readonly after: (ids: Ids) => string;
  /** The messages of the run about the old owners. */
  readonly says: RegExp;
}

const moves: Record<string, Move> = {
  "single records that move into an exclusive set": {
    before: ZONE + single("one", "a") + single("two", "b"),
    after: () => ZONE + set("all", ["a", "b"], { exclusive: true }),
    says: /DomainRecord one: forgets the DomainRecord \d+\/\d+ without deleting it: DomainRecordSet all manages it now/,
  },
  "single records that move into a set with import": {
    before: ZONE + single("one", "a") + single("two", "b"),
    after: ({ zone }) => ZONE + set("all", ["a", "b"], { opts: imported(zone) }),
    says: /DomainRecord two: forgets the DomainRecord \d+\/\d+ without deleting it: DomainRecordSet all manages it now/,
  },
  "a single record that is renamed with import": {
    before: ZONE + single("one", "a"),
    after: ({ one }) => ZONE + single("uno", "a", imported(one)),
    says: /DomainRecord one: forgets the DomainRecord \d+\/\d+ without deleting it: DomainRecord uno manages it now/,
  },
  "an exclusive set that is renamed": {
    before: ZONE + set("all", ["a", "b"], { exclusive: true }),
    after: () => ZONE + set("every", ["a", "b"], { exclusive: true }),
    says: /DomainRecordSet all: forgets 2 of the records without deleting them\\n- .*DomainRecordSet every manages it now/,
  },
  "a set that is renamed with import": {
    before: ZONE + set("all", ["a", "b"]),
    after: ({ zone }) => ZONE + set("every", ["a", "b"], { opts: imported(zone) }),
    says: /DomainRecordSet all: forgets 2 of the records/,
  },
  "a domain with its records that is renamed with import": {
    before: ZONE + single("one", "a"),
    after: ({ zone }) =>
      ZONE.replace('"zone"', '"area"').replace("})", `}, ${imported(zone)})`) + single("one", "a"),
    says: /Domain zone: forgets the Domain \d+ without deleting it: Domain area manages it now/,
  },
  "a node that is renamed with import": {
    before: node("web"),
    after: ({ web }) => node("server", imported(web)),
    says: /Node web: forgets the Node \d+ without deleting it: Node server manages it now/,
  },
  "a node that moves into a component with import": {
    before: node("web"),
    after: ({ web }) =>
      `const tier = new pulumi.ComponentResource("app:Tier", "tier");${node("web", imported(web, "parent: tier"))}`,
    says: /Node web: forgets the Node \d+ without deleting it: another resource with the same name manages it now/,
  },
  "a node that moves to an explicit provider with import": {
    before: node("web"),
    after: ({ web }) => OTHER + node("server", imported(web, "provider: other")),
    says: /Node web: forgets the Node \d+ without deleting it: Node server manages it now/,
  },
  "a node that moves away from a removed explicit provider with import": {
    before: OTHER + node("web", "{ provider: other }"),
    after: ({ web }) => node("server", imported(web, "deleteBeforeReplace: true")),
    says: /Node web: forgets the Node \d+ without deleting it: Node server manages it now/,
  },
  "a set that is split into single records with import": {
    before: ZONE + set("all", ["a", "b", "c"]),
    after: ({ a, b }) =>
      ZONE + single("one", "a", imported(a)) + single("two", "b", imported(b)) + set("all", ["c"]),
    says: /DomainRecordSet all: forgets 2 of the records without deleting them/,
  },
  "a set that is split into sets of an explicit provider and of a component with import": {
    before: ZONE + set("all", ["a", "b", "c", "d"]),
    after: ({ zone, d }) =>
      OTHER +
      ZONE +
      `const tier = new pulumi.ComponentResource("app:Tier", "tier");` +
      set("all", ["c"]) +
      set("other", ["a"], { opts: imported(zone, "provider: other") }) +
      set("inner", ["b"], { opts: imported(zone, "parent: tier") }) +
      single("four", "d", imported(d, "provider: other, parent: tier")),
    says: /DomainRecordSet all: forgets 3 of the records/,
  },
  "a set that becomes single records with import": {
    before: ZONE + set("all", ["a", "b"]),
    after: ({ a, b }) => ZONE + single("one", "a", imported(a)) + single("two", "b", imported(b)),
    says: /DomainRecordSet all: forgets 2 of the records without deleting them/,
  },
  "single records that move into a set of an explicit provider with import": {
    before: ZONE + single("one", "a"),
    after: ({ zone }) => OTHER + ZONE + set("all", ["a"], { opts: imported(zone, "provider: other") }),
    says: /DomainRecord one: forgets the DomainRecord \d+\/\d+ without deleting it: DomainRecordSet all manages it now/,
  },
};

interface Live {
  /** Its kind and its id in the account. */
  readonly object: string;
  readonly name: string;
  readonly zone?: number;
}

/** All objects in the account: nodes, domains and records. */
async function objects(): Promise<Live[]> {
  const list = async (path: string) => {
    const { body } = await emulator.call<{
      data: { id: number; name?: string; label?: string; domain?: string }[];
    }>("GET", path);
    return body.data;
  };
  const nodes = await list("/node/instances");
  const domains = await list("/domains");
  const records = await Promise.all(
    domains.map(async ({ id: zone }) =>
      (await list(`/domains/${zone}/records`)).map(({ id, name }) => ({
        object: `record ${id}`,
        name: String(name),
        zone,
      })),
    ),
  );
  return [
    ...nodes.map(({ id, label }) => ({ object: `node ${id}`, name: String(label) })),
    ...domains.map(({ id, domain }) => ({ object: `domain ${id}`, name: String(domain), zone: id })),
    ...records.flat(),
  ];
}

const live = async () => (await objects()).map(({ object }) => object);

/** The ids by resource, and those of records by their names. The names of the resources end with this text. */
async function idsOf(ending = ""): Promise<Ids> {
  const byResource = Object.fromEntries(
    Object.entries(await stack.state())
      .filter(([name]) => name.endsWith(ending))
      .map(([name, { id }]) => [name.slice(0, name.length - ending.length), id]),
  );
  const { zone } = byResource;
  const records = (await objects()).filter(
    ({ object, zone: own }) => object.startsWith("record") && String(own) === zone,
  );
  const byName = records.map(({ object, name }) => [name, `${zone}/${object.replace("record ", "")}`]);
  return { ...Object.fromEntries(byName), ...byResource } as Ids;
}

const deletions = async () =>
  Object.entries(await emulator.newCounts()).filter(([operation]) => operation.startsWith("DELETE"));

/** The program of one move, with names that no other move has. */
const scoped = (source: string, ending: string): string =>
  `{ ${source
    .replaceAll(/(new (?:nodecloud|pulumi)\.\w+\((?:"app:Tier", )?)"(\w+)"/g, `$1"$2${ending}"`)
    .replaceAll("example.org", `move${ending}.example.org`)
    .replaceAll('label: "web"', `label: "web${ending}"`)} }\n`;

/** The messages of one move with these names. */
const scopedMessages = (says: RegExp, ending: string): RegExp =>
  new RegExp(
    says.source.replaceAll(/\b((?:Domain|DomainRecord|DomainRecordSet|Node) \w+)\b/g, `$1${ending}`),
  );

describe("in one run with many moves,", () => {
  stackForAllTests(begin);
  const all = Object.entries(moves).map(([title, move], index) => ({ ...move, title, ending: `-${index}` }));
  const whole = (sources: readonly string[]) =>
    all.map(({ ending }, index) => scoped(sources[index] ?? "", ending)).join("");
  const ids: Record<string, Ids> = {};
  let there: Live[];
  let moved: Outcome;
  let deleted: Awaited<ReturnType<typeof deletions>>;

  beforeAll(async () => {
    stack.program(whole(all.map(({ before }) => before)));
    expect(await stack.up()).toMatchObject({ code: 0 });
    there = await objects();
    for (const { ending } of all) ids[ending] = await idsOf(ending);
    stack.program(whole(all.map(({ after, ending }) => after(ids[ending] ?? {}))));
    await emulator.newCounts();
    moved = await stack.up();
    deleted = await deletions();
  });

  test("all succeed, without a warning", () => {
    expect(moved).toMatchObject({ code: 0, messages: [] });
  });

  test.each(all)("the old owner forgets the objects, and the new one keeps them: $title", async (move) => {
    expect(moved.printed).toMatch(scopedMessages(move.says, move.ending));
    const zone = there.find(({ name }) => name === `move${move.ending}.example.org`)?.zone;
    const mine = there.filter(
      (one) => one.name === `web${move.ending}` || (zone !== undefined && one.zone === zone),
    );
    expect(mine.length).toBeGreaterThan(0);
    expect(await objects()).toEqual(expect.arrayContaining(mine));
  });

  test("no object is deleted or made", async () => {
    expect(deleted).toEqual([]);
    expect(await objects()).toEqual(there);
  });

  test("nothing is left to do", async () => {
    await expectSettled(stack);
  });

  test("destroy deletes each object once", async () => {
    await emulator.newCounts();
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await live()).toEqual([]);
    const requests = (await deletions()).reduce((sum, [, count]) => sum + count, 0);
    expect(requests).toBe(there.length);
  });
});

describe("a move", () => {
  stackForEachTest(begin);

  test("of a run with --target that imports leaves the old owner in the state, and the next run forgets it", async () => {
    stack.program(node("web"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const there = await live();
    const { web } = await idsOf();
    stack.program(OTHER + node("server", imported(web, "provider: other")));
    const urn = (await stack.state())["web"]?.urn.replace(/web$/, "server") ?? "";
    expect(await stack.up("--target", urn)).toMatchObject({ code: 0 });
    expect(Object.keys(await stack.state()).sort()).toEqual(["server", "web"]);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(Object.keys(await stack.state())).toEqual(["server"]);
    expect(await live()).toEqual(there);
    await expectSettled(stack);
  });

  test("of a run that replaces a domain and leaves out what is below it is refused by the preview and the run", async () => {
    const other = ZONE.replace("const zone", "const other")
      .replace('"zone"', '"other"')
      .replace("example.org", "other.example");
    stack.program(other + ZONE + set("all", ["a", "b"]));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const there = await live();
    stack.program(other + ZONE.replace(" })", ", cloneFrom: other.id })") + set("all", ["a", "b"]));
    const { urn = "" } = (await stack.state())["zone"] ?? {};
    for (const run of [stack.preview("--target", urn), stack.up("--target", urn)]) {
      const { code, messages } = await run;
      expect(code).not.toBe(0);
      expect(messages.join("\n")).toContain(
        "this command leaves out DomainRecordSet all below the old Domain",
      );
    }
    expect(await live()).toEqual(there);
  });

  atNight("an old owner with protect or retainOnDelete does not prevent an import", async () => {
    stack.program(node("web", "{ protect: true }") + ZONE.replace("})", "}, { retainOnDelete: true })"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const there = await live();
    const { web, zone } = await idsOf();
    stack.program(
      node("server", imported(web)) + ZONE.replace('"zone"', '"area"').replace("})", `}, ${imported(zone)})`),
    );
    const refused = await stack.up();
    expect(refused.code).not.toBe(0);
    expect(await live()).toEqual(there);
    await stack.pulumi("state", "unprotect", "--all", "--yes");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(Object.keys(await stack.state()).sort()).toEqual(["area", "server"]);
    expect(await live()).toEqual(there);
    await expectSettled(stack);
  });
});
