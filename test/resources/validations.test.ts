import { type Lifecycle, lifecycle } from "../provider/lifecycle";
import { type Session } from "../../src/provider/run/session";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { Domain, Image, MysqlDatabase, Node, PostgresqlDatabase } from "../../src/sdk";
import { FakeLog } from "../provider/fake-service";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { descriptionOf } from "./describe";
import { sessionFor } from "./session";

let emulator: TestEmulator;
let log: FakeLog;
let session: Session;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
beforeEach(() => {
  log = new FakeLog();
  session = newSession();
});
afterEach(() => emulator.reset());
afterAll(() => emulator.stop());

/** The session of a new plugin process. */
const newSession = (settings: Record<string, string> = {}) => sessionFor(emulator, { log, settings });

const of = (resource: { readonly description: unknown }): Lifecycle =>
  lifecycle(session, descriptionOf(resource));

async function complaints(
  resource: { readonly description: unknown },
  inputs: Properties,
  olds: Properties = {},
): Promise<string[]> {
  const { failures } = await of(resource).check(olds, inputs);
  return failures.map(({ reason }) => reason);
}

const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: "web" };
const mysql = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", label: "app" };
const noRegion = /^region "us-nowhere" is not a region of the service; the regions are us-east, us-west, /;

test.each<[string, { readonly description: unknown }, Properties]>([
  ["node", Node, node],
  ["MySQL database", MysqlDatabase, mysql],
  ["PostgreSQL database", PostgresqlDatabase, { ...mysql, engine: "postgresql/14.6" }],
  ["image upload", Image, { source: __filename, region: "us-east", label: "golden" }],
])("the region of a %s must exist and not have an outage", async (_, resource, inputs) => {
  expect(await complaints(resource, inputs)).toEqual([]);
  expect(await complaints(resource, { ...inputs, region: "us-nowhere" })).toEqual([
    expect.stringMatching(noRegion),
  ]);
  expect(await complaints(resource, { ...inputs, region: "ap-northeast" })).toEqual([
    'region "ap-northeast" is in an outage: choose another region, or retry after the outage [NC1103]',
  ]);
});

test("an update of another input does not look up the region and image of an existing node", async () => {
  const old = { ...node, region: "ap-northeast", image: "node/debian9" };
  expect(await complaints(Node, { ...old, label: "renamed" }, old)).toEqual([]);
  expect(await emulator.counts()).toEqual({});
});

test("a plan must be available in the region, and the error lists the regions that have it", async () => {
  const premium = { ...node, type: "g7-premium-2" };
  expect(await complaints(Node, { ...premium, region: "us-west" })).toEqual([]);
  expect(await complaints(Node, { ...premium, region: "ca-central" })).toEqual([
    'type "g7-premium-2" is not available in ca-central; it is available in us-west, eu-west, eu-central, ap-south [NC1103]',
  ]);
  const resized = { ...node, region: "ca-central" };
  expect(await complaints(Node, { ...resized, type: "g7-premium-2" }, resized)).toHaveLength(1);
});

describe("an image", () => {
  const withImage = (image: string) => ({ ...node, image });

  test("that does not exist is refused", async () => {
    expect(await complaints(Node, withImage("node/debian99"))).toEqual([
      'image "node/debian99" does not exist; did you mean node/debian12? getImages lists all [NC1103]',
    ]);
    expect(await complaints(Node, withImage("node/debian13"))).toEqual([
      'image "node/debian13" does not exist; did you mean node/debian12? getImages lists all [NC1103]',
    ]);
    expect(await complaints(Node, withImage("ubuntu24.04"))).toEqual([
      'image "ubuntu24.04" does not exist; did you mean node/ubuntu24.04? getImages lists all [NC1103]',
    ]);
    expect(await complaints(Node, withImage("private/999"))).toEqual([
      'image "private/999" does not exist; call getImages for the images that exist [NC1103]',
    ]);
  });

  test("that is deprecated causes a warning", async () => {
    expect(await complaints(Node, { ...withImage("node/debian10"), __urn: "urn" })).toEqual([]);
    expect(log.warnings).toEqual([
      expect.stringMatching(
        /^Node urn: image "node\/debian10" is deprecated, and its planned end of life is [\dT:-]+: plan to move/,
      ),
    ]);
  });

  test("that is not available yet is refused, and accepted when it is available", async () => {
    const { body } = await emulator.call<{ image: { id: string } }>("POST", "/images/upload", {
      body: { label: "golden", region: "us-east" },
    });
    const { id } = body.image;
    expect(await complaints(Node, withImage(id))).toEqual([
      `image "${id}" has the status pending_upload; only an available image can be deployed [NC1103]`,
    ]);
    await emulator.control("PATCH", `/objects/images/${id}`, { status: "available" });
    expect(await complaints(Node, withImage(id))).toEqual([]);
  });

  test("that is created in the same run, after the list is read, is found", async () => {
    expect(await complaints(Node, node)).toEqual([]);
    const { body } = await emulator.call<{ image: { id: string } }>("POST", "/images/upload", {
      body: { label: "golden", region: "us-east" },
    });
    await emulator.control("PATCH", `/objects/images/${body.image.id}`, { status: "available" });
    expect(await complaints(Node, withImage(body.image.id))).toEqual([]);
  });
});

