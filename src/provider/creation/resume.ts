import { type CreationNote } from "./creation-note";
import { warn } from "../engine/warnings";
import { type Kind } from "../process/kind";
import { lookUntil } from "../process/watch";
import { type Properties } from "../state/values";
import { isUnnamed } from "./create-unnamed";
import { createdBefore, type Created } from "./creation-task";
import { leftoverOf, refusalOf } from "./leftover";
import { LOOK_PAUSE_MS } from "./lost-answers";

/** Takes what an interrupted run has left. */
export async function resume(
  kind: Kind,
  inputs: Properties,
  note: CreationNote,
): Promise<Created | undefined> {
  const { description } = kind;
  const left = await leftoverOf(kind, inputs, "now");
  switch (left?.kind) {
    case "object":
      return takeOver(kind, inputs, left.reply);
    case "strangers":
      if (left.refuses) throw refusalOf(kind, inputs, left.line);
      warn({ kind, inputs }, left.line);
      return undefined;
    case "asked":
      // What has a unique name can be asked for twice: the service makes it once.
      return isUnnamed(kind) || description.unique !== undefined
        ? undefined
        : waitForAsked(kind, inputs, note, left.until);
    case "busy":
    case undefined:
      return undefined;
  }
}

/** Looks for what an interrupted run asked for until it has come or never will. */
async function waitForAsked(
  kind: Kind,
  inputs: Properties,
  note: CreationNote,
  until: number,
): Promise<Created | undefined> {
  const { session } = kind;
  const row = "looking for what an interrupted run has asked for, before it is asked for again";
  const looking = { until, pauseMs: LOOK_PAUSE_MS, row, isLooked: true };
  const reply = await lookUntil(session, looking, async () => {
    const left = await leftoverOf(kind, inputs, "now");
    return left?.kind === "object" ? left.reply : undefined;
  });
  return reply === undefined ? undefined : takeOver(kind, inputs, reply);
}

/** Goes on with an object of an earlier run. One that cannot be finished is deleted. */
async function takeOver(kind: Kind, inputs: Properties, reply: Properties): Promise<Created | undefined> {
  const { session, description } = kind;
  if (description.isWhole?.(reply) !== false) return createdBefore(kind, inputs, reply);
  const ref = kind.refOf(inputs, reply);
  await session.writing(async () => description.delete?.(session.client, ref));
  return undefined;
}
