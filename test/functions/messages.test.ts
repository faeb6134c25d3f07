import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "../../src";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { configure, standInForEngine, valueOf } from "../helpers/program-run";

let emulator: TestEmulator;

beforeAll(async () => {
  standInForEngine();
  emulator = await startTestEmulator();
  configure(emulator);
  for (const label of ["web-1", "web-2", "database"]) {
    await emulator.call("POST", "/node/instances", { body: { ...deployedNode, label } });
    emulator.clock.advance(60);
  }
  const zone = { type: "master", soa_email: "dns@a.example" };
  await emulator.call("POST", "/domains", { body: { ...zone, domain: "a.example" } });
  await emulator.call("POST", "/domains", { body: { ...zone, domain: "empty.example" } });
  for (let number = 1; number <= 14; number++) {
    const body = { type: "A", name: `h${number}`, target: "192.0.2.1" };
    await emulator.call("POST", `/domains/${await domainId()}/records`, { body });
  }
});

beforeEach(() => configure(emulator));
afterAll(() => emulator.stop());

const domainId = async (domain = "a.example") => (await nodecloud.getDomain({ domain })).id;
/** The functions without types, for calls from an untyped program. */
const untyped = nodecloud as unknown as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
const said = async (call: Promise<unknown> | undefined) => {
  const error: unknown = await call?.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  return (error as Error).message;
};

describe("the error for one item", () => {
  test("that does not exist gives the conditions and the existing items", async () => {
    expect(await said(nodecloud.getNode({ label: "web" }))).toMatch(
      /^get Node: none of the 3 nodes has label "web"; there are web-1 \(\d+\), web-2 \(\d+\), database \(\d+\) \[NC1109\]$/,
    );
    expect(
      await said(
        nodecloud.getNode({ label: "web-1", filter: { region: ["eu-west", "ap-south"] }, mostRecent: true }),
      ),
    ).toContain('none of the 3 nodes has label "web-1" and region "eu-west" or "ap-south"; there are');
  });

  test("that no list condition matches gives the list and the value", async () => {
    expect(
      await said(nodecloud.getNode({ filter: { tags: { all: ["a", "b"] }, ipv4: "192.0.2.1" } })),
    ).toMatch(
      /^get Node: none of the 3 nodes has tags with all of "a", "b" and ipv4 with "192.0.2.1"; there are web-1 /,
    );
    expect(await said(nodecloud.getNodes({ filter: { tags: [] } }))).toBe(
      "get Nodes: filter.tags is an empty list: remove the condition, or name at least one value [NC1108]",
    );
    expect(await said(untyped["getNodes"]?.({ sortBy: "tags" }))).toMatch(
      /^get Nodes: sortBy: tags is not a scalar field; the fields are id, label, /,
    );
  });

  test("with several matches lists them and says what to do", async () => {
    expect(await said(nodecloud.getNode({ filter: { label: { matches: "^web" } } }))).toMatch(
      /^get Node: 2 of the 3 nodes have label matching "\^web": web-1 \(\d+\), web-2 \(\d+\); narrow the filter, or set mostRecent \[NC1110\]$/,
    );
    expect(await said(nodecloud.getDomain({ filter: { domain: { contains: "example" } } }))).toMatch(
      /^get Domain: 2 of the 2 domains have domain containing "example": a.example \(\d+\), empty.example \(\d+\); narrow the filter \[NC1110\]$/,
    );
  });

  test("with several matches does not occur with mostRecent", async () => {
    expect(
      await nodecloud.getNode({ filter: { label: { matches: "^web" } }, mostRecent: true }),
    ).toMatchObject({
      label: "web-2",
    });
  });

  test("with many matches lists ten of them and their parent", async () => {
    const id = await domainId();
    const message = await said(nodecloud.getDomainRecord({ domainId: id, type: "A" }));
    expect(message).toContain(`14 of the 14 records of domain ${id} have type "A": A h1 (${id}/`);
    expect(message).toMatch(
      /A h10 \(\d+\/\d+\) and 4 more; narrow the filter, or set mostRecent \[NC1110\]$/,
    );
    expect(message).not.toContain("h11");
    expect(await said(nodecloud.getDomainRecord({ domainId: id, name: "x" }))).toMatch(
      / and 4 more \[NC1109\]$/,
    );
  });

  test("in an empty list says that the list is empty", async () => {
    const id = await domainId("empty.example");
    expect(await said(nodecloud.getDomainRecord({ domainId: id, type: "A" }))).toBe(
      `get DomainRecord: there are no records of domain ${id} [NC1109]`,
    );
  });

  test("with a missing id gives the id and the API's reason", async () => {
    expect(await said(nodecloud.getNode({ id: 9999 }))).toBe("get Node 9999: Not found (404) [NC1003]");
    expect(await said(nodecloud.getDomainRecord({ id: "1/9999" }))).toBe(
      "get DomainRecord 1/9999: Not found (404) [NC1003]",
    );
    expect(await said(nodecloud.getDomainRecords({ domainId: 9999 }))).toBe(
      "get DomainRecords of domain 9999: Not found (404) [NC1003]",
    );
  });

  test("that the API cannot view by itself comes from the list", async () => {
    const body = { label: "wiki", engine: "postgresql/14.6", region: "us-east", type: "g6-standard-1" };
    const { id } = (await emulator.call("POST", "/databases/postgresql/instances", { body })).body;
    emulator.clock.advance(3600);
    expect(await said(nodecloud.getPostgresqlDatabaseBackup({ id: `${id}/7` }))).toBe(
      `get PostgresqlDatabaseBackup: there are no backups of PostgreSQL database ${id} [NC1109]`,
    );
    emulator.clock.advance(26 * 3600);
    expect(await said(nodecloud.getPostgresqlDatabaseBackup({ id: `${id}/7` }))).toMatch(
      new RegExp(
        `: none of the \\d backups? of PostgreSQL database ${id} has id "7"; there are .*\\(${id}/\\d+\\)`,
      ),
    );
  });
});

