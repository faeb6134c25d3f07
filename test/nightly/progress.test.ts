import { nameInUrn } from "../../src/provider/describe/urn";
import { findTool } from "../helpers/debian-tools";
import { type TestEmulator } from "../helpers/emulator";
import { eventually } from "../helpers/programs";
import { type Outcome, type TestStack } from "../helpers/stack";
import { onTerminal } from "../helpers/terminal";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

const database = `new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" });`;
const records = (count: number, address = "192.0.2.1") => `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
new nodecloud.DomainRecordSet("records", { domainId: zone.id, records:
  Array.from({ length: ${count} }, (_, index) => ({ type: "A", name: "h" + index, target: "${address}" })) });`;

interface Event {
  readonly diagnosticEvent?: {
    readonly urn?: string;
    readonly message: string;
    readonly severity: string;
    readonly ephemeral?: boolean;
  };
  readonly resOutputsEvent?: { readonly metadata: { readonly urn: string } };
  readonly resOpFailedEvent?: { readonly metadata: { readonly urn: string } };
}

/** The texts in the row of a resource, or of the stack if no name is given, in order, and the end of its operation. */
function rowOf({ printed }: Pick<Outcome, "printed">, name = ""): string[] {
  const events = printed
    .split("\n")
    .filter((line) => line.startsWith('{"sequence"'))
    .map((line) => JSON.parse(line) as Event);
  return events.flatMap(({ diagnosticEvent, resOutputsEvent, resOpFailedEvent }) => {
    const end = resOutputsEvent ?? resOpFailedEvent;
    if (end !== undefined) return nameInUrn(end.metadata.urn) === name ? ["(end)"] : [];
    if (diagnosticEvent === undefined) return [];
    const { urn, message, ephemeral, severity } = diagnosticEvent;
    return ephemeral === true && severity === "info" && nameInUrn(urn ?? "") === name ? [message.trim()] : [];
  });
}

const failing = (effect: object, method: string, path: string, times = 1) =>
  emulator.control("POST", "/faults", { method, path, times, effect });
const busy = {
  status: 429,
  headers: { "retry-after": "3" },
  body: { errors: [{ reason: "Too many requests" }] },
};

/** The texts in the row of a resource whose status does not change before the first text. */
async function rowWhile(operation: "up" | "destroy"): Promise<string[]> {
  emulator.clock.setSpeed(0);
  const { process, ended } = stack.start(operation, "--json", "--yes", "--skip-preview");
  let printed = "";
  process.stdout?.on("data", (text: string) => (printed += text));
  await eventually("the row says something", () => rowOf({ printed }, "db")[0]);
  emulator.clock.setSpeed(60_000);
  return rowOf(await ended, "db");
}

test("a row shows the progress of its resource, and is empty after the operation", async () => {
  stack.program(database);
  const created = await rowWhile("up");
  expect(created[0]).toBe("provisioning 0 s of 15-30 min");
  expect(created.slice(-2)).toEqual(["", "(end)"]);

  stack.program(database.replace(" });", ', patchTrigger: "a" });'));
  const updated = await rowWhile("up");
  expect(updated[0]).toBe("updating");
  expect(updated.slice(-2)).toEqual(["", "(end)"]);

  const deleted = await rowWhile("destroy");
  expect(deleted[0]).toMatch(/^suspending/);
  expect(deleted.slice(-2)).toEqual(["", "(end)"]);
});

test("a row is also empty after a creation fails or times out", async () => {
  emulator.clock.setSpeed(0);
  stack.program(database.replace(" });", ' }, { customTimeouts: { create: "1s" } });'));
  const outcome = await stack.up();
  expect(outcome.code).not.toBe(0);
  expect(rowOf(outcome, "db").slice(-2)).toEqual(["", "(end)"]);
});

test("a set shows the number of its changed records, and its row is empty at the end", async () => {
  for (const [address, operation] of [
    ["192.0.2.1", "up"],
    ["192.0.2.2", "up"],
    ["192.0.2.2", "destroy"],
  ] as const) {
    // Slow enough to appear.
    await failing({ delayMs: 150 }, "*", "/v4/domains/*/records/**", 400);
    await failing({ delayMs: 150 }, "POST", "/v4/domains/*/records", 400);
    stack.program(records(400, address));
    const row = rowOf(await stack[operation](), "records");
    expect(row[0]).toMatch(/^\d+\/400 records$/);
    expect(row.slice(-2)).toEqual(["", "(end)"]);
    await emulator.control("POST", "/reset?only=faults");
  }
});

test("a wait for a busy API appears in the row of the waiting resource, and disappears", async () => {
  await failing(busy, "POST", "/v4/databases/mysql/instances");
  stack.program(database);
  const outcome = await stack.up();
  const row = rowOf(outcome, "db");
  expect(row[0]).toBe("API busy (429), next try in 3 s");
  expect(row.slice(-2)).toEqual(["", "(end)"]);
  expect(outcome.messages).toEqual([]);
});

test("a wait of a data function or a preview appears in the stack's row, and disappears", async () => {
  await failing(busy, "GET", "/v4/regions");
  stack.program(`module.exports = async () => ({ regions: (await nodecloud.getRegions()).regions.length });`);
  const asked = await stack.up();
  expect(rowOf(asked)).toEqual(["API busy (429), next try in 3 s", ""]);

  await failing(busy, "GET", "/v4/databases/engines");
  stack.program(database);
  const previewed = await stack.preview();
  expect(previewed).toMatchObject({ code: 0, messages: [] });
  expect(rowOf(previewed)).toEqual(["API busy (429), next try in 3 s", ""]);
});

// On other systems, the program of that name has different options.
const script = process.platform === "linux" ? findTool("script") : undefined;
if (script !== undefined) {
  test.each([
    ["dynamic", 120, "provisioning 0 s of 15-30 min"],
    ["dynamic", 100, "provisioning"],
    ["plugin", 110, "provisioning 0 s of 15-30 min"],
    ["plugin", 90, "provisioning 0 s"],
  ] as const)("a row of the %s way has room in %i columns for: %s", async (way, columns, text) => {
    emulator.clock.setSpeed(0);
    stack.way = way;
    stack.program(database);
    const terminal = onTerminal(script, stack, columns, "pulumi up --yes --skip-preview");
    const rows = () => terminal.lines().filter((line) => /MysqlDatabase +db /.test(line));
    const waiting = await eventually("the row is filled", () =>
      rows().find((line) => /creating \(\d+s\)\S* +\S/.test(line)),
    );
    expect(waiting).toContain(text);
    expect(waiting.length).toBeLessThan(columns);
    emulator.clock.setSpeed(60_000);
    await terminal.ended;
    expect(rows().at(-1)?.trimEnd()).toMatch(/created \([\d.]+s\)$/);
  });
}
