import { rmSync } from "node:fs";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { type Control, type LiveObject, objectsOf, ownId, type Problems } from "./account";
import { type Chance, chanceOf, pick } from "./chance";
import { type Gate, openGate } from "./gate";
import { later } from "./later";
import { killCommand, type Victim } from "./processes";
import { recover } from "./recovery";
import { said } from "./said";

/** Which provider the resources of a program have. `half` is one of the other entry, given to their component. */
const PROVIDERS = ["default", "first", "second", "half"] as const;
type Given = (typeof PROVIDERS)[number];

const KINDS = ["nodes", "domains", "records", "mysql"] as const;

interface Account {
  readonly emulator: TestEmulator;
  readonly gate: Gate;
  readonly url: string;
}

/** A program: the version of each of its resources, by their names, and their provider. */
interface Wanted {
  readonly resources: ReadonlyMap<Name, 1 | 2>;
  readonly given: Given;
}

const NAMES = ["named", "unnamed", "zone", "record", "hosts", "db"] as const;
type Name = (typeof NAMES)[number];

interface Side {
  readonly name: string;
  readonly stack: TestStack;
  /** Whether its resources are in a component, which has their provider. */
  readonly isInComponent: boolean;
  wanted: Wanted;
  /** The program of the last command that succeeded. */
  done: Wanted;
  /** The last run was killed, so the next one has its program. */
  isCut: boolean;
  /** Only its plugin was killed: the engine keeps no pending creation then, so another machine cannot know of it. */
  isForgotten: boolean;
  /** A provider of the other entry was refused, which may have left its settings in the state: it can only be restored. */
  isHalf: boolean;
}

interface World {
  readonly accounts: readonly [Account, Account];
  readonly sides: readonly [Side, Side];
  /** Which side, or nobody here, created an object. */
  readonly makers: Map<string, string>;
}

class Wrong extends Error {}

const SPEED = 60_000;
const NOTHING: Wanted = { resources: new Map(), given: "default" };

/** Two stacks of one name, each in a backend of its own, with two accounts in which others have equal objects. */
export async function runOwners(seed: number, rounds: number): Promise<Problems> {
  const chance = chanceOf(seed);
  const history: string[] = [];
  const accounts = [await accountOf("first-token"), await accountOf("second-token")] as const;
  const [one, other] = accounts;
  const sides = [await sideOf("one", one, chance), await sideOf("other", one, chance)] as const;
  const world: World = { accounts, sides, makers: new Map() };
  try {
    for (const account of [one, other]) await furnish(account);
    await attribute(world, "nobody");
    for (let round = 0; round < rounds; round++) {
      const side = pick(chance, sides);
      if (!side.isCut) edit(side, chance);
      await runRound(world, side, chance, history);
    }
    for (const side of sides) await finish(world, side, history);
    return [];
  } catch (error) {
    const message = error instanceof Wrong ? error.message : String((error as Error).stack);
    return [message, `seed ${seed}: ${history.join("; ")}`];
  } finally {
    for (const { stack } of sides) stack.remove();
    for (const { emulator, gate } of accounts) {
      await gate.stop();
      await emulator.stop();
    }
  }
}

async function accountOf(token: string): Promise<Account> {
  const users = [{ username: "ada", restricted: false, grants: [], tokens: [{ token, scopes: ["*"] }] }];
  const emulator = await startTestEmulator({ speed: SPEED, accounts: { users } });
  const gate = await openGate(emulator.origin);
  return { emulator, gate, url: gate.url };
}

async function sideOf(name: string, { emulator, url }: Account, chance: Chance): Promise<Side> {
  const stack = await testStack({ token: emulator.token, url });
  stack.way = pick(chance, ["dynamic", "plugin"] as const);
  stack.env["NODECLOUD_RESUME"] = "true";
  return {
    name,
    stack,
    isInComponent: chance() < 0.5,
    wanted: NOTHING,
    done: NOTHING,
    isCut: false,
    isForgotten: false,
    isHalf: false,
  };
}