describe("invalid arguments", () => {
  test.each<[string, unknown[], string]>([
    ["getNode", [], "get Node: no argument selects the node: give id, label, filter or mostRecent"],
    ["getNode", [{ label: undefined }], "get Node: no argument selects the node"],
    ["getNode", [{ mostRecent: false }], "get Node: no argument selects the node"],
    ["getRegion", [{}], "get Region: no argument selects the region: give id, label or filter"],
    ["getNode", [{ id: "web" }], "get Node: id must be a whole number, such as 12"],
    ["getNode", [{ id: "" }], "get Node: id must be a whole number"],
    ["getNode", [{ id: -1 }], "get Node: id must be a whole number"],
    ["getNode", [{ id: {} }], "get Node: id must be a whole number"],
    ["getImage", [{ id: 12 }], "get Image: id must be private/123 or node/<name>"],
    ["getImage", [{ id: "private/1/2" }], "get Image: id must be private/123"],
    ["getDatabaseEngine", [{ id: "mysql" }], "get DatabaseEngine: id must be <engine>/<version>"],
    ["getRegion", [{ id: "us-east/availability" }], "get Region: id must be a region's id, such as us-east"],
    [
      "getRegionAvailability",
      [{ regionId: "a/b" }],
      "get RegionAvailability: regionId must be a region's id",
    ],
    [
      "getNode",
      [{ id: 1, label: "a", filter: {} }],
      "get Node: id already selects the node: remove label and filter",
    ],
    ["getNode", [{ lable: "a" }], "get Node: lable is not an argument of this function; did you mean label?"],
    [
      "getNodes",
      [{ where: 1 }],
      "get Nodes: where is not an argument of this function; the arguments are filter, sortBy, order, mostRecent",
    ],
    ["getNodes", ["web"], "get Nodes: the arguments must be an object"],
    [
      "getNodes",
      [{ sortBy: "lable" }],
      "get Nodes: sortBy: lable is not a scalar field; did you mean label?",
    ],
    ["getNodes", [{ sortBy: "label", order: "up" }], 'get Nodes: order must be "asc" or "desc"'],
    ["getNodes", [{ order: "desc" }], "get Nodes: order needs sortBy"],
    ["getNodes", [{ mostRecent: "yes" }], "get Nodes: mostRecent must be true or false"],
    [
      "getDomains",
      [{ mostRecent: true }],
      "get Domains: mostRecent: the API shows no creation time of domains",
    ],
    [
      "getDomain",
      [{ domain: "a.example", mostRecent: true }],
      "get Domain: mostRecent: the API shows no creation time",
    ],
    ["getDomainRecords", [], "get DomainRecords: domainId is required"],
    ["getDomainRecords", [{ domainId: "a.example" }], "get DomainRecords: domainId must be a whole number"],
    ["getDomainRecord", [{ type: "A" }], "get DomainRecord: domainId is required"],
    [
      "getDomainRecord",
      [{ id: 5 }],
      "get DomainRecord: domainId is required unless id contains it, as in 12/5",
    ],
    [
      "getDomainRecord",
      [{ domainId: 1, id: "2/5" }],
      "get DomainRecord: id belongs to another domain than domainId",
    ],
    [
      "getDomainRecord",
      [{ id: "1/2/3" }],
      "get DomainRecord: id must be a whole number with domainId, or the id of the resource, such as 12/345",
    ],
    ["getNodes", [{ filter: { label: 1 } }], "get Nodes: filter.label must be a string"],
    ["getNode", [{ label: 1 }], "get Node: label must be a string"],
    ["getNode", [pulumi.output({ id: 1 })], "get Node: does not accept outputs; use getNodeOutput"],
    [
      "getNodes",
      [{ filter: { label: [pulumi.output("a")] } }],
      "get Nodes: does not accept outputs; use getNodesOutput",
    ],
    [
      "getDomainRecords",
      [{ domainId: Promise.resolve(1) }],
      "does not accept outputs; use getDomainRecordsOutput",
    ],
  ])("of %s that are %p are refused before any request", async (name, args, message) => {
    await emulator.newCounts();
    expect(await said(untyped[name]?.(...args))).toContain(message);
    expect(await emulator.newCounts()).toEqual({});
  });

  test("are refused in the output form too", async () => {
    const output = nodecloud.getNodeOutput({ id: pulumi.output("web") });
    expect(await said(valueOf(output))).toBe("get Node: id must be a whole number, such as 12 [NC1108]");
  });

  test("that are secret appear in no message, and neither do the items that they match", async () => {
    const label = "database";
    const fails = [
      nodecloud.getNodeOutput({ label: pulumi.secret("planted") }),
      nodecloud.getNodeOutput({ id: pulumi.secret("4711") }),
      nodecloud.getNodeOutput({ filter: { label: [pulumi.secret(label), "web-1"] } }),
      nodecloud.getNodeOutput({ filter: { label: { matches: pulumi.secret(`(${label}`) } } }),
      nodecloud.getDomainRecordsOutput({ domainId: pulumi.secret("4711") }),
      nodecloud.getDomainZoneFileOutput({ domainId: pulumi.secret("4711") }),
    ];
    const messages = await Promise.all(fails.map((output) => said(valueOf<unknown>(output))));
    expect(messages[0]).toMatch(
      /^get Node: none of the 3 nodes has label \[secret\]; there are \d+, \d+, \d+ \[NC1109\]$/,
    );
    expect(messages[1]).toBe("get Node [secret]: Not found (404) [NC1003]");
    expect(messages[4]).toBe("get DomainRecords of domain [secret]: Not found (404) [NC1003]");
    expect(messages.join("\n")).not.toMatch(new RegExp(`planted|4711|${label}`));
  });
});

