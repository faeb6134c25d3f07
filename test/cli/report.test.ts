import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exceptImportedBy, givenUpBy } from "../../src/provider/describe/effects";
import { printableLine } from "../../src/api/text";
import { describePlan } from "../../src/provider/collection/describe-plan";
import { planOf } from "../../src/provider/collection/plan";
import { heldIn, wantedIn } from "../../src/provider/state/members";
import { pack } from "../../src/provider/state/packed-members";
import { domainRecordSet } from "../../src/resources/domain-record-set";
import { nodecloud } from "../helpers/command-line";

type Json = Record<string, unknown>;

const directory = join(__dirname, "fixtures/report");
const report = (args: readonly string[], options: Parameters<typeof nodecloud>[1] = {}) =>
  nodecloud(["report", ...args], { directory, ...options });
const recorded = (file: string) => JSON.parse(readFileSync(join(directory, file), "utf8")) as Preview;

interface Preview {
  steps: { op: string; urn: string; oldState: State; newState: State }[];
  diagnostics?: Json[];
  changeSummary: Record<string, number>;
}

interface State extends Json {
  inputs: Json;
  outputs: Json;
}

/** The recorded preview with one change made to it. */
const edited = (edit: (preview: Preview) => void) => {
  const preview = recorded("change.json");
  edit(preview);
  return JSON.stringify(preview);
};

const stepOf = (preview: Preview, name: string) => {
  const step = preview.steps.find(({ urn }) => urn.endsWith(`::${name}`));
  if (step === undefined) throw new Error(`no step of ${name}`);
  return step;
};

test("a comment begins with its marker, the counts and what loses data", async () => {
  const { code, stdout } = await report(["change.json"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n").filter((line) => line !== "");
  expect(lines.slice(0, 4)).toEqual([
    "<!-- nodecloud-report: Pulumi%20preview -->",
    "### Pulumi preview of `program/test`: 10 changes: 3 lose data, 1 to replace, 1 to delete, 1 deletes members of a set, 5 to update (1 of them may be updated), 2 to leave the stack, 1 to create",
    "#### Loses data (3)",
    "- **`MysqlDatabase` `db`** is replaced, because region changed, and the API has no operation to change it: the database's data and backups are lost",
  ]);
  const order = [
    "Loses data (3)",
    "Deletions (1)",
    "Updates (3)",
    "Leaves the stack, and the object stays (2)",
    "Creations (1)",
  ];
  expect(order.map((heading) => stdout.indexOf(heading))).toEqual(
    order.map((heading) => stdout.indexOf(heading)).sort((a, b) => a - b),
  );
});

test("an update shows old and new values, and the elements of lists and record sets", async () => {
  const { stdout } = await report(["change.json", "--format", "text"]);
  expect(stdout).toContain(
    `
  Node web is updated: turning the backup service off deletes all backups of the node for good; the node is not available during the resize
    ! alerts.cpu: 90 → 80
    ! backupsEnabled: true → false
      tags:
    -   "a"
    +   "c"
    ! type: "g6-nanode-1" → "g6-standard-1"
`.replaceAll("    !", "    ~"),
  );
  expect(stdout).toContain(`
  DomainRecordSet set is updated: deletes 1 of its records
      records:
    -   www CNAME example.net
    +   @ MX 10 mx.example.org
`);
  expect(stdout).toContain(`    ~ target: "192.0.2.77" → (not known yet)`);
});

test("the engine's events give the same report as its object", async () => {
  const [object, events] = await Promise.all([report(["change.json"]), report(["change.ndjson"])]);
  expect(events.stdout).toBe(object.stdout);
});

test("a report is the same each time, and the same from stdin", async () => {
  const input = readFileSync(join(directory, "change.json"), "utf8");
  const [file, stdin] = await Promise.all([report(["change.json"]), report(["-"], { input })]);
  expect(stdin).toEqual(file);
  const reversed = edited((preview) => void preview.steps.reverse());
  expect((await report([], { input: reversed })).stdout).toBe(file.stdout);
});

test.each(["failed.json", "failed.ndjson"])(
  "a preview that failed is called incomplete: %s",
  async (file) => {
    const { code, stdout } = await report([file]);
    expect(code).toBe(0);
    expect(stdout).toContain("This report is incomplete: the command failed, so there may be more changes.");
    expect(stdout).toContain("resource 'zone' has a problem: soaEmail must be an email address");
  },
);

test("a preview in which a data function has read what the run changes is incomplete", async () => {
  const node = (region: string) => shown("Node", "4", { region, type: "g6-nanode-1" });
  const message =
    "get Node: reads what this run changes (Node web), and `pulumi up` reads it after that, so this preview may be wrong: use getNodeOutput with dependsOn";
  const input = previewOf([["update", "web", node("us-east"), node("us-west")]], [["Node", "web", message]]);
  const { code, stderr } = await report(["-", "--deny", "deletion"], { input });
  expect(code).toBe(1);
  expect(stderr).toContain("a data function has read what the run changes, so there may be more changes");
});

test("a preview that could not ask the provider of a resource is incomplete", async () => {
  const node = (region: string) => shown("Node", "4", { region, type: "g6-nanode-1" });
  const message =
    "The provider for this resource has inputs that are not known during preview.\nThis preview may not correctly represent the changes that will be applied during an update.";
  const input = previewOf([["update", "web", node("us-east"), node("eu-west")]], [["Node", "web", message]]);
  const { code, stderr } = await report(["-", "--deny", "data-loss"], { input });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "the policy cannot be checked for program/test: a setting of the provider of Node web is not known yet, so the preview did not ask the provider [NC2013]\n",
  });
});

test("events without an end are called incomplete, and so is a preview that lacks steps", async () => {
  const events = readFileSync(join(directory, "change.ndjson"), "utf8").split("\n");
  const cut = events.filter((line) => !line.includes("summaryEvent")).join("\n");
  expect((await report([], { input: cut })).stdout).toContain("incomplete: the command did not finish");
  const lacking = edited((preview) => {
    preview.steps = preview.steps.filter(({ op }) => op !== "delete");
  });
  expect((await report([], { input: lacking })).stdout).toContain("the engine counts more steps (delete)");
});

test("a preview without changes says so", async () => {
  const { stdout } = await report(["empty.json"]);
  expect(stdout).toContain("### Pulumi preview of `program/test`: no changes\n");
});

test("a secret is never shown, even with --show-secrets and in a message", async () => {
  const planted = "correct-horse-battery";
  const input = edited((preview) => {
    const token = stepOf(preview, "tok");
    const web = stepOf(preview, "web");
    for (const state of [token.oldState, token.newState]) state.inputs["target"] = `${planted}-old`;
    token.newState.inputs["target"] = planted;
    web.newState.inputs["rootPass"] = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: JSON.stringify("planted-in-an-envelope"),
    };
    preview.diagnostics?.push({
      severity: "warning",
      message: `warning: seen ${planted} and planted-in-an-envelope`,
    });
  });
  for (const format of ["markdown", "text", "json"]) {
    const { stdout } = await report(["--format", format], {
      input,
      environment: { NODECLOUD_TOKEN: "g6-standard-1" },
    });
    expect(stdout).not.toMatch(/correct-horse|planted-in|g6-standard-1/);
    expect(stdout).toContain("[secret]");
  }
});

