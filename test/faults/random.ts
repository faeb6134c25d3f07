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

/** Who is killed: the command line with all that it has started, it alone, its plugin, or the service, which starts again. */
const VICTIMS = ["all", "cli", "plugin", "service"] as const;

/** One random kill. */
interface Blow {
  readonly phase: Phase;
  readonly victim: (typeof VICTIMS)[number];
  /** At which part of the requests of an undisturbed phase, from 0 up to 1. */
  readonly at: number;
  /** Whether the service has acted on that request. */
  readonly acted: boolean;
  /** Whether a killed service is away until the command has ended. */
  readonly long: boolean;
}

/** About as many requests as an undisturbed phase has. */
const REQUESTS: Readonly<Record<Phase, number>> = { create: 60, update: 40, refresh: 12, destroy: 40 };

interface Scene {
  readonly service: Service;
  readonly gate: Gate;
  readonly stack: TestStack;
}

export const nameOfBlow = (phase: Phase, round: number): string => `${phase} ${round}`;

/** A round: one stack that is created, changed, refreshed and destroyed, with a kill in each. Gives what is wrong after each. */
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
      // What comes next is to have a sound beginning.
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
  `${victim} killed in ${phase}, ${acted ? "after" : "before"} the service has request ${numberOf(phase, at)}`;

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

/** Does a phase with its kill, and what comes after it. */
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
      if (preview.code !== 0) problems.push(`the preview after it is not empty: ${said(preview)}`);
    }
    return [...problems, ...(await judgeSurvivors(survivors))];
  } finally {
    for (const { pid } of survivors) killOne(pid);
  }
}

/** As long as a request may take, and some more. */
const MOST_MS = 100_000;

/** A plugin ends when nobody listens any more, once what it has sent is answered. */
async function judgeSurvivors(survivors: readonly Process[]): Promise<Problems> {
  const until = Date.now() + MOST_MS;
  for (;;) {
    const alive = survivors.filter(({ pid }) => isAlive(pid));
    if (alive.length === 0) return [];
    if (Date.now() > until) return alive.map(({ command }) => `it outlives its command: ${command}`);
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

/** Runs the phase until the kill; what outlives it of the command is given back. */
async function struck({ stack, service, gate }: Scene, blow: Blow): Promise<Process[]> {
  const { phase, victim, acted, long } = blow;
  const number = numberOf(phase, blow.at);
  const reached = later();
  const held = later();
  const hold = async () => {
    reached.come();
    await held.promise;
    // The connection of a service that was killed is lost; who is killed himself learns nothing.
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
