import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodecloud } from "../../helpers/command-line";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../../helpers/emulator";

const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";

let emulator: TestEmulator;
let folder: string;
/** The ids of two domains, each with one record in a stack and one of nobody. */
let domains: string[];

beforeAll(async () => {
  const tokens = ["token-0", "token-1"].map((token) => ({ token, scopes: ["*"] }));
  const users = [{ username: "ada", restricted: false, grants: [], tokens }];
  emulator = await startTestEmulator({ speed: AT_ONCE, accounts: { users } });
  folder = mkdtempSync(join(tmpdir(), "drift-unreadable-"));
  const create = async (path: string, body: object) => {
    const made = await emulator.call("POST", path, { token: "token-0", body });
    return String(made.body["id"]);
  };
  domains = [];
  for (const stack of ["one", "two"]) {
    const id = await create("/domains", {
      domain: `${stack}.example`,
      type: "master",
      soa_email: "a@b.example",
    });
    const path = `/domains/${id}/records`;
    await create(path, { type: "A", name: "stray", target: "192.0.2.1" });
    const record = await create(path, { type: "A", name: "www", target: "192.0.2.1" });
    domains.push(id);
    writeState(stack, [id, record], stack === "one" ? "token-0" : "token-1");
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await emulator.stop();
});
afterEach(() => emulator.control("DELETE", "/faults"));

/** A state whose record has another target than the account, and a record that is gone. */
function writeState(stack: string, [domainId, record]: readonly [string, string], token: string): void {
  const of = (type: string, name: string) => `urn:pulumi:${stack}::infra::${type}::${name}`;
  const provider = of("pulumi:providers:pulumi-nodejs", "default");
  const settings = { "nodecloud:baseUrl": emulator.url, "nodecloud:token": token };
  const resource = (type: string, name: string, id: string, inputs: Record<string, unknown>) => ({
    ...{ urn: of(`${PREFIX}${type}`, name), type: `${PREFIX}${type}`, custom: true, id, inputs },
    ...{ provider: `${provider}::1`, outputs: { ...inputs, __set: Object.keys(inputs).join(",") } },
  });
  const inputs = { domainId, type: "A", name: "www", target: "192.0.2.9" };
  const resources = [
    { urn: provider, id: "1", type: "pulumi:providers:pulumi-nodejs", custom: true, inputs: settings },
    resource("Domain", "zone", domainId, { domain: `${stack}.example`, type: "master" }),
    resource("DomainRecord", "www", `${domainId}/${record}`, inputs),
    resource("DomainRecord", "gone", `${domainId}/999999`, inputs),
  ];
  writeFileSync(join(folder, `${stack}.json`), JSON.stringify({ version: 3, deployment: { resources } }));
}

/** The report while the service answers this to reads of a path, by default what is not requested again. */
async function drift(path?: string, effect: Readonly<Record<string, unknown>> = { status: 418 }) {
  if (path !== undefined)
    await emulator.control("POST", "/faults", [{ method: "GET", path, times: 100, effect }]);
  const args = ["drift", "--states", ".", "--format", "json"];
  const { code, stdout } = await nodecloud(args, { directory: folder });
  const report = JSON.parse(stdout) as {
    findings: { kind: string; label: string; stack?: { name: string } }[];
    gaps: { what: string; reason: string }[];
  };
  return {
    code,
    found: report.findings.map(({ kind, stack }) => `${kind} ${stack?.name ?? ""}`.trim()).sort(),
    gaps: report.gaps,
  };
}

test("a list that the service fails to give is a gap, and everything else is compared", async () => {
  const all = ["changed one", "changed two", "deleted one", "deleted two", "unmanaged", "unmanaged"];
  expect(await drift()).toEqual({ code: 2, found: all, gaps: [] });
  expect(await drift(`/v4/domains/${domains[0]}/records`)).toEqual({
    code: 2,
    found: ["changed two", "deleted two", "unmanaged"],
    gaps: [
      {
        what: `the DomainRecord objects of domain ${domains[0]} at ${emulator.url}`,
        reason: expect.stringContaining("(418)") as unknown,
      },
    ],
  });
});

test("a failed list makes no further token list everything again", async () => {
  await emulator.newCounts();
  await drift(`/v4/domains/${domains[0]}/records`);
  expect((await emulator.newCounts())["GET /v4/node/instances"]).toBe(1);
});

test("an account of which nothing can be read is a gap that names a stack", async () => {
  const reason = expect.stringContaining(`cannot read the account at ${emulator.url}: `) as unknown;
  expect(await drift("/v4/**")).toEqual({
    code: 1,
    found: [],
    gaps: [
      { what: "objects that no stack manages", reason: expect.any(String) as unknown },
      { what: "the objects of stack one of infra", reason },
      { what: "the objects of stack two of infra", reason },
    ],
  });
});

test("a token that the service refuses is a gap of its stack, whose objects are not called unmanaged", async () => {
  writeFileSync(
    join(folder, "three.json"),
    JSON.stringify({
      version: 3,
      deployment: {
        resources: [
          {
            urn: "urn:pulumi:three::infra::pulumi:providers:pulumi-nodejs::default",
            ...{ id: "1", type: "pulumi:providers:pulumi-nodejs", custom: true },
            inputs: { "nodecloud:baseUrl": emulator.url, "nodecloud:token": "revoked" },
          },
          {
            urn: `urn:pulumi:three::infra::${PREFIX}Domain::zone`,
            ...{ id: "999998", type: `${PREFIX}Domain`, custom: true, inputs: {}, outputs: {} },
            provider: "urn:pulumi:three::infra::pulumi:providers:pulumi-nodejs::default::1",
          },
        ],
      },
    }),
  );
  const { code, found, gaps } = await drift();
  rmSync(join(folder, "three.json"));
  expect({ code, found }).toEqual({
    code: 2,
    found: ["changed one", "changed two", "deleted one", "deleted two"],
  });
  expect(gaps).toEqual([
    { what: "objects that no stack manages", reason: expect.any(String) as unknown },
    {
      what: "the objects of stack three of infra",
      reason: expect.stringMatching(/cannot read the account at .*\(401\)/) as unknown,
    },
  ]);
});
