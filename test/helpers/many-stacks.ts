import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { collectDrift } from "../../src/cli/drift/collect";
import { type Drift } from "../../src/cli/drift/findings";
import { contextIn } from "./command-line";
import { startTestEmulator, type TestEmulator } from "./emulator";

export const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";

export const nameOf = (index: number) => `stack-${String(index).padStart(3, "0")}`;

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

/**
 * A command line that prints the states in the folder, because the engine needs half a minute for 100 stacks. \`FILE.next\` takes the place of a file that was printed, as
 * if another run had been faster. TICK is another text each time.
 */
const commandLine = (folder: string) => `#!/bin/sh
print() {
  cd ${folder}
  [ -f "$1.error" ] && { cat "$1.error" >&2; exit 1; }
  [ -f "$1" ] || { echo "error: place 1: unexpected end of JSON input" >&2; exit 1; }
  sed "s/TICK/$$/" "$1"
  [ -f "$1.next" ] && mv "$1.next" "$1"
  exit 0
}
echo "+ $*" >> ${folder}/commands
trap 'echo "- $*" >> ${folder}/commands' EXIT
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) print stacks.json ;;
  "stack export"*) for last; do :; done; while [ "$1" != --stack ]; do shift; done; print "$2.json" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;

/** The list of stacks, of which some were saved later. */
export const stacksAt = (names: readonly string[], later: readonly string[] = []) =>
  JSON.stringify(
    names.map((name) => ({
      name,
      current: name === nameOf(0),
      lastUpdate: later.includes(name) ? "2026-11-28T02:00:00.000Z" : "2026-11-28T01:00:00.000Z",
    })),
  );

interface Selected {
  readonly stacks: readonly string[];
  readonly all: boolean;
  readonly directories?: readonly string[];
  readonly states?: readonly string[];
  readonly sync?: string;
}

/** Stacks of one project in a folder, each with a domain and a record that an emulator has. */
export interface ManyStacks {
  readonly emulator: TestEmulator;
  readonly folder: string;
  readonly names: readonly string[];
  /** The environment of commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  drift(selection: Selected, more?: Readonly<Record<string, string>>): Promise<Drift>;
  /** The commands that have run since the last time. */
  commands(): string[];
  stop(): Promise<void>;
}

export async function startManyStacks(count: number): Promise<ManyStacks> {
  const emulator = await startTestEmulator();
  const folder = mkdtempSync(join(tmpdir(), "nodecloud-many-"));
  const path = process.env["PATH"] ?? "";
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("Pulumi.yaml", "name: infra\nruntime: nodejs\n");
  write("commands", "");
  write("pulumi", commandLine(folder));
  chmodSync(join(folder, "pulumi"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  const names = Array.from({ length: count }, (_, index) => nameOf(index));
  for (const name of names) {
    const create = (at: string, body: object) => emulator.call<{ id: number }>("POST", at, { body });
    const domain = { domain: `${name}.example`, type: "master", soa_email: "dns@example.org" };
    const { body: zone } = await create("/domains", domain);
    const record = { type: "A", name: "www", target: "192.0.2.1" };
    const { body: www } = await create(`/domains/${zone.id}/records`, record);
    write(`${name}.json`, stateOf(name, zone.id, www.id));
  }
  write("stacks.json", stacksAt(names));
  const environment = {
    PATH: process.env["PATH"],
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
  };
  return {
    ...{ emulator, folder, names, environment },
    drift: (selection, more = {}) =>
      collectDrift(
        contextIn({ directory: folder, environment: { ...environment, ...more } }),
        { show: () => undefined, note: () => undefined },
        { directories: ["."], ...selection },
      ),
    commands: () => {
      const lines = readFileSync(join(folder, "commands"), "utf8").trim().split("\n");
      write("commands", "");
      return lines;
    },
    stop: async () => {
      process.env["PATH"] = path;
      rmSync(folder, { recursive: true, force: true });
      await emulator.stop();
    },
  };
}