test("texts of users cannot end a fold, mention anybody, or control a terminal", async () => {
  const input = edited((preview) => {
    stepOf(preview, "zone").newState.inputs["soaEmail"] = "</details>```\n@all \u001b[31m<b>";
  });
  const { stdout } = await report([], { input });
  expect(stdout).toContain("````diff");
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toMatch(/^\s*(?:<\/details>`|@all)/m);
});

test("a comment never exceeds the limit, says what is cut, and keeps what loses data", async () => {
  const whole = (await report(["change.json"])).stdout;
  for (let most = 1000; most < Buffer.byteLength(whole); most += 150) {
    const { stdout } = await report(["change.json", "--max-bytes", String(most)]);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(most);
    expect(stdout).toContain("Cut to fit: ");
    expect(stdout).toContain("**`MysqlDatabase` `db`** is replaced");
  }
});

test("a comment names every deletion and loss, or the command fails", async () => {
  const count = 300;
  const input = previewOf(
    Array.from({ length: count }, (_, at) => [
      "delete",
      `node-${at}`,
      shown("Node", String(at), { region: "us-east", type: "g6-nanode-1", label: `web-${at}`, tags: ["a"] }),
    ]),
  );
  for (const most of ["12000", "20000", "30000", "60000"]) {
    const { code, stdout } = await report(["-", "--max-bytes", most], { input });
    expect(code).toBe(0);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(Number(most));
    for (let at = 0; at < count; at++) expect(stdout).toContain(`\`node-${at}\``);
  }
  const { code, stdout, stderr } = await report(["-", "--max-bytes", "3000"], { input });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("3000 bytes are too few to name 300 changes that must be reviewed");
});

test.each(["nodecloud:index:", "pulumi-nodejs:dynamic/nodecloud:"])(
  "a comment names every deleted record and every set that deletes some, or the command fails: %s",
  async (prefix) => {
    const namesOf = (kind: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${kind}-${at}`);
    const [records, sets] = [namesOf("record", 200), namesOf("set", 50)];
    const record = shown("DomainRecord", "7/1", {
      domainId: "7",
      type: "A",
      name: "www",
      target: "192.0.2.1",
    });
    const set = (text: string) => shown("DomainRecordSet", "7", { domainId: "7", records: text });
    const [old, next] = [set("www A 192.0.2.1\napi A 192.0.2.1\n"), set("www A 192.0.2.1\n")];
    const input = previewOf(
      [
        ...records.map((name) => ["delete", name, record] as const),
        ...sets.map((name) => ["update", name, old, next] as const),
      ],
      sets.map((name) => ["DomainRecordSet", name, "records: 1 to delete\n- api A 192.0.2.1"]),
    ).replaceAll("nodecloud:index:", prefix);
    const { code, stdout } = await report(["-", "--max-bytes", "12000"], { input });
    expect(code).toBe(0);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(12_000);
    for (const name of [...records, ...sets]) expect(stdout).toContain(`\`${name}\``);
    expect(await report(["-", "--max-bytes", "3000"], { input })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("too few to name 250 changes that must be reviewed") as string,
    });
  },
);

test("several stacks share a comment, in which what loses data comes first", async () => {
  const staging = edited((preview) => void preview).replaceAll("pulumi:test::", "pulumi:staging::");
  const { stdout } = await report(["change.json", "-"], { input: staging });
  expect(stdout).toContain("### Pulumi preview of 2 stacks: 20 changes: 6 lose data");
  expect(stdout).toContain("**`MysqlDatabase` `db`** of `program/staging` is replaced");
  expect(stdout).toContain("<details><summary><code>program/staging</code>: 10 changes");
  expect(stdout.indexOf("Updates")).toBeGreaterThan(stdout.indexOf("of `program/staging`"));
});

test("a stack of several without further changes is one line, and nothing that opens is empty", async () => {
  const { stdout } = await report(["change.json", "empty.json"]);
  expect(stdout).toContain("\n<code>program/test</code>: no changes\n");
  expect(stdout).not.toMatch(/<\/summary>\s*<\/details>/);
});

test("a replacement that a value decides is one that may happen", async () => {
  const input = edited((preview) => {
    stepOf(preview, "db").newState.inputs["region"] = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  });
  const { stdout } = await report([], { input });
  expect(stdout).toContain(
    "**`MysqlDatabase` `db`** may be replaced: region is not known yet. If it is replaced, the database's data and backups are lost",
  );
});

test("a replacement of a backup that the API cannot delete loses nothing", async () => {
  const backup = (label: string) =>
    shown("PostgresqlDatabaseBackup", "11/12", { databaseId: "11", label }, { __set: "databaseId,label" });
  const input = previewOf([["replace", "backup", backup("before"), backup("after")]]);
  const { stdout } = await report(["-"], { input });
  expect(stdout).toContain("**`PostgresqlDatabaseBackup` `backup`** is replaced, because label changed");
  expect(stdout).not.toContain("lost");
});

test("an update that a value decides is one that may happen", async () => {
  const { stdout } = await report(["change.json"]);
  expect(stdout).toContain("**`DomainRecord` `viaweb`** may be updated: target is not known yet");
});

test.each([
  ["may happen if only an unknown value decides it", true, "a A (unknown)\nb A 192.0.2.2\n"],
  ["happens if a record goes, too", false, "a A (unknown)\n"],
  ["happens if a known part differs, too", false, "c A (unknown)\nb A 192.0.2.2\n"],
])("an update of a set %s", async (_, may, records) => {
  const set = (value: string) =>
    shown("DomainRecordSet", "1", { domainId: "1", records: value }, { __set: "domainId,records" });
  const now = set("a A 192.0.2.1\nb A 192.0.2.2\n");
  const { stdout } = await report(["-"], { input: previewOf([["update", "hosts", now, set(records)]]) });
  expect(stdout).toContain(
    `**\`DomainRecordSet\` \`hosts\`** ${may ? "may be updated: records is not known yet" : "is updated\n"}`,
  );
});

test.each([
  [
    "loses the backup if its database changes",
    { databaseId: "99" },
    "#### Loses data (4)",
    "the backup is lost",
  ],
  ["is what a new trigger asks for", { triggers: { release: "2" } }, "Replacements (1)", "triggers changed"],
])("a replacement of a backup %s", async (_, change, heading, reason) => {
  const input = edited((preview) => {
    const type = "pulumi-nodejs:dynamic/nodecloud:MysqlDatabaseBackup";
    const inputs = { databaseId: "11", label: "before", triggers: { release: "1" } };
    const urn = `urn:pulumi:test::program::${type}::backup`;
    const state = { urn, custom: true, type, id: "11/12" };
    preview.steps.push({
      ...{ op: "replace", urn, replaceReasons: Object.keys(change) },
      oldState: { ...state, inputs, outputs: { ...inputs, __set: "databaseId,label,triggers" } },
      newState: { ...state, inputs: { ...inputs, ...change }, outputs: {} },
    });
  });
  const { stdout } = await report([], { input });
  expect(stdout).toContain(heading);
  expect(stdout).toMatch(
    new RegExp(`\\*\\*\`MysqlDatabaseBackup\` \`backup\`\\*\\* is replaced, .*${reason}`),
  );
});

