import { doubtOf, type Leftover, lineOfMoved, phaseOf, strangersIn } from "./strangers";
import { type Kind, type ObjectKind } from "../kind/kind";
import { isNodeCloudError } from "../../api/errors";
import { isOfRenamedStack, isShared } from "../ownership/other-owners";
import { uniqueNameIn } from "../ownership/unique-names";
import { lookUp, type Recency } from "../object/look-up";
import { type AskedBefore, latestOf, settledAt } from "../notes/lost-answer-limits";
import { noteElsewhere, noteOf, ofOtherToken } from "./creation-note";
import { awaitedUntil } from "./asked-elsewhere";
import { isListable } from "./existing-before";
import { type Asked } from "../notes/journal";
import { takenBack } from "./taken-back";
import { formatId } from "../describe/define-resource";
import { ProviderError } from "../base/errors";
import { calledInProgram, warn } from "../kind/warnings";
import { type Call, isAutomatic } from "../state/call";
import { listNewcomers } from "../matching/newcomers";
import { ObjectPool } from "../matching/object-pool";
import { type Run } from "../base/runs";
import { hasUnknown, type Properties } from "../base/values";

/** Looks for the object of an interrupted run, for a resource that is new to the engine. */
export async function leftoverOf(
  kind: ObjectKind,
  call: Call,
  recency: Recency,
): Promise<Leftover | undefined> {
  const noted = await leftoverNoted(kind, call, recency);
  const isOpen = noted?.until === undefined || noted.until > kind.clock.now();
  if (noted !== undefined && isOpen) return noted;
  const back = await takenBack(kind, call, recency);
  if (back !== undefined) return back;
  const found = await leftoverUnnoted(kind, call, recency);
  if (found !== undefined && found.isDoubtful !== "warn") return found;
  const moved = await madeElsewhere(kind, call, recency);
  return moved === undefined ? (found ?? noted) : { ...found, ...moved };
}

/** Looks for a leftover in the notes of this machine. */
async function leftoverNoted(kind: ObjectKind, call: Call, recency: Recency): Promise<Leftover | undefined> {
  const { description } = kind;
  const { inputs } = call;
  const note = noteOf(kind, call);
  const noted = note.recall();
  if (noted === undefined) return undefined;
  if (noted.run !== undefined && note.isElsewhere(noted)) return busy(kind, noted.run);
  if (await isOfRenamedStack(kind.run, calledInProgram({ kind, call }))) return undefined;
  const found = "id" in noted ? await lookUp(kind, noted.id, recency) : undefined;
  if (note.isOfOtherToken(noted, found?.live))
    return { line: ofOtherToken(kind.type, noted), isDoubtful: "refuse" };
  if ("id" in noted) {
    const isFree =
      found !== undefined && !(await kind.known.isKnown(noted.id)) && !(await isShared(kind, call, noted.id));
    if (isFree && note.isOther(noted)) return otherWish(kind, call, noted.id, found.live);
    if (isFree && new ObjectPool(description, [found.live]).take(inputs) !== undefined)
      return madeBefore(kind, noted.id, found.live);
  }
  if ("before" in noted && !note.isOther(noted)) {
    // The creation itself waits for an object that is listed only when it is complete.
    const reply =
      description.withoutId !== undefined && recency === "now"
        ? undefined
        : await unknownNewcomer(kind, call, noted);
    if (reply !== undefined) {
      const id = formatId(kind.refOf(inputs, reply));
      return (await doubtOf(kind, call, id)) ?? madeBefore(kind, id, reply, APPEARED);
    }
    return { until: settledAt(noted), line: wasRequested(kind) };
  }
  return undefined;
}

/** Looks for a leftover in the account and in the state. */
async function leftoverUnnoted(
  kind: ObjectKind,
  call: Call,
  recency: Recency,
): Promise<Leftover | undefined> {
  const { run, description } = kind;
  const { inputs } = call;
  if (!run.configuration.validate || kind.isPartlyUnknown(inputs)) return undefined;
  const parent = kind.parentOf(inputs);
  const phase = phaseOf(recency);
  if (description.parent?.statuses !== undefined) {
    // The creation itself waits until it is listed, and only a check learns what was interrupted.
    await kind.known.pendingCreation(call, phase);
    const isShown = recency === "lately" && (await isListable(kind, parent));
    if (!isShown) return undefined;
  }
  if (run.configuration.resume && (await kind.known.isOfOtherToken(call, phase)))
    return { line: ofOtherToken(kind.type), isDoubtful: "refuse" };
  const until = await awaitedUntil(kind, call, phase);
  const there = await (phase === "check"
    ? kind.reads.listed(parent)
    : (until === undefined ? kind.reads.existing(parent) : kind.reads.nowThere(parent)).catch(
        () => undefined,
      ));
  const found = there && (await strangersIn(kind, call, there, recency));
  if (until === undefined || found?.object !== undefined || found?.isDoubtful === "refuse") return found;
  return { line: wasRequested(kind), ...found, until };
}