/** Objects of others, equal to those of the programs where names may be equal. */
async function furnish({ emulator: { call } }: Account): Promise<void> {
  const node = { region: "us-east", type: "g6-nanode-1", label: "named" };
  const domain = { domain: "bystander.example", type: "master", soa_email: "a@bystander.example" };
  await call("POST", "/node/instances", { body: node });
  const { body } = await call<{ id: number }>("POST", "/domains", { body: domain });
  await call("POST", `/domains/${body.id}/records`, {
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
}

/** Changes a program: one of its resources, or their provider. */
function edit(side: Side, chance: Chance): void {
  const { resources, given } = side.wanted;
  const next = new Map(resources);
  const name = pick(chance, NAMES);
  const to = pick<1 | 2 | "gone">(chance, [1, 2, "gone"]);
  if (to === "gone") next.delete(name);
  else next.set(name, to);
  // What is below a domain needs it.
  if (next.has("record") || next.has("hosts")) next.set("zone", next.get("zone") ?? 1);
  const moves = chance() < 0.35;
  side.wanted = { resources: next, given: moves ? pick(chance, PROVIDERS) : given };
  // A new resource would be created beside those that are refused.
  if (losesProvider(side)) side.wanted = { ...side.wanted, resources: side.done.resources };
}

const INPUTS: Readonly<Record<Name, (version: 1 | 2, side: string) => string>> = {
  named: (version) =>
    `new nodecloud.Node("named", { label: "named", region: "us-east", type: "g6-nanode-1", tags: ["v${version}"] }, opts);`,
  unnamed: (version) =>
    `new nodecloud.Node("unnamed", { region: "us-east", type: "g6-nanode-1", tags: ["v${version}"] }, opts);`,
  zone: (version, side) =>
    `const zone = new nodecloud.Domain("zone", { domain: "${side}.example", type: "master", soaEmail: "v${version}@${side}.example" }, opts);`,
  record: (version) =>
    `new nodecloud.DomainRecord("record", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.${version}" }, opts);`,
  hosts: (version) =>
    `new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: [{ type: "A", name: "hosts", target: "192.0.2.${version}" }] }, opts);`,
  db: (version) =>
    `new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", allowList: ["192.0.2.${version}"] }, opts);`,
};

function programOf({ accounts }: World, { name, stack, isInComponent, wanted }: Side): string {
  const { resources, given } = wanted;
  const [first, second] = accounts;
  const account = given === "second" ? second : first;
  const own = `{ token: "${account.emulator.token}", baseUrl: "${account.url}" }`;
  const otherEntry = stack.way === "plugin" ? "pulumi-nodecloud" : "pulumi-nodecloud/plugin";
  const from = given === "half" ? `(require("${otherEntry}"))` : "nodecloud";
  const provider = given === "default" ? "undefined" : `new ${from}.Provider("given", ${own})`;
  const lines = NAMES.flatMap((one) => {
    const version = resources.get(one);
    return version === undefined ? [] : [INPUTS[one](version, name)];
  });
  return `
    const provider = ${provider};
    const group = ${isInComponent} ? new pulumi.ComponentResource("test:index:Group", "group", {}, provider ? { providers: [provider] } : {}) : undefined;
    const opts = group ? { parent: group } : { provider };
    ${lines.join("\n")}`;
}

/** Runs a command for a side, perhaps with a kill, and compares both accounts with what its program and its state name. */
async function runRound(world: World, side: Side, chance: Chance, history: string[]): Promise<void> {
  const { stack } = side;
  stack.program(programOf(world, side));
  // The next run of one that is refused would be refused too, and what a killed one has created stays.
  const kills = !side.isCut && chance() < 0.3 && !losesProvider(side);
  const kill = kills
    ? {
        victim: pick(chance, ["all", "cli", "plugin"] as const),
        number: 1 + Math.floor(chance() * 12),
        acted: chance() < 0.5,
      }
    : undefined;
  const isElsewhere = side.isCut && chance() < 0.5 && !side.isForgotten;
  history.push(
    `${side.name}(${stack.way}${side.isInComponent ? ", component" : ""}) ${side.wanted.given} ${JSON.stringify([...side.wanted.resources])}` +
      (kill === undefined ? "" : ` ${JSON.stringify(kill)}`) +
      (isElsewhere ? " on another machine" : ""),
  );
  if (isElsewhere) {
    rmSync(String(stack.env["PULUMI_HOME"]), { recursive: true, force: true });
    await stack.pulumi("stack", "select", "test");
  }
  const before = await snapshot(world);
  const outcome = await struck(world, stack, kill);
  const after = await snapshot(world);

  judgeOthers(world, side, before, after);
  const isCutOff = kill !== undefined && outcome.code !== 0 && side.wanted.given !== "half";
  if (isCutOff || hasPanicked(outcome)) {
    await recover(stack);
    await attribute(world, side.name);
    [side.isCut, side.isForgotten] = [true, kill?.victim === "plugin"];
    return;
  }
  await attribute(world, side.name);
  if (outcome.code === 0) {
    [side.isCut, side.isHalf] = [false, false];
    side.done = side.wanted;
    await judgeOwn(world, side);
    return;
  }
  if (!mayBeRefused(side)) throw new Wrong(`up failed: ${said(outcome)}`);
  const changed = differencesOf(before, after);
  if (changed.length > 0) throw new Wrong(`a refused up changed ${changed.join(", ")}: ${said(outcome)}`);
  side.isHalf ||= side.wanted.given === "half";
  side.wanted = side.done;
}

/** A dynamic resource that loses its provider of another account is refused. */
const losesProvider = ({ stack, wanted, done }: Side): boolean =>
  stack.way === "dynamic" && wanted.given === "default" && done.given === "second";

/** So is a provider of the other entry. */
const mayBeRefused = (side: Side): boolean => {
  const { wanted, done, isCut, isHalf } = side;
  return (
    !isCut && (wanted.given === "half" || (isHalf && wanted.given !== done.given) || losesProvider(side))
  );
};

/** The engine itself may end in the middle, which is the same as a kill: https://github.com/pulumi/pulumi/issues/15271. */
const hasPanicked = ({ printed }: Outcome): boolean => /^panic: /m.test(printed);

interface Kill {
  readonly victim: Victim;
  readonly number: number;
  readonly acted: boolean;
}

async function struck({ accounts }: World, stack: TestStack, kill: Kill | undefined): Promise<Outcome> {
  const args = ["up", "--json", "--yes", "--skip-preview"];
  if (kill === undefined) return stack.pulumi(...args);
  const [reached, held] = [later(), later()];
  const hold = async () => {
    reached.come();
    await held.promise;
    return "drop" as const;
  };
  let writes = 0;
  for (const { gate } of accounts)
    gate.rule(({ method }) => {
      if (method === "GET" || ++writes !== kill.number) return undefined;
      return kill.acted ? { after: hold } : { before: hold };
    });
  const running = stack.start(...args);
  await Promise.race([reached.promise, running.ended]);
  if (running.process.exitCode === null) killCommand(running.process.pid ?? 0, kill.victim);
  held.come();
  const outcome = await running.ended;
  for (const { gate } of accounts) {
    await gate.idle();
    gate.rule();
  }
  return outcome;
}

type Snapshot = ReadonlyMap<string, string>;

/** What programs set of each object, by account, kind and id. */
async function snapshot({ accounts }: World): Promise<Snapshot> {
  const all = new Map<string, string>();
  for (const [number, { emulator }] of accounts.entries())
    for (const kind of KINDS)
      for (const object of await objectsOf(emulator.control as Control, kind))
        all.set(`${number} ${kind} ${object.id}`, JSON.stringify(contentOf(object)));
  return all;
}

const contentOf = ({ label, tags, domain, soa_email, name, target, allow_list }: LiveObject) => ({
  ...{ label, tags, domain, soa_email, name, target, allow_list },
});

/** Notes who created the objects that are new. */
async function attribute(world: World, name: string): Promise<void> {
  for (const key of (await snapshot(world)).keys()) if (!world.makers.has(key)) world.makers.set(key, name);
}

const differencesOf = (before: Snapshot, after: Snapshot): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));

