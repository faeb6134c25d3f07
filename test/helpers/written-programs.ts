import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/api/client";
import { keyOf, listAccount, type LiveObject } from "../../src/cli/account/list-account";
import { type Properties } from "../../src/provider/base/values";
import { declaredBy, type DeclaredResource } from "./adopting-program";
import { appliedState } from "./applied-state";
import { nodecloud, type Printed } from "./command-line";
import { startTestEmulator, type TestEmulator } from "./emulator";
import { ROOT } from "./programs";

const FOLDER = join(ROOT, "test/cli/import/from/configurations");

/** The configurations of Terraform, each with its state. */
export const CONFIGURATIONS = readdirSync(FOLDER);

interface Expected {
  /** The class and the name of each resource of the program. */
  readonly adopted: readonly string[];
  /** A part of each line about what was left out. */
  readonly says: readonly string[];
}

/** The program that was written from the state of a configuration, and the account. */
export interface Written {
  readonly printed: Printed;
  readonly resources: readonly DeclaredResource[];
  readonly objects: ReadonlyMap<string, LiveObject>;
  readonly writes: readonly string[];
  readonly expected: Expected;
}

/** Changes the text of a state before a program is written from it. */
type Change = (state: string) => string;

/** Makes the objects of a configuration in an account, except those that it lacks, and returns the state with their ids. */
export async function appliedConfiguration(emulator: TestEmulator, name: string): Promise<string> {
  const at = (file: string) => join(FOLDER, name, file);
  const file = existsSync(at("state.json")) ? "state.json" : "terraform.tfstate";
  const state = readFileSync(at(file), "utf8");
  const isAbsent = (one: { name: string; attributes: Properties }) =>
    one.name === "gone" || String(one.attributes["tags"]).includes("elsewhere");
  const applied = await appliedState(emulator, state.replace("192.0.2.99", "192.0.2.100"), isAbsent);
  return applied.replace("192.0.2.100", "192.0.2.99");
}

/** Makes the account of a configuration, and writes the program from its state. */
async function writeProgram(folder: string, name: string, change: Change): Promise<Written> {
  const emulator = await startTestEmulator();
  try {
    const state = await appliedConfiguration(emulator, name);
    writeFileSync(join(folder, `${name}.tfstate`), change(state));
    emulator.reset("requests");
    const printed = await nodecloud(["import", "--from-terraform", `${name}.tfstate`, "--out", name], {
      directory: folder,
      environment: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
    });
    const writes = await emulator.writes();
    const client = createClient({ token: emulator.token, baseUrl: emulator.url });
    const { objects } = await listAccount(client, new Map(), () => undefined);
    const outputsOf = (type: string, id: string) => objects.get(keyOf(type, id))?.shown ?? {};
    const resources = printed.code === 0 ? declaredBy(join(folder, name), "index.ts", outputsOf) : [];
    const expected = JSON.parse(readFileSync(join(FOLDER, name, "expected.json"), "utf8")) as Expected;
    return { printed, resources, objects, writes, expected };
  } finally {
    await emulator.stop();
  }
}

/** The programs of all configurations, by name, and the folder that has them. */
export interface WrittenPrograms {
  readonly folder: string;
  readonly written: ReadonlyMap<string, Written>;
}

/** Writes the programs of all configurations for the tests of a file. */
export function programsForAllTests(
  begin: (programs: WrittenPrograms) => void,
  change: Change = (state) => state,
): void {
  const folder = mkdtempSync(join(tmpdir(), "from-terraform-"));
  beforeAll(async () => {
    const written = new Map<string, Written>();
    for (const name of CONFIGURATIONS) written.set(name, await writeProgram(folder, name, change));
    begin({ folder, written });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
}
