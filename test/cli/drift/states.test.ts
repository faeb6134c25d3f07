import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { collectDrift, collectPart } from "../../../src/cli/drift/collect";
import { contextIn, nodecloud } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";

const TYPE = "pulumi-nodejs:dynamic/nodecloud:Domain";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());
let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "nodecloud-states-"))));
afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, content: object | string): void {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

/** The state of a stack with these domains, as a backend of files keeps it. */
const stateOf = (stack: string, ids: readonly number[] = []) => ({
  version: 3,
  checkpoint: {
    stack: `organization/shop/${stack}`,
    latest: {
      resources: ids.map((id) => {
        const inputs = { domain: `${stack}.example`, type: "master", soaEmail: "dns@example.org" };
        return {
          urn: `urn:pulumi:${stack}::shop::${TYPE}::zone-${id}`,
          ...{ custom: true, id: `${id}`, type: TYPE, inputs },
          outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
        };
      }),
    },
  },
});

async function domain(name: string): Promise<number> {
  const body = { domain: `${name}.example`, type: "master", soa_email: "dns@example.org" };
  return (await emulator.call<{ id: number }>("POST", "/domains", { body })).body.id;
}

const environment = () => ({ NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url });

/** Compares the states. `meanwhile` runs when the account was read. */
const drift = (states: readonly string[], meanwhile: () => void = () => undefined) =>
  collectDrift(
    contextIn({ directory, environment: environment() }),
    {
      show: (what) => {
        if (what === "looking for changes of other runs") meanwhile();
      },
      note: () => undefined,
    },
    { directories: [], stacks: [], all: false, states },
  );

test("a stack that was destroyed meanwhile has no findings", async () => {
  write("copy/.pulumi/stacks/shop/prod.json", stateOf("prod", [4711]));
  const destroyed = () => write("copy/.pulumi/stacks/shop/prod.json", stateOf("prod"));
  expect(await drift(["copy"], destroyed)).toMatchObject({ findings: [], gaps: [] });
  write("export.json", { version: 3, deployment: stateOf("dev", [4711]).checkpoint.latest });
  const emptied = () => write("export.json", { version: 3, deployment: null });
  expect(await drift(["export.json"], emptied)).toMatchObject({ findings: [], gaps: [] });
});

test("a stack that was removed meanwhile is a gap", async () => {
  write("copy/shop/prod.json", stateOf("prod", [4711]));
  write("copy/shop/dev.json", stateOf("dev", [await domain("dev")]));
  expect(await drift(["copy"], () => rmSync(join(directory, "copy/shop/prod.json")))).toMatchObject({
    findings: [],
    gaps: [{ what: "stack prod of shop", reason: "its file was removed meanwhile" }, {}],
  });
});

test("without a resource in any state, the account of the environment is compared", async () => {
  await domain("hand");
  write("copy/shop/prod.json", stateOf("prod"));
  expect(await drift(["copy"])).toMatchObject({
    findings: [{ kind: "unmanaged", label: "hand.example" }],
    gaps: [],
  });
});

test("two files of one stack are a gap of that stack, and the others are compared", async () => {
  write("copy/a/prod.json", stateOf("prod", [4711]));
  write("copy/b/prod.json", stateOf("prod", [4712]));
  write("copy/shop/dev.json", stateOf("dev", [4713]));
  const { findings, gaps } = await drift(["copy"]);
  expect(findings).toEqual([expect.objectContaining({ kind: "deleted", id: "4713" })]);
  expect(gaps[0]).toEqual({
    what: "stack prod of shop",
    reason:
      "copy/a/prod.json and copy/b/prod.json both are its states: leave one of them out, or compare each backend in a run",
  });
});

test("each damaged file is a gap in the same one of several parts, wherever its copy is", async () => {
  const shards = async (copy: string, path: string) => {
    for (const name of ["one", "two", "three"]) write(`${copy}/shop/${name}.json`, "{");
    const parts = [1, 2, 3].map(async (index) => {
      const selection = {
        directories: [],
        stacks: [],
        all: false,
        states: [path],
        shard: { index, count: 3 },
      };
      const progress = { show: () => undefined, note: () => undefined };
      const part = await collectPart(
        contextIn({ directory, environment: environment() }),
        progress,
        selection,
      );
      return part.unread.map(({ what }) => what);
    });
    return Promise.all(parts);
  };
  const here = await shards("copy", "copy");
  expect(here.flat().sort()).toEqual(["one", "three", "two"].map((name) => `the state in shop/${name}.json`));
  expect(await shards("a/deeper/place/.pulumi/stacks", join(directory, "a/deeper/place"))).toEqual(here);
});

test("a finding that depends on a locked stack is a gap", async () => {
  const lock = (stack: string) => write(`copy/.pulumi/locks/organization/shop/${stack}/1.json`, {});
  write("copy/.pulumi/stacks/shop/prod.json", stateOf("prod", [4711]));
  write("copy/.pulumi/stacks/shop/dev.json", stateOf("dev", [4712]));
  lock("prod");
  const reason = expect.stringMatching(
    /^a run has locked it, .* Run this again after that run, or /,
  ) as unknown;
  const { findings, gaps } = await drift(["copy"]);
  expect(findings).toEqual([expect.objectContaining({ kind: "deleted", id: "4712" })]);
  expect(gaps).toEqual([{ what: "stack prod of shop", reason }]);

  // Any stack may manage by now what none did.
  write("copy/.pulumi/stacks/shop/prod.json", stateOf("prod"));
  write("copy/.pulumi/stacks/shop/dev.json", stateOf("dev"));
  await domain("new");
  expect(await drift(["copy"])).toMatchObject({
    findings: [],
    gaps: [{ what: "stack prod of shop", reason }],
  });
});

test("the merged report of several parts is that of one run with a locked stack too", async () => {
  const names = ["one", "two", "three", "four"];
  for (const [index, name] of names.entries())
    write(`copy/.pulumi/stacks/shop/${name}.json`, stateOf(name, [4711 + index]));
  write("copy/.pulumi/locks/organization/shop/two/1.json", {});
  const run = (...args: string[]) => nodecloud(["drift", ...args], { directory, environment: environment() });
  for (const index of [1, 2])
    expect(await run("--states", "copy", "--shard", `${index}/2`, "--out", `part-${index}`)).toMatchObject({
      code: 0,
    });
  const whole = await run("--states", "copy", "--format", "json");
  expect(await run("--merge", "part-1", "part-2", "--format", "json")).toEqual(whole);
  expect(JSON.parse(whole.stdout)).toMatchObject({ counts: { deleted: 3, gaps: 1 } });
});

test("--sync needs the folder that it fills", async () => {
  expect(await nodecloud(["drift", "--sync", "true"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: --sync: name the folder that the command fills with --states/,
    ) as unknown,
  });
});
