import { isAnswerLost } from "../api/errors";
import { lookUp } from "./adopt";
import { type Description, formatId, parseId, type Ref } from "./define";
import { ProviderError, sayingOf } from "./errors";
import { type Creation, creationKey, fixedIn, formerKey, isOther, notedOf } from "./journal";
import { forget, recallOver } from "./recall";
import { likenessOf, newcomer } from "./likeness";
import { createdBefore, type Created, creating, parentOf, refOf, storedOf } from "./request";
import { nameOf, type Session } from "./session";
import { withHolder } from "./taken";
import { type Properties } from "./values";
import { createUnnamed, isUnnamed } from "./unnamed";

const TRIES = 3;
const LOOKS = 3;
const LOOK_PAUSE = 2_000;

/** What the journal knows of a creation that a killed run left behind. What the engine knows is not left behind. */
export function leftBehind(
  session: Session,
  description: Description,
  inputs: Properties,
  key = keyOf(session, description, inputs),
): Creation | undefined {
  const noted = recallOver(session, key, formerKey(description, session.baseUrl, inputs));
  if (noted === undefined || isOther(noted, fixedIn(description, inputs))) return undefined;
  if ("before" in noted) return noted;
  const ref = parseId(description, noted.id);
  if (ref === undefined || session.isManaged(description, noted.id)) return undefined;
  return session.taken(description, ref.parent ?? "").has(ref.id) ? undefined : noted;
}

/** Goes on with the creation that a killed run left behind, or creates the object; `complete` does the rest. */
export async function createOrResume<Result>(
  session: Session,
  description: Description,
  inputs: Properties,
  complete: (ref: Ref, created: Created) => Promise<Result>,
): Promise<Result> {
  const key = keyOf(session, description, inputs);
  const created =
    (await resume(session, description, inputs, key)) ??
    (isUnnamed(description)
      ? await createUnnamed(session, description, inputs, key)
      : await createOnce(session, description, inputs));
  const ref = refOf(description, inputs, created.reply);
  // What a creation needs to be finished is not written down, so one that has to be finished cannot be resumed.
  if (description.finish === undefined) {
    const made = { id: formatId(ref), ...notedOf(description, inputs) };
    session.journal.note(key, made, session.clock.now());
  }
  try {
    return await complete(ref, created);
  } finally {
    // Where nobody is there to hear the end, the next run has to know of it.
    if (await session.log.isHeard()) forget(session, key, formerKey(description, session.baseUrl, inputs));
  }
}

const keyOf = (session: Session, description: Description, inputs: Properties): string =>
  creationKey(description, session.place, inputs);

async function resume(
  session: Session,
  description: Description,
  inputs: Properties,
  key: string,
): Promise<Created | undefined> {
  const noted = leftBehind(session, description, inputs, key);
  if (noted === undefined || "before" in noted) return undefined;
  const reply = (await lookUp(session, description, noted.id, "now"))?.live;
  if (reply === undefined || likenessOf(description, reply, inputs) === undefined) return undefined;
  // The journal holds only creations with the same inputs.
  return createdBefore(description, inputs, reply);
}

/**
 * Creates an object once. When the answer is lost it looks for an object like the wanted one that was not there before, and takes
 * that; only when there is none does it ask again.
 */
async function createOnce(session: Session, description: Description, inputs: Properties): Promise<Created> {
  const parent = parentOf(description, inputs);
  const before = await session.existing(description, parent).catch(() => undefined);
  for (let tries = 1; ; tries++) {
    const { task, applied } = creating(session, description, inputs);
    try {
      const reply = await session.writing(() => description.create(task));
      if (reply === undefined)
        throw new TypeError(`${description.type} does not say how to find what it creates`);
      session.taken(description, parent).add(description.idOf(reply));
      return { reply, applied, stored: storedOf(task) };
    } catch (error) {
      if (!isAnswerLost(error))
        throw await withHolder(error, session, description, inputs, `create ${nameOf(description, inputs)}`);
      const reply = before === undefined ? undefined : await lookFor(session, description, inputs, before);
      if (reply !== undefined && description.isWhole?.(reply) !== false) {
        return { reply, applied, stored: storedOf(task) };
      }
      if (reply !== undefined) {
        await session.writing(async () =>
          description.delete?.(session.client, refOf(description, inputs, reply)),
        );
      }
      if (before === undefined || description.list === undefined || tries === TRIES) {
        throw new ProviderError(
          `create ${nameOf(description, inputs)}: ${sayingOf(error)}; whether it was created is not known: ` +
            "look for it before the next `pulumi up`, and adopt it with the option import if it is there",
          { cause: error },
        );
      }
    }
  }
}

/** An object that was not there before and is like the wanted one. The list may lag, so it is looked at more than once. */
async function lookFor(
  session: Session,
  description: Description,
  inputs: Properties,
  before: ReadonlySet<string>,
): Promise<Properties | undefined> {
  for (let looks = 1; looks <= LOOKS && description.list !== undefined; looks++) {
    const found = await newcomer(session, description, inputs, before);
    if (found !== undefined) return found;
    if (looks < LOOKS) await session.clock.sleep(LOOK_PAUSE, new AbortController().signal);
  }
  return undefined;
}
