import { type Kind, type ObjectKind } from "../kind/kind";
import { nounFor } from "../../api/text";
import { differencesOf, mayBeMadeOf } from "../ownership/compare-with-import";
import { ONE_OWNER } from "../ownership/adoption-claims";
import {
  doubtAboutOthers,
  managedElsewhere,
  namesOf,
  rivalsElsewhere,
  type SharedObject,
  withoutShared,
} from "../ownership/other-owners";
import { holdersOf } from "../ownership/this-stack";
import { type Phase } from "../kind/known-objects";
import { lookUp, type Recency } from "../object/look-up";
import { SETTINGS } from "../settings/config";
import { IMPORT_VARIABLE } from "../settings/wished-imports";
import { noteElsewhere, noteOf, ofOtherToken } from "./creation-note";
import { hasDerivedName } from "../inputs/autoname-formula";
import { evidenceIn } from "./existing-before";
import { areAlike, type Asking, encryptedIn } from "../notes/journal";
import { listed } from "../../api/text";
import { givenUpBy } from "./taken-back";
import { formatId } from "../describe/define-resource";
import { type Call } from "../state/call";
import { type ObjectPool } from "../matching/object-pool";
import { calledIn } from "../describe/urn";
import { leavesSomeOut } from "../engine/command-line";
import { type Properties } from "../base/values";

/** A sign that a resource to create may already have an object. */
export interface Leftover {
  /** The object of an interrupted run: a note names it, or `nodecloud:resume` allows to take it. */
  readonly object?: { readonly id: string; readonly reply: Properties };
  /** The object that an interrupted run has requested may appear until this time. */
  readonly until?: number;
  /** Whether the engine will delete the object for the same resource, as it was replaced. */
  readonly isBack?: true;
  /** The line about it in a preview. */
  readonly line: string;
  /** Whether equal objects that neither the state nor a note names are a reason to warn, or to refuse the creation. */
  readonly isDoubtful?: "warn" | "refuse";
}

/** Equal objects that no note names. The creation is refused, or takes the object if `nodecloud:resume` allows it. */
export async function strangersIn(
  kind: ObjectKind,
  call: Call,
  there: ObjectPool,
  recency: Recency,
): Promise<Leftover | undefined> {
  const { inputs } = call;
  const { run, description } = kind;
  const { autoname, unique } = description;
  const { strangers, known, tagged } = await sortedOut(kind, call, there);
  if (strangers.length === 0 && tagged.length > 0 && unique === undefined)
    return { line: `${tagged.join("; ")}. A new one is created`, isDoubtful: "warn" };
  const own = await givenUpBy(kind, call, known, recency);
  if (own !== undefined) return own;
  if (strangers.length === 0) return recency === "lately" ? copied(kind, call, known) : undefined;
  const pending = await kind.known.pendingCreation(call, phaseOf(recency));
  if (await kind.known.isOfOtherToken(call, phaseOf(recency)))
    return { line: ofOtherToken(kind.type), isDoubtful: "refuse" };
  const before = evidenceIn(description, call, pending)?.split(",");
  const since = before && strangers.filter(({ id }) => !before.includes(id));
  const [first, ...others] = await withoutShared(kind, call, since ?? strangers);
  // If all existed before the interrupted creation, it has made none of them.
  const wasCutOff = pending?.isOpen === true && first !== undefined;
  // A derived name is this resource's alone. Nothing else tells objects without a name apart.
  const isOwn = hasDerivedName(description, call);
  const isTelling = isOwn || (autoname === undefined && unique === undefined);
  // Another stack may have made an equal object. A name alone proves nothing: the state must say that this one was asked for.
  const path = autoname?.path ?? "";
  const requested = pending?.requested ?? [];
  const isAsked = requested.some((one) => one.inputs[path] === inputs[path]);
  // A refresh of this run may have missed the object.
  const isDenied = strangers.some(({ id }) => kind.known.denied.has(id));
  const isCertain = isOwn ? isAsked || isDenied : isTelling || wasCutOff;
  const isEvident = isTelling || unique !== undefined || since !== undefined;
  const alike = requested.find((one) => areAlike(description, call, one));
  const isLate = noteOf(kind, call).lateness();
  const isLater = strangers.some(({ reply }) => isLate(reply));
  const mayBeTaken = alike !== undefined && !isLater && (isOwn ? isAsked : isEvident && wasCutOff);
  const isResumed = run.configuration.resume && mayBeTaken;
  const unknown = isResumed ? await doubtAboutOthers(run) : undefined;
  const [shared] =
    first === undefined
      ? []
      : await managedElsewhere(kind, call, description, [kind.refOf(inputs, first.reply)]);
  const isFree = first !== undefined && shared === undefined && !kind.known.ofOtherRuns().has(first.id);
  if (isResumed && isFree && others.length === 0) {
    const isSame = differencesOf(kind, kind.refOf(inputs, first.reply), first.reply, inputs).every(
      ({ leaf, wanted, actual }) => mayBeMadeOf(leaf, wanted, actual),
    );
    const line = `continues with the ${kind.type} ${first.id}, which has the same inputs and is not in the state${uncompared(kind, call, alike)}`;
    if (isSame && unknown !== undefined)
      return {
        line: `the ${kind.type} ${first.id} has the same content, and it is not known whether another stack manages it, because ${unknown}`,
        isDoubtful: "refuse",
      };
    if (isSame) return (await doubtOf(kind, call, first.id)) ?? { object: first, line };
  }
  // A taken unique name has its own message.
  if (unique !== undefined && !isTelling) return undefined;
  if (shared !== undefined && !isOwn) return ofOtherStack(kind, shared, { isTelling });
  const ids = (first === undefined ? strangers : [first, ...others]).map(({ id }) => id);
  const line = await lineOf(kind, call, {
    ids,
    isLater,
    isOwn,
    isAsked,
    isDenied,
    isTelling,
    mayBeTaken,
    wasCutOff,
  });
  return { line, isDoubtful: isCertain ? "refuse" : "warn" };
}

