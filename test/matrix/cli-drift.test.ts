import { collectDrift } from "../../src/cli/drift/collect";
import { type Drift, type Finding } from "../../src/cli/drift/findings";
import { everything } from "../engine/everything";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { contextIn } from "../helpers/command-line";

const MORE = `
const other = new nodecloud.Domain("other", { domain: "example.net", type: "master", soaEmail: "dns@example.net" });
new nodecloud.DomainRecordSet("set", { domainId: other.id, exclusive: true, records: [
  { type: "A", target: "192.0.2.10" }, { type: "MX", target: "mx.example.net", priority: 10 },
] });
new nodecloud.DomainRecord("hidden", { domainId: zone.id, type: "TXT", name: "hidden", target: pulumi.secret("a-secret-text") });`;

let emulator: TestEmulator;
let stack: TestStack;
let ids: Readonly<Record<string, string>>;

const drift = (
  { folder, env }: TestStack,
  selection: Partial<Parameters<typeof collectDrift>[2]> = {},
): Promise<Drift> =>
  collectDrift(
    contextIn({ directory: folder.path, environment: env }),
    { show: () => undefined, note: () => undefined },
    { directories: ["."], stacks: ["test"], all: false, ...selection },
  );

const nameOf = (finding: Finding): string =>
  finding.kind === "unmanaged"
    ? `${finding.type} ${finding.label ?? ""}`
    : (finding.resource.urn.split("::").at(-1) ?? "");

const summary = ({ findings }: Drift) => findings.map((finding) => `${finding.kind} ${nameOf(finding)}`);

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, everything() + MORE);
  stack.folder.write("disk.img", "a small disk");
  expect(await stack.up()).toMatchObject({ code: 0 });
  ids = Object.fromEntries(Object.entries(await stack.state()).map(([name, { id }]) => [name, id]));
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

test("right after an up there is nothing to report, and nothing is written", async () => {
  emulator.reset("requests");
  const found = await drift(stack);
  expect(found).toMatchObject({ findings: [], gaps: [], notes: [] });
  expect(found.coverage.length).toBeGreaterThan(8);
  expect(found.coverage.every(({ objects, managed }) => objects === managed)).toBe(true);
  expect(await emulator.writes()).toEqual([]);
});

const changed = async (path: string, patch: Readonly<Record<string, unknown>>): Promise<void> => {
  expect(await emulator.control("PATCH", `/objects/${path}`, patch)).toMatchObject({ status: 200 });
};

test("changes, deletions and additions outside Pulumi are reported, and nothing else", async () => {
  await changed(`nodes/${ids["web"]}`, { label: "someone-else", alerts: { cpu: 1 }, hypervisor: "other" });
  await changed(`mysql/${ids["mysql"]}`, { allow_list: ["203.0.113.1/32"] });
  await changed(`records/${ids["hidden"]}`, { target: "another-secret-text" });
  await emulator.control("DELETE", `/objects/records/${ids["caa"]}`);
  const body = { label: "stray", region: "us-east", type: "g6-nanode-1" };
  await emulator.call("POST", "/node/instances", { body });
  const records = `/domains/${ids["other"]}/records`;
  await emulator.call("POST", records, { body: { type: "A", name: "new", target: "192.0.2.77" } });
  await emulator.call("POST", `/domains/${ids["zone"]}/records`, {
    body: { type: "A", name: "stray", target: "192.0.2.78" },
  });
  const { body: members } = await emulator.call<{ data: { id: number; type: string }[] }>("GET", records);
  const mx = members.data.find(({ type }) => type === "MX");
  await emulator.call("DELETE", `${records}/${mx?.id}`);
  emulator.reset("requests");

  const found = await drift(stack);

  expect(summary(found).sort()).toEqual([
    "changed hidden",
    "changed mysql",
    "changed set",
    "changed web",
    "deleted caa",
    "unmanaged DomainRecord A stray",
    "unmanaged Node stray",
  ]);
  const at = (name: string) => found.findings.find((finding) => nameOf(finding) === name);
  expect(at("web")).toMatchObject({
    type: "Node",
    label: "someone-else",
    resource: { source: { file: "index.js", line: 4 } },
    properties: expect.arrayContaining([
      { path: "label", expected: "web-one", live: "someone-else" },
      { path: "alerts.cpu", expected: 81, live: 1 },
    ]),
  });
  expect(at("hidden")).toMatchObject({ properties: [{ path: "target", secret: true }] });
  expect(at("set")).toMatchObject({
    label: "example.net",
    properties: [],
    members: [
      { change: "deleted", expected: "@ MX 10 mx.example.net" },
      { change: "added", live: "new A 192.0.2.77" },
    ],
  });
  expect(found.coverage).toContainEqual({
    account: emulator.url,
    type: "Node",
    objects: 2,
    managed: 1,
  });
  const printed = JSON.stringify(found);
  for (const secret of ["a-secret-text", "another-secret-text", emulator.token, "correct horse battery"]) {
    expect(printed).not.toContain(secret);
  }
  expect(await emulator.writes()).toEqual([]);
});
