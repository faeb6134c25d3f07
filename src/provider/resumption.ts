import { isNodeCloudError } from "../api/errors";
import { lookUp } from "./adopt";
import { leftBehind } from "./creation";
import { type Description, formatId } from "./define";
import { type Asked, type Made } from "./journal";
import { likenessOf } from "./likeness";
import { note } from "./notices";
import { parentOf, refOf } from "./request";
import { type Session } from "./session";
import { type Properties } from "./values";

/** Says in the preview that the creation goes on with the object that an interrupted run has left, or looks for it first. */
export async function announceResumption(
  session: Session,
  description: Description,
  inputs: Properties,
): Promise<void> {
  const left = leftBehind(session, description, inputs);
  if (left === undefined) return;
  const id = await idOfLeft(session, description, inputs, left);
  const { type } = description;
  if (id !== undefined) {
    note(
      session,
      { description, inputs },
      `goes on with the ${type} ${id}, which an interrupted run has left`,
    );
  } else if ("before" in left) {
    const line = `an interrupted run has asked for this ${type}: it is looked for first, and asked for again only if it is not there`;
    note(session, { description, inputs }, line);
  }
}

/** The id of what an interrupted run has left, if it is there. */
async function idOfLeft(
  session: Session,
  description: Description,
  inputs: Properties,
  left: Made | Asked,
): Promise<string | undefined> {
  try {
    if ("before" in left) return await idOfNewcomer(session, description, inputs, left);
    const live = (await lookUp(session, description, left.id, "lately"))?.live;
    const isIt = live !== undefined && likenessOf(description, live, inputs) !== undefined;
    return isIt ? left.id : undefined;
  } catch (error) {
    // The account cannot be read, or not yet: the creation itself tells more.
    if (!isNodeCloudError(error)) throw error;
    return undefined;
  }
}

async function idOfNewcomer(
  session: Session,
  description: Description,
  inputs: Properties,
  { before }: Asked,
): Promise<string | undefined> {
  for await (const item of description.list?.(session.client, parentOf(description, inputs)) ?? []) {
    const isNew = !before.includes(description.idOf(item));
    if (isNew && likenessOf(description, item, inputs) !== undefined)
      return formatId(refOf(description, inputs, item));
  }
  return undefined;
}
