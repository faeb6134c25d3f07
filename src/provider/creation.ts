import { isAnswerLost, isApiError } from "../api/errors";
import { type CreateTask, type Description } from "./define";
import { ProviderError } from "./errors";
import { inputAt, type Leaf, leavesOf } from "./fields";
import { MEMORY } from "./hidden";
import { setInputs, type Sent } from "./sent";
import { nameOf, type Session } from "./session";
import { camelKeys, type Properties, same, valueAt } from "./values";
import { bodyFor } from "./work";

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

/**
 * Creates an object once. When the answer is lost it looks for an object like the wanted one that was not there before, and takes
 * that; only when there is none does it ask again.
 */
export async function createOnce(
  session: Session,
  description: Description,
  inputs: Properties,
): Promise<Created> {
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
      if (reply !== undefined) return { reply, applied, stored: storedOf(task) };
      if (before === undefined || description.list === undefined || tries === TRIES) {
        throw new ProviderError(
          `create ${nameOf(description, inputs)}: ${error.message}. Whether it was created is not known: ` +
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
    for await (const item of description.list(session.client, parent)) {
      const id = description.idOf(item);
      if (before.has(id) || taken.has(id) || !isLike(description, item, inputs)) continue;
      taken.add(id);
      return item;
    }
    if (looks < LOOKS) await session.clock.sleep(LOOK_PAUSE, new AbortController().signal);
  }
  return undefined;
}

function isLike(description: Description, item: Properties, inputs: Properties): boolean {
  const live = description.toOutputs?.(item) ?? (camelKeys(item) as Properties);
  return leavesOf(description.fields)
    .filter(({ path }) => description.identity.includes(path))
    .every((leaf) => {
      const wanted = inputAt(inputs, leaf);
      const found = valueAt(live, leaf.path);
      // The service may have added a domain to a name, or a period: one being the start of the other is enough for a new object.
      if (typeof wanted === "string" && typeof found === "string") {
        const [a, b] = [wanted.toLowerCase(), found.toLowerCase()];
        return a === b || b.startsWith(`${a}.`) || a.startsWith(`${b}.`);
      }
      return wanted === undefined || same(leaf.comparison, wanted, found);
    });
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
      if (item[unique] !== inputs[unique]) continue;
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
