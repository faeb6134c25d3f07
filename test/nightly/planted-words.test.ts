import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostileServer, spellingsOf, startHostileServer } from "../helpers/hostile-server";
import { type Outcome, type TestStack } from "../helpers/stack";
import { type TestEmulator } from "../helpers/emulator";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
let hostile: HostileServer;
stackForEachTest((own) => ({ emulator, stack } = own));

const PLANTED = {
  description: "planted-description-1f",
  tag: "planted-tag-2a",
  name: "planted-name-3b",
  target: 'planted "target" é/4c',
  userData: "#cloud-config planted-user-data-5d",
  stackscript: "planted-stackscript-6e",
  nodeTag: "planted-node-tag-6f",
  setTarget: "planted-set-target-7f",
  setName: "planted-set-name-8a.a",
  zone: "planted-zone-9b",
  transformed: "planted-transformed-0c",
};

/** The secrets of an object, by the end of its path. */
let known: Readonly<Record<string, readonly string[]>> = {};

/** Repeats the secrets of the object or of the request in each spelling. */
function words(url: string, body: string): string {
  const isSent = (value: string) => spellingsOf(value).some((spelling) => body.includes(spelling));
  const planted = body === "" ? (known[url] ?? []) : Object.values(PLANTED).flatMap(versions).filter(isSent);
  return planted.flatMap(spellingsOf).join(" | ");
}

const versions = (value: string) => [value, value.replace("planted", "planted-again")];

beforeEach(async () => {
  hostile = await startHostileServer(words);
});
afterEach(() => hostile.stop());

const source = (version: string, zone: string) => `
const P = ${JSON.stringify(PLANTED)};
const s = (value) => pulumi.secret(value.replace("planted", "planted${version}"));
const domain = { type: "master", soaEmail: "a@example.org" };
const zone = new nodecloud.Domain("zone", { ...domain, domain: "example.org", description: s(P.description), tags: ["plain", s(P.tag)] });
new nodecloud.DomainRecord("record", { domainId: ${zone}, type: "TXT", name: s(P.name), target: s(P.target) });
new nodecloud.Node("node", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", userData: P.userData,
  stackscriptId: 1, stackscriptData: { key: P.stackscript }, tags: pulumi.secret([P.nodeTag]) });
new nodecloud.DomainRecordSet("set", { domainId: ${zone}, subdomain: "a", records: [
  { type: "A", name: "plain.a", target: "192.0.2.7" },
  { type: "TXT", name: s(P.setName), target: s(P.setTarget) } ] });
new nodecloud.DomainRecordSet("zone-file", { domainId: ${zone}, subdomain: "b",
  zoneFile: s('$ORIGIN example.org.\\nb 300 IN TXT "' + P.zone + '"\\n') });
new nodecloud.Domain("transformed", { ...domain, domain: "transformed.org", description: P.transformed },
  { transformations: [({ props, opts }) => ({ props: { ...props, description: s(props.description) }, opts })] });
new nodecloud.Domain("output", { ...domain, domain: "output.org" }, { additionalSecretOutputs: ["domain"] });
`;

/** The spelling of each secret in the output, and the text before it. */
const leaksIn = ({ printed }: Outcome): string[] =>
  Object.values(PLANTED)
    .flatMap(versions)
    .flatMap((value) => [...spellingsOf(value).slice(0, 5), value.slice(0, 12)])
    .filter((spelling) => printed.includes(spelling))
    .map((spelling) =>
      printed.slice(Math.max(0, printed.indexOf(spelling) - 300), printed.indexOf(spelling) + 100),
    );