test("a secret that is a reason of a replacement is shown as one that changed, beside other changes", async () => {
  const node = (label: string) =>
    shown("Node", "4", { region: "us-east", type: "g6-nanode-1", label, rootPass: "[secret]" });
  const input = JSON.parse(previewOf([["replace", "web", node("a"), node("b")]])) as Preview;
  for (const step of input.steps) Object.assign(step, { replaceReasons: ["rootPass"] });
  const { stdout } = await report(["-", "--format", "json"], { input: JSON.stringify(input) });
  const { stacks } = JSON.parse(stdout) as { stacks: { changes: { properties: Json[] }[] }[] };
  expect(stacks[0]?.changes[0]?.properties).toMatchObject([
    { path: "label" },
    { path: "rootPass", secret: true },
  ]);
});

test("an update that does what a run before has not done names its inputs, though the engine sees no difference", async () => {
  const inputs = { region: "us-east", type: "g6-nanode-1", watchdogEnabled: false, tags: ["a"] };
  const left = { watchdogEnabled: true, tags: [], __set: "region,type" };
  const old = shown("Node", "4", inputs, left);
  const { stdout } = await report(["-", "--format", "json"], {
    input: previewOf([["update", "web", old, shown("Node", "4", inputs)]]),
  });
  const [stack] = (JSON.parse(stdout) as { stacks: { changes: { properties: unknown }[] }[] }).stacks;
  expect(stack?.changes[0]?.properties).toEqual([{ path: "tags" }, { path: "watchdogEnabled" }]);
});

test("a replacement that an unknown secret decides is one that may happen, as the preview says", async () => {
  const node = shown("Node", "4", { region: "us-east", type: "g6-nanode-1", userData: "[secret]" });
  const input = JSON.parse(
    previewOf(
      [["replace", "web", node, node]],
      [["Node", "web", "may be replaced: userData is not known yet. If it is replaced, the disks are lost"]],
    ),
  ) as Preview;
  for (const step of input.steps) Object.assign(step, { replaceReasons: ["userData"] });
  const { stdout } = await report(["-"], { input: JSON.stringify(input) });
  expect(stdout).toContain("**`Node` `web`** may be replaced: userData is not known yet");
});

test("a replacement of which only the creation is left is no deletion and loses nothing", async () => {
  const node = (region: string) => shown("Node", "4", { region, type: "g6-nanode-1" });
  const { code, stdout } = await judged(
    previewOf(
      [["replace", "web", node("us-east"), node("eu-west")]],
      [["Node", "web", "creates it again: a replacement that was not finished has deleted the old object"]],
    ),
    "data-loss,interruption,deletion,replacement",
  );
  expect(code).toBe(0);
  expect(stdout).toContain(
    "Node web is created, because a replacement that was not finished has deleted the old object",
  );
});

test.each([
  [["id"], "the command asks for it"],
  [[], "of an option such as replaceOnChanges, a resource that it depends on, or an earlier replacement"],
])(
  "a replacement for which the engine gives the reasons %j is not said to be one of an input",
  async (replaceReasons, because) => {
    const node = shown("Node", "4", { region: "us-east", type: "g6-nanode-1" });
    const input = JSON.parse(previewOf([["replace", "web", node, node]])) as Preview;
    for (const step of input.steps) Object.assign(step, { replaceReasons });
    const { stdout } = await report(["-"], { input: JSON.stringify(input) });
    expect(stdout).toContain(`**\`Node\` \`web\`** is replaced, because ${because}`);
  },
);

test("a replacement of another provider's resource shows the engine's reason", async () => {
  const input = edited((preview) => {
    const step = stepOf(preview, "db");
    step.urn = "urn:pulumi:test::program::random:index/randomPet:RandomPet::pet";
    for (const state of [step.oldState, step.newState]) state["type"] = "random:index/randomPet:RandomPet";
    step.oldState["pendingReplacement"] = false;
  });
  const { stdout } = await report([], { input });
  expect(stdout).toContain("<details><summary>Replacements (1)</summary>");
  expect(stdout).toContain(
    "**`random:index/randomPet:RandomPet` `pet`** is replaced, because region changed",
  );
});

test("bad input is one clear line", async () => {
  expect(await report(["-"], { input: "" })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: stdin is empty: .*failed before the preview \[NC2008\]\n$/,
    ) as string,
  });
  expect((await report(["-"], { input: "hello" })).stderr).toMatch(/^error: stdin is neither the output of/);
  expect((await report(["missing.json"])).stderr).toMatch(/^error: cannot read missing.json: ENOENT/);
  expect((await report(["-"], { input: "{}" })).stderr).toMatch(/^error: stdin is JSON, but not that of/);
});

