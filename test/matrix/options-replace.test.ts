import { type TestEmulator } from "../helpers/emulator";
import { type Outcome, type TestStack } from "../helpers/stack";
import { expectSettled, stackForAllTests, stackForEachTest } from "../helpers/with-stack";
import { objectWith, oneChange } from "../helpers/samples";
import { everyKind, FIRST, type Kind, KINDS, type Program, UNSAMPLED } from "./every-kind";

let emulator: TestEmulator;
let stack: TestStack;
const begin: Parameters<typeof stackForEachTest>[0] = (own) => {
  ({ emulator, stack } = own);
  stack.folder.write("disk.img", "a small disk");
};

interface Change {
  readonly change: object;
  readonly path: string;
  readonly reason: string;
}

const SAMPLES: Readonly<Partial<Record<Kind, Change>>> = {
  Node: {
    change: { alerts: { cpu: 82, io: 9000 } },
    path: "alerts",
    reason:
      "alerts.cpu changed, and replaceOnChanges asks for a new one: the node's disks, backups and addresses are lost",
  },
  NodeBackupSnapshot: {
    change: { label: "second" },
    path: "label",
    reason: "label changed, and the API has no operation to change it",
  },
  MysqlDatabase: {
    change: { updates: { dayOfWeek: 3, duration: 3, frequency: "weekly", hourOfDay: 9 } },
    path: "updates.hourOfDay",
    reason:
      "updates.hourOfDay changed, and replaceOnChanges asks for a new one: the database's data and backups are lost",
  },
  PostgresqlDatabase: {
    change: { allowList: ["192.0.2.8"] },
    path: "allowList[0]",
    reason:
      "allowList changed, and replaceOnChanges asks for a new one: the database's data and backups are lost",
  },
  MysqlDatabaseBackup: {
    change: { triggers: { release: "2" } },
    path: "triggers.release",
    reason: "triggers changed, which asks for a new backup",
  },
  PostgresqlDatabaseBackup: {
    change: { triggers: { release: "2" } },
    path: "*",
    reason: "triggers changed, which asks for a new backup",
  },
  Domain: {
    change: { description: "theirs" },
    path: "*",
    reason:
      "description changed, and replaceOnChanges asks for a new one: the domain is deleted first, with all its records, including those of other programs",
  },
  DomainRecord: {
    change: { target: "192.0.2.11" },
    path: '["target"]',
    reason: "target changed, and replaceOnChanges asks for a new one",
  },
  DomainRecordSet: {
    change: {
      records: {
        a: { type: "A", name: "a.hosts", target: "192.0.2.1" },
        b: { type: "A", name: "b.hosts", target: "192.0.2.3" },
      },
    },
    path: "records.b.target",
    reason: "records changed, and replaceOnChanges asks for a new one: its 2 records are deleted first",
  },
  Image: {
    change: { description: "another disk" },
    path: "description",
    reason: "description changed, and replaceOnChanges asks for a new one",
  },
};

function sampleOf(kind: Kind): Change {
  const { path, other, isUpdate } = oneChange(kind);
  const why = isUpdate ? "replaceOnChanges asks for a new one" : "the API has no operation to change it";
  return { change: objectWith(path, other), path, reason: `${path} changed, and ${why}` };
}

/** One change of each kind, in place if the kind has such an input, and its path for `replaceOnChanges`. */
const CHANGES = Object.fromEntries(KINDS.map((kind) => [kind, SAMPLES[kind] ?? sampleOf(kind)])) as Readonly<
  Record<Kind, Change>
>;

/** Whether it depends on no other resource. */
const isAlone = (kind: Kind): boolean => !JSON.stringify(FIRST[kind]).includes("$objects");

const asking = (path: (kind: Kind) => string) => (kind: Kind) =>
  JSON.stringify({ replaceOnChanges: [path(kind)] });

/** Runs `up` with a program that changes these kinds, and then with the old program. */
const changing = (kinds: readonly Kind[], options: NonNullable<Program["options"]>) =>
  everyKind({
    inputs: (kind) => ({ ...FIRST[kind], ...(kinds.includes(kind) ? CHANGES[kind].change : {}) }),
    options,
  });

const replaced = ({ order }: Outcome): string[] =>
  order
    .filter((step) => step.endsWith(" replace"))
    .map((step) => String(step.split(" ")[0]))
    .sort();

/** These resources depend on no replaced resource, so each change is its own reason. */
const GROUPS: readonly (readonly Kind[])[] = [
  ["Node", "MysqlDatabase", "PostgresqlDatabase", "Domain", "Image", ...UNSAMPLED.filter(isAlone)],
  [
    "NodeBackupSnapshot",
    "MysqlDatabaseBackup",
    "PostgresqlDatabaseBackup",
    "DomainRecord",
    "DomainRecordSet",
    ...UNSAMPLED.filter((kind) => !isAlone(kind)),
  ],
];