/** An equal object that another stack manages. Only a record is that of the resource without a doubt. */
function ofOtherStack(
  kind: ObjectKind,
  shared: SharedObject,
  { isTelling }: Pick<Strangers, "isTelling">,
): Leftover {
  const line = `the ${kind.type} ${formatId(shared.ref)} has ${likeness(kind)}, and is managed by ${namesOf(shared)}`;
  return isTelling
    ? {
        line: `${line}. ${ONE_OWNER}: remove this resource from the program, or that one from its stack`,
        isDoubtful: "refuse",
      }
    : { line: `${line}. A new one is created`, isDoubtful: "warn" };
}

const likeness = ({ description: { autoname } }: ObjectKind): string =>
  autoname === undefined ? "the same content" : `the same ${autoname.path}`;

/** Tells the equal objects apart: those that nobody knows, the ids of those that this process or the state knows, and lines about those with another stack's tag. */
async function sortedOut(kind: ObjectKind, call: Call, there: ObjectPool) {
  const { inputs } = call;
  const { description } = kind;
  const taken = kind.known.taken(kind.parentOf(inputs));
  const strangers: { id: string; reply: Properties }[] = [];
  const known: string[] = [];
  const tagged: string[] = [];
  for (const reply of there.equalTo(inputs)) {
    const id = formatId(kind.refOf(inputs, reply));
    if (taken.has(description.idOf(reply)) || (await kind.known.isKnown(id))) {
      known.push(id);
      continue;
    }
    // It may have been deleted since it was listed.
    const when = kind.known.denied.has(id) ? "now" : "lately";
    const live = (await lookUp(kind, id, when))?.live;
    const stack = live && kind.taggedElsewhere(live, inputs);
    if (stack !== undefined)
      tagged.push(
        `the ${kind.type} ${id} has the same content, and its tag says that the stack ${stack} created it`,
      );
    else if (live !== undefined) strangers.push({ id, reply: live });
  }
  return { strangers, known, tagged };
}

/** Names the inputs that could not be compared with the interrupted creation, as the end of a line. */
function uncompared({ type, description }: ObjectKind, call: Call, asked: Asking | undefined): string {
  const hidden = asked === undefined ? [] : encryptedIn(description, call, asked);
  if (hidden.length === 0) return "";
  return `. The state encrypts ${listed(hidden, "and")} of the interrupted run: if the program has changed since, replace the ${type}`;
}

/** An equal object of another resource, which this run may leave as it is. Without targets, the other resource is asked too if the program has it. */
async function copied(kind: ObjectKind, call: Call, ids: readonly string[]): Promise<Leftover | undefined> {
  const { type, description } = kind;
  const isNamed = description.autoname !== undefined || description.unique !== undefined;
  const refs = isNamed || !leavesSomeOut() ? [] : ids.flatMap((id) => kind.parseId(id) ?? []);
  for (const { ref, holders } of await holdersOf(kind, call, kind, refs)) {
    const holder = holders.find(({ isOwn }) => !isOwn);
    if (holder === undefined) continue;
    const name = calledIn(holder);
    const line = `${name} has the same content, the ${type} ${formatId(ref)}. Unless this run deletes that, \`pulumi up\` creates a second one: remove ${name} from the program and add it to the targets, or remove this resource`;
    return { line, isDoubtful: "warn" };
  }
  return undefined;
}

