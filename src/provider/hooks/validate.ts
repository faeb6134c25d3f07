import { type CommonKind, type Kind } from "../process/kind";
import { everyOf } from "../process/account-reads";
import { SETTINGS } from "../process/config";
import { type Failure, type Finding, isNew } from "../describe/define-resource";
import { type ChangedInput } from "../state/changed-inputs";
import { ProviderError } from "../engine/errors";
import { inputAt } from "../describe/fields";
import { IMPORT_ID, isAutomatic, nameInUrn, urnOf } from "../state/hidden";
import { type Standing } from "./introduce";
import { type Leftover } from "../creation/leftover";
import { warn } from "../engine/warnings";
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
  kind: Kind,
  olds: Properties,
  inputs: Properties,
  known: Known = {},
): Promise<Failure[]> {
  const { session, description } = kind;
  const rules = (description.accountRules ?? []).filter(({ about }) =>
    about.some((path) => isChanged(kind, path, olds, inputs)),
  );
  const findings: Finding[][] = await Promise.all([
    ...rules.map(({ check }) => check(session.account, inputs)),
    ...(isNew(olds) ? [takenName(kind, inputs, known)] : []),
  ]);
  const failures: Failure[] = [];
  for (const { property, reason, warns } of findings.flat()) {
    if (warns !== true) failures.push({ property, reason });
    else warn({ kind, inputs }, `${property} ${reason}`);
  }
  return failures;
}

function isChanged(kind: Kind, path: string, olds: Properties, inputs: Properties): boolean {
  const leaf = kind.leaves.find((candidate) => candidate.path === path);
  const [before, now] = [olds, inputs].map((values) =>
    leaf === undefined ? valueAt(values, path) : inputAt(values, leaf),
  );
  return now !== undefined && !same(leaf?.comparison ?? "value", before, now);
}

/** Whether the unique name of a new resource belongs to an object already, other than one that this program manages or goes on with. */
async function takenName(kind: Kind, inputs: Properties, { left, standing }: Known): Promise<Failure[]> {
  const { description } = kind;
  const { unique, autoname, type } = description;
  const wanted = unique === undefined ? undefined : inputs[unique];
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return [];
  if (autoname?.path === unique && isAutomatic(inputs)) return [];
  const rival = rivalOf(kind, inputs, `${unique} ${wanted}`);
  if (rival !== undefined) {
    return [
      {
        property: unique,
        reason: `"${wanted}" is also that of ${rival} in this program; it can be given once`,
      },
    ];
  }
  const holder = await holderOf(kind, unique, wanted);
  if (holder === undefined || kind.known.isManaged(holder)) return [];
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
  kind: Kind,
  id: string,
  changed: readonly ChangedInput[],
): Promise<void> {
  const { description } = kind;
  const { unique, type } = description;
  const wanted = changed.find(({ leaf, change }) => leaf.path === unique && change === "update")?.value;
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return;
  const holder = await holderOf(kind, unique, wanted);
  if (holder === undefined || holder === id || kind.known.isManaged(holder)) return;
  throw new ProviderError(
    `update ${type} ${id}: ${unique} "${wanted}" is taken by the ${type} ${holder}. ${HOW_TO_PASS_ON}`,
  );
}

/** The id of an object with this name. */
export async function holderOf(kind: Kind, path: string, wanted: string): Promise<string | undefined> {
  const { session, description } = kind;
  const { list, type } = description;
  if (list === undefined || description.id.parent !== undefined) return undefined;
  const items = await session.account.all(everyOf(type), (client, options) =>
    list.call(description, client, "", options),
  );
  const holder = items?.find((item) => isObject(item) && item[path] === wanted);
  return holder === undefined ? undefined : description.idOf(holder);
}

/** The other resource of this program that has claimed the same, by its name. */
export function rivalOf({ session, type }: CommonKind, inputs: Properties, what: string): string | undefined {
  const urn = urnOf(inputs);
  const rival = urn === undefined ? undefined : session.claim(`${type} ${what}`, urn);
  return rival === undefined ? undefined : nameInUrn(rival);
}
