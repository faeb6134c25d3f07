import { isNodeCloudError } from "../../api/errors";
import { everyOf } from "../process/account-reads";
import { differencesOf, lookUp, mayBeMadeOf, type Recency } from "../hooks/import";
import { SETTINGS } from "../process/config";
import { noteOf, settledAt } from "./creation-note";
import { type BelowDescription, type Description, formatId, hasAbove } from "../describe/define-resource";
import { ProviderError } from "../engine/errors";
import { isAutomatic } from "../state/hidden";
import { type Inventory } from "./existing-objects";
import { likenessOf, newcomer } from "./recognise";
import { parentOf, refOf } from "./creation-task";
import { type Run } from "../process/runs";
import { nameOf, type Session } from "../process/session";
import { statusOf, takes } from "../describe/status";
import { hasUnknown, type Properties } from "../state/values";

/** What is there, or may be there, of a resource that is to be created. */
export type Leftover =
  /** The object that an interrupted run has left, by its note or as `nodecloud:resume` has it. */
  | { readonly kind: "object"; readonly id: string; readonly reply: Properties; readonly isNoted: boolean }
  /** An interrupted run asked for it, and nothing is there yet; until then it may come. */
  | { readonly kind: "asked"; readonly until: number }
  /** Another run is at it. */
  | { readonly kind: "busy"; readonly run: Run }
  /** Objects that are just like it and that nobody knows: it is not created beside them, or only with a warning. */
  | { readonly kind: "strangers"; readonly line: string; readonly refuses: boolean };

/** Looks for what an interrupted run has left of a resource that is new to the engine. */
export async function leftoverOf(
  session: Session,
  description: Description,
  inputs: Properties,
  recency: Recency,
): Promise<Leftover | undefined> {
  const note = noteOf(session, description, inputs);
  const noted = note.recall();
  if (noted?.run !== undefined && note.isElsewhere(noted)) return { kind: "busy", run: noted.run };
  if (noted !== undefined && "id" in noted) {
    const found = await lookUp(session, description, noted.id, recency);
    const isFree = found !== undefined && !(await isKnown(session, description, noted.id));
    if (isFree && note.isOther(noted)) return otherWish(session, description, inputs, noted.id);
    if (isFree && likenessOf(description, found.live, inputs) !== undefined)
      return { kind: "object", id: noted.id, reply: found.live, isNoted: true };
  }
  if (noted !== undefined && "before" in noted && !note.isOther(noted)) {
    // What is listed when it is complete is waited for by its creation.
    const reply =
      description.unnamed !== undefined && recency === "now"
        ? undefined
        : await newcomer(session, description, inputs, new Set(noted.before), (id) =>
            isKnown(session, description, id),
          );
    if (reply === undefined) return { kind: "asked", until: settledAt(noted) };
    return { kind: "object", id: formatId(refOf(description, inputs, reply)), reply, isNoted: true };
  }
  if (!session.configuration.validate || isPartlyUnknown(description, inputs)) return undefined;
  const parent = parentOf(description, inputs);
  if (hasAbove(description)) {
    // The creation itself waits until it may be listed.
    const isShown = recency === "lately" && (await isListable(session, description, parent));
    if (!isShown) return undefined;
  }
  const inventory = await (recency === "now"
    ? session.existing(description, parent).catch(() => undefined)
    : session.listed(description, parent));
  return inventory === undefined ? undefined : strangersIn(session, description, inputs, inventory, recency);
}

const isPartlyUnknown = ({ identity, id }: Description, inputs: Properties): boolean =>
  [...identity, ...(id.parent === undefined ? [] : [id.parent])].some((path) => hasUnknown(inputs[path]));

/** Whether the status of the object above lets be listed what lies below it. */
async function isListable(
  session: Session,
  { type, above, requires }: BelowDescription,
  parent: string,
): Promise<boolean> {
  const { list } = above;
  if (list === undefined) return false;
  const items = await session.account.all(everyOf(`object above a ${type}`), (client, options) =>
    list.call(above, client, options),
  );
  const found = items?.find(({ id }) => String(id) === parent);
  return found !== undefined && takes(requires?.read, statusOf(found));
}

/** Whether the engine knows an object: from this run, or by the state, which has more than it tells. */
export async function isKnown(session: Session, description: Description, id: string): Promise<boolean> {
  // The state that was saved last still has what a refresh of this run has lost.
  if (session.wasDenied(description, id)) return false;
  if (session.isManaged(description, id)) return true;
  return (await session.state())?.knows(description.type, id) ?? false;
}

