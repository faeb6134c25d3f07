/** Measures `nodecloud drift` over many stacks of one account: with the engine, with the files of the backend, and in four parts. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { json } from "./emulator-process.mjs";
import { commands, withRequests, withStack } from "./measure.mjs";

/** @import { Emulator } from "./emulator-process.mjs" */
/** @import { Phase, Setting } from "./measure.mjs" */
/** @import { Measured, Stack } from "./stack.mjs" */
/** @typedef {Phase & { stacks: number }} Run Of a command, or of several ones after each other. */
/**
 * @typedef {object} Fleet
 * @property {number} stacks
 * @property {number} deleted the objects that were deleted outside Pulumi.
 * @property {Run} one `nodecloud drift` of one stack.
 * @property {Run} all `nodecloud drift` of all stacks.
 * @property {Run} files `nodecloud drift --states` of all stacks.
 * @property {Run} shard One of four shards of them.
 * @property {Run} merged `nodecloud drift --merge` of the four.
 * @property {Run} [exported] `pulumi stack export` of some stacks, one after the other.
 * @property {Run} [refreshed] `pulumi refresh --preview-only` of some stacks, one after the other.
 */
/** @typedef {{ node: number; domain: number; records: number[] }} Objects The ids of a stack's objects. */

const cli = fileURLToPath(new URL("../dist/bin/nodecloud.js", import.meta.url));
const report = "drift.json";
const objectsPerStack = 4;
const mostChanged = 10;
const shards = 4;

/** @param {number} index */
const nameOf = (index) => `fleet-${String(index).padStart(4, "0")}`;
const original = nameOf(0);

const names = ["www", "api"];
const target = "198.51.100.1";
const program = `const nodecloud = require("pulumi-nodecloud");
new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: "${original}" });
const zone = new nodecloud.Domain("zone", { domain: "${original}.example", type: "master", soaEmail: "dns@example.org" });
for (const name of ${JSON.stringify(names)}) {
  new nodecloud.DomainRecord(name, { domainId: zone.id, type: "A", name, target: "${target}" });
}
`;

/**
 * The stacks are copies of one that the engine has made, with objects of their own.
 * @param {number} stacks
 * @param {Setting} setting
 * @param {{ samples: number }} options how many stacks are read with Pulumi's own commands.
 * @returns {Promise<Fleet>}
 */
export function measureFleet(stacks, setting, { samples }) {
  const work = async (/** @type {{ emulator: Emulator; stack: Stack; domainId: number }} */ place) => {
    const { emulator, stack, domainId } = place;
    await json(`${emulator.url}/domains/${domainId}`, undefined, "DELETE");
    stack.write("index.js", program);
    await stack.pulumi(commands.create);
    const copies = await makeCopies(emulator, stack, stacks);
    const drift = await makeDrift(emulator, copies);
    setting.tell(`  ${stacks} stacks have ${stacks * objectsPerStack} objects`);

    const ofOthers = copies.length * objectsPerStack - drift.deleted;
    const one = await compare(emulator, stack, ["--stack", original], {
      changed: 0,
      deleted: 0,
      unmanaged: ofOthers + drift.unmanaged,
    });
    setting.tell(`  nodecloud drift, one stack: ${one.seconds.toFixed(1)} s`);
    const states = ["--states", dirname(stack.stateFile(original))];
    const files = await compare(emulator, stack, states, drift);
    setting.tell(`  nodecloud drift --states: ${files.seconds.toFixed(1)} s`);
    const parts = Array.from({ length: shards }, (_, index) => `part-${index + 1}`);
    const [shard, ...others] = parts.map((file, index) => () => {
      const command = ["drift", ...states, "--shard", `${index + 1}/${shards}`, "--out", file];
      return withRequests(emulator, () =>
        stack.run([process.execPath, cli, ...command], { role: "program" }),
      );
    });
    if (shard === undefined) throw new Error("There is no shard.");
    const first = await shard();
    for (const other of others) await other();
    const merged = await compare(emulator, stack, ["--merge", ...parts], drift);
    const all = await compare(emulator, stack, ["--all"], drift);
    setting.tell(`  nodecloud drift --all: ${all.seconds.toFixed(1)} s`);
    /** @type {Fleet} */
    const fleet = {
      ...{ stacks, deleted: drift.deleted, one: { ...one, stacks: 1 }, all: { ...all, stacks } },
      ...{
        files: { ...files, stacks },
        shard: { ...first, stacks: stacks / shards },
        merged: { ...merged, stacks },
      },
    };
    if (samples === 0) return fleet;

    const some = Array.from({ length: samples }, (_, index) => nameOf(index));
    fleet.exported = await oneByOne(emulator, some, (name) =>
      stack.pulumi(["stack", "export", "--show-secrets", "--stack", name]),
    );
    fleet.refreshed = await oneByOne(emulator, some, (name) =>
      stack.pulumi([...commands.drift, "--stack", name]),
    );
    setting.tell(`  pulumi refresh of ${samples} stacks: ${fleet.refreshed.seconds.toFixed(1)} s`);
    return fleet;
  };
  return withStack(setting, work, { name: original });
}

