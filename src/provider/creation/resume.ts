import { type Kind } from "../process/kind";
import { lookUntil } from "../process/watch";
import { type Call } from "../state/call";
import { type Properties } from "../state/values";
import { isCreatedWithoutId } from "./create-without-id";
import { createdBefore, type Created } from "./creation-task";
import { heedDoubts, leftoverOf } from "./leftover";
import { LOOK_PAUSE_MS } from "./lost-answers";

/** Takes the object that an interrupted run has created. */
export async function resume(kind: Kind, call: Call): Promise<Created | undefined> {
  const { description } = kind;
  const left = await leftoverOf(kind, call, "now");
  if (left === undefined) return undefined;
  heedDoubts(kind, call, left);
  if (left.object !== undefined) return takeOver(kind, call, left.object.reply);
  // The service creates an object with a unique name once, however often it is requested.
  const isFoundLater = isCreatedWithoutId(kind) || description.unique !== undefined;
  return left.until === undefined || isFoundLater ? undefined : waitForAsked(kind, call, left.until);
}

/** Looks for the object that an interrupted run has requested, until it appears or the time for it is over. */
async function waitForAsked(kind: Kind, call: Call, until: number): Promise<Created | undefined> {
  const { session } = kind;
  const row = "looking for the object that an interrupted run requested";
  const looking = { until, pauseMs: LOOK_PAUSE_MS, row, isLooked: true };
  const reply = await lookUntil(session, looking, async () => {
    const left = await leftoverOf(kind, call, "now");
    return left?.object?.reply;
  });
  return reply === undefined ? undefined : takeOver(kind, call, reply);
}

/** Continues with an object of an earlier run. An object that cannot be finished is deleted. */
async function takeOver(kind: Kind, { inputs }: Call, reply: Properties): Promise<Created | undefined> {
  const { session, description } = kind;
  if (description.isWhole?.(reply) !== false) return createdBefore(kind, inputs, reply);
  const ref = kind.refOf(inputs, reply);
  await session.traffic.writing(async () => description.delete?.(session.client, ref));
  return undefined;
}
