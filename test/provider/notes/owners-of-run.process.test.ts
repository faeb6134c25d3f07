import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnersOfRun } from "../../../src/provider/notes/owners-of-run";
import { DeclaredObjects } from "../../../src/provider/run/declared-objects";
import { ROOT } from "../../helpers/programs";

const ENGINE = "127.0.0.1:4000";
const BASE = "https://api.example/v4";
let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "owners-"))));
afterEach(() => rmSync(home, { recursive: true }));

const record = (engine: string | undefined = ENGINE, baseUrl = BASE) =>
  new OwnersOfRun({ PULUMI_HOME: home }, engine, baseUrl, Date.now);
const takenIn = (one: OwnersOfRun) => Object.fromEntries(one.others().taken);

/** Starts another process of the run, which takes over an object or does something else, and runs until the returned function ends it. */
async function otherProcess(
  does = 'record.add("taken", ["Node 12"], { name: "Node web" });',
): Promise<() => Promise<void>> {
  const module = (path: string) => JSON.stringify(join(ROOT, "dist/provider", path));
  const source = `const { OwnersOfRun } = require(${module("notes/owners-of-run")});
    const { DeclaredObjects } = require(${module("run/declared-objects")});
    const record = new OwnersOfRun({ PULUMI_HOME: ${JSON.stringify(home)} }, "${ENGINE}", "${BASE}", Date.now);
    ${does}
    console.log("told");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["-e", source], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    await once(child, "close");
  };
}

test("a process knows the objects that another process of the same run takes over, only for the same account", async () => {
  const end = await otherProcess();
  expect(takenIn(record())).toEqual({ "Node 12": { name: "Node web" } });
  expect(takenIn(record("127.0.0.1:4001"))).toEqual({});
  expect(takenIn(record(ENGINE, "https://other.example/v4"))).toEqual({});
  await end();
});

test("an exclusive set knows the records that another process of the run creates, and which are its own", async () => {
  const place = "DomainRecord 12";
  const single = '{ name: "DomainRecord www" }, true';
  const set =
    '{ owner: { name: "DomainRecordSet set" }, all: () => new Map(), made: new Set(["www", "api"]) }';
  const knows = (name: string, identity = "www", at = place) =>
    new DeclaredObjects(() => record()).isOthers(at, identity, { name });
  for (const does of [`declare("${place}", "www", ${single})`, `declareMany("${place}", ${set})`]) {
    const end = await otherProcess(`new DeclaredObjects(() => record).${does};`);
    expect(knows("DomainRecordSet all")).toBe(true);
    expect(knows(does.includes("Many") ? "DomainRecordSet set" : "DomainRecord www")).toBe(false);
    expect(knows("DomainRecordSet all", "else")).toBe(false);
    expect(knows("DomainRecordSet all", "www", "DomainRecord 13")).toBe(false);
    await end();
  }
});

test("the record of an ended process does not count, and the next process that writes deletes it", async () => {
  const end = await otherProcess();
  await end();
  const own = record();
  expect(takenIn(own)).toEqual({});
  own.add("deleted", ["Node 13"], { name: "Node web" });
  expect(readdirSync(join(home, "nodecloud", "owners"))).toHaveLength(1);
  expect(Object.fromEntries(own.others().deleted)).toEqual({});
});

test("without an engine, nothing is written", () => {
  new OwnersOfRun({ PULUMI_HOME: home }, undefined, BASE, Date.now).add("taken", ["Node 12"], {
    name: "Node web",
  });
  expect(readdirSync(home)).toEqual([]);
});
