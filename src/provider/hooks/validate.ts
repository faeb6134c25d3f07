import { everyOf } from "../process/account-reads";
import { SETTINGS } from "../process/config";
import { type Description, type Failure, type Finding, isNew } from "../describe/define-resource";
import { type ChangedInput } from "../state/changed-inputs";
import { ProviderError } from "../engine/errors";
import { leavesOf, inputAt } from "../describe/fields";
import { IMPORT_ID, isAutomatic, nameInUrn, urnOf } from "../state/hidden";
import { type Standing } from "./introduce";
import { type Leftover } from "../creation/leftover";
import { warn } from "../engine/warnings";
import { type Session } from "../process/session";
import { HOW_TO_PASS_ON } from "./taken-names";
import { isObject, type Properties, same, UNKNOWN, valueAt } from "../state/values";

/** What is known of a resource that is checked as a new one. */
interface Known {
  /** What an interrupted run has left of it, or asked for. */
  readonly left?: Leftover | undefined;
  /** What the state says of it, where it is replaced by the command line. */
  readonly standing?: Standing | undefined;
}

/** Holds new and changed inputs against the account: what they name must be there, and a name that must be unique must be free. */
export async function failuresInAccount(
  session: Session,
  description: Description,
  olds: Properties,
  inputs: Properties,
  known: Known = {},
): Promise<Failure[]> {
  const rules = (description.accountRules ?? []).filter(({ about }) =>
    about.some((path) => isChanged(description, path, olds, inputs)),
  );
  const findings: Finding[][] = await Promise.all([
    ...rules.map(({ check }) => check(session.account, inputs)),
    ...(isNew(olds) ? [takenName(session, description, inputs, known)] : []),
  ]);
  const failures: Failure[] = [];
  for (const { property, reason, warns } of findings.flat()) {
    if (warns !== true) failures.push({ property, reason });
    else warn(session, { description, inputs }, `${property} ${reason}`);
  }
  return failures;
}

function isChanged(description: Description, path: string, olds: Properties, inputs: Properties): boolean {
  const leaf = leavesOf(description.fields).find((candidate) => candidate.path === path);
  const [before, now] = [olds, inputs].map((values) =>
    leaf === undefined ? valueAt(values, path) : inputAt(values, leaf),
  );
  return now !== undefined && !same(leaf?.comparison ?? "value", before, now);
}

/** Whether the unique name of a new resource belongs to an object already, other than one that this program manages or goes on with. */
async function takenName(
  session: Session,
  description: Description,
  inputs: Properties,
  { left, standing }: Known,
): Promise<Failure[]> {
  const { unique, autoname, type } = description;
  const wanted = unique === undefined ? undefined : inputs[unique];
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return [];
  if (autoname?.path === unique && isAutomatic(inputs)) return [];
  const rival = rivalOf(session, description, inputs, `${unique} ${wanted}`);
  if (rival !== undefined) {
    return [
      {
        property: unique,
        reason: `"${wanted}" is also that of ${rival} in this program; it can be given once`,
      },
    ];
  }
  const holder = await holderOf(session, description, unique, wanted);
  if (holder === undefined || session.isManaged(description, holder)) return [];
  // What another run is making, or an interrupted one has asked for, is its own.
  if (left !== undefined && (left.kind !== "object" || left.id === holder)) return [];
  // A replacement that the command line asks for is checked as a new resource.
  if (standing !== undefined && holder === inputs[IMPORT_ID]) {
    if (standing.goesFirst) return [];
    const reason = `"${wanted}" is that of the ${type} ${holder}, which this resource is to replace, and it can be given once. To have that one deleted first, set the option deleteBeforeReplace`;
    return [{ property: unique, reason }];
  }
  return [
    {
      property: unique,
      reason:
        `"${wanted}" is taken by the ${type} ${holder}. To manage that one, give this resource the option import: "${holder}". ` +
        `${HOW_TO_PASS_ON}. ` +
        // With --replace the engine checks a resource as a new one and asks for no diff: nothing tells it from one that is new.
        `Where it is this stack's own, put the resource's former name into the option aliases; for a run with --replace, set ${SETTINGS.validate.variable}=false`,
    },
  ];
}

/** Refuses in the preview an update to a unique name that another object has, other than one that this program manages. */
export async function refuseTakenName(
  session: Session,
  description: Description,
  id: string,
  changed: readonly ChangedInput[],
): Promise<void> {
  const { unique, type } = description;
  const wanted = changed.find(({ leaf, change }) => leaf.path === unique && change === "update")?.value;
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return;
  const holder = await holderOf(session, description, unique, wanted);
  if (holder === undefined || holder === id || session.isManaged(description, holder)) return;
  throw new ProviderError(
    `update ${type} ${id}: ${unique} "${wanted}" is taken by the ${type} ${holder}. ${HOW_TO_PASS_ON}`,
  );
}

/** The id of an object with this name. */
export async function holderOf(
  session: Session,
  description: Description,
  path: string,
  wanted: string,
): Promise<string | undefined> {
  const { list, type } = description;
  if (list === undefined || description.id.parent !== undefined) return undefined;
  const items = await session.account.all(everyOf(type), (client, options) =>
    list.call(description, client, "", options),
  );
  const holder = items?.find((item) => isObject(item) && item[path] === wanted);
  return holder === undefined ? undefined : description.idOf(holder);
}

/** The other resource of this program that has claimed the same, by its name. */
export function rivalOf(
  session: Session,
  { type }: Pick<Description, "type">,
  inputs: Properties,
  what: string,
): string | undefined {
  const urn = urnOf(inputs);
  const rival = urn === undefined ? undefined : session.claim(`${type} ${what}`, urn);
  return rival === undefined ? undefined : nameInUrn(rival);
}
