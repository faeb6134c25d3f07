import fc from "fast-check";
import { type TestEmulator, withEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { judgeHolding, objectsOf, type Problems } from "./account";
import { type Gate, openGate, type Rule } from "./gate";
import { DISK, type Kind, SUBJECTS } from "./kinds";
import { later } from "./later";
import { FAULTS } from "./matrix/faults";
import { killCommand, type Victim } from "./processes";
import { recover } from "./recovery";
import { said } from "./said";

/** Kinds that can be created and deleted at any time. */
const MODELLED = ["Node", "MysqlDatabase", "Domain", "DomainRecord", "DomainRecordSet", "Image"] as const;
type Modelled = (typeof MODELLED)[number];

/** A fault or kill during the next command. */
type Trouble =
  | { readonly fault: string; readonly number: number }
  | { readonly victim: Victim; readonly number: number; readonly acted: boolean };

/** The expected state of the world. */
interface Model {
  readonly program: Map<Modelled, 1 | 2>;
  /** The kinds that were in the program since the last `destroy`, so that objects of them can exist. */
  readonly touched: Set<Modelled>;
  trouble: Trouble | undefined;
}

interface World {
  readonly emulator: TestEmulator;
  readonly gate: Gate;
  readonly stack: TestStack;
  readonly places: Readonly<Partial<Record<Kind, object>>>;
  readonly before: ReadonlySet<number | string>;
}

type Command = fc.AsyncCommand<Model, World>;

/** The world differs from the model. */
class Wrong extends Error {}

const FAST = 3_600;

/** Faults that are false answers or take minutes. */
const TOO_MUCH = ["404", "answered after 20 s", "answered after 75 s", "executed after 75 s"];

const inputsOf = ({ places }: World, kind: Modelled, version: 1 | 2): object => ({
  ...places[kind],
  ...SUBJECTS[kind].first,
  ...(version === 2 ? SUBJECTS[kind].changed : {}),
});

const oursOf = async ({ emulator, before }: World, kind: Modelled) => {
  const all = await objectsOf(emulator.control, SUBJECTS[kind].objects);
  // The name tells whether a record belongs to the set or is the single one.
  return all.filter(
    ({ id, name }) =>
      !before.has(id) &&
      (SUBJECTS[kind].objects !== "records" || (name === "www") === (kind === "DomainRecord")),
  );
};

class Edit implements Command {
  constructor(
    readonly kind: Modelled,
    readonly to: 1 | 2 | "gone",
  ) {}
  check = () => true;
  async run(model: Model, world: World): Promise<void> {
    if (this.to === "gone") model.program.delete(this.kind);
    else {
      model.program.set(this.kind, this.to);
      model.touched.add(this.kind);
    }
    const resources = [...model.program].map(
      ([kind, version]) =>
        `new nodecloud.${kind}("${kind}", ${JSON.stringify(inputsOf(world, kind, version))});`,
    );
    world.stack.program(resources.join("\n"));
  }
  toString = () => `edit(${this.kind}: ${this.to})`;
}

/** Changes or deletes an object outside Pulumi. */
class Outside implements Command {
  constructor(
    readonly kind: Modelled,
    readonly does: "change" | "delete",
  ) {}
  check = (model: Readonly<Model>) => model.touched.has(this.kind);
  async run(_: Model, world: World): Promise<void> {
    const { objects, shown } = SUBJECTS[this.kind];
    const [object] = await oursOf(world, this.kind);
    if (object === undefined || shown === undefined) return;
    const path = `/objects/${objects}/${object.id}`;
    if (this.does === "delete") await world.emulator.control("DELETE", path);
    else await world.emulator.control("PATCH", path, { [shown[0]]: outsideValue(shown[1]) });
  }
  toString = () => `outside(${this.does} ${this.kind})`;
}

const outsideValue = (value: unknown): unknown =>
  typeof value === "number" ? 7200 : Array.isArray(value) ? ["192.0.2.99/32"] : "192.0.2.99";

class Strike implements Command {
  constructor(readonly trouble: Trouble) {}
  check = () => true;
  run(model: Model): Promise<void> {
    model.trouble = this.trouble;
    return Promise.resolve();
  }
  toString = () => `strike(${JSON.stringify(this.trouble)})`;
}

class Run implements Command {
  constructor(readonly command: "up" | "refresh" | "destroy") {}
  check = () => true;
  async run(model: Model, world: World): Promise<void> {
    const { trouble } = model;
    model.trouble = undefined;
    const outcome = await struck(world, trouble, argsOf(this.command));
    if (trouble !== undefined && outcome.code !== 0) {
      await recover(world.stack);
      return;
    }
    if (outcome.code !== 0) throw new Wrong(`${this.command} failed: ${said(outcome)}`);
    if (this.command === "refresh") return;
    if (this.command === "destroy") {
      await judgeNothing(world);
      model.touched.clear();
      for (const kind of model.program.keys()) model.touched.add(kind);
    } else {
      await judgeProgram(model, world);
    }
  }
  toString = () => this.command;
}

const argsOf = (command: string): string[] => [
  command,
  "--json",
  "--yes",
  "--skip-preview",
  ...(command === "up" ? ["--refresh"] : []),
];

/** Runs a command with its fault or kill. */
async function struck(
  { gate, stack }: World,
  trouble: Trouble | undefined,
  args: string[],
): Promise<Outcome> {
  if (trouble === undefined) return stack.pulumi(...args);
  if ("fault" in trouble) {
    const fault = FAULTS.find(({ name }) => name === trouble.fault);
    gate.rule(fault?.rule(({ number }) => number === trouble.number, "once"));
    const outcome = await stack.pulumi(...args);
    gate.rule();
    return outcome;
  }
  const [reached, held] = [later(), later()];
  const hold = async () => {
    reached.come();
    await held.promise;
    return "drop" as const;
  };
  const rule: Rule = ({ number }) =>
    number !== trouble.number ? undefined : trouble.acted ? { after: hold } : { before: hold };
  gate.rule(rule);
  const running = stack.start(...args);
  await Promise.race([reached.promise, running.ended]);
  if (running.process.exitCode === null) killCommand(running.process.pid ?? 0, trouble.victim);
  held.come();
  const outcome = await running.ended;
  gate.rule();
  return outcome;
}

async function judgeNothing(world: World): Promise<void> {
  for (const kind of MODELLED) {
    const left = await oursOf(world, kind);
    if (left.length > 0)
      throw new Wrong(`left after destroy: ${kind} ${left.map(({ id }) => id).join(", ")}`);
  }
}

async function judgeProgram({ program }: Model, world: World): Promise<void> {
  const state = await world.stack.state();
  const problems: Problems = [];
  for (const kind of MODELLED) {
    const found = await oursOf(world, kind);
    const version = program.get(kind);
    if (version !== undefined) {
      problems.push(...judgeHolding({ kind, found, known: state[kind], changed: version === 2 }));
    } else if (found.length > 0) {
      problems.push(`left: ${kind} ${found.map(({ id }) => id).join(", ")} is not in the program`);
    }
  }
  if (problems.length > 0) throw new Wrong(problems.join("; "));
}

const kindOf = fc.constantFrom(...MODELLED);
const numberOf = fc.integer({ min: 1, max: 30 });

const commands = (most: number) =>
  fc.commands<Model, World, false>(
    [
      fc
        .tuple(kindOf, fc.constantFrom(1, 2, "gone" as const))
        .map(([kind, to]) => new Edit(kind, to as 1 | 2 | "gone")),
      fc.tuple(kindOf, fc.constantFrom(1, 2)).map(([kind, to]) => new Edit(kind, to as 1 | 2)),
      fc
        .tuple(kindOf, fc.constantFrom("change" as const, "delete" as const))
        .map(([kind, does]) => new Outside(kind, does)),
      fc
        .tuple(
          fc.constantFrom(...FAULTS.map(({ name }) => name).filter((name) => !TOO_MUCH.includes(name))),
          numberOf,
        )
        .map(([fault, number]) => new Strike({ fault, number })),
      fc
        .tuple(fc.constantFrom("all" as const, "cli" as const, "plugin" as const), numberOf, fc.boolean())
        .map(([victim, number, acted]) => new Strike({ victim, number, acted })),
      fc.constant(new Run("up")),
      fc.constant(new Run("up")),
      fc.constant(new Run("refresh")),
      fc.constant(new Run("destroy")),
    ],
    { size: "max", maxCommands: most },
  );

/** Runs one sequence of commands from the seed, compares the account with the model, and returns the problems. */
export async function runModel(seed: number, most: number): Promise<Problems> {
  let done = "";
  try {
    await fc.assert(
      fc.asyncProperty(commands(most), async (row) => {
        done = [...row].map(String).join(", ");
        await inWorld(async (model, world) => {
          await fc.asyncModelRun(() => ({ model, real: world }), row);
          // After any failure, an undisturbed `up` converges.
          model.trouble = undefined;
          await new Run("up").run(model, world);
          const preview = await world.stack.preview("--refresh", "--expect-no-changes");
          if (preview.code !== 0) throw new Wrong(`the preview at the end is not empty: ${said(preview)}`);
          await new Run("destroy").run(model, world);
        });
      }),
      // Shrinking a sequence would take hours, so it is printed as it is.
      { seed, numRuns: 1, endOnFailure: true, includeErrorInReport: true },
    );
    return [];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [cause instanceof Error ? cause.message : String(cause), `seed ${seed}: ${done}`];
  }
}

const inWorld = (use: (model: Model, world: World) => Promise<void>): Promise<void> =>
  withEmulator(
    async (emulator) => {
      const places: Partial<Record<Kind, object>> = {};
      const place = await SUBJECTS.DomainRecord.place?.(emulator);
      if (place !== undefined) Object.assign(places, { DomainRecord: place, DomainRecordSet: place });
      const before = new Set((await objectsOf(emulator.control, "domains")).map(({ id }) => id));
      const gate = await openGate(emulator.origin);
      const stack = await testStack({ token: emulator.token, url: gate.url });
      stack.folder.write(DISK.file, DISK.content);
      try {
        const model: Model = { program: new Map(), touched: new Set(), trouble: undefined };
        await use(model, { emulator, gate, stack, places, before });
      } finally {
        stack.remove();
        await gate.stop();
      }
    },
    { speed: FAST },
  );
