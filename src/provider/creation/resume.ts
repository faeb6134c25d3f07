import { type CreationNote } from "./creation-note";
import { warn } from "../engine/warnings";
import { type Kind } from "../process/kind";
import { lookUntil } from "../process/watch";
import { type Call } from "../state/call";
import { type Properties } from "../state/values";
import { isCreatedWithoutId } from "./create-without-id";
import { createdBefore, type Created } from "./creation-task";
import { leftoverOf, refusalOf } from "./leftover";
import { LOOK_PAUSE_MS } from "./lost-answers";

/** Takes the object that an interrupted run has created. */
export async function resume(kind: Kind, call: Call, note: CreationNote): Promise<Created | undefined> {
  const { description } = kind;
  const left = await leftoverOf(kind, call, "now");
  switch (left?.kind) {
    case "object":
      return takeOver(kind, call, left.reply);
    case "strangers":
      if (left.refuses) throw refusalOf(kind, call, left.line);
      warn({ kind, call }, left.line);
      return undefined;
    case "asked":
      // The service creates an object with a unique name once, however often it is requested.
      return isCreatedWithoutId(kind) || description.unique !== undefined
        ? undefined
        : waitForAsked(kind, call, note, left.until);
    case "busy":
    case undefined:
      return undefined;
  }
}

/** Looks for the object that an interrupted run has requested, until it appears or the time for it is over. */
async function waitForAsked(
  kind: Kind,
  call: Call,
  note: CreationNote,
  until: number,
): Promise<Created | undefined> {
  const { session } = kind;
  const row = "looking for the object that an interrupted run requested";
  const looking = { until, pauseMs: LOOK_PAUSE_MS, row, isLooked: true };
  const reply = await lookUntil(session, looking, async () => {
    const left = await leftoverOf(kind, call, "now");
    return left?.kind === "object" ? left.reply : undefined;
  });
  return reply === undefined ? undefined : takeOver(kind, call, reply);
}

/** Continues with an object of an earlier run. An object that cannot be finished is deleted. */
async function takeOver(kind: Kind, { inputs }: Call, reply: Properties): Promise<Created | undefined> {
  const { session, description } = kind;
  if (description.isWhole?.(reply) !== false) return createdBefore(kind, inputs, reply);
  const ref = kind.refOf(inputs, reply);
  await session.writing(async () => description.delete?.(session.client, ref));
  return undefined;
}