/** The object of an interrupted run of a stack of the same name in another backend. Whether it is this stack, which was moved, is not known. */
async function madeElsewhere(kind: ObjectKind, call: Call, recency: Recency): Promise<Leftover | undefined> {
  const { description } = kind;
  const noted = noteElsewhere(kind, call);
  if (noted === undefined || hasUnknown(call.inputs)) return undefined;
  const named = description.autoname === undefined ? {} : { [description.autoname.path]: noted.name };
  const reply =
    "id" in noted
      ? (await lookUp(kind, noted.id, recency))?.live
      : await unknownNewcomer(kind, { ...call, inputs: { ...call.inputs, ...named } }, noted);
  const id = reply && formatId(kind.refOf(call.inputs, reply));
  if (id === undefined || (await kind.known.isKnown(id))) return undefined;
  return { line: lineOfMoved(kind, id), isDoubtful: "warn" };
}

const wasRequested = ({ type }: Kind): string =>
  `an interrupted run requested this ${type}: the creation looks for it first, and requests it again only if it does not exist`;

/** An object that was not there before, is like the wanted one, and that neither this process nor the state nor another stack knows. */
export async function unknownNewcomer(
  kind: ObjectKind,
  call: Call,
  asked: Asked | AskedBefore,
): Promise<Properties | undefined> {
  const { inputs } = call;
  const parent = kind.parentOf(inputs);
  // What is listed only when it is complete may be dated later.
  const latest = "at" in asked && kind.description.withoutId === undefined ? latestOf(asked) : undefined;
  const newcomers = await listNewcomers(kind, parent, new Set(asked.before), latest);
  const taken = kind.known.taken(parent);
  const isOthers = async (reply: Properties) => {
    const id = kind.idBelow(parent, reply);
    return (
      taken.has(kind.description.idOf(reply)) ||
      kind.taggedElsewhere(reply, inputs) !== undefined ||
      (await kind.known.isKnown(id)) ||
      (await isShared(kind, call, id))
    );
  };
  return newcomers.takeUnless(isOthers, inputs);
}

/** The object that an interrupted run created with other inputs. */
function otherWish(kind: ObjectKind, call: Call, id: string, live: Properties): Leftover {
  const { type, description } = kind;
  const { unique = "" } = description;
  const name = uniqueNameIn(kind, call.inputs[unique]);
  const isTaken = name !== undefined && name === uniqueNameIn(kind, live[unique]);
  const line =
    `an interrupted run created the ${type} ${id} with other inputs. ` +
    `To continue with it, restore those inputs, or give this resource the option import: "${id}". To create a new one, delete it first`;
  return { line, isDoubtful: isAutomatic(call) || isTaken ? "refuse" : "warn" };
}

/** Where a note has no id: the object may still be somebody else's. */
const APPEARED = "which appeared after an interrupted run requested it";

const madeBefore = (
  { type }: Kind,
  id: string,
  reply: Properties,
  why = "which an interrupted run created",
): Leftover => ({
  object: { id, reply },
  line: `continues with the ${type} ${id}, ${why}`,
});

const busy = ({ type }: Kind, { pid }: Run): Leftover => ({
  line: `another run (process ${pid}) is creating this ${type} now: this run does not take over the new object`,
});

/** Refuses a creation because of existing objects, or warns of them. */
export function heedDoubts(kind: ObjectKind, call: Call, { isDoubtful, line }: Leftover): void {
  if (isDoubtful === "refuse")
    throw new ProviderError(`create ${kind.nameOf(call.inputs)}: ${line}`, { code: "EXISTS_ALREADY" });
  if (isDoubtful === "warn") warn({ kind, call }, line, "EXISTS_ALREADY");
}

/** `leftoverOf` for a preview, which continues if the account cannot be read. */
export async function leftoverLately(kind: ObjectKind, call: Call): Promise<Leftover | undefined> {
  try {
    return await leftoverOf(kind, call, "lately");
  } catch (error) {
    if (kind.account.hides(error)) return undefined;
    // Without validation a preview needs no account. The creation itself reports the error.
    if (!isNodeCloudError(error) || kind.run.configuration.validate) throw error;
    return undefined;
  }
}