test.each(["--out", "--output"])("the report goes to the file of %s", async (option) => {
  const { stdout } = await report(["change.json"]);
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  try {
    const file = join(folder, "comment.md");
    expect(await report(["change.json", option, file])).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the page shows the real output", async () => {
  const page = readFileSync(join(__dirname, "../../docs/report.md"), "utf8");
  const shown = /--format text\n(?<output>[^]*?)…/.exec(page)?.groups?.["output"] ?? "missing";
  const { stdout } = await report(["change.json", "--format", "text"]);
  expect(stdout.startsWith(shown)).toBe(true);
});

/** A resource as the engine prints it. */
const shown = (type: string, id: string, inputs: Json, outputs: Json = {}) => ({
  type: `nodecloud:index:${type}`,
  id,
  inputs,
  outputs: { ...inputs, ...outputs },
});

const urnOf = ({ type }: { type: string }, name: string) => `urn:pulumi:test::program::${type}::${name}`;

/** What a preview prints that creates, updates and deletes resources. */
function previewOf(
  steps: readonly (readonly [
    "create" | "import" | "update" | "replace" | "delete" | "same",
    string,
    ReturnType<typeof shown>,
    ReturnType<typeof shown>?,
  ])[],
  said: readonly (readonly [type: string, name: string, message: string])[] = [],
) {
  const count = (wanted: string) => steps.filter(([op]) => op === wanted).length;
  return JSON.stringify({
    steps: steps.map(([op, name, one, other = one]) => ({
      op,
      urn: urnOf(one, name),
      ...(op === "create" || op === "import" ? {} : { oldState: one }),
      ...(op === "delete" ? {} : { newState: other }),
    })),
    diagnostics: said.map(([type, name, message]) => ({
      urn: urnOf(shown(type, "", {}), name),
      prefix: "warning: ",
      severity: "warning",
      message: `warning: ${type} ${name}: ${message}`,
    })),
    changeSummary: { create: count("create"), update: count("update"), delete: count("delete") },
  });
}

/** The report of a preview as text, and the exit code with rules. */
async function judged(input: string, deny = "data-loss,interruption,deletion") {
  const { code, stdout } = await report(["-", "--format", "text", "--deny", deny], { input });
  return { code, stdout };
}

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
test.each([
  ["that is empty is one", [], 2, "is updated: no address may connect any more"],
  ["with an address that is not known yet is none", [UNKNOWN], 0, "may be updated: allowList"],
  ["that is not known yet may be one", UNKNOWN, 2, "may be updated: allowList is not known yet"],
])("a list of allowed addresses %s that interrupts a service", async (_, allowList, exit, says) => {
  const database = (list: unknown) =>
    shown("MysqlDatabase", "4", { label: "db", allowList: list }, { __set: "label,allowList" });
  const steps = [["update", "db", database(["192.0.2.0/24"]), database(allowList)]] as const;
  const { code, stdout } = await judged(previewOf(steps), "interruption");
  expect(stdout).toContain(`MysqlDatabase db ${says}`);
  expect(code).toBe(exit);
});

test("an image whose file has other content is reported by the input of the program", async () => {
  const image = (source: string, sourceHash: string) =>
    shown("Image", "private/5", { source, sourceHash, region: "us-east", label: "golden" });
  const propertiesOf = async (source: string) => {
    const input = previewOf([["update", "golden", image("disk.img", "a"), image(source, "b")]]);
    const { stdout } = await report(["-", "--format", "json"], { input });
    expect(stdout).not.toContain("sourceHash");
    return (JSON.parse(stdout) as { stacks: { changes: { properties: Json[] }[] }[] }).stacks[0]?.changes[0]
      ?.properties;
  };
  expect(await propertiesOf("disk.img")).toEqual([{ path: "source" }]);
  expect(await propertiesOf("other.img")).toEqual([
    { path: "source", before: '"disk.img"', after: '"other.img"' },
  ]);
});

describe("the changes of a set stand once", () => {
  const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const set = (lines: readonly string[]) =>
    shown("DomainRecordSet", "7", { domainId: "7", records: textOf(lines) }, { __set: "domainId,records" });
  const hosts = (of: readonly number[], target: string) => of.map((at) => `host${at + 10} A ${target}`);

  interface Manner {
    /** The names of the records that another resource has too. */
    readonly left?: readonly string[];
    readonly importing?: readonly string[];
    /** A record that exists and that an earlier run should have deleted. */
    readonly kept?: string;
    /** The input in which the program has the records. */
    readonly form?: string;
  }

  /** The report of an update of a set, as the provider announces it. */
  async function linesOf(
    before: readonly string[],
    after: readonly string[],
    { left = [], importing = [], kept, form = "records" }: Manner = {},
  ) {
    const ids = before.map((_, at) => String(at));
    const members = { ids, answered: {}, left: kept === undefined ? [] : [["99", kept] as const] };
    const held = heldIn(domainRecordSet, { outputs: { records: textOf(before) }, members });
    const plan = planOf(domainRecordSet, held, wantedIn(domainRecordSet, textOf(after)));
    const lines = describePlan(domainRecordSet, plan, {
      ...{ guarded: false, exceptions: importing.map(exceptImportedBy), form },
      heirOf: ({ inputs }) =>
        left.includes(String(inputs["name"])) ? { name: "DomainRecord own" } : undefined,
    });
    const said = [["DomainRecordSet", "set", lines.map(printableLine).join("\n")]] as const;
    const { stdout } = await report(["-", "--format", "text"], {
      input: previewOf([["update", "set", set(before), set(after)]], said),
    });
    return stdout.split("\n");
  }

  const reported = async (...change: Parameters<typeof linesOf>) =>
    (await linesOf(...change)).flatMap((line) => (line.startsWith("    ") ? [line.slice(4)] : []));
  const sentenceOf = async (...change: Parameters<typeof linesOf>) =>
    (await linesOf(...change)).find((line) => line.startsWith("  DomainRecordSet"));

  test("of a deleted set, all that the state has, also what it has taken over, and nothing of a secret or what stays", async () => {
    const lines = ["a A 192.0.2.1", "taken A 192.0.2.9"];
    const before = set(lines);
    const of = async (more: Json, outputs: Json = {}) => {
      const old = { ...before, ...more, outputs: { ...before.outputs, __adopted: true, ...outputs } };
      const input = previewOf([["delete", "set", old]]);
      return (await report(["-", "--format", "text"], { input })).stdout;
    };
    const all = "\n      records:\n    -   a A 192.0.2.1\n    -   taken A 192.0.2.9\n";
    expect(await of({})).toContain(`DomainRecordSet set is deleted${all}`);
    expect(await of({ retainOnDelete: true })).not.toContain("192.0.2");
    expect(await of({}, { __guarded: true })).not.toContain("192.0.2");
  });

  test("also if a record is updated", async () => {
    const before = ["a A 192.0.2.1", "b A 192.0.2.1", 'c TXT "x"'];
    const after = ["a 300 A 192.0.2.1", "b A 192.0.2.2", 'd TXT "x"'];
    expect(await reported(before, after)).toEqual([
      "  records:",
      ...before.map((line) => `-   ${line}`),
      ...after.map((line) => `+   ${line}`),
    ]);
  });

  test("also if the preview cuts its list, and lines are long", async () => {
    const all = Array.from({ length: 40 }, (_, at) => at);
    const text = `key TXT "${"x".repeat(400)}"`;
    const shownOnce = await reported([...hosts(all, "192.0.2.1"), text], hosts(all, "192.0.2.2"));
    expect(shownOnce).toHaveLength(1 + 41 + 40);
    expect(shownOnce.filter((line) => /^[~…]|to (?:update|delete)/.test(line))).toEqual([]);
  });

  test("with what becomes of records besides", async () => {
    const before = ["a A 192.0.2.1", "b A 192.0.2.1"];
    const members = ["  records:", ...before.map((line) => `-   ${line}`), "+   a A 192.0.2.2"];
    expect(await reported(before, ["a A 192.0.2.2"], { left: ["b"] })).toEqual([
      "DomainRecordSet set: records: 1 to update, 1 to leave to another resource",
      "b A 192.0.2.1: left to DomainRecord own",
      ...members,
    ]);
    expect(await reported(before, ["a A 192.0.2.2"], { importing: ["DomainRecordSet new"] })).toEqual([
      "DomainRecordSet set: records: 1 to update, 1 to delete",
      "(except those that DomainRecordSet new imports)",
      ...members,
    ]);
  });

  test("under the name of the zone file that has them", async () => {
    const manner = { form: "zoneFile" };
    expect(await reported(["a A 192.0.2.1"], ["a A 192.0.2.2"], manner)).toEqual([
      "  zoneFile:",
      "-   a A 192.0.2.1",
      "+   a A 192.0.2.2",
    ]);
    const both = [["a A 192.0.2.1"], ["a A 192.0.2.1", "b A 192.0.2.1"]] as const;
    expect((await reported(...both, { ...manner, kept: "old A 192.0.2.1" })).at(-1)).toBe("~ zoneFile");
    const may = [["a A 192.0.2.1"], ["a A (unknown)"]] as const;
    expect(await sentenceOf(...may, manner)).toContain("may be updated: zoneFile is not known yet");
  });

  test.each([
    ["a replacement", "a A 192.0.2.1\n", "a A 192.0.2.2\n", "  zoneFile:"],
    ["a secret", "[secret]", "[secret]", "~ zoneFile: a secret value, which is not shown"],
  ])("under that name without a list, as the full plugin compares it: %s", async (_, before, after, line) => {
    const of = (domainId: string, records: string) => shown("DomainRecordSet", "7", { domainId, records });
    const preview = JSON.parse(previewOf([["replace", "set", of("7", before), of("8", after)]])) as Preview;
    const detailedDiff = { domainId: {}, records: {}, zoneFile: {} };
    for (const step of preview.steps) Object.assign(step, { detailedDiff });
    const { stdout } = await report(["-", "--format", "text"], { input: JSON.stringify(preview) });
    expect(stdout).toContain(`\n    ${line}\n`);
    expect(stdout).not.toContain("records");
  });

  test("as the preview lists them, if other records change than the program's", async () => {
    const [before, after] = [["a A 192.0.2.1"], ["a A 192.0.2.1", "b A 192.0.2.1"]];
    expect(await reported(before, after, { kept: "old A 192.0.2.1" })).toEqual([
      "DomainRecordSet set: records: 1 to create, 1 to delete",
      "+ b A 192.0.2.1",
      "- old A 192.0.2.1",
      "~ records",
    ]);
  });
});

describe("an automatic name", () => {
  const snapshot = (inputs: Json, mark: Json = { __resourceName: "snap" }) =>
    shown("NodeBackupSnapshot", "4/5", { ...inputs, ...mark }, { __set: "nodeId,label,triggers" });
  const changeIn = async (...step: Parameters<typeof previewOf>[0][number]) => {
    const { stdout } = await report(["-", "--format", "json"], { input: previewOf([step]) });
    return (JSON.parse(stdout) as { stacks: { changes: Json[] }[] }).stacks[0]?.changes[0];
  };

  test("is no reason for a replacement, which gets another one", async () => {
    const [old, next] = [
      snapshot({ nodeId: "4", label: "snap-1" }),
      snapshot({ nodeId: UNKNOWN, label: "snap-2" }),
    ];
    expect(await changeIn("replace", "snap", old, next)).toMatchObject({
      operation: "replacement",
      may: true,
      reason: "nodeId is not known yet",
    });
  });

  test("in place of one that was removed is no reason either", async () => {
    const [old, next] = [
      snapshot({ nodeId: "4", label: "own", triggers: { release: 1 } }, {}),
      snapshot({ nodeId: "4", label: "snap-2", triggers: { release: 2 } }),
    ];
    expect(await changeIn("replace", "snap", old, next)).toMatchObject({
      reason: "because triggers changed, which asks for a new snapshot",
    });
  });

  test("that takes the place of one that was removed is reported by the input", async () => {
    const [old, next] = [
      snapshot({ nodeId: "4", label: "own" }, {}),
      snapshot({ nodeId: "4", label: "own" }),
    ];
    expect(await changeIn("update", "snap", old, next)).toMatchObject({ properties: [{ path: "label" }] });
  });
});

describe("what a change does besides", () => {
  const node = shown("Node", "4", { region: "us-east", type: "g6-nanode-1", label: "web" });
  const record = shown("DomainRecord", "7/1", { domainId: "7", type: "A", name: "www", target: "192.0.2.1" });
  const set = (inputs: Json) =>
    shown("DomainRecordSet", "", { domainId: "7", records: "www A 192.0.2.1\n", ...inputs });
  const snapshot = (label: string, id = "4/5") => shown("NodeBackupSnapshot", id, { nodeId: "4", label });

  test("stands above the differences of a comment, if the provider says it in one line", async () => {
    const steps = [["update", "set", set({}), set({ exclusive: true })]] as const;
    const line = "takes over 1 of the *records*, which exist already: 7/1";
    const { stdout } = await report(["-"], { input: previewOf(steps, [["DomainRecordSet", "set", line]]) });
    expect(stdout).toMatch(
      /^ {2}DomainRecordSet set: takes over 1 of the \\\*records\\\*, .*\n\n {2}```diff\n {2}\+ exclusive: true\n {2}```$/m,
    );
  });

  test("is data that only the account shows to be lost", async () => {
    const { code, stdout } = await judged(
      previewOf(
        [["create", "new", snapshot("b", "")]],
        [
          [
            "NodeBackupSnapshot",
            "new",
            "loses data: NodeBackupSnapshot a (4/5) is overwritten, because a node keeps one snapshot",
          ],
        ],
      ),
    );
    expect(code).toBe(2);
    expect(stdout).toContain("program/test: 1 change: 1 loses data, 1 to create");
    expect(stdout).toContain("NodeBackupSnapshot new is created: NodeBackupSnapshot a (4/5) is overwritten");
    expect(stdout).not.toContain("loses data: NodeBackupSnapshot");
  });

  test("is what the preview says of it if the input that decides it is secret", async () => {
    const web = (label: string) =>
      shown(
        "Node",
        "4",
        { region: "us-east", type: "g6-nanode-1", backupsEnabled: "[secret]", label },
        { __set: "region,type,backupsEnabled,label" },
      );
    const { code, stdout } = await judged(
      previewOf(
        [["update", "web", web("a"), web("b")]],
        [
          [
            "Node",
            "web",
            "loses data: turning the backup service off deletes all backups of the node for good",
          ],
          ["Node", "web", "interrupts a service: the node is not available during the resize"],
        ],
      ),
      "interruption:Node",
    );
    expect(code).toBe(2);
    expect(stdout).toContain(
      "Node web is updated: turning the backup service off deletes all backups of the node for good; the node is not available during the resize",
    );
    expect(stdout).toContain("Loses data (1)");
    expect(stdout).not.toMatch(/loses data: turning|interrupts a service: the/);
  });

  test.each([
    [
      "records: 1 to create, 2 to delete, 1 to leave to another resource\n- a A 192.0.2.1",
      "deletes 2 of its records",
    ],
    [
      "deletes 3 of the existing records, which the program does not declare, because exclusive is set\n- a A 192.0.2.1",
      "deletes 3 of the existing records",
    ],
    [
      "may delete 3 of the existing records, which the program does not declare, because exclusive is not known yet",
      "may delete 3 of the existing records",
    ],
  ])("is the deletion of members: %s", async (message, sentence) => {
    const { code, stdout } = await judged(
      previewOf(
        [["update", "set", set({}), set({ exclusive: true })]],
        [["DomainRecordSet", "set", message]],
      ),
      "deletion:DomainRecordSet",
    );
    expect(code).toBe(2);
    expect(stdout).toContain(`DomainRecordSet set is updated: ${sentence}`);
    expect(stdout).toContain("Deletions (1)");
  });

  test.each([
    ["all that it gives up", "api A 192.0.2.1\n", true],
    ["others", "api A 192.0.2.9\n", false],
  ])("may be none if another set declares %s", async (_, records, isDeclared) => {
    const { inputs } = set({ records: "www A 192.0.2.1\napi A 192.0.2.1\n" });
    const old = shown("DomainRecordSet", "7", inputs, { __ids: "1,2", __set: "domainId,records" });
    const steps = [
      ["update", "set", old, shown("DomainRecordSet", "7", set({}).inputs)],
      ["create", "other", set({ records })],
    ] as const;
    const message = "records: 1 to delete\n- api A 192.0.2.1";
    const { code, stdout } = await judged(
      previewOf(steps, [["DomainRecordSet", "set", message]]),
      "deletion",
    );
    expect(code).toBe(2);
    const may =
      "may delete 1 of its records, which DomainRecordSet other declares, and takes over if it comes first";
    expect(stdout.includes(`DomainRecordSet set is updated: ${may}`)).toBe(isDeclared);
    expect(stdout.includes("DomainRecordSet set is updated: deletes 1 of its records\n")).toBe(!isDeclared);
  });

  test.each([
    ["all of its members", "www A 192.0.2.1\napi A 192.0.2.1\n", 0],
    ["one of its members", "api A 192.0.2.1\n", 2],
  ])("of a set is none if another set is sure to take over %s", async (_, records, code) => {
    const { inputs } = set({ records: "www A 192.0.2.1\napi A 192.0.2.1\n" });
    const steps = [
      ["delete", "set", shown("DomainRecordSet", "7", inputs, { __ids: "1,2", __set: "domainId,records" })],
      ["create", "other", set({ records })],
    ] as const;
    const message = `takes over 2 of the records, ${givenUpBy("DomainRecordSet set")}: 7/1, 7/2`;
    const went = await judged(previewOf(steps, [["DomainRecordSet", "other", message]]), "deletion");
    expect(went.code).toBe(code);
    const kept = "DomainRecordSet set leaves the stack: DomainRecordSet other takes the object over";
    expect(went.stdout.includes(kept)).toBe(code === 0);
    const silent = await judged(previewOf(steps), "deletion");
    expect(silent.code).toBe(2);
  });

  test("is nothing if another set is sure to take over all that it gives up", async () => {
    const { inputs } = set({ records: "www A 192.0.2.1\napi A 192.0.2.1\n" });
    const old = shown("DomainRecordSet", "7", inputs, { __ids: "1,2", __set: "domainId,records" });
    const steps = [
      ["update", "set", old, shown("DomainRecordSet", "7", set({}).inputs)],
      ["create", "other", set({ records: "api A 192.0.2.1\n" })],
    ] as const;
    const messages = [
      ["DomainRecordSet", "set", "records: 1 to delete\n- api A 192.0.2.1"],
      ["DomainRecordSet", "other", `takes over 1 of the records, ${givenUpBy("DomainRecordSet set")}: 7/2`],
    ] as const;
    const { code, stdout } = await judged(previewOf(steps, messages), "deletion");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "DomainRecordSet set is updated: DomainRecordSet other takes over what it no longer declares",
    );
  });

  test("is nothing for a set that manages nothing", async () => {
    const gone = set({ records: "" });
    const { stdout } = await judged(previewOf([["delete", "set", { ...gone, id: "7" }]]));
    expect(stdout).toContain("DomainRecordSet set leaves the stack: it manages nothing");
  });

  const zone = shown("Domain", "7", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
  const retained = (one: Json) => ({ ...one, retainOnDelete: true }) as unknown as typeof node;
  test.each([
    ["DomainRecord www is deleted, because the record is deleted with Domain zone", "www", record],
    [
      "DomainRecordSet set is deleted, because what the set manages is deleted with Domain zone",
      "set",
      set({}),
    ],
  ])(
    "is the end of what is below a deleted object, also with retainOnDelete: %s",
    async (text, name, one) => {
      const below = retained({ ...one, id: one.id === "" ? "7" : one.id });
      const gone = await report(["-", "--format", "text"], {
        input: previewOf([
          ["delete", name, below],
          ["delete", "zone", zone],
        ]),
      });
      expect(gone.stdout).toContain(text);
      const kept = await report(["-", "--format", "text"], {
        input: previewOf([
          ["delete", name, below],
          ["delete", "zone", retained(zone)],
        ]),
      });
      expect(kept.stdout).toContain(`${name} leaves the stack: retainOnDelete keeps the object`);
    },
  );

  test("is the end of the old object of a replacement with retainOnDelete, if the one above it goes", async () => {
    const moved = { ...record, inputs: { ...record.inputs, domainId: "8" } };
    const of = (last: typeof node) =>
      report(["-", "--format", "text"], {
        input: previewOf([
          ["replace", "www", retained(record), moved],
          ["delete", "zone", last],
        ]),
      });
    expect((await of(zone)).stdout).not.toContain("keeps the old object");
    expect((await of(retained(zone))).stdout).toContain("retainOnDelete keeps the old object");
  });

  test("is nothing if a set only creates, updates and leaves members, or a message is about another resource", async () => {
    const input = previewOf(
      [["update", "set", set({}), set({ exclusive: true })]],
      [
        ["DomainRecordSet", "set", "records: 1 to create, 1 to update, 2 to leave to another resource"],
        ["DomainRecordSet", "other", "records: 2 to delete"],
      ],
    );
    expect(await judged(input)).toMatchObject({ code: 0 });
  });

  test("is no loss if another resource takes the object over", async () => {
    const imported = shown("Node", "", { ...node.inputs, __importId: "4" });
    const moved = await judged(
      previewOf([
        ["delete", "old", node],
        ["create", "new", { ...imported, importID: "4" } as typeof imported],
      ]),
    );
    expect(moved.code).toBe(0);
    expect(moved.stdout).toContain("Node old leaves the stack: Node new takes the object over");
    const taken = await judged(
      previewOf([
        ["delete", "www", record],
        ["create", "set", set({ exclusive: true })],
      ]),
    );
    expect(taken.code).toBe(0);
    expect(taken.stdout).toContain(
      "DomainRecord www leaves the stack: DomainRecordSet set takes the object over",
    );
  });

  test("is none for an import that the full plugin has read and not completed", async () => {
    const read = (more: Json = {}) =>
      shown("Node", "4", { region: "us-east", type: "g6-nanode-1", label: "old", ...more });
    const old = read({ __importId: "4", tags: ["a"] });
    const went = await judged(previewOf([["delete", "old", old]]));
    expect(went.code).toBe(0);
    expect(went.stdout).toContain("Node old leaves the stack: its import into this stack did not succeed");
    const goes = await judged(
      previewOf([["update", "old", old, read({ rootPass: "another", tags: ["b"] })]]),
    );
    expect(goes.stdout).toContain("Node old is imported: adopts the existing object 4");
    expect(goes.stdout).not.toContain("tags");
  });

  test.each(["mx.example.net.", "MX.example.net"])(
    "is no loss if an exclusive set takes the record over in another spelling of its target: %s",
    async (target) => {
      const mail = shown("DomainRecord", "7/1", { domainId: "7", type: "MX", target, priority: 10 });
      const { code, stdout } = await judged(
        previewOf([
          ["delete", "mail", mail],
          ["create", "set", set({ exclusive: true, records: "@ MX 10 mx.example.net\n" })],
        ]),
      );
      expect(code).toBe(0);
      expect(stdout).toContain(
        "DomainRecord mail leaves the stack: DomainRecordSet set takes the object over",
      );
    },
  );

  test.each([
    ["imports all of them", "www A 192.0.2.1\n", 0],
    ["imports another one", "api A 192.0.2.1\n", 2],
  ])("of members is nothing if the set for which the update waits %s", async (_, records, code) => {
    const says = [
      "records: 1 to delete",
      "- www A 192.0.2.1",
      "(except those that DomainRecordSet other imports)",
    ];
    const owning = shown("DomainRecordSet", "7", set({}).inputs, { __ids: "1", __set: "domainId,records" });
    const imported = { ...shown("DomainRecordSet", "7", { domainId: "7", records }), importID: "7" };
    const steps = [
      ["update", "set", owning, set({ records: "" })],
      ["import", "other", imported],
    ] as const;
    const of = (lines: readonly string[]) =>
      judged(previewOf(steps, [["DomainRecordSet", "set", lines.join("\n")]]), "deletion");
    const { code: exit, stdout } = await of(says);
    expect(exit).toBe(code);
    expect(stdout.includes("DomainRecordSet other takes over what it no longer declares")).toBe(code === 0);
    expect(await of(says.slice(0, 2))).toMatchObject({ code: 2 });
  });

  test("is no loss if a set takes members over that a preview shows as the program hands them over", async () => {
    const given = pack(JSON.stringify({ records: [{ type: "A", name: "www", target: "192.0.2.1" }] }));
    const imported = { ...shown("DomainRecordSet", "7", { domainId: "7", records: given }), importID: "7" };
    const { code, stdout } = await judged(
      previewOf([
        ["delete", "www", record],
        ["import", "set", imported],
      ]),
    );
    expect(code).toBe(0);
    expect(stdout).toContain("DomainRecord www leaves the stack: DomainRecordSet set takes the object over");
  });

  test("is nothing for a component, which has no object", async () => {
    const tier = { ...shown("Node", "", {}), type: "app:index:Tier" };
    const { code, stdout } = await judged(previewOf([["delete", "tier", tier]]));
    expect(code).toBe(0);
    expect(stdout).not.toContain("tier");
  });

  test.each(["was", "becomes"])(
    "is left to the provider to say for an input that %s a secret",
    async (when) => {
      const database = (trigger: string) =>
        shown(
          "MysqlDatabase",
          "4",
          { label: "db", credentialsResetTrigger: trigger },
          { __set: "label,credentialsResetTrigger" },
        );
      const [old, next] = when === "was" ? ["[secret]", "1"] : ["1", "[secret]"];
      const { code } = await judged(previewOf([["update", "db", database(old), database(next)]]));
      expect(code).toBe(0);
    },
  );

  test("is a loss if another resource does not take the object over", async () => {
    const other = shown("Node", "", { ...node.inputs, __importId: "5" });
    const cases = [
      [
        ["delete", "old", node],
        ["create", "new", { ...other, importID: "5" } as typeof other],
      ],
      [
        ["delete", "www", record],
        ["create", "set", set({})],
      ],
      [
        ["delete", "www", record],
        ["create", "set", set({ exclusive: true, records: "api A 192.0.2.1\n" })],
      ],
      [
        ["delete", "www", record],
        ["create", "set", set({ exclusive: true, domainId: "8" })],
      ],
    ] as const;
    for (const steps of cases) expect(await judged(previewOf(steps))).toMatchObject({ code: 2 });
  });

  test.each([
    ["a", 0],
    ["b", 2],
  ])(
    "is a loss unless the account of the importing resource is that of the object: a and %s",
    async (at, code) => {
      const old = shown("Node", "4", node.inputs, { __at: "a.example#123456" });
      const dynamic = shown("Node", "", {
        ...node.inputs,
        __importId: "4",
        __askedAt: `${at}.example#654321`,
      });
      const there = shown("Node", "4", node.inputs, { __at: `${at}.example#654321`, __set: "label" });
      const imported = { ...shown("Node", "", node.inputs), importID: "4" };
      for (const steps of [
        [["create", "new", dynamic]],
        [
          ["import", "new", imported],
          ["update", "new", there, there],
        ],
      ] as const)
        expect(await judged(previewOf([["delete", "old", old], ...steps]))).toMatchObject({ code });
    },
  );

  test.each(["same", "update"] as const)(
    "is nothing for an object that another resource has (%s)",
    async (op) => {
      const other = shown("Node", "4", node.inputs, { __set: "region,type,label" });
      const steps = [
        [op, "new", other, other],
        ["delete", "old", node],
      ] as const;
      const { code, stdout } = await judged(previewOf(steps));
      expect(stdout).toContain("Node old leaves the stack: Node new takes the object over");
      expect(code).toBe(0);
    },
  );

  test("is refused for what resources that stay are below by a literal id", async () => {
    const domain = shown("Domain", "7", { domain: "a.example", type: "master", soaEmail: "a@a.example" });
    const below = { ...record, inputs: { ...record.inputs, domainId: "7" } };
    const gone = await judged(
      previewOf([
        ["delete", "zone", domain],
        ["update", "www", record, below],
      ]),
    );
    expect(gone.stdout).toContain(
      "Domain zone may be deleted: the run refuses this while DomainRecord www stays below it. If it is deleted, ",
    );
    const elsewhere = { ...below, inputs: { ...below.inputs, domainId: "8" } };
    const { stdout } = await judged(
      previewOf([
        ["delete", "zone", domain],
        ["replace", "www", record, elsewhere],
      ]),
    );
    expect(stdout).toContain("Domain zone is deleted: ");
  });

  test("is nothing for an object whose deletedWith names one that it is not below, or that stays", async () => {
    const domain = shown("Domain", "7", { domain: "a.example", type: "master", soaEmail: "a@a.example" });
    const zoneUrn = urnOf(domain, "zone");
    const withZone = <One extends object>(one: One): One => Object.assign(one, { deletedWith: zoneUrn });
    const of = async (zone: object, one: ReturnType<typeof shown>) =>
      judged(
        previewOf([
          ["delete", "one", withZone({ ...one })],
          ["delete", "zone", zone as typeof domain],
        ]),
        "deletion",
      );
    const kept = "one leaves the stack: deletedWith names Domain zone, so nothing deletes the object";
    const retained = { ...domain, retainOnDelete: true };
    expect((await of(domain, node)).stdout).toContain(kept);
    expect(await of(retained, record)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(kept) as string,
    });
    expect((await of(domain, record)).stdout).toContain("DomainRecord one is deleted");
  });

  test("of a replaced object whose deletedWith names another one that is replaced may not happen, and the report says so", async () => {
    const side = { ...node, id: "8", deletedWith: urnOf(node, "web") };
    const inEurope = { ...node.inputs, region: "eu-west" };
    const { code, stdout } = await judged(
      previewOf([
        ["replace", "web", node, { ...node, inputs: inEurope }],
        ["replace", "side", side, { ...side, inputs: inEurope }],
      ]),
    );
    expect(stdout).toMatch(
      /Node side is replaced.*; the old object may stay: deletedWith names Node web, so nothing deletes the object/,
    );
    expect(code).toBe(2);
  });

  test.each(["web", "side"])(
    "of a replaced object whose deletedWith names another one that is replaced happens if %s is deleted first",
    async (first) => {
      const side = { ...node, id: "8", deletedWith: urnOf(node, "web") };
      const preview = JSON.parse(previewOf([])) as { steps: object[] };
      for (const [name, one] of [
        ["web", node],
        ["side", side],
      ] as const) {
        const urn = urnOf(node, name);
        const next = { ...one, inputs: { ...one.inputs, region: "eu-west" } };
        const ops = ["create-replacement", "replace", "delete-replaced"];
        for (const op of name === first ? ops.reverse() : ops)
          preview.steps.push({
            ...{ op, urn, oldState: one, replaceReasons: ["region"] },
            ...(op === "delete-replaced" ? {} : { newState: next }),
          });
      }
      const { stdout } = await judged(JSON.stringify(preview));
      expect(stdout).toContain("Node side is replaced");
      expect(stdout).not.toContain("the old object may stay");
    },
  );

  test("is nothing of what an update would do, if replaceOnChanges makes a replacement of it that keeps the object", async () => {
    const one = { ...node, inputs: { ...node.inputs, backupsEnabled: true }, retainOnDelete: true };
    const next = { ...one, inputs: { ...one.inputs, backupsEnabled: false } };
    const line = "turning the backup service off deletes all backups of the node for good";
    const preview = (op: "replace" | "update", old: typeof one) =>
      previewOf([[op, "web", old, next]], [["Node", "web", `loses data: ${line}`]]);
    expect((await judged(preview("replace", one))).stdout).not.toContain(line);
    for (const [op, old] of [
      ["update", one],
      ["replace", { ...one, retainOnDelete: false }],
    ] as const)
      expect((await judged(preview(op, old))).stdout).toContain(line);
  });

  test.each([
    [
      "",
      true,
      "what depends on the object is deleted, and the creation fails, because the old object keeps its domain",
      2,
    ],
    [
      " that deletes nothing first",
      false,
      "; the creation fails, because the old object keeps its domain",
      0,
    ],
  ])(
    "of what is below an object is told of its replacement%s, if retainOnDelete keeps the unique name",
    async (_, isFirst, line, exit) => {
      const one = retained(zone);
      const next = { ...one, inputs: { ...one.inputs, description: "new" } };
      const { steps, ...others } = JSON.parse(previewOf([["replace", "zone", one, next]])) as {
        steps: { urn: string }[];
      };
      const [{ urn } = { urn: "" }] = steps;
      const [gone, made] = [
        { op: "delete-replaced", urn, oldState: one },
        { op: "create-replacement", urn, oldState: one, newState: next },
      ];
      const preview = { steps: isFirst ? [gone, ...steps, made] : [made, ...steps, gone], ...others };
      const { code, stdout } = await judged(JSON.stringify(preview), "data-loss");
      expect(stdout).toContain(line);
      expect(code).toBe(exit);
    },
  );

  test.each([
    ["is replaced", "eu-west", true],
    ["may be replaced", "04da6b54-80e4-46f7-96ec-b56ff0331ba9", false],
  ])(
    "of an object whose deletedWith names one that %s is nothing only if that is certain",
    async (_, region, isKept) => {
      const one = { ...record, deletedWith: urnOf(node, "web") };
      const next = { ...node, inputs: { ...node.inputs, region } };
      const preview = previewOf([
        ["replace", "web", node, next],
        ["delete", "one", one],
      ]);
      const { steps, ...others } = JSON.parse(preview) as { steps: object[] };
      // The step of the old object does not show what decides.
      const old = { op: "delete-replaced", urn: urnOf(node, "web"), oldState: node };
      const { stdout } = await judged(JSON.stringify({ steps: [...steps, old], ...others }), "deletion");
      expect(stdout.includes("DomainRecord one leaves the stack: deletedWith names Node web")).toBe(isKept);
      expect(stdout.includes("DomainRecord one is deleted")).toBe(!isKept);
    },
  );

  test("is nothing for what is below an object that another resource takes over", async () => {
    const taken = shown("Node", "4", { ...node.inputs, __importId: "4" });
    const { code, stdout } = await judged(
      previewOf([
        ["create", "new", { ...taken, importID: "4" } as typeof taken],
        ["delete", "snap", snapshot("a")],
        ["delete", "old", node],
      ]),
    );
    expect(stdout).toContain("NodeBackupSnapshot snap leaves the stack");
    expect(code).toBe(0);
  });

  test("may be the end of a snapshot if the node of the next one is not known yet", async () => {
    const next = shown("NodeBackupSnapshot", "", {
      nodeId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
      label: "b",
    });
    const steps = [
      ["create", "new", next],
      ["delete", "snap", snapshot("a")],
    ] as const;
    const said = "loses data: a NodeBackupSnapshot that the node may have is overwritten";
    const { code, stdout } = await judged(previewOf(steps, [["NodeBackupSnapshot", "new", said]]));
    expect(stdout).toContain(
      "NodeBackupSnapshot snap may be deleted: nodeId of NodeBackupSnapshot new is not known yet. If it is deleted, the snapshot is overwritten by NodeBackupSnapshot new",
    );
    expect(code).toBe(2);
    expect((await judged(previewOf(steps))).stdout).toContain("NodeBackupSnapshot snap leaves the stack");
  });

  test("is said once of a resource that an alias leads to", async () => {
    const { inputs, outputs, ...rest } = node;
    const urn = urnOf(node, "old");
    const old = { ...rest, urn, inputs, outputs: { ...outputs, __set: "region,type,label" } };
    const next = { ...rest, inputs: { ...inputs, region: "us-west" }, outputs: {} };
    const step = (op: string, at: string, states: Json) => ({
      resourcePreEvent: { metadata: { op, urn: at, ...states } },
    });
    const events = [
      step("create-replacement", urnOf(node, "new"), { old, new: next }),
      step("replace", urnOf(node, "new"), { old, new: next }),
      step("delete-replaced", urn, { old }),
      { summaryEvent: { resourceChanges: { replace: 1 } } },
    ];
    const input = events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
    const { stdout } = await report(["-", "--format", "text"], { input });
    expect(stdout).toContain("1 change: 1 loses data, 1 to replace");
    expect(stdout).toContain("Node new is replaced, because region changed");
  });

  test.each([
    ["us-west", "NodeBackupSnapshot snap is deleted: the snapshot is deleted with Node old"],
    [
      "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
      "NodeBackupSnapshot snap may be deleted: whether Node old is replaced is not known yet. If it is deleted, the snapshot is deleted with Node old",
    ],
  ])("is the end of a snapshot whose node is replaced (region %s)", async (region, sentence) => {
    const old = shown("Node", "4", node.inputs, { __set: "region,type,label" });
    const steps = [
      ["replace", "old", old, shown("Node", "4", { ...node.inputs, region })],
      ["delete", "snap", snapshot("a")],
    ] as const;
    const { stdout } = await judged(previewOf(steps));
    expect(stdout).toContain(sentence);
  });

  test("is the end of a snapshot whose node is deleted, or that the next one overwrites", async () => {
    const { code, stdout } = await judged(
      previewOf([
        ["delete", "one", snapshot("a")],
        ["delete", "web", node],
      ]),
    );
    expect(code).toBe(2);
    expect(stdout).toContain("NodeBackupSnapshot one is deleted: the snapshot is deleted with Node web");
    const over = await judged(
      previewOf([
        ["delete", "one", snapshot("a")],
        ["create", "two", snapshot("b", "")],
      ]),
    );
    expect(over.stdout).toContain(
      "NodeBackupSnapshot one is deleted: the snapshot is overwritten by NodeBackupSnapshot two",
    );
    const kept = await judged(previewOf([["delete", "one", snapshot("a")]]));
    expect(kept).toMatchObject({ code: 0 });
    expect(kept.stdout).toContain("NodeBackupSnapshot one leaves the stack");
  });
});