/** What is there by that content though no note tells of it: refused, or taken where `nodecloud:resume` says so. */
export async function strangersIn(
  session: Session,
  description: Description,
  inputs: Properties,
  inventory: Inventory,
  recency: Recency,
): Promise<Leftover | undefined> {
  const { autoname, unique } = description;
  const parent = parentOf(description, inputs);
  const taken = session.taken(description, parent);
  const strangers: { id: string; reply: Properties }[] = [];
  for (const reply of inventory.equalTo(inputs)) {
    const id = formatId(refOf(description, inputs, reply));
    if (taken.has(description.idOf(reply)) || (await isKnown(session, description, id))) continue;
    // It may have been deleted since it was listed.
    const when = session.wasDenied(description, id) ? "now" : "lately";
    const live = (await lookUp(session, description, id, when))?.live;
    if (live !== undefined) strangers.push({ id, reply: live });
  }
  const [first] = strangers;
  if (first === undefined) return undefined;
  const wasCutOff =
    recency === "lately"
      ? await session.learnCutOff("creating", description, inputs)
      : session.wasCutOff("creating", description, inputs);
  // A derived name is this resource's alone. Nothing else tells objects without a name apart.
  const isOwn = autoname !== undefined && isAutomatic(inputs);
  const isTelling = isOwn || (autoname === undefined && unique === undefined);
  const isCertain = isTelling || wasCutOff;
  const isFree = !session.notedElsewhere(description).has(first.id);
  // Another stack may have made what is merely equal. A name that the program sets tells nothing, even after a run that was cut off.
  const mayBeTaken = isOwn || (isTelling && wasCutOff);
  if (session.configuration.resume && mayBeTaken && isFree && strangers.length === 1) {
    const isSame = differencesOf(
      description,
      refOf(description, inputs, first.reply),
      first.reply,
      inputs,
    ).every(({ leaf, wanted, actual }) => mayBeMadeOf(leaf, wanted, actual));
    if (isSame) return { kind: "object", ...first, isNoted: false };
  }
  // That a unique name is taken is told in its own words.
  if (unique !== undefined && !isTelling) return undefined;
  const ids = strangers.map(({ id }) => id);
  const isRead = (await session.state()) !== undefined;
  return {
    kind: "strangers",
    line: lineOf(session, description, { ids, isOwn, isRead, isTelling, wasCutOff }),
    refuses: isCertain,
  };
}

interface Strangers {
  readonly ids: readonly string[];
  /** Whether they have a derived name, which is the resource's alone. */
  readonly isOwn: boolean;
  /** Whether the state could be read. */
  readonly isRead: boolean;
  /** Whether nothing else tells them from the resource. */
  readonly isTelling: boolean;
  /** Whether an earlier run was cut off in this creation. */
  readonly wasCutOff: boolean;
}

function lineOf(
  session: Session,
  { autoname, type }: Description,
  { ids, isOwn, isRead, isTelling, wasCutOff }: Strangers,
): string {
  const { key, variable } = SETTINGS.resume;
  const { resume } = session.configuration;
  const like = autoname === undefined ? "it is just like" : `its ${autoname.path} is that of`;
  const several = ids.length > 1;
  const state = isRead
    ? "which the state does not have"
    : "and the state, which may have it, could not be read";
  const what = `${like} the ${type}${several ? "s" : ""} ${ids.join(", ")}, ${state}`;
  const adopt = `give this resource the option import: "${ids[0] ?? ""}"`;
  const set = `set ${key} (or ${variable}=true)`;
  const unless = several
    ? ", which of them is this resource's cannot be told"
    : ", it was made with other inputs";
  if (isOwn) {
    const goOn = resume
      ? `Though ${key} is set${unless}: to go on with it, ${adopt}`
      : `To go on with it, ${set}, or ${adopt}`;
    return `${what}: an interrupted run has left it, or the service has denied it to a refresh. ${goOn}. To have a new one, delete it`;
  }
  const mine = `If an interrupted run of this stack has left it, ${resume || !wasCutOff || !isTelling ? "" : `${set}, or `}${adopt}`;
  if (isTelling) return `${what}. ${mine}. If it is another resource's, take this one out of the program`;
  const anew = wasCutOff
    ? "; to make a new one beside it, run `pulumi refresh --clear-pending-creates` first"
    : "";
  return `${what}. ${mine}${anew}`;
}

/** What an interrupted run has made with other inputs. */
function otherWish(session: Session, description: Description, inputs: Properties, id: string): Leftover {
  const refuses = isAutomatic(inputs);
  const line =
    `an interrupted run has left the ${description.type} ${id}, which it made with other inputs. ` +
    `To go on with that one, go back to those inputs, or give this resource the option import: "${id}". To have a new one, delete it`;
  return { kind: "strangers", line, refuses };
}

/** The refusal of a creation beside what is there. */
export const refusalOf = (description: Description, inputs: Properties, line: string): ProviderError =>
  new ProviderError(`create ${nameOf(description, inputs)}: ${line}`);

/** As `leftoverOf`, for a preview, which can do without what cannot be read. */
export async function leftoverLately(
  session: Session,
  description: Description,
  inputs: Properties,
): Promise<Leftover | undefined> {
  try {
    return await leftoverOf(session, description, inputs, "lately");
  } catch (error) {
    // The account cannot be read, or not yet: the creation itself tells more.
    if (!isNodeCloudError(error)) throw error;
    return undefined;
  }
}
