import { type ObjectKind } from "../kind/kind";
import { ownerOf } from "../kind/warnings";
import { pollUntil } from "../run/watch";
import { type Call } from "../state/call";
import { type Properties } from "../base/values";
import { isCreatedWithoutId } from "./create-without-id";
import { createdBefore, type CreatedObject } from "./creation-task";
import { heedDoubts, leftoverOf } from "./leftover";
import { type Leftover } from "./strangers";
import { LOOK_PAUSE_MS } from "../notes/lost-answer-limits";

/** Takes the object that an interrupted run has created. */
export async function resume(kind: ObjectKind, call: Call): Promise<CreatedObject | undefined> {
  const { description } = kind;
  const left = await leftoverNow(kind, call);
  if (left === undefined) return undefined;
  heedDoubts(kind, call, left);
  if (left.object !== undefined && left.isBack === true) keep(kind, call, left.object.id);
  if (left.object !== undefined) return takeOver(kind, call, left.object.reply);
  // The service creates an object with a unique name once, however often it is requested.
  const isFoundLater = isCreatedWithoutId(kind) || description.unique !== undefined;
  return left.until === undefined || isFoundLater ? undefined : waitForAsked(kind, call, left.until);
}

/** The leftover of a resource now. Its object is this resource's from here on, if an equal resource of the program has not just taken it. */
async function leftoverNow(kind: ObjectKind, call: Call): Promise<Leftover | undefined> {
  const taken = kind.known.taken(kind.parentOf(call.inputs));
  const isTaken = ({ object }: Leftover) =>
    object !== undefined && taken.has(kind.description.idOf(object.reply));
  let left = await leftoverOf(kind, call, "now");
  if (left !== undefined && isTaken(left)) left = await leftoverOf(kind, call, "now");
  if (left === undefined || isTaken(left)) return undefined;
  if (left.object !== undefined) taken.add(kind.description.idOf(left.object.reply));
  return left;
}

/** Looks for the object that an interrupted run has requested, until it appears or the time for it is over. */
async function waitForAsked(kind: ObjectKind, call: Call, until: number): Promise<CreatedObject | undefined> {
  const row = "looking for the object that an interrupted run requested";
  const looking = { until, pauseMs: LOOK_PAUSE_MS, row, isLooked: true };
  const reply = await pollUntil(kind, looking, async () => {
    const left = await leftoverNow(kind, call);
    if (left?.isDoubtful === "refuse") heedDoubts(kind, call, left);
    return left?.object?.reply;
  });
  return reply === undefined ? undefined : takeOver(kind, call, reply);
}

/** Keeps an object from the engine's deletion, which is still to come for the same resource. */
function keep(kind: ObjectKind, call: Call, id: string): void {
  const ref = kind.parseId(id);
  if (ref !== undefined) kind.run.owners.takeAll(kind.description, [ref], ownerOf(kind.description, call));
}

/** Continues with an object of an earlier run. An object that cannot be finished is deleted. */
async function takeOver(
  kind: ObjectKind,
  { inputs }: Call,
  reply: Properties,
): Promise<CreatedObject | undefined> {
  const { account, description } = kind;
  if (description.isWhole?.(reply) !== false) return createdBefore(kind, inputs, reply);
  const ref = kind.refOf(inputs, reply);
  await account.traffic.writing(async () => description.delete?.(account.client, ref));
  return undefined;
}
