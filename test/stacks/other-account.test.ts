import { join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

/** An emulator with these tokens. That of a second user may only do what concerns domains. */
const account = (...tokens: string[]) => ({
  speed: 60_000,
  accounts: {
    users: [
      userWith("ada", ["*"], tokens),
      userWith("bob", ["domains:read_write"], [`${tokens[0] ?? ""}-for-domains`]),
    ],
  },
});

const userWith = (username: string, scopes: string[], tokens: readonly string[]) => ({
  ...{ username, restricted: false, grants: [] },
  tokens: tokens.map((token) => ({ token, scopes })),
});

let ours: TestEmulator;
let theirs: TestEmulator;
let stack: TestStack;

beforeEach(async () => {
  ours = await startTestEmulator(account("our-token"));
  theirs = await startTestEmulator(account("their-token"));
  stack = await testStack(ours);
});

afterEach(async () => {
  stack.remove();
  await ours.stop();
  await theirs.stop();
});

const namesIn = async ({ control }: TestEmulator) => {
  const all = async (kind: string) =>
    (await control<{ data: Record<string, string>[] }>("GET", `/objects/${kind}`)).body.data;
  return [...(await all("domains")), ...(await all("nodes"))].map(({ domain, label }) => domain ?? label);
};

/** A domain, a set of its records and a node, with this provider. */
const program = (provider?: {
  readonly name: string;
  readonly of: TestEmulator;
  readonly token?: string;
}) => `
  const opts = ${
    provider === undefined
      ? "{}"
      : `{ provider: new nodecloud.Provider("${provider.name}", { token: "${provider.token ?? provider.of.token}", baseUrl: "${provider.of.url}" }) }`
  };
  const zone = new nodecloud.Domain("zone", { domain: "moves.example", type: "master", soaEmail: "a@moves.example" }, opts);
  new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: [{ type: "A", name: "www", target: "192.0.2.1" }] }, opts);
  new nodecloud.Node("web", { label: "web", region: "us-east", type: "g6-nanode-1" }, { ...opts, dependsOn: [zone] });`;

const REPLACED = ["zone", "hosts", "web"].flatMap((name) =>
  ["create-replacement", "replace", "delete-replaced"].map((step) => `${name} ${step}`),
);

test("another provider, or another base URL of one, replaces what it has: the preview says so, and the old account keeps nothing", async () => {
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  for (const target of [theirs, ours]) {
    stack.program(program({ name: "given", of: target }));
    const preview = await stack.preview();
    expect([preview.code, [...preview.order].sort()]).toEqual([0, [...REPLACED].sort()]);
    expect(preview.messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^Domain zone: replacing it, because its provider now leads to \S+, and the Domain is at \S+: the domain is deleted, /,
        ),
        expect.stringMatching(
          /^Node web: replacing it, .*: the node's disks, backups and addresses are lost/,
        ),
      ]),
    );
    const up = await stack.up();
    expect([up.code, [...up.order].sort()]).toEqual([0, [...REPLACED].sort()]);
    const [there, gone] = target === theirs ? [theirs, ours] : [ours, theirs];
    expect([await namesIn(there), await namesIn(gone)]).toEqual([["moves.example", "web"], []]);
  }
});