/** No object of somebody else is written or deleted. */
function judgeOthers({ makers }: World, side: Side, before: Snapshot, after: Snapshot): void {
  for (const key of differencesOf(before, after)) {
    const maker = makers.get(key) ?? side.name;
    if (maker !== side.name)
      throw new Wrong(
        `${side.name} changed ${key} of ${maker}: ${before.get(key)} → ${after.get(key) ?? "deleted"}`,
      );
  }
}

/** The account of the program has each of its objects once, and the state names them; the other account has none. */
async function judgeOwn(world: World, side: Side): Promise<void> {
  const { makers } = world;
  const { resources, given } = side.wanted;
  const account = given === "second" ? 1 : 0;
  const now = await snapshot(world);
  const own = [...now].filter(([key]) => makers.get(key) === side.name);
  const there = own.map(([key]) => key);
  const strays = there.filter((key) => !key.startsWith(`${account} `));
  if (strays.length > 0) throw new Wrong(`${side.name} left ${strays.join(", ")} in the other account`);
  const wanted = [...resources.keys()];
  if (there.length !== wanted.length)
    throw new Wrong(`${side.name} wants ${wanted.join(", ")} and has ${own.map(String).join(", ")}`);
  const state = await side.stack.state();
  const named = Object.entries(state).map(([name, { id, outputs }]) =>
    name === "hosts" ? String(outputs["__ids"]) : ownId(id),
  );
  const ids = there.map((key) => key.split(" ").at(-1));
  if (JSON.stringify(named.sort()) !== JSON.stringify(ids.sort()))
    throw new Wrong(`${side.name} has ${ids.join(", ")}, and its state names ${named.join(", ")}`);
  for (const [name, version] of resources)
    if (!own.some(([, content]) => content.includes(markOf(name, version, side.name))))
      throw new Wrong(
        `${side.name} does not have ${name} as its program says: ${own.map(String).join(", ")}`,
      );
}

/** What the object of a resource has of its version. */
const markOf = (name: Name, version: 1 | 2, side: string): string =>
  name === "zone" ? `v${version}@${side}` : /node|named/.test(name) ? `v${version}` : `192.0.2.${version}`;

/** The last program converges, its preview is empty, and a destroy leaves only what is of others. */
async function finish(world: World, side: Side, history: string[]): Promise<void> {
  const { stack } = side;
  history.push(`${side.name} ends`);
  stack.program(programOf(world, side));
  const up = await stack.up();

  await attribute(world, side.name);
  if (up.code !== 0) throw new Wrong(`the last up failed: ${said(up)}`);
  await judgeOwn(world, side);
  const preview = await stack.preview("--refresh", "--expect-no-changes");
  if (preview.code !== 0) throw new Wrong(`the last preview is not empty: ${said(preview)}`);
  const before = await snapshot(world);
  const destroy = await stack.destroy();
  if (destroy.code !== 0) throw new Wrong(`destroy failed: ${said(destroy)}`);
  const after = await snapshot(world);
  judgeOthers(world, side, before, after);
  const left = [...after.keys()].filter((key) => world.makers.get(key) === side.name);
  if (left.length > 0) throw new Wrong(`left after destroy: ${left.join(", ")}`);
}
