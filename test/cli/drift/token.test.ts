import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fatesOf } from "../../../src/cli/recover/pending-creations";
import { Words } from "../../../src/provider/engine/secret-words";
import { contextIn, nodecloud } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

const TYPE = "pulumi-nodejs:dynamic/nodecloud:Domain";

let own: TestEmulator;
let other: TestEmulator;
let folder: string;

beforeAll(async () => {
  [own, other] = await Promise.all([startTestEmulator(), startTestEmulator()]);
});
afterAll(() => Promise.all([own.stop(), other.stop()]));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "drift-token-"));
  mkdirSync(join(folder, "states"));
  await Promise.all([own.newCounts(), other.newCounts()]);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A state with a domain that does not exist, whose provider leads to a base URL. */
function deploymentOf(stack: string, settings: Readonly<Record<string, unknown>>) {
  const provider = `urn:pulumi:${stack}::infra::pulumi:providers:pulumi-nodejs::default`;
  const inputs = { domain: `${stack}.example`, type: "master", soaEmail: "dns@example.org" };
  const domain = { urn: `urn:pulumi:${stack}::infra::${TYPE}::zone`, type: TYPE, custom: true, id: "999999" };
  return {
    resources: [
      { urn: provider, id: "1", type: "pulumi:providers:pulumi-nodejs", custom: true, inputs: settings },
      {
        ...domain,
        provider: `${provider}::1`,
        inputs,
        outputs: { ...inputs, __set: "domain,type,soaEmail" },
      },
    ],
  };
}

const write = (stack: string, settings: Readonly<Record<string, unknown>>) =>
  writeFileSync(
    join(folder, "states", `${stack}.json`),
    JSON.stringify({ version: 3, deployment: deploymentOf(stack, settings) }),
  );

async function drift(environment: Readonly<Record<string, string>>) {
  const args = ["drift", "--states", "states", "--format", "json"];
  const { code, stdout, stderr } = await nodecloud(args, { directory: folder, environment });
  const { findings, gaps } = JSON.parse(stdout || "{}") as {
    findings: { kind: string; stack: { name: string } }[];
    gaps: { what: string; reason: string }[];
  };
  return { code, stderr, gaps, found: findings.map(({ kind, stack }) => `${kind} ${stack.name}`) };
}

const elsewhere = () => ({ "nodecloud:baseUrl": other.url });

test("the token of the environment is not sent to a base URL that only a state names", async () => {
  write("good", { "nodecloud:baseUrl": `${own.url}/` });
  write("moved", elsewhere());
  write("broken", { "nodecloud:baseUrl": "nowhere" });
  const result = await drift({ NODECLOUD_TOKEN: own.token, NODECLOUD_BASE_URL: own.url });
  expect(await other.newCounts()).toEqual({});
  expect(result).toMatchObject({ code: 2, found: ["deleted good"] });
  expect(result.gaps).toEqual([
    {
      what: "the objects of stack broken of infra",
      reason: expect.stringContaining("its state leads to an invalid base URL") as unknown,
    },
    {
      what: "the objects of stack moved of infra",
      reason:
        `its state leads to ${other.url}, and NODECLOUD_TOKEN is for ${own.url}, so the token is not sent there. ` +
        "If the token is for that base URL, set NODECLOUD_BASE_URL to it. Otherwise run this for the stacks of each account by themselves",
    },
  ]);
});

test("a token without a base URL in the environment is sent nowhere, and the report says why", async () => {
  write("moved", elsewhere());
  const result = await drift({ NODECLOUD_TOKEN: own.token });
  expect(await other.newCounts()).toEqual({});
  expect(result).toMatchObject({ code: 1, found: [] });
  expect(result.gaps).toEqual([
    {
      what: "the objects of stack moved of infra",
      reason: expect.stringContaining("NODECLOUD_BASE_URL does not name it") as unknown,
    },
  ]);
});

test("a token in a state is sent to the base URL of that state", async () => {
  write("moved", { ...elsewhere(), "nodecloud:token": other.token });
  const result = await drift({ NODECLOUD_TOKEN: "of-the-environment", NODECLOUD_BASE_URL: own.url });
  expect(result).toMatchObject({ code: 2, found: ["deleted moved"], gaps: [] });
  expect(await own.newCounts()).toEqual({});
});

test("recover sends the token of the environment to the base URL of the configuration, and not to that of a state", async () => {
  const deployment = deploymentOf("moved", elsewhere());
  const [provider, domain] = deployment.resources;
  const pending = [{ type: "creating", resource: domain }];
  const environment = { NODECLOUD_TOKEN: own.token, NODECLOUD_BASE_URL: own.url };
  const left = { resources: [provider], pending_operations: pending };
  const fates = (settings: Readonly<Record<string, string>>) =>
    fatesOf(contextIn({ environment }), { show: () => undefined, note: () => undefined }, new Words(), {
      ...{ deployment: left, interrupted: left, savedAt: 0, settings },
    });
  expect(await fates({})).toEqual([
    {
      ...{ called: "Domain zone", isCreation: true },
      kept: expect.stringContaining("the token is not sent there") as unknown,
    },
  ]);
  expect(await other.newCounts()).toEqual({});
  const [trusted] = await fates(elsewhere());
  expect(trusted?.kept).not.toContain("not sent");
  expect(await own.newCounts()).toEqual({});
});