describe("user data", () => {
  const both = { userData: "#cloud-config" };

  test.each<[string, Properties]>([
    ["userData", both],
    ["metadata.userData", { metadata: { userData: "YQ==" } }],
    ["userData", { userData: UNKNOWN }],
  ])("requires an image with cloud-init and a region with Metadata: %s %#", async (property, data) => {
    expect(await complaints(Node, { ...node, ...data })).toEqual([]);
    const nowhere = { ...node, ...data, region: "ca-central", image: "node/alpine3.20" };
    expect(await complaints(Node, nowhere)).toEqual([
      `${property} needs a region with the capability Metadata, which ca-central does not have [NC1103]`,
      `${property} needs an image with the capability cloud-init, which node/alpine3.20 does not have [NC1103]`,
    ]);
  });

  test("has no requirements if it is not set", async () => {
    expect(await complaints(Node, { ...node, region: "ca-central", image: "node/alpine3.20" })).toEqual([]);
  });
});

describe("a clone", () => {
  const clone = { region: "us-east", type: "g6-nanode-1", label: "copy" };
  const made = async (body: object) =>
    String((await emulator.call<{ id: number }>("POST", "/node/instances", { body })).body.id);

  test("requires an existing source", async () => {
    expect(await complaints(Node, { ...clone, cloneFrom: "999" })).toEqual([
      "cloneFrom names the node 999, which does not exist [NC1103]",
    ]);
    const cloneFrom = await made({ region: "us-east", type: "g6-nanode-1" });
    expect(await complaints(Node, { ...clone, cloneFrom })).toEqual([]);
  });

  test("of a domain requires an existing source", async () => {
    const zone = (cloneFrom: string) => ({ domain: "copy.example", type: "master", cloneFrom });
    expect(await complaints(Domain, zone("999"))).toEqual([
      "cloneFrom names the domain 999, which does not exist [NC1103]",
    ]);
    const body = { domain: "source.example", type: "master", soa_email: "dns@source.example" };
    const { id } = (await emulator.call<{ id: number }>("POST", "/domains", { body })).body;
    expect(await complaints(Domain, zone(String(id)))).toEqual([]);
  });

  test("of a node with user data requires its own user data", async () => {
    const body = { ...node, root_pass: "correct horse", metadata: { user_data: "YQ==" } };
    const cloneFrom = await made(body);
    expect(await complaints(Node, { ...clone, cloneFrom })).toEqual([
      `userData is required: node ${cloneFrom} has user data, so its clone needs user data of its own [NC1103]`,
    ]);
    expect(await complaints(Node, { ...clone, cloneFrom, userData: "#cloud-config" })).toEqual([]);
  });
});

test.each<[string, { readonly description: unknown }, string, string]>([
  ["MySQL", MysqlDatabase, "mysql/9.9.9", "mysql/5.7.39, mysql/8.0.26, mysql/8.0.30"],
  ["MySQL", MysqlDatabase, "postgresql/14.6", "mysql/5.7.39, mysql/8.0.26, mysql/8.0.30"],
  ["PostgreSQL", PostgresqlDatabase, "mysql/8.0.30", "postgresql/10.14, .*, postgresql/14.6"],
])("a %s database requires an offered version: %#", async (name, resource, engine, offered) => {
  expect(await complaints(resource, { ...mysql, engine })).toEqual([
    expect.stringMatching(
      new RegExp(
        `^engine "${engine}" is not a ${name.toLowerCase()} engine that the service offers; it offers ${offered} \\[NC1103\\]$`,
      ),
    ),
  ]);
});