/** Makes the other stacks, and their objects in the account. @param {Emulator} emulator @param {Stack} stack @param {number} stacks */
async function makeCopies(emulator, stack, stacks) {
  const state = readFileSync(stack.stateFile(original), "utf8");
  /** @type {{ urn: string; id: string }[]} */
  const resources = JSON.parse(state).checkpoint.latest.resources;
  const idOf = (/** @type {string} */ name) => resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
  const settings = join(stack.folder, `Pulumi.${original}.yaml`);
  return Promise.all(
    Array.from({ length: stacks - 1 }, async (_, index) => {
      const name = nameOf(index + 1);
      const objects = await makeObjects(emulator, name);
      const { node, domain, records } = objects;
      const ids = new Map([
        [idOf("web"), `${node}`],
        [idOf("zone"), `${domain}`],
        ...records.map((id, at) => /** @type {const} */ ([idOf(names[at] ?? ""), `${domain}/${id}`])),
      ]);
      const copied = JSON.parse(state.replaceAll(original, name), (key, value) =>
        key === "id" || key === "domainId" ? (ids.get(value) ?? value) : value,
      );
      writeFileSync(stack.stateFile(name), JSON.stringify(copied));
      copyFileSync(settings, join(stack.folder, `Pulumi.${name}.yaml`));
      return objects;
    }),
  );
}

/** @param {Emulator} emulator @param {string} name @returns {Promise<Objects>} */
async function makeObjects({ url }, name) {
  const region = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
  const node = await json(`${url}/node/instances`, { ...region, label: name, root_pass: "aComplex-Pass-1!" });
  const zone = { domain: `${name}.example`, type: "master", soa_email: "dns@example.org" };
  const domain = await json(`${url}/domains`, zone);
  const records = await Promise.all(
    names.map((record) => json(`${url}/domains/${domain.id}/records`, { type: "A", name: record, target })),
  );
  return { node: node.id, domain: domain.id, records: records.map(({ id }) => id) };
}

/**
 * Changes some objects outside Pulumi, of the last stacks.
 * @param {Emulator} emulator
 * @param {Objects[]} copies
 * @returns the findings of a comparison.
 */
async function makeDrift({ url }, copies) {
  const some = copies.slice(-Math.min(mostChanged, Math.ceil(copies.length / 2)));
  for (const { node } of some) {
    await json(`${url}/node/instances/${node}`, { label: `changed-${node}` }, "PUT");
  }
  const { domain = 0, records: [record = 0] = [] } = some.at(-1) ?? {};
  await json(`${url}/domains/${domain}/records/${record}`, undefined, "DELETE");
  await json(`${url}/domains`, { domain: "stray.example", type: "master", soa_email: "dns@example.org" });
  return { changed: some.length, deleted: 1, unmanaged: 1 };
}

/**
 * @param {Emulator} emulator
 * @param {Stack} stack
 * @param {string[]} selection
 * @param {{ changed: number; deleted: number; unmanaged: number }} planned
 * @returns {Promise<Phase>}
 */
async function compare(emulator, stack, selection, { changed, deleted, unmanaged }) {
  const output = ["--format", "json", "--out", report];
  const command = [process.execPath, cli, "drift", ...selection, "--fail-on", "changed,deleted", ...output];
  const exitCode = changed + deleted === 0 ? 0 : 2;
  const measured = await withRequests(emulator, () => stack.run(command, { role: "program", exitCode }));
  const { counts } = JSON.parse(readFileSync(join(stack.folder, report), "utf8"));
  const expected = { changed, deleted, shared: 0, unmanaged, ignored: 0, gaps: 0 };
  if (JSON.stringify(counts) !== JSON.stringify(expected)) {
    throw new Error(
      `nodecloud drift found ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}.`,
    );
  }
  return measured;
}

/** @param {Emulator} emulator @param {string[]} stacks @param {(name: string) => Promise<Measured>} command @returns {Promise<Run>} */
async function oneByOne(emulator, stacks, command) {
  let seconds = 0;
  let cpuSeconds = 0;
  const last = await withRequests(emulator, async () => {
    /** @type {Measured | undefined} */
    let measured;
    for (const name of stacks) {
      measured = await command(name);
      seconds += measured.seconds;
      cpuSeconds += measured.cpuSeconds;
    }
    if (measured === undefined) throw new Error("There is no stack.");
    return measured;
  });
  return { ...last, seconds, cpuSeconds, stacks: stacks.length };
}
