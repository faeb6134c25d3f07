import { type Description, isWaitedFor } from "../../src/provider/describe/define-resource";
import { descriptions } from "../../src/resources";
import { withEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { type LiveObject, judgeDestroyed, judgeHolding, objectsOf, type Problems } from "./account";
import { type Gate, openGate } from "./gate";
import { later } from "./later";
import { DISK, type Kind, KINDS, programOf, SUBJECTS } from "./kinds";
import { killCommand, type Victim } from "./processes";
import { moveToAnotherMachine, recover } from "./recovery";
import { said } from "./said";

export const MOMENTS = ["asked", "acted", "waiting"] as const;
export const MACHINES = ["same", "another", "resuming"] as const;

export interface Kill {
  readonly kind: Kind;
  /** Before the creation reaches the service, before its answer arrives, or during the wait after the answer. */
  readonly moment: (typeof MOMENTS)[number];
  /** Where the next commands run: on this machine, on another one, or on another one with `nodecloud:resume`, as on CI. */
  readonly machine: (typeof MACHINES)[number];
  /** Whether the program sets the label, which need not be unique. */
  readonly isLabelled?: true;
}

const killsOf = (kind: Kind, more: Pick<Kill, "isLabelled"> = {}): Kill[] =>
  MACHINES.flatMap((machine) => MOMENTS.map((moment) => ({ kind, moment, machine, ...more })));

const LABELLED: readonly Kind[] = ["Node", "Image"];

export const KILLS: readonly Kill[] = [
  ...KINDS.flatMap((kind) => killsOf(kind)),
  ...LABELLED.flatMap((kind) => killsOf(kind, { isLabelled: true })),
];

export const nameOfKill = ({ kind, moment, machine, isLabelled }: Kill): string =>
  `${kind} ${moment} ${machine}${isLabelled === true ? " labelled" : ""}`;

/** The clock's speed after the kill, so that waits end at once. */
const FAST = 1e7;

/** Kills an `up` at the given moment, follows the docs, and returns the problems. */
export const runKill = (kill: Kill): Promise<Problems> =>
  withEmulator(async (emulator) => {
    const { place, first, objects } = SUBJECTS[kill.kind];
    const label = kill.isLabelled === true ? { label: "web-1" } : {};
    const inputs = { ...(await place?.(emulator)), ...first, ...label };
    const before = new Set((await objectsOf(emulator.control, objects)).map(({ id }) => id));
    const gate = await openGate(emulator.origin);
    const stack = await testStack({ ...emulator, url: gate.url }, programOf(kill.kind, inputs));
    stack.folder.write(DISK.file, DISK.content);
    const ours = async () => (await objectsOf(emulator.control, objects)).filter(({ id }) => !before.has(id));
    try {
      await killed(stack, gate, kill, "all");
      emulator.clock.setSpeed(FAST);
      if (kill.machine !== "same") await moveToAnotherMachine(stack);
      if (kill.machine === "resuming") stack.env["NODECLOUD_RESUME"] = "true";
      await recover(stack);
      return await converge({ kill, stack, inputs, ours });
    } finally {
      stack.remove();
      await gate.stop();
    }
  });

/** Starts an `up`, and kills it at the given moment. */
async function killed(stack: TestStack, gate: Gate, { kind, moment }: Kill, victim: Victim): Promise<void> {
  const { creation } = SUBJECTS[kind];
  const held = later();
  const reached = later();
  const hold = () => {
    reached.come();
    return held.promise.then(() => "drop" as const);
  };
  let created = false;
  gate.rule(({ method, path }) => {
    const isCreation = creation.test(`${method} ${path}`);
    if (isCreation && moment === "asked") return { before: hold };
    if (isCreation && moment === "acted") return { after: hold };
    if (isCreation) {
      return {
        answered: () => {
          created = true;
          // If the provider does not wait for the object, the answer is the moment.
          if (!waits(kind)) reached.come();
        },
      };
    }
    return created && moment === "waiting" && method === "GET" ? { before: hold } : undefined;
  });
  const running = stack.start("up", "--yes", "--skip-preview");
  const early = running.ended.then(({ printed }) => {
    throw new Error(`The up ended before the moment of the kill:\n${printed}`);
  });
  await Promise.race([reached.promise, early]);
  early.catch(() => undefined);
  killCommand(running.process.pid ?? 0, victim);
  await running.ended;
  held.come();
  gate.rule();
}

/** Whether the provider waits for the object after the creation. */
const waits = (kind: Kind): boolean => isWaitedFor(descriptions[kind] as Description);

interface Scene {
  readonly kill: Kill;
  readonly stack: TestStack;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly ours: () => Promise<LiveObject[]>;
}

/** Runs the next commands, and returns their problems. */
async function converge(scene: Scene): Promise<Problems> {
  const { kill, stack, inputs, ours } = scene;
  const left = await ours();
  const preview = await stack.preview();
  if (preview.code !== 0) {
    const refusal = followAdvice(scene, left, preview);
    if (refusal.length > 0) return refusal;
  }
  const up = await stack.up();
  const problems: Problems = [];
  if (up.code !== 0) problems.push(`the next up failed: ${said(up)}`);
  const state = await stack.state();
  problems.push(...judgeHolding({ kind: kill.kind, found: await ours(), known: state["it"] }));
  stack.program(programOf(kill.kind, inputs));
  const again = await stack.preview("--expect-no-changes");
  if (again.code !== 0) problems.push(`the preview after the next up is not empty: ${said(again)}`);
  const drift = await stack.drift();
  if (drift.code !== 0) problems.push(`drift after the next up: ${said(drift)}`);
  const cleared = await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
  if (cleared.code !== 0) problems.push(`the pending creation could not be cleared: ${said(cleared)}`);
  const destroyed = await stack.destroy();
  if (destroyed.code !== 0) problems.push(`destroy failed: ${said(destroyed)}`);
  problems.push(...judgeDestroyed(kill.kind, await ours(), destroyed.printed));
  return problems;
}

/**
 * On another machine, which has no notes, the preview may refuse. It must then name the existing object, and the setting or the option
 * that takes it over. This function follows that advice. With `nodecloud:resume` nothing may be refused.
 */
function followAdvice(
  { kill, stack, inputs }: Scene,
  left: readonly LiveObject[],
  refused: Outcome,
): Problems {
  const told = said(refused);
  if (kill.machine !== "another")
    return [`the preview failed although it has the notes or the setting: ${told}`];
  const problems = left
    .filter(({ id }) => !told.includes(String(id)))
    .map(({ id }) => `the preview refuses and does not name ${id}: ${told}`);
  const imported = /import: "([^"]+)"/.exec(told)?.[1];
  if (told.includes("nodecloud:resume")) stack.env["NODECLOUD_RESUME"] = "true";
  else if (imported !== undefined) stack.program(programOf(kill.kind, inputs, { import: imported }));
  else problems.push(`the preview refuses and does not say what to do: ${told}`);
  return problems;
}