/** Whether a change of the kind is a replacement without the option too. */
const isAlwaysReplaced = (kind: Kind) => /API|asks for a new backup/.test(CHANGES[kind].reason);

test("each kind is in one of the groups", () => {
  expect(GROUPS.flat().sort()).toEqual([...KINDS].sort());
});

describe("replaceOnChanges replaces each kind when its input changes:", () => {
  stackForAllTests(begin);
  const withOption = asking((kind) => CHANGES[kind].path);

  beforeAll(async () => {
    stack.program(everyKind({ options: withOption }));
    expect(await stack.up()).toMatchObject({ code: 0 });
  });

  describe.each(GROUPS.map((kinds) => [kinds] as const))("of %j,", (kinds) => {
    let asked: Outcome;
    let without: Outcome;

    beforeAll(async () => {
      stack.program(changing(kinds, withOption));
      asked = await stack.preview();
      stack.program(
        changing(
          kinds,
          asking(() => "resize"),
        ),
      );
      without = await stack.preview();
    });

    test("the preview succeeds, and warns only of replacements and what they overwrite", () => {
      const refusals = asked.messages.filter(
        (text) => !/replacing it|may be replaced|is overwritten/.test(text),
      );
      expect({ code: asked.code, refusals }).toEqual({ code: 0, refusals: [] });
    });

    test.each(kinds)("the preview gives the change as the reason for %s", (kind) => {
      expect(asked.printed).toContain(
        JSON.stringify(`${kind} ${kind}: replacing it, because ${CHANGES[kind].reason}`).slice(1, -1),
      );
    });

    test("without the option, the change stays in place where the API can change it", () => {
      expect(replaced(without)).toEqual(kinds.filter(isAlwaysReplaced).sort());
    });
  });

  test("the up replaces all of them, and nothing is left to do", async () => {
    stack.program(changing(KINDS, withOption));
    const up = await stack.up();
    expect({ code: up.code, said: up.code === 0 ? [] : up.messages }).toEqual({ code: 0, said: [] });
    expect(replaced(up)).toEqual([...KINDS].sort());
    await expectSettled(stack);
  });
});

