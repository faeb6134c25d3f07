import { Creations } from "../../creation/creations";
import { type ProviderError } from "../../engine/errors";
import { type Owner } from "../../process/owner";
import { inParallel, objectsAtOnce } from "../../process/parallel";
import { type Held, type Wanted } from "../members/member";
import { type GivenUp } from "../member-ownership";
import { type Plan } from "../plan";
import { type PlanRun } from "./plan-run";
import { MemberRemovals } from "./remove-members";
import { type Step, stepsOf } from "./steps";
import { updateMember } from "./update-member";

/** What carrying out a plan has led to. */
export interface Outcome {
  /** Members that were given up to other resources. */
  readonly givenUp: readonly GivenUp[];
  /** The members that exist now, as far as is known. */
  readonly held: readonly Held[];
  /** How many changes the service accepted. */
  readonly done: number;
  readonly failures: readonly ProviderError[];
  /** How many changes were not begun after too many failures. */
  readonly left: number;
  /** Whether members may exist that are not among `held`. */
  readonly isOpen: boolean;
}

interface Options {
  /** The other resource that keeps a member which this one no longer declares. */
  keeperOf(held: Held): Owner | undefined;
  /** Called after each change. */
  progress(done: number, of: number): void;
  warn(line: string): void;
}

/** Carries out a plan: changes that do not depend on each other run at once, as far as the client allows. */
export async function applyPlan(run: PlanRun, plan: Plan, options: Options): Promise<Outcome> {
  for (const { held, wanted } of plan.keep) run.keep(renamed(held, wanted));
  for (const held of [...plan.remove, ...plan.change.map((pair) => pair.held)]) run.keep(held);
  const steps = stepsOf(run.collection.description, plan);
  const { take, settle } = stepTaker(run, options);
  let begun = 0;
  await inParallel(
    steps,
    objectsAtOnce(run.collection.session),
    async (step) => {
      begun++;
      await take(step);
      options.progress(run.done, steps.length);
    },
    () => run.isOver,
  );
  await settle();
  const { givenUp, done, failures, isOpen } = run;
  return { held: [...run.held.values()], givenUp, done, failures, left: steps.length - begun, isOpen };
}

/** What carries out single steps. A step that fails does not end the others. */
function stepTaker(run: PlanRun, { keeperOf, warn }: Options) {
  const { collection, parent, before } = run;
  const { place } = collection.description;
  const removals = new MemberRemovals(run, keeperOf);
  const creations = new Creations<Wanted>(collection.item, parent, {
    before,
    inputsOf: (wanted) => run.inputsOf(wanted),
    poolOf: (there) => collection.poolOf(there),
    created: (wanted, { reply }) => {
      run.created(wanted, reply);
    },
    unknown: (wanted, saying, cause) => {
      run.failUnknown(wanted, saying, cause);
    },
    doubled: (wanted, id, twin) => {
      const { type } = collection.item;
      const name = run.nameOf({ kind: "add", wanted });
      warn(
        `${name} was created twice, because the answer to the first request was lost: this resource has the ${type} ${id}. Delete the ${type} ${twin}`,
      );
    },
    isOver: () => run.isOver,
    again: (wanted) => take({ kind: "add", wanted }),
  });
  const add = async (wanted: Wanted) => {
    await removals.ended(place(wanted.inputs));
    await creations.request(wanted);
  };
  const change = async (held: Held, wanted: Wanted) => {
    if (await updateMember(run, held, wanted)) return;
    // Somebody deleted the member, and the program declares it.
    run.held.delete(held.id);
    await add(wanted);
  };
  const take = async (step: Step) => {
    try {
      if (step.kind === "remove") await removals.remove(step.held);
      else if (step.kind === "change") await change(step.held, step.wanted);
      else await add(step.wanted);
    } catch (error) {
      run.fail(step, error);
    }
  };
  return { take, settle: () => creations.settle() };
}

/** A kept member, under the key that the program has for it now. */
function renamed(held: Held, { key, line, inputs }: Wanted): Held {
  if (held.line === line) return held;
  const { id, answered } = held;
  return key === undefined ? { id, answered, inputs, line } : { key, id, answered, inputs, line };
}