interface Strangers {
  readonly ids: readonly string[];
  /** Whether some were created later than the run of this machine that asked for the resource. */
  readonly isLater: boolean;
  /** Whether they have the derived name, which no other resource has. */
  readonly isOwn: boolean;
  /** Whether an interrupted run has asked for this name, as the state says. */
  readonly isAsked: boolean;
  /** Whether a refresh of this run did not find them. */
  readonly isDenied: boolean;
  /** Whether nothing else distinguishes them from the resource. */
  readonly isTelling: boolean;
  /** Whether the state says that it is this resource's object, if there is only one. */
  readonly mayBeTaken: boolean;
  /** Whether an earlier run was interrupted in this creation. */
  readonly wasCutOff: boolean;
}

async function lineOf(
  kind: ObjectKind,
  call: Call,
  { ids, isLater, isOwn, isAsked, isDenied, isTelling, mayBeTaken, wasCutOff }: Strangers,
): Promise<string> {
  const { run, type } = kind;
  const isRead = (await run.stack.state()) !== undefined;
  // Then the engine imports nothing.
  const isGone = (await kind.standingOf(call))?.isGone === true;
  const { key, variable } = SETTINGS.resume;
  const { resume } = run.configuration;
  const several = ids.length > 1;
  const [has, it] = several ? ["have", "them"] : ["has", "it"];
  const state = isRead
    ? `${several ? "are" : "is"} not in the state`
    : `the state, which may contain ${it}, could not be read`;
  const later = isLater
    ? `, but ${several ? "were" : "was"} created too late for the request of the interrupted run`
    : "";
  const what = `the ${nounFor(ids.length, type)} ${ids.join(", ")} ${has} ${likeness(kind)}, and ${state}${later}`;
  const [id = ""] = ids;
  // A CI job cannot change the program.
  const orSet = wasCutOff ? ` (or ${IMPORT_VARIABLE}='URN=${id}')` : "";
  const adopt = isGone
    ? "run `pulumi up` with the program of the interrupted run"
    : `give this resource the option import: "${id}"${orSet}`;
  const set = `set ${key} (or ${variable}=true)`;
  if (isOwn) {
    const why = several
      ? "it is unknown which of them is this resource's"
      : "it was created with other inputs";
    const goOn = resume
      ? `${key} is set, but ${why}. To continue with ${it}, ${adopt}`
      : `To continue with ${it}, ${set}, or ${adopt}`;
    if (!isAsked && !isDenied)
      return `${what}. ${isRead ? `No interrupted run of this stack has asked for ${it}, so a` : "A"} new one is created. To manage ${it} instead, ${adopt}`;
    if (isLater)
      return `${what}. Another run of this stack, or somebody else, created ${it}. To continue with ${it}, ${adopt}. To create a new one, first run \`pulumi refresh --clear-pending-creates\``;
    const origin = isAsked ? `An interrupted run created ${it}` : `A refresh got the answer 404 for ${it}`;
    return `${what}. ${origin}. ${goOn}. To create a new one, delete ${it} first`;
  }
  const mine = `If an interrupted run of this stack created ${it}, ${resume || !mayBeTaken ? "" : `${set}, or `}${adopt}`;
  if (isTelling)
    return `${what}. ${mine}. If another resource manages ${it}, remove this resource from the program`;
  const anew = wasCutOff
    ? "; to create another, first run `pulumi refresh --clear-pending-creates`, after which no interrupted creation of the stack is resumed"
    : "";
  return `${what}. ${mine}${anew}`;
}

/** The refusal of an object that may be one which another stack is creating, or has created as a note of this machine says. */
export async function doubtOf(kind: ObjectKind, call: Call, id: string): Promise<Leftover | undefined> {
  const noted = noteElsewhere(kind, call);
  if (noted !== undefined && !("id" in noted && noted.id !== id))
    return { line: lineOfMoved(kind, id), isDoubtful: "refuse" };
  const doubt = (await rivalsElsewhere(kind, call))(call.inputs);
  if (doubt === undefined) return undefined;
  return { line: `the ${kind.type} ${id} has the same content, and ${doubt}`, isDoubtful: "refuse" };
}

export const lineOfMoved = ({ type }: Kind, id: string): string =>
  `an interrupted run of a stack of this name in another backend created the ${type} ${id}. If this stack was moved from there, ` +
  `continue with it: give this resource the option import: "${id}" (or ${IMPORT_VARIABLE}='URN=${id}')`;

/** A check looks at what was read lately, and an operation reads anew. */
export const phaseOf = (recency: Recency): Phase => (recency === "lately" ? "check" : "operation");