describe("a replacement by replaceOnChanges", () => {
  stackForEachTest(begin);

  test("deletes first with the same unique name, and creates first with a new name", async () => {
    const database = (label: string, hour: number) =>
      `new nodecloud.PostgresqlDatabase("${label === "" ? "automatic" : "named"}", { region: "us-east", type: "g6-nanode-1",
      engine: "postgresql/14.6", allowList: ["192.0.2.${hour}"]${label} }, { replaceOnChanges: ["allowList"] });`;
    const program = (hour: number) => database("", hour) + database(', label: "shop"', hour);
    stack.program(program(1));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    stack.program(program(2));
    const up = await stack.up();
    expect(up.code).toBe(0);
    expect(up.order.filter((step) => step.startsWith("named"))).toEqual([
      "named delete-replaced",
      "named replace",
      "named create-replacement",
    ]);
    expect(up.order.filter((step) => step.startsWith("automatic"))).toEqual([
      "automatic create-replacement",
      "automatic replace",
      "automatic delete-replaced",
    ]);
  });

  test("with deleteBeforeReplace: false creates first, and a taken name stays with the old object", async () => {
    const program = (address: string) =>
      `new nodecloud.PostgresqlDatabase("db", { region: "us-east", type: "g6-nanode-1", engine: "postgresql/14.6", label: "shop",
      allowList: ["${address}"] }, { replaceOnChanges: ["allowList"], deleteBeforeReplace: false });`;
    stack.program(program("192.0.2.1"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { db } = await stack.state();
    stack.program(program("192.0.2.2"));
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.messages.join()).toContain("label: is taken by another database");
    const { body } = await emulator.call("GET", "/databases/instances");
    expect(body).toMatchObject({ results: 1, data: [{ id: Number(db?.id), allow_list: ["192.0.2.1"] }] });
  });
});

describe("a replacement by replaceOnChanges of resources that an alias has renamed", () => {
  stackForEachTest(begin);
  const renamed = (source: string) => source.replace(/(new nodecloud\.\w+\(")/g, "$1new-");
  const objects = async () => {
    const lists = ["/node/instances", "/databases/instances", "/domains", "/images"];
    const { id: zone } = (await stack.state())["new-Domain"] ?? {};
    if (zone !== undefined) lists.push(`/domains/${zone}/records`);
    const replies = await Promise.all(
      lists.map((path) => emulator.call<{ data: { id: unknown; is_public?: boolean }[] }>("GET", path)),
    );
    return replies.map(({ body }) =>
      body.data.flatMap(({ id, is_public: isPublic }) => (isPublic === true ? [] : [String(id)])),
    );
  };

  test("deletes the old objects, served by the plugin, which does not learn of the option", async () => {
    stack.way = "plugin";
    stack.program(everyKind({}));
    expect(await stack.up()).toMatchObject({ code: 0 });
    stack.program(
      renamed(
        changing(
          KINDS,
          (kind) =>
            `{ aliases: [{ name: "${kind}" }], replaceOnChanges: [${JSON.stringify(kind === "DomainRecordSet" ? "records" : CHANGES[kind].path)}] }`,
        ),
      ),
    );
    const up = await stack.up();
    expect({ code: up.code, said: up.code === 0 ? [] : up.messages }).toEqual({ code: 0, said: [] });
    expect(up.printed).not.toContain("without deleting it");
    expect((await objects()).map((ids) => ids.length)).toEqual([1, 2, 1, 1, 3]);
    await expectSettled(stack);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await objects()).toEqual([[], [], [], []]);
  });

  test("renamed resources below a domain that goes first have one owner each", async () => {
    const program = (name: string, description: string) => {
      const alias = (old: string) => `{ aliases: [{ name: "${old}" }] }`;
      return `
        const zone = new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "dns@example.org", description: "${description}" },
          { replaceOnChanges: ["description"], deleteBeforeReplace: true });
        new nodecloud.DomainRecord("${name}record", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" }, ${alias("record")});
        new nodecloud.DomainRecordSet("${name}set", { domainId: zone.id, records: [{ type: "A", name: "set", target: "192.0.2.1" }] }, ${alias("set")});`;
    };
    stack.program(program("", "one"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    stack.program(program("new-", "two"));
    const preview = await stack.preview();
    expect(preview.code).toBe(0);
    expect(preview.printed).not.toMatch(/and so does|NC1302/);
    const up = await stack.up();
    expect({ code: up.code, said: up.code === 0 ? [] : up.messages }).toEqual({ code: 0, said: [] });
    await expectSettled(stack);
  });
});

describe("a replacement by replaceOnChanges whose creation is refused after the deletion", () => {
  stackForEachTest(begin);

  test.each(["dynamic", "plugin"] as const)(
    "continues with the creation, served in the %s way",
    async (way) => {
      stack.way = way;
      const program = (n: number, dbOptions = ', replaceOnChanges: ["allowList"]') => `
      const at = { region: "us-east", type: "g6-nanode-1" };
      const first = (...paths) => ({ replaceOnChanges: paths, deleteBeforeReplace: true });
      new nodecloud.Node("node", { ...at, label: "main", tags: ["t${n}"] }, first("tags"));
      new nodecloud.MysqlDatabase("db", { ...at, engine: "mysql/8.0.30", label: "shop", allowList: ["192.0.2.${n}"] }, { deleteBeforeReplace: true${dbOptions} });
      const domain = { type: "master", soaEmail: "dns@example.org" };
      new nodecloud.Domain("domain", { ...domain, domain: "a.example", description: "d${n}" }, first("description"));
      const domainId = new nodecloud.Domain("zone", { ...domain, domain: "b.example" }).id;
      new nodecloud.DomainRecord("record", { domainId, type: "A", name: "www", target: "192.0.2.${n}" }, first("target"));
      new nodecloud.DomainRecordSet("set", { domainId, records: [{ type: "A", name: "set", target: "192.0.2.${n}" }] }, first("records"));`;
      stack.program(program(1));
      expect(await stack.up()).toMatchObject({ code: 0 });
      const effect = { status: 400, headers: {}, body: { errors: [{ reason: "limit reached" }] } };
      await emulator.control("POST", "/faults", { method: "POST", path: "/v4/**", effect, times: 100 });
      stack.program(program(2));
      expect((await stack.up("--continue-on-error")).code).not.toBe(0);
      emulator.reset("faults");
      stack.program(program(2, ""));
      const up = await stack.up();
      expect({ code: up.code, said: up.code === 0 ? [] : up.messages }).toEqual({ code: 0, said: [] });
      const names = ["db", "domain", "node", "record", "set"];
      expect(up.order.filter((step) => !step.endsWith(" replace")).sort()).toEqual(
        names.map((name) => `${name} create-replacement`),
      );
      await expectSettled(stack);
    },
  );
});

describe("for a record set", () => {
  stackForEachTest(begin);

  test.each([
    ["ignoreChanges", "records[0].ttlSec"],
    ["replaceOnChanges", "records[0]"],
  ])("%s refuses the path %s, with the resource's name", async (option, path) => {
    const options = JSON.stringify({ [option]: [path] });
    stack.program(everyKind({ options: (kind) => (kind === "DomainRecordSet" ? options : "{}") }));
    const preview = await stack.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.printed).toContain(`DomainRecordSet: ${option} cannot name ${path}`);
  });
});