/** The paths of the objects, with their secrets. */
async function secretsByAddress(): Promise<typeof known> {
  const state = await stack.state();
  const at = (name: string) => state[name]?.id ?? "";
  const members = (name: string) => String(state[name]?.outputs["__ids"]).split(",");
  const record = (id: string) => `/v4/domains/${at("zone")}/records/${id}`;
  const {
    description,
    tag,
    name,
    target,
    userData,
    stackscript,
    nodeTag,
    setName,
    setTarget,
    zone,
    transformed,
  } = PLANTED;
  return {
    [`/v4/domains/${at("zone")}`]: [description, tag],
    [`/v4/domains/${at("transformed")}`]: [transformed],
    [`/v4/domains/${at("record").replace("/", "/records/")}`]: [name, target],
    [`/v4/node/instances/${at("node")}`]: [userData, stackscript, nodeTag],
    ...Object.fromEntries(members("set").map((id) => [record(id), [setName, setTarget]])),
    ...Object.fromEntries(members("zone-file").map((id) => [record(id), [zone]])),
  };
}

test("no message contains a value that the program makes secret, in any spelling of the service", async () => {
  stack.env["NODECLOUD_VALIDATE"] = "false";
  stack.env["NODECLOUD_BASE_URL"] = hostile.baseUrl;
  stack.program(source("", '"12"'));
  // The first refusal would end the run, and not each one repeats a secret.
  const refused = await stack.pulumi("up", "--yes", "--continue-on-error");
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain("refused: [redacted]");
  expect(leaksIn(refused)).toEqual([]);

  stack.env["NODECLOUD_BASE_URL"] = emulator.url;
  stack.program(source("", "zone.id"));
  const made = await stack.pulumi("up", "--yes");
  expect(made).toMatchObject({ code: 0 });
  expect(leaksIn(made)).toEqual([]);
  known = await secretsByAddress();

  Object.assign(stack.env, { NODECLOUD_BASE_URL: hostile.baseUrl, NODECLOUD_SAME_ACCOUNT: "true" });
  stack.program(source("-again", "zone.id"));
  for (const command of [["refresh"], ["up", "--diff"], ["destroy"]]) {
    const outcome = await stack.pulumi(...command, "--yes");
    expect(outcome.code).not.toBe(0);
    expect(outcome.printed).toContain("refused: [redacted]");
    expect(leaksIn(outcome)).toEqual([]);
  }
  expect(hostile.count("DELETE")).toBeGreaterThan(0);
});

test("no message contains a secret argument of a data function", async () => {
  const [id, label] = ["98765432", "planted-label-4a"];
  known = { [`/v4/domains/${id}`]: [id] };
  stack.env["NODECLOUD_BASE_URL"] = hostile.baseUrl;
  for (const [call, value] of [
    [`getDomainOutput({ id: pulumi.secret("${id}") })`, id],
    [`getNodeOutput({ label: pulumi.secret("${label}") })`, label],
    [`getNodesOutput({ sortBy: pulumi.secret("${label}") })`, label],
    [`getNodesOutput({ filter: { label: { matches: pulumi.secret("[${label}") } } })`, label],
  ] as const) {
    stack.program(`exports.found = nodecloud.${call};`);
    const { code, printed } = await stack.pulumi("preview");
    expect({ call, failed: code !== 0 }).toEqual({ call, failed: true });
    expect(spellingsOf(value).filter((spelling) => printed.includes(spelling))).toEqual([]);
  }
});

test("a state without the paths of secrets shows no change, and gets them without a change", async () => {
  stack.program(source("", "zone.id"));
  expect((await stack.up()).code).toBe(0);
  const file = join(stack.folder.path, "old.json");
  await stack.pulumi("stack", "export", "--file", file);
  const old = readFileSync(file, "utf8");
  const without = JSON.stringify(JSON.parse(old), (key, value: unknown) =>
    key === "__secrets" ? undefined : value,
  );
  expect(old).toContain("__secrets");
  writeFileSync(file, without);
  expect((await stack.pulumi("stack", "import", "--file", file)).code).toBe(0);

  const previewed = await stack.preview("--diff", "--expect-no-changes");
  expect(previewed).toMatchObject({ code: 0, steps: { same: 7 } });
  expect((await stack.drift()).code).toBe(0);
  const refreshed = await stack.refresh("--run-program");
  expect(refreshed).toMatchObject({ code: 0, drifted: [] });
  expect(await stack.up("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect((await stack.state())["record"]?.inputs["__secrets"]).toEqual(["name", "target"]);
  expect(await stack.drift()).toMatchObject({ code: 0, drifted: [] });
});
