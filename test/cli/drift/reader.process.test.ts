import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nodecloud, type Printed } from "../../helpers/command-line";
import { READER, startTestEmulator, type TestEmulator, withReader } from "../../helpers/emulator";
import { programFolder, type ProgramFolder, ROOT } from "../../helpers/programs";
import { type WholeAccount, wholeAccount } from "../../helpers/whole-account";

const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";
const NOTE =
  "the MysqlDatabaseBackup and PostgresqlDatabaseBackup objects at URL were not read: listing them needs the scope databases:read_write, which a token that only reads does not have";

let emulator: TestEmulator;
let account: WholeAccount;
let folder: ProgramFolder;
const path = process.env["PATH"] ?? "";

const idOf = (name: string) => account[name]?.split("/").at(-1) ?? "";

const inState = (type: string, name: string, id: string, outputs: object) => ({
  urn: `urn:pulumi:test::infra::${PREFIX}${type}::${name}`,
  ...{ custom: true, id, type: PREFIX + type, inputs: outputs },
  outputs: { ...outputs, __set: Object.keys(outputs).join(",") },
});

/** Starts an emulator with an object of each kind, and a project whose stack manages a database, a backup of it and two zones. */
async function start(without: readonly string[] = []): Promise<void> {
  emulator = await startTestEmulator({ accounts: withReader({ without }) });
  account = await wholeAccount(emulator);
  emulator.reset("requests");
  const databaseId = idOf("mysql");
  const resources = [
    inState("MysqlDatabase", "shop", databaseId, { label: "shop" }),
    inState("MysqlDatabaseBackup", "before", `${databaseId}/999`, { databaseId, label: "before" }),
    inState("Domain", "zone", idOf("zone"), { domain: "example.org", ttlSec: 999 }),
    inState("Domain", "gone", "999", { domain: "gone.example" }),
  ];
  folder = programFolder({ "Pulumi.yaml": "name: infra\nruntime: nodejs\n" }, ROOT);
  folder.write("node_modules/.state.json", JSON.stringify({ version: 3, deployment: { resources } }));
  folder.write(
    "node_modules/.commands/pulumi",
    `#!/bin/sh
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) echo '[{"name":"test","current":true}]' ;;
  "stack export"*) cat "${folder.path}/node_modules/.state.json" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`,
  );
  chmodSync(join(folder.path, "node_modules/.commands/pulumi"), 0o755);
  process.env["PATH"] = join(folder.path, "node_modules/.commands") + delimiter + path;
}

afterEach(async () => {
  process.env["PATH"] = path;
  folder.remove();
  await emulator.stop();
});

const run = async (args: readonly string[], token = READER) => {
  const printed: Printed = await nodecloud(["drift", "--format", "json", ...args], {
    directory: folder.path,
    environment: {
      PATH: process.env["PATH"],
      NODECLOUD_TOKEN: token,
      NODECLOUD_BASE_URL: emulator.url,
    },
  });
  const { complete, findings, coverage, notes, gaps } = JSON.parse(printed.stdout);
  return {
    ...printed,
    ...{ complete, notes, gaps },
    findings: (findings as { kind: string; type: string; urn?: string }[]).map(({ kind, type, urn = "" }) =>
      `${kind} ${type} ${urn.split("::").at(-1)}`.trim(),
    ),
    types: (coverage.rows as { type: string }[]).map(({ type }) => type),
  };
};

test("with a read_only token, database backups are a note, the comparison is complete, and none is called deleted", async () => {
  await start();
  folder.write(".nodecloudignore", "- { kind: MysqlDatabaseBackup, reason: of the team }\n");
  const { code, complete, findings, types, notes, gaps, stderr } = await run(["--fail-on", "shared"]);
  const note = NOTE.replace("URL", emulator.url);
  expect({ code, complete, gaps, notes }).toEqual({ code: 0, complete: true, gaps: [], notes: [note] });
  expect(stderr).toBe(`note: ${note}\n`);
  expect(findings).toEqual(
    expect.arrayContaining(["changed Domain zone", "deleted Domain gone", "unmanaged Node"]),
  );
  expect(findings.filter((line) => line.includes("Backup"))).toEqual(["unmanaged NodeBackupSnapshot"]);
  expect(types).not.toContain("MysqlDatabaseBackup");
  const writer = await run([], emulator.token);
  expect(writer).toMatchObject({ code: 2, notes: [] });
  expect(writer.findings).toEqual(
    expect.arrayContaining(["deleted MysqlDatabaseBackup before", "unmanaged PostgresqlDatabaseBackup"]),
  );
});

test("a list for which the token lacks the read_only scope stays a gap", async () => {
  await start(["databases"]);
  const { code, complete, gaps, notes } = await run(["--fail-on", "shared"]);
  expect({ code, complete, notes }).toEqual({ code: 1, complete: false, notes: [] });
  expect(gaps).toContainEqual({
    what: `the MysqlDatabase objects at ${emulator.url}`,
    reason: expect.stringContaining("databases:read_only"),
  });
});

test("--only compares the kinds that it names, and reads no others but those above them", async () => {
  await start();
  folder.write(".nodecloudignore", "- { kind: Node, reason: of the team }\n");
  const domains = await run(["--only", "domain"]);
  expect(domains).toMatchObject({ code: 2, notes: ["only Domain objects were compared"], types: ["Domain"] });
  expect(domains.findings).toEqual(["changed Domain zone", "deleted Domain gone", "unmanaged Domain"]);
  const gone = { "GET /v4/domains/:id": 2 };
  expect(await emulator.newCounts()).toEqual({ "GET /v4/domains": 1, ...gone });

  const records = await run(["--only", "DomainRecordSet", "--fail-on", "deleted"]);
  expect(records).toMatchObject({ code: 0, complete: true, types: ["DomainRecord"] });
  expect(records.notes).toEqual(["only DomainRecord objects were compared"]);
  expect(new Set(records.findings)).toEqual(new Set(["unmanaged DomainRecord"]));
  expect(await emulator.newCounts()).toEqual({ "GET /v4/domains": 1, "GET /v4/domains/:id/records": 2 });

  const both = await run(["--only", "Domain,DomainRecord"]);
  expect(both.notes).toEqual(["only Domain and DomainRecord objects were compared"]);
  expect(both.types).toEqual(["Domain", "DomainRecord"]);
});
