import { type TestEmulator, withEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { type Problems } from "./account";
import { type Gate, openGate, type Rule } from "./gate";
import { DISK } from "./kinds";
import { later } from "./later";
import { EMPTY, judgeAccount, WHOLE, wholeProgram } from "./whole-program";
import { said } from "./said";

/** How two stacks that run at the same time are related. They share a machine, with one `PULUMI_HOME`, and the account. */
export const RELATIONS = ["two stacks of one project", "one name in two backends"] as const;
export type Relation = (typeof RELATIONS)[number];

/** What the two stacks do at the same time, in this order. */
export const STEPS = [
  "create during a creation",
  "destroy and destroy",
  "create and create",
  "destroy and update",
  "create and destroy",
  "destroy",
] as const;
export type Step = (typeof STEPS)[number];

export const nameOfStep = (relation: Relation, step: Step): string => `${relation}: ${step}`;

interface Runner {
  readonly stack: TestStack;
  /** Sets the rule for its requests from now on. */
  rule(rule?: Rule): void;
  readonly domain: string;
  readonly token: string;
  readonly treat: Rule;
}

const TOKENS = ["token-one", "token-other"] as const;
const FAST = 3_600;

/** Runs two stacks at the same time, and returns the problems after each step. */
export const runTogether = (relation: Relation): Promise<ReadonlyMap<Step, Problems>> =>
  withEmulator(
    async (emulator) => {
      // Both use the same address of the service.
      const gate = await openGate(emulator.origin);
      const [one, other] = [
        await runnerOn(gate, TOKENS[0], "one.example"),
        await runnerOn(gate, TOKENS[1], "other.example"),
      ];
      const runners = [one, other];
      gate.rule((request) => runners.find(({ token }) => token === request.token)?.treat(request));
      try {
        await relate(relation, one, other);
        return await judgeSteps(emulator, one, other);
      } finally {
        for (const { stack } of runners) stack.remove();
        await gate.stop();
      }
    },
    { speed: FAST, accounts: { users: [{ username: "ada", tokens: TOKENS.map(tokenOf) }] } },
  );

const tokenOf = (token: string) => ({ token, scopes: ["*"] });

async function runnerOn(gate: Gate, token: string, domain: string): Promise<Runner> {
  const stack = await testStack({ token, url: gate.url }, wholeProgram(1, domain));
  stack.folder.write(DISK.file, DISK.content);
  let treat: Rule = () => undefined;
  return {
    stack,
    domain,
    token,
    treat: (request) => treat(request),
    rule: (rule = () => undefined) => {
      treat = rule;
    },
  };
}

async function relate(relation: Relation, one: Runner, other: Runner): Promise<void> {
  const { env } = other.stack;
  env["PULUMI_HOME"] = one.stack.env["PULUMI_HOME"];
  if (relation === "one name in two backends") {
    await other.stack.pulumi("stack", "select", "test");
  } else {
    env["PULUMI_BACKEND_URL"] = one.stack.env["PULUMI_BACKEND_URL"];
    env["PULUMI_STACK"] = "other";
    await other.stack.init("other");
  }
}

async function judgeSteps(
  emulator: TestEmulator,
  one: Runner,
  other: Runner,
): Promise<ReadonlyMap<Step, Problems>> {
  const judged = new Map<Step, Problems>();
  const judge = async (step: Step, outcomes: readonly Outcome[], holders: readonly Runner[]) => {
    const problems = outcomes
      .filter(({ code }) => code !== 0)
      .map((outcome) => `a command failed: ${said(outcome)}`);
    const wanted = Object.fromEntries(
      Object.entries(holders.length === 0 ? EMPTY : WHOLE).map(([kind, count]) => [
        kind,
        count * holders.length,
      ]),
    );
    const states = await Promise.all(holders.map(({ stack }) => stack.state()));
    const ids = states.flatMap((state, index) =>
      Object.entries(state).map(([name, resource]) => [`${index} ${name}`, resource] as const),
    );
    problems.push(...(await judgeAccount(emulator.control, wanted, Object.fromEntries(ids))));
    for (const { stack, domain } of holders) {
      const preview = await stack.preview("--refresh", "--expect-no-changes");
      if (preview.code !== 0) problems.push(`the preview of ${domain} is not empty: ${said(preview)}`);
    }
    judged.set(step, problems);
    return problems.length === 0;
  };

  const during = await duringCreation(one, other);
  if (!(await judge("create during a creation", during, [one, other]))) return judged;
  const gone = await atOnce([one, () => one.stack.destroy()], [other, () => other.stack.destroy()]);
  if (!(await judge("destroy and destroy", gone, []))) return judged;
  const created = await atOnce([one, () => one.stack.up()], [other, () => other.stack.up()]);
  if (!(await judge("create and create", created, [one, other]))) return judged;
  other.stack.program(wholeProgram(2, other.domain));
  const mixed = await atOnce([one, () => one.stack.destroy()], [other, () => other.stack.up()]);
  if (!(await judge("destroy and update", mixed, [other]))) return judged;
  const swapped = await atOnce([one, () => one.stack.up()], [other, () => other.stack.destroy()]);
  if (!(await judge("create and destroy", swapped, [one]))) return judged;
  await judge("destroy", [await one.stack.destroy()], []);
  return judged;
}

/** Runs the whole second `up` while the first one waits for the objects that it has created. */
async function duringCreation(one: Runner, other: Runner): Promise<Outcome[]> {
  const [created, goOn] = [later(), later()];
  let writes = 0;
  one.rule(({ method }) => {
    if (method !== "GET") return { answered: () => void (writes += 1) };
    if (writes === 0) return undefined;
    created.come();
    return { before: () => goOn.promise.then(() => undefined) };
  });
  const first = one.stack.up();
  await Promise.race([created.promise, first]);
  const second = await other.stack.up();
  goOn.come();
  const outcomes = [await first, second];
  one.rule();
  return outcomes;
}

/** Runs two commands so that their first writes are concurrent. */
async function atOnce(...both: readonly (readonly [Runner, () => Promise<Outcome>])[]): Promise<Outcome[]> {
  const ready = both.map(later);
  const all = Promise.all(ready.map(({ promise }) => promise));
  const run = async (runner: Runner, command: () => Promise<Outcome>, index: number) => {
    runner.rule(({ method }) => {
      if (method === "GET") return undefined;
      ready[index]?.come();
      return { before: () => all.then(() => undefined) };
    });
    const outcome = await command();
    // A command that writes nothing must not keep the other one waiting.
    ready[index]?.come();
    runner.rule();
    return outcome;
  };
  return Promise.all(both.map(([runner, command], index) => run(runner, command, index)));
}