describe("an account", () => {
  test("without configuration fails with what to do", async () => {
    pulumi.runtime.setAllConfig({ "nodecloud:baseUrl": emulator.url });
    expect(await said(nodecloud.getNodes())).toMatch(
      /^get Nodes: nodecloud:token is not set: run `pulumi config set --secret/,
    );
  });

  test("with an invalid base URL fails with the reason", async () => {
    configure({ url: "http://example.com/v4", token: "planted-token" });
    const message = await said(nodecloud.getNodes());
    expect(message).toContain("get Nodes: nodecloud:baseUrl: must begin with https://");
    expect(message).not.toContain("planted");
  });

  test("with a refused token fails without showing the token", async () => {
    configure({ url: emulator.url, token: "planted-token" });
    const message = await said(nodecloud.getNodes());
    expect(message).toMatch(/^get Nodes: Invalid Token \(401\); check that the token/);
    expect(message).not.toContain("planted");
  });

  test("can be set in the environment", async () => {
    pulumi.runtime.setAllConfig({});
    process.env["NODECLOUD_TOKEN"] = emulator.token;
    process.env["NODECLOUD_BASE_URL"] = emulator.url;
    try {
      expect((await nodecloud.getNodes()).nodes).toHaveLength(3);
    } finally {
      delete process.env["NODECLOUD_TOKEN"];
      delete process.env["NODECLOUD_BASE_URL"];
    }
  });

  test("of a provider of another package is refused", async () => {
    class Other extends pulumi.ProviderResource {}
    const other = new Other("aws", "other", {});
    expect(await said(nodecloud.getNodes({}, { provider: other }))).toBe(
      "get Nodes: the provider is not a Provider of pulumi-nodecloud [NC1703]",
    );
    expect(() => nodecloud.getNodesOutput({}, { provider: other })).toThrow("get Nodes: the provider is not");
  });
});
