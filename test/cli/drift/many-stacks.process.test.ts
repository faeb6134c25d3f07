import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { collectDrift } from "../../../src/cli/drift/collect";
import { contextIn } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";
const STACKS = 100;
const nameOf = (index: number) => `stack-${String(index).padStart(3, "0")}`;

let emulator: TestEmulator;
let folder: string;
const path = process.env["PATH"] ?? "";

/** A state with a domain and a record. */
function stateOf(stack: string, domainId: number, recordId: number): string {
  const resource = (type: string, name: string, id: string, inputs: Record<string, unknown>) => ({
    urn: `urn:pulumi:${stack}::infra::${PREFIX}${type}::${name}`,
    ...{ custom: true, id, type: `${PREFIX}${type}`, inputs },
    outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
  });
  const domain = { domain: `${stack}.example`, type: "master", soaEmail: "dns@example.org" };
  const record = { domainId: `${domainId}`, type: "A", name: "www", target: "192.0.2.1" };
  const resources = [
    resource("Domain", "zone", `${domainId}`, domain),
    resource("DomainRecord", "www", `${domainId}/${recordId}`, record),
  ];
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/** A command line that prints the states in the folder, because the engine needs half a minute for 100 stacks. */
const commandLine = () => `#!/bin/sh
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) cat ${folder}/stacks.json ;;
  "stack export"*) for last; do :; done; while [ "$1" != --stack ]; do shift; done; cat "${folder}/$2.json" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;

const drift = (selection: { stacks: string[]; all: boolean }) =>
  collectDrift(
    contextIn({
      directory: folder,
      environment: {
        PATH: process.env["PATH"],
        NODECLOUD_TOKEN: emulator.token,
        NODECLOUD_BASE_URL: emulator.url,
      },
    }),
    { show: () => undefined, note: () => undefined },
    { directories: ["."], ...selection },
  );

beforeAll(async () => {
  emulator = await startTestEmulator();
  folder = mkdtempSync(join(tmpdir(), "nodecloud-many-"));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("Pulumi.yaml", "name: infra\nruntime: nodejs\n");
  write("pulumi", commandLine());
  chmodSync(join(folder, "pulumi"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
  for (const name of names) {
    const create = (at: string, body: object) => emulator.call<{ id: number }>("POST", at, { body });
    const domain = { domain: `${name}.example`, type: "master", soa_email: "dns@example.org" };
    const { body: zone } = await create("/domains", domain);
    const record = { type: "A", name: "www", target: "192.0.2.1" };
    const { body: www } = await create(`/domains/${zone.id}/records`, record);
    write(`${name}.json`, stateOf(name, zone.id, www.id));
  }
  write("stacks.json", JSON.stringify(names.map((name) => ({ name, current: name === nameOf(0) }))));
});

afterAll(async () => {
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true, force: true });
  await emulator.stop();
});

test("100 stacks of one account cost the same requests as one stack, and each list is read once", async () => {
  await emulator.newCounts();
  const one = await drift({ stacks: [nameOf(0)], all: false });
  const ofOne = await emulator.newCounts();
  const all = await drift({ stacks: [], all: true });
  const ofAll = await emulator.newCounts();

  expect(one.findings).toHaveLength((STACKS - 1) * 2);
  expect(all).toMatchObject({ findings: [], gaps: [], notes: [] });
  expect(all.stacks).toHaveLength(STACKS);
  expect(all.coverage).toEqual(
    expect.arrayContaining([
      { account: emulator.url, type: "Domain", objects: STACKS, managed: STACKS },
      { account: emulator.url, type: "DomainRecord", objects: STACKS, managed: STACKS },
    ]),
  );
  expect(ofAll).toEqual(ofOne);
  expect(ofAll).toMatchObject({ "GET /v4/domains": 1, "GET /v4/domains/:id/records": STACKS });
});

describe("an object in the states of two stacks", () => {
  const [first, second] = [nameOf(0), nameOf(1)];
  const urn = (stack: string) => `urn:pulumi:${stack}::infra::${PREFIX}Domain::zone`;
  const others = [expect.objectContaining({ urn: urn(second) })];

  async function idOf(stack: string): Promise<string> {
    const { body } = await emulator.call<{ data: { id: number; domain: string }[] }>("GET", "/domains");
    return String(body.data.find(({ domain }) => domain === `${stack}.example`)?.id);
  }

  /** Compares two stacks, with other texts in their states: of both, or of the second one. */
  async function driftWith(both: (text: string) => string, ofSecond = both) {
    const files = [first, second].map((stack) => join(folder, `${stack}.json`));
    const before = files.map((file) => readFileSync(file, "utf8"));
    files.forEach((file, index) => {
      writeFileSync(file, (index === 0 ? both : ofSecond)(before[index] ?? ""));
    });
    try {
      const { findings, notes } = await drift({ stacks: [first, second], all: false });
      expect(notes).toEqual([]);
      return findings.filter(({ kind }) => kind === "shared");
    } finally {
      files.forEach((file, index) => {
        writeFileSync(file, before[index] ?? "");
      });
    }
  }

  const same = (text: string) => text;
  const withZoneOfFirst = async () => {
    const [own, ofFirst] = [await idOf(second), await idOf(first)];
    return (text: string) =>
      text.replaceAll(`"${own}"`, `"${ofFirst}"`).replaceAll(`${second}.example`, `${first}.example`);
  };

  test("is a finding, because a destroy of one takes it from the other", async () => {
    expect(await driftWith(same, await withZoneOfFirst())).toEqual([
      {
        ...{ kind: "shared", type: "Domain", id: await idOf(first), label: `${first}.example` },
        ...{ account: emulator.url, tags: undefined },
        resource: expect.objectContaining({ urn: urn(first) }) as unknown,
        others,
      },
    ]);
  });

  test("is a finding with its id if the account does not have it any more", async () => {
    const ids = [await idOf(first), await idOf(second)];
    const without = (text: string) => ids.reduce((now, id) => now.replaceAll(`"${id}"`, '"999999"'), text);
    expect(await driftWith(without)).toEqual([
      expect.objectContaining({ type: "Domain", id: "999999", account: emulator.url, others }),
    ]);
  });

  test("is a finding if the other one is about to delete it for a replacement, and none if both are", async () => {
    const withZone = await withZoneOfFirst();
    const leaving = (text: string) => text.replace('"custom":true', '"custom":true,"delete":true');
    const both = (text: string) => leaving(withZone(text));
    expect(await driftWith(same, both)).toEqual([expect.objectContaining({ type: "Domain", others })]);
    expect(await driftWith(leaving, both)).toEqual([]);
  });
});
