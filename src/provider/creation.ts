import { isAnswerLost, isApiError } from "../api/errors";
import { lookUp } from "./adopt";
import { type CreateTask, type Description, formatId, parseId, type Ref } from "./define";
import { ProviderError, sayingOf } from "./errors";
import { inputAt, type Leaf, leavesOf } from "./fields";
import { MEMORY } from "./hidden";
import { type Creation, journalKey } from "./journal";
import { type Sent, setInputs } from "./sent";
import { nameOf, type Session } from "./session";
import { type Properties, same, valueAt } from "./values";
import { answerOf, bodyFor } from "./work";

/** What came of a creation: the object, the inputs that its request carried, and what the rest of it needs. */
export interface Created {
  readonly reply: Properties;
  readonly applied: Sent;
  /** What to store beside its outputs. */
  readonly stored: Properties;
}

const TRIES = 3;
const LOOKS = 3;
const LOOK_PAUSE = 2_000;

/** What the journal knows of a creation that a killed run left behind. What the engine knows is not left behind. */
export function leftBehind(
  session: Session,
  description: Description,
  inputs: Properties,
): Creation | undefined {
  const noted = session.journal.recall(keyOf(session, description, inputs), session.clock.now());
  const ref = noted === undefined ? undefined : parseId(description, noted.id);
  if (noted === undefined || ref === undefined || session.isManaged(description, noted.id)) return undefined;
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
  const resumed = await resume(session, description, inputs);
  const created = resumed ?? (await createOnce(session, description, inputs));
  const ref = refOf(description, inputs, created.reply);
  // What a creation needs to be finished is not written down, so one that has to be finished cannot be resumed.
  if (description.finish === undefined) {
    const name = description.autoname === undefined ? undefined : inputs[description.autoname.path];
    session.journal.note(key, {
      id: formatId(ref),
      at: session.clock.now(),
      ...(typeof name === "string" ? { name } : {}),
    });
  }
  try {
    return await complete(ref, created);
  } finally {
    // Where nobody is there to hear the end, the next run has to know of it.
    if (await session.log.isHeard()) session.journal.forget(key);
  }
}

const keyOf = (session: Session, description: Description, inputs: Properties): string =>
  journalKey(description, session.client.baseUrl, inputs);

async function resume(
  session: Session,
  description: Description,
  inputs: Properties,
): Promise<Created | undefined> {
  const noted = leftBehind(session, description, inputs);
  const reply = noted === undefined ? undefined : (await lookUp(session, description, noted.id))?.live;
  if (reply === undefined || likenessOf(description, reply, inputs) === undefined) return undefined;
  // The journal holds only creations with the same inputs; what can be changed is compared with the object again.
  const carried = leavesOf(description.fields).filter(
    ({ local, change }) => local === true || change === "replace",
  );
  return { reply, applied: setInputs(carried, inputs), stored: { [MEMORY]: {} } };
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
      const reply = await description.create(task);
      session.taken(description, parent).add(description.idOf(reply));
      return { reply, applied, stored: storedOf(task) };
    } catch (error) {
      if (!isAnswerLost(error)) throw await withHint(error, session, description, inputs, parent);
      const reply =
        before === undefined ? undefined : await lookFor(session, description, inputs, parent, before);
      if (reply !== undefined && description.isWhole?.(reply) !== false) {
        return { reply, applied, stored: storedOf(task) };
      }
      if (reply !== undefined) await description.delete?.(session.client, refOf(description, inputs, reply));
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

function creating(session: Session, description: Description, inputs: Properties) {
  const leaves = leavesOf(description.fields);
  const values = setInputs(leaves, inputs);
  const applied: Sent = new Map();
  const apply = (leaf: Leaf) => applied.set(leaf.path, values.get(leaf.path));
  for (const leaf of leaves) if (leaf.local === true && values.has(leaf.path)) apply(leaf);
  const task: CreateTask = {
    client: session.client,
    inputs,
    unshown: {},
    memory: {},
    body: (op) => {
      const { body, carried } = bodyFor(op, leaves, values);
      carried.forEach(apply);
      return body;
    },
    idAt: (path) => {
      applied.set(path, valueAt(inputs, path));
      return String(valueAt(inputs, path));
    },
  };
  return { task, applied };
}

const storedOf = ({ unshown, memory }: CreateTask): Properties => ({ ...unshown, [MEMORY]: memory });

function refOf(description: Description, inputs: Properties, reply: Properties): Ref {
  const id = description.idOf(reply);
  return description.id.parent === undefined ? { id } : { parent: parentOf(description, inputs), id };
}

const parentOf = (description: Description, inputs: Properties): string =>
  description.id.parent === undefined ? "" : String(inputs[description.id.parent]);

/** An object that was not there before and is like the wanted one. The list may lag, so it is looked at more than once. */
async function lookFor(
  session: Session,
  description: Description,
  inputs: Properties,
  parent: string,
  before: ReadonlySet<string>,
): Promise<Properties | undefined> {
  const taken = session.taken(description, parent);
  for (let looks = 1; looks <= LOOKS && description.list !== undefined; looks++) {
    let alike: Properties | undefined;
    for await (const item of description.list(session.client, parent)) {
      const id = description.idOf(item);
      if (before.has(id) || taken.has(id)) continue;
      const likeness = likenessOf(description, item, inputs);
      if (likeness === "equal") {
        taken.add(id);
        return item;
      }
      if (likeness === "alike") alike ??= item;
    }
    if (alike !== undefined) {
      taken.add(description.idOf(alike));
      return alike;
    }
    if (looks < LOOKS) await session.clock.sleep(LOOK_PAUSE, new AbortController().signal);
  }
  return undefined;
}

/** Whether an object is the wanted one: equal, or as the service may have rewritten it. */
function likenessOf(
  description: Description,
  item: Properties,
  inputs: Properties,
): "equal" | "alike" | undefined {
  const live = answerOf(description, item);
  let likeness: "equal" | "alike" = "equal";
  for (const leaf of leavesOf(description.fields)) {
    if (!description.identity.includes(leaf.path)) continue;
    const wanted = inputAt(inputs, leaf) ?? "";
    const found = valueAt(live, leaf.path) ?? "";
    if (same(leaf.comparison, wanted, found)) continue;
    if (!isRewritten(wanted, found)) return undefined;
    likeness = "alike";
  }
  return likeness;
}

/** The service may have changed the case of a name, or added the domain or a period to it. */
function isRewritten(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string" || wanted === "" || found === "") return false;
  const [a, b] = [wanted.toLowerCase(), found.toLowerCase()];
  return a === b || b.startsWith(`${a}.`) || a.startsWith(`${b}.`);
}

/** Names the object that has the unique value already, for who wants to manage that one. */
async function withHint(
  error: unknown,
  session: Session,
  description: Description,
  inputs: Properties,
  parent: string,
): Promise<unknown> {
  const { unique } = description;
  const refused =
    isApiError(error) && error.status < 500 && error.reasons.some(({ field }) => field === unique);
  if (!refused || unique === undefined || description.list === undefined) return error;
  try {
    for await (const item of description.list(session.client, parent)) {
      if (String(item[unique]).toLowerCase() !== String(inputs[unique]).toLowerCase()) continue;
      const reasons = error.reasons.map(({ reason }) => reason).join("; ");
      return new ProviderError(
        `create ${nameOf(description, inputs)}: ${unique}: ${reasons} (${error.status}). ` +
          `To manage the one that exists, give this resource the option import: "${description.idOf(item)}"`,
        { cause: error },
      );
    }
  } catch {
    // The hint is a courtesy; the refusal itself is what counts.
  }
  return error;
}