test.each<[string, { readonly description: unknown }, string, object, Properties]>([
  [
    "domain",
    Domain,
    "/domains",
    { domain: "example.org", type: "master", soa_email: "dns@example.org" },
    { domain: "example.org", type: "master", soaEmail: "dns@example.org" },
  ],
  ["database", MysqlDatabase, "/databases/mysql/instances", mysql, mysql],
])(
  "a %s with a taken name is refused, and the error gives the id to import",
  async (_, resource, path, body, inputs) => {
    const { id } = (await emulator.call<{ id: number }>("POST", path, { body })).body;
    expect(await complaints(resource, inputs)).toEqual([
      expect.stringMatching(
        new RegExp(`^(domain|label) ".*" is taken by the \\w+ ${id}\\. .*the option import: "${id}"`),
      ),
    ]);
  },
);

test("a domain is taken in any spelling of its name, in the account and in the program", async () => {
  const zone = (domain: string, name = domain) => ({
    domain,
    type: "master",
    soaEmail: "dns@example.org",
    __urn: `urn:pulumi:dev::app::nodecloud:index:Domain::${name}`,
  });
  const body = { domain: "taken.example", type: "master", soa_email: "dns@example.org" };
  await emulator.call("POST", "/domains", { body });
  expect(await complaints(Domain, zone("Taken.example."))).toEqual([
    expect.stringContaining('domain "Taken.example." is taken by the Domain '),
  ]);
  expect(await complaints(Domain, zone("Twice.example"))).toEqual([]);
  expect(await complaints(Domain, zone("twice.example.", "other"))).toEqual([
    'domain "twice.example." is also the domain of Domain Twice.example in this program, and must be unique [NC1301]',
  ]);
});

describe("a backup to create a node from, or to restore to a new one,", () => {
  const from = (backupId: string) => ({ region: "us-east", type: "g6-nanode-1", label: "copy", backupId });
  const restored = (backupId: string) => ({ ...node, restoreFromBackup: { backupId } });

  test("must exist, if the program says of which node it is", async () => {
    const gone =
      "names the backup 1/999, which does not exist; getNodeBackups lists the backups of a node [NC1103]";
    expect(await complaints(Node, from("1/999"))).toEqual([`backupId ${gone}`]);
    expect(await complaints(Node, restored("1/999"))).toEqual([`restoreFromBackup.backupId ${gone}`]);
    expect(await complaints(Node, from("999"))).toEqual([]);
  });

  test("cannot be one of the new node itself, as a number alone says", async () => {
    expect(await complaints(Node, restored("20"))).toEqual([
      'restoreFromBackup.backupId "20" is a backup of this node, and a new node has none; write nodeId/backupId for a backup of another node, or remove restoreFromBackup [NC1101]',
    ]);
    const restoredBefore = restored("20");
    expect(await complaints(Node, restoredBefore, restoredBefore)).toEqual([]);
  });
});

