import { setTimeout as wait } from "node:timers/promises";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { type Problems } from "./account";
import { type Chance, chanceOf, pick } from "./chance";
import { type Gate, openGate } from "./gate";
import { DISK } from "./kinds";
import { later } from "./later";
import { isAlive, killCommand, killOne, type Process } from "./processes";
import { recover } from "./recovery";
import { type Service, startService } from "./service";
import { EMPTY, judgeAccount, WHOLE, wholeProgram } from "./whole-program";
import { said } from "./said";

export const PHASES = ["create", "update", "refresh", "destroy"] as const;
export type Phase = (typeof PHASES)[number];

/** The victim of a kill: the CLI with all its child processes, only the CLI, its plugin, or the service, which starts again. */
const VICTIMS = ["all", "cli", "plugin", "service"] as const;

/** One random kill. */
interface Blow {
  readonly phase: Phase;
  readonly victim: (typeof VICTIMS)[number];
  /** The position among the requests of an undisturbed phase, at least 0 and below 1. */
  readonly at: number;
  /** Whether the service acts on that request before the kill. */
  readonly acted: boolean;
  /** Whether a killed service starts again only after the command ends. */
  readonly long: boolean;
}

/** The approximate number of requests in an undisturbed phase. */
const REQUESTS: Readonly<Record<Phase, number>> = { create: 60, update: 40, refresh: 12, destroy: 40 };

interface Scene {
  readonly service: Service;
  readonly gate: Gate;
  readonly stack: TestStack;
}

export const nameOfBlow = (phase: Phase, round: number): string => `${phase} ${round}`;

/** Runs a round: one stack is created, changed, refreshed and destroyed, with a kill in each phase. Returns the problems of each phase. */
export async function runRound(seed: number, round: number): Promise<ReadonlyMap<Phase, Problems>> {
  const chance = chanceOf(seed * 1_000 + round);
  const judged = new Map<Phase, Problems>();
  let scene: Scene | undefined;
  try {
    for (const phase of PHASES) {
      const blow = blowOf(phase, chance);
      scene ??= await sceneBefore(phase);
      const problems = await strike(scene, blow).catch((error: unknown) => [
        `the round broke: ${String(error)}`,
      ]);
      judged.set(phase, problems.length === 0 ? [] : [describe(blow), ...problems]);
      if (problems.length === 0) continue;
      // The next phase needs a valid start.
      await leave(scene);
      scene = undefined;
    }
  } finally {
    if (scene !== undefined) await leave(scene);
  }
  return judged;
}

const blowOf = (phase: Phase, chance: Chance): Blow => ({
  phase,
  victim: pick(chance, VICTIMS),
  at: chance(),
  acted: chance() < 0.5,
  long: chance() < 0.5,
});

const describe = ({ phase, victim, at, acted }: Blow): string =>
  `${victim} killed in ${phase}, ${acted ? "after" : "before"} the service acts on request ${numberOf(phase, at)}`;

const numberOf = (phase: Phase, at: number): number => 1 + Math.floor(at * REQUESTS[phase]);

async function sceneBefore(phase: Phase): Promise<Scene> {
  const service = await startService();
  const gate = await openGate(service.origin);
  const stack = await testStack({ token: service.token, url: gate.url }, wholeProgram(1));
  stack.folder.write(DISK.file, DISK.content);
  if (phase !== "create") must(await stack.up());
  if (phase === "refresh" || phase === "destroy") {
    stack.program(wholeProgram(2));
    must(await stack.up());
  }
  return { service, gate, stack };
}

async function leave({ service, gate, stack }: Scene): Promise<void> {
  stack.remove();
  await gate.stop();
  await service.stop();
}

function must(outcome: Outcome): void {
  if (outcome.code !== 0) throw new Error(said(outcome));
}

/** Runs a phase with its kill, and the commands after it. */
async function strike(scene: Scene, blow: Blow): Promise<Problems> {
  const { stack, service } = scene;
  if (blow.phase === "update") stack.program(wholeProgram(2));
  const survivors = await struck(scene, blow);
  try {
    if (blow.victim === "all" || blow.victim === "cli") await recover(stack);
    const again = await commandOf(stack, blow.phase);
    if (again.code !== 0) return [`the next ${blow.phase} failed: ${said(again)}`];
    const wanted = blow.phase === "destroy" ? EMPTY : WHOLE;
    const problems = await judgeAccount(service.control, wanted, await stack.state());
    if (blow.phase !== "destroy") {
      const preview = await stack.preview("--refresh", "--expect-no-changes");
      if (preview.code !== 0) problems.push(`the preview after the next run is not empty: ${said(preview)}`);
    }
    return [...problems, ...(await judgeSurvivors(survivors))];
  } finally {
    for (const { pid } of survivors) killOne(pid);
  }
}

/** Longer than the timeout of a request. */
const MOST_MS = 100_000;

/** A plugin without an engine must end after its requests are answered. */
async function judgeSurvivors(survivors: readonly Process[]): Promise<Problems> {
  const until = Date.now() + MOST_MS;
  for (;;) {
    const alive = survivors.filter(({ pid }) => isAlive(pid));
    if (alive.length === 0) return [];
    if (Date.now() > until) return alive.map(({ command }) => `a process outlives its command: ${command}`);
    await wait(100);
  }
}

const COMMANDS: Readonly<Record<Phase, string>> = {
  create: "up",
  update: "up",
  refresh: "refresh",
  destroy: "destroy",
};
const argsOf = (phase: Phase) => [COMMANDS[phase], "--json", "--yes", "--skip-preview"];
const commandOf = (stack: TestStack, phase: Phase): Promise<Outcome> => stack.pulumi(...argsOf(phase));

/** Runs the phase with the kill, and returns the processes of the command that stay alive. */
async function struck({ stack, service, gate }: Scene, blow: Blow): Promise<Process[]> {
  const { phase, victim, acted, long } = blow;
  const number = numberOf(phase, blow.at);
  const reached = later();
  const held = later();
  const hold = async () => {
    reached.come();
    await held.promise;
    // A killed service loses its connection. A killed client does not notice the answer.
    return victim === "cli" ? undefined : ("drop" as const);
  };
  gate.rule((request) =>
    request.number !== number ? undefined : acted ? { after: hold } : { before: hold },
  );
  const running = stack.start(...argsOf(phase));
  const isReached = await Promise.race([reached.promise.then(() => true), running.ended.then(() => false)]);
  let survivors: Process[] = [];
  if (isReached && victim === "service") {
    await service.kill();
    held.come();
    if (long) await running.ended;
    await service.restart();
  } else if (isReached && victim !== "service") {
    survivors = killCommand(running.process.pid ?? 0, victim);
    held.come();
  }
  await running.ended;
  gate.rule();
  return survivors;
}