test("with --refresh, a planned step counts, and not what the refresh has found of its resource", async () => {
  const plain = await report(["-", "--format", "json"], { input: edited(() => undefined) });
  const refreshed = edited((preview) => {
    const found = preview.steps.map((step) => ({ ...step, op: "refresh", newState: step.oldState }));
    preview.steps.unshift(...found);
  });
  const { code, stdout } = await report(["-", "--format", "json"], { input: refreshed });
  const changes = ({ stacks }: { stacks: { changes: Json[] }[] }) =>
    stacks.flatMap((stack) =>
      stack.changes.map(({ type, name, operation, losses }) => ({ type, name, operation, losses })),
    );
  expect(code).toBe(0);
  expect(changes(JSON.parse(stdout))).toEqual(changes(JSON.parse(plain.stdout)));
});

test("a provider that leaves the program is no deletion of an object", async () => {
  const left = edited((preview) => {
    const urn = "urn:pulumi:test::program::pulumi:providers:pulumi-nodejs::own";
    const state = { type: "pulumi:providers:pulumi-nodejs", id: "1", inputs: {}, outputs: {} };
    preview.steps.push({ op: "delete", urn, oldState: state } as never);
  });
  const { stdout } = await report(["-", "--format", "text", "--deny", "deletion"], { input: left });
  expect(stdout).not.toContain("pulumi:providers");
});
