import { DELETES, PLANNED } from "../describe/effects";
import { shortened } from "../kind/warnings";
import { UNKNOWN } from "../base/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { type Owner } from "../notes/owner";
import { type Held } from "../state/members";
import { nameOfMember } from "./members/names";
import { differences, type Plan } from "./plan";

interface PlanContext {
  /** Keeps values out of the lines. */
  readonly guarded: boolean;
  /** The other resource that a member is left to, instead of deleting it. */
  heirOf(held: Held): Owner | undefined;
  /** Which sets may still import or take over some of the members, as texts. */
  readonly exceptions: readonly string[];
  /** The input in which the program gives the members. */
  readonly form: string;
}

/** The changes of a plan as lines for people: first their number, then each member. */
export function describePlan(
  description: CollectionDescription,
  plan: Plan,
  { guarded, heirOf, exceptions, form }: PlanContext,
): readonly string[] {
  const name = (member: Member) => nameOfMember(description, member, guarded);
  const changeOf = (pair: Plan["change"][number]) =>
    differences(description, pair)
      .map(({ path, from, to }) => (guarded ? path : `${path} ${shown(from)} → ${shown(to)}`))
      .join(", ");
  const gone = plan.remove.filter((held) => heirOf(held) === undefined);
  const left = plan.remove.flatMap((held) => {
    const heir = heirOf(held);
    return heir === undefined ? [] : [[held, heir] as const];
  });
  const groups = [
    { what: PLANNED.add, of: plan.add.map((one) => [one.line, `+ ${name(one)}`]) },
    {
      what: PLANNED.change,
      of: plan.change.map((pair) => [pair.held.line, `~ ${name(pair.held)}: ${changeOf(pair)}`]),
    },
    { what: PLANNED.remove, of: gone.map((held) => [held.line, `- ${name(held)}`]) },
    {
      what: PLANNED.leave,
      of: left.map(([held, heir]) => [held.line, `  ${name(held)}: left to ${heir.name}`]),
    },
  ].filter(({ of }) => of.length > 0);
  const summary = groups.map(({ what, of }) => `${of.length} ${what}`).join(", ");
  const changes = groups.flatMap(({ of }) =>
    of.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)).map(([, text = ""]) => text),
  );
  const except = exceptions.map((text) => `  ${text}`);
  return [`${headingOf(description, form)}: ${summary}`, ...shortened(changes), ...except];
}

/** Reports read from it in which input the program gives the members. */
const headingOf = ({ property }: CollectionDescription, form: string): string =>
  form === property ? property : `${property} of ${form}`;

/** The members that a plan deletes, as a part of a sentence. */
export function deletionsIn(
  description: CollectionDescription,
  gone: readonly Held[],
  guarded: boolean,
): string[] {
  if (gone.length === 0) return [];
  const names = shortened(gone.map((held) => nameOfMember(description, held, guarded)));
  return [`${DELETES} ${gone.length} of its ${description.property}: ${names.join(", ")}`];
}

function shown(value: unknown): string {
  if (value === undefined) return "(not set)";
  return value === UNKNOWN ? "(unknown)" : String(value);
}