test("a move that fails in between goes on with the next run", async () => {
  stack.program(program({ name: "given", of: ours }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(program({ name: "given", of: theirs, token: "their-token-for-domains" }));
  expect((await stack.up()).code).not.toBe(0);
  expect([await namesIn(ours), await namesIn(theirs)]).toEqual([["moves.example", "web"], ["moves.example"]]);
  stack.program(program({ name: "given", of: theirs }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect([await namesIn(ours), await namesIn(theirs)]).toEqual([[], ["moves.example", "web"]]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect([await namesIn(ours), await namesIn(theirs)]).toEqual([[], []]);
});

test("a base URL that changes in the environment is refused with both sides, unless it is said to lead to the same account", async () => {
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.env["NODECLOUD_BASE_URL"] = theirs.url;
  stack.env["NODECLOUD_TOKEN"] = theirs.token;
  for (const command of ["preview", "destroy"] as const) {
    const { code, printed } = await stack[command]();
    expect(code).not.toBe(0);
    expect(printed).toMatch(
      new RegExp(
        `the \\w+ \\d+ is at ${new URL(ours.url).host}, and this provider leads to ${new URL(theirs.url).host}, so`,
      ),
    );
  }
  expect([await namesIn(ours), await namesIn(theirs)]).toEqual([["moves.example", "web"], []]);
  stack.env["NODECLOUD_TOKEN"] = ours.token;
  stack.env["NODECLOUD_BASE_URL"] = ours.url.replace("127.0.0.1", "localhost");
  stack.env["NODECLOUD_SAME_ACCOUNT"] = "true";
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  delete stack.env["NODECLOUD_SAME_ACCOUNT"];
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await namesIn(ours)).toEqual([]);
});

test("another account at the same base URL is not read as an account whose objects are gone, and a rotated token is the same account", async () => {
  const port = Number(new URL(ours.url).port);
  const data = join(stack.folder.path, "account.json");
  await ours.stop();
  ours = await startTestEmulator({ ...account("our-token", "our-next-token"), port, data });
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  await ours.stop();
  ours = await startTestEmulator({ ...account("other-token"), port });
  stack.env["NODECLOUD_TOKEN"] = "other-token";
  for (const command of ["refresh", "destroy"] as const) {
    const { code, printed } = await stack[command]();
    expect(code).not.toBe(0);
    expect(printed).toMatch(
      /does not find the \w+ \d+ at \S+, and its token is not the one that last found the object. Nor does it find (Domain|Node) \d+( or .*)? of this stack: it is probably another account/,
    );
  }
  expect(await namesIn(ours)).toEqual([]);
  await ours.stop();
  ours = await startTestEmulator({ ...account("our-token", "our-next-token"), port, data });
  stack.env["NODECLOUD_TOKEN"] = "our-next-token";
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  await ours.call("DELETE", `/domains/${(await stack.state())["zone"]?.id}`);
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(Object.keys(await stack.state())).toEqual(["web"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await namesIn(ours)).toEqual([]);
});

test("a set deletes a record, although a resource in another account imports one with the same id", async () => {
  const zone = { domain: "same.example", type: "master", soa_email: "a@same.example" };
  const www = { type: "A", name: "www", target: "192.0.2.1" };
  let id = "";
  for (const { call } of [ours, theirs]) {
    const { body } = await call<{ id: number }>("POST", "/domains", { body: zone });
    id = String(body.id);
  }
  const provider = (name: string, { token, url }: TestEmulator) =>
    `const ${name} = new nodecloud.Provider("${name}", { token: "${token}", baseUrl: "${url}" });`;
  const set = (records: readonly object[]) =>
    `new nodecloud.DomainRecordSet("set", { domainId: "${id}", records: ${JSON.stringify(records)} }, { provider: one });`;
  const providers = provider("one", ours) + provider("two", theirs);
  const recordsIn = async ({ call }: TestEmulator) =>
    (await call<{ data: { id: number; name: string }[] }>("GET", `/domains/${id}/records`)).body.data;
  stack.program(providers + set([www, { ...www, name: "api" }]));
  expect(await stack.up()).toMatchObject({ code: 0 });
  // Both accounts have the same ids for the same names.
  const own = await recordsIn(ours);
  for (const { name } of own) await theirs.call("POST", `/domains/${id}/records`, { body: { ...www, name } });
  const other = await recordsIn(theirs);
  const idsOf = (records: typeof own) => records.map((one) => [one.id, one.name]);
  expect(idsOf(own)).toEqual(idsOf(other));
  const imported = other.find(({ name }) => name === "www");
  stack.program(
    `${providers}${set([{ ...www, name: "api" }])}
     new nodecloud.DomainRecord("www", { domainId: "${id}", ...${JSON.stringify(www)} }, { provider: two, import: "${id}/${imported?.id}" });`,
  );
  expect((await stack.pulumi("preview", "--diff")).printed).toContain("records: 1 to delete");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect((await recordsIn(ours)).map(({ name }) => name)).toEqual(["api"]);
  expect(await recordsIn(theirs)).toEqual(other);
});