describe("the label of a database", () => {
  const made = async (type: string, label: string) => {
    const path = `/databases/${type === "MysqlDatabase" ? "mysql" : "postgresql"}/instances`;
    const { body } = await emulator.call<{ id: number }>("POST", path, { body: inputsOf(type, label) });
    return String(body.id);
  };
  const kinds = [
    ["MysqlDatabase", MysqlDatabase, "PostgresqlDatabase", PostgresqlDatabase],
    ["PostgresqlDatabase", PostgresqlDatabase, "MysqlDatabase", MysqlDatabase],
  ] as const;
  const engineOf = (type: string) => (type === "MysqlDatabase" ? "mysql/8.0.30" : "postgresql/14.6");
  const inputsOf = (type: string, label: string) => ({ ...mysql, engine: engineOf(type), label });

  const asked = (type: string, label: string, name = "new") => ({
    ...inputsOf(type, label),
    __urn: `urn:pulumi:dev::app::nodecloud:index:${type}::${name}`,
  });

  /** Compares an existing database that has one label with a program that gives it another one. */
  async function compared(
    type: string,
    resource: { readonly description: unknown },
    label: string,
    next: string,
    more: Properties = {},
  ) {
    const id = await made(type, label);
    const { props = {} } = await lifecycle(newSession(), descriptionOf(resource)).read(id, {});
    const news = { ...inputsOf(type, next), ...more };
    expect(await complaints(resource, news, inputsOf(type, label))).toEqual([]);
    return of(resource).diff(id, props, news);
  }

  test.each(kinds)("of a %s that one of the other engine has is refused", async (type, resource, other) => {
    const id = await made(other, "shared");
    const taken = `label "shared" is taken by the ${other} ${id}, and must be unique among the databases of both engines. If another`;
    expect(await complaints(resource, inputsOf(type, "shared"))).toEqual([expect.stringContaining(taken)]);
    await expect(compared(type, resource, "mine", "shared")).rejects.toThrow(taken);
  });

  test.each(kinds)("of a %s is free if one of the other engine gives it up in this run", async (...row) => {
    const [type, resource, other, others] = row;
    await compared(other, others, "given", "new-name");
    expect(await complaints(resource, inputsOf(type, "given"))).toEqual([]);
  });

  test.each(kinds)("of a %s is refused for one of the other engine in the same program", async (...row) => {
    const [type, resource, other, others] = row;
    expect(await complaints(resource, asked(type, "both", "one"))).toEqual([]);
    expect(await complaints(others, asked(other, "both", "two"))).toEqual([
      `label "both" is also the label of ${type} one in this program, and must be unique [NC1301]`,
    ]);
  });

  test.each([...kinds, ["MysqlDatabase", MysqlDatabase, "MysqlDatabase", MysqlDatabase] as const])(
    "of a %s may be free if one of the program is replaced, which the preview says",
    async (...row) => {
      const [type, resource, other, others] = row;
      await compared(other, others, "given", "new-name", { encrypted: true });
      expect(await complaints(resource, asked(type, "given"))).toEqual([]);
      expect(log.warnings.filter((line) => line.startsWith(`${type} new: `))).toEqual([
        `${type} new: label "given" is taken by the ${other} 1 of this program, which is replaced: it is free only if that resource has deleteBeforeReplace, and not retainOnDelete`,
      ]);
    },
  );

  test.each(kinds)("of a %s is not free if a database of the program keeps it", async (type, resource) => {
    await compared("MysqlDatabase", MysqlDatabase, "kept", "kept");
    expect(await complaints(resource, asked(type, "kept"))).toEqual([
      'label "kept" is taken by the MysqlDatabase 1 of this program, which keeps it, by its inputs or by retainOnDelete: choose another label [NC1301]',
    ]);
  });
});

test("each list is read once per process for any number of resources", async () => {
  for (let index = 0; index < 20; index++) {
    expect(await complaints(Node, { ...node, label: `web-${index}`, userData: "#cloud-config" })).toEqual([]);
    expect(await complaints(MysqlDatabase, { ...mysql, label: `app-${index}` })).toEqual([]);
    expect(
      await complaints(Domain, {
        domain: `example${index}.org`,
        type: "master",
        soaEmail: "dns@example.org",
      }),
    ).toEqual([]);
  }
  expect(await emulator.counts()).toEqual({
    "GET /v4/regions": 1,
    "GET /v4/regions/availability": 1,
    "GET /v4/images": 1,
    "GET /v4/databases/engines": 1,
    "GET /v4/databases/instances": 1,
    "GET /v4/databases/mysql/instances": 1,
    "GET /v4/domains": 1,
    // Looks for nodes of an interrupted run.
    "GET /v4/node/instances": 1,
  });
});

test("with nodecloud:validate false, nothing is looked up", async () => {
  session = newSession({ NODECLOUD_VALIDATE: "false" });
  expect(await complaints(Node, { ...node, region: "us-nowhere", image: "node/debian99" })).toEqual([]);
  expect(await emulator.counts()).toEqual({});
});

test("with a token that cannot read images, the check of an image fails, and others pass", async () => {
  await emulator.control("POST", "/faults", { path: "/v4/images", times: 9, effect: { status: 403 } });
  await expect(complaints(Node, node)).rejects.toThrow(
    /^the images cannot be read: .* the scope images:read_only.*set nodecloud:validate to false/,
  );
  expect(await complaints(Node, { ...node, image: undefined, authorizedKeys: undefined })).toEqual([]);
});

test("unknown values are not checked", async () => {
  const unknown = { region: UNKNOWN, type: UNKNOWN, image: UNKNOWN, label: UNKNOWN, cloneFrom: undefined };
  expect(await complaints(Node, unknown)).toEqual([]);
  expect(await complaints(MysqlDatabase, { ...mysql, region: UNKNOWN, engine: UNKNOWN })).toEqual([]);
});
