import { lookUntil } from "../process/watch";
import { type Kind } from "../process/kind";
import { isAnswerLost, isNodeCloudError, type NodeCloudError } from "../../api/errors";
import { isTimeout } from "./lost-answers";
import { type CreationNote, noteOf } from "./creation-note";
import { type Description, formatId, type Ref } from "../describe/define-resource";
import { ProviderError, sayingOf } from "../engine/errors";
import { isAutomatic } from "../state/hidden";
import { leftoverOf, refusalOf } from "./leftover";
import { takeNewcomer } from "./recognise";
import { warn } from "../engine/warnings";
import { createdBefore, type Created, creating, storedOf } from "./creation-task";
import { withHolder } from "../hooks/unique-names";
import { type Properties } from "../state/values";
import { createUnnamed, isUnnamed } from "./create-unnamed";

const TRIES = 3;
const LOOKS = 3;
const LOOK_PAUSE = 2_000;

/** Goes on with the creation that a killed run left behind, or creates the object; `complete` does the rest. */
export async function createOrResume<Result>(
  kind: Kind,
  inputs: Properties,
  complete: (ref: Ref, created: Created) => Promise<Result>,
): Promise<Result> {
  const { session } = kind;
  const note = noteOf(kind, inputs);
  await note.free();
  const created =
    (await resume(kind, inputs, note)) ??
    (isUnnamed(kind)
      ? await createUnnamed(kind, inputs, note)
      : await new Creation(kind, inputs, note).run());
  const ref = kind.refOf(inputs, created.reply);
  kind.known.taken(ref.parent ?? "").add(ref.id);
  note.made(formatId(ref));
  try {
    return await complete(ref, created);
  } finally {
    // Where nobody is there to hear the end, the next run has to know of it.
    if (await session.log.isHeard()) note.forget();
  }
}

/** Takes what an interrupted run has left. */
async function resume(kind: Kind, inputs: Properties, note: CreationNote): Promise<Created | undefined> {
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
  const looking = { until, pauseMs: LOOK_PAUSE, row, isLooked: true };
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

/** One creation. It is asked for again only where that makes no second object. */
class Creation {
  readonly #attempt: string;
  readonly #parent: string;
  /** The answer of the last try, where it was lost. */
  #lost: NodeCloudError | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly inputs: Properties,
    private readonly note: CreationNote,
  ) {
    this.#attempt = `create ${kind.nameOf(inputs)}`;
    this.#parent = kind.parentOf(inputs);
  }

  async run(): Promise<Created> {
    const { kind, inputs } = this;
    const { session, description } = kind;
    const before = await kind.reads.existing(this.#parent).catch(() => undefined);
    const alike = before?.equalTo(inputs).map((item) => description.idOf(item)) ?? [];
    for (let tries = 1; ; tries++) {
      const { task, applied } = creating(kind, inputs);
      // Noted first: whoever is cut off while asking must be known to have asked.
      this.note.asked(alike);
      try {
        const reply = await session.writing(() => description.create(task));
        if (reply === undefined) throw new TypeError(`${kind.type} does not say how to find what it creates`);
        kind.known.taken(this.#parent).add(description.idOf(reply));
        if (before !== undefined) await this.#nameDouble(before.ids, description.idOf(reply));
        return { reply, applied, stored: storedOf(task) };
      } catch (error) {
        if (!isAnswerLost(error)) await this.#refused(error);
        else this.#lost = error;
        const reply = before === undefined ? undefined : await this.#look(before.ids);
        if (reply !== undefined && description.isWhole?.(reply) !== false)
          return { reply, applied, stored: storedOf(task) };
        if (reply !== undefined)
          await session.writing(async () => description.delete?.(session.client, kind.refOf(inputs, reply)));
        else if (!isAnswerLost(error)) throw this.#unknown(error);
        const mayCome = isTimeout(error) && description.unique === undefined && reply === undefined;
        if (before === undefined || description.list === undefined || tries === TRIES || mayCome)
          throw this.#unknown(error);
      }
    }
  }

  /** Throws a refusal, unless an earlier request of this creation may have been carried out. */
  async #refused(error: unknown): Promise<void> {
    if (this.#lost !== undefined) return;
    this.note.forget();
    throw await withHolder(error, this.kind, this.inputs, this.#attempt);
  }

  /** An object that was not there before and is like the wanted one. The list may lag, so it is looked at more than once. */
  async #look(before: ReadonlySet<string>): Promise<Properties | undefined> {
    const { kind, inputs } = this;
    const { session, description } = kind;
    try {
      for (let looks = 1; looks <= LOOKS && description.list !== undefined; looks++) {
        const found = await takeNewcomer(kind, inputs, before);
        if (found !== undefined) return found;
        if (looks < LOOKS) await session.pause(LOOK_PAUSE);
      }
      return undefined;
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      throw this.#unknown(error);
    }
  }

  /** Says that a request whose answer was lost was carried out after all, besides the one after it. */
  async #nameDouble(before: ReadonlySet<string>, id: string): Promise<void> {
    const { kind, inputs } = this;
    const { description } = kind;
    if (this.#lost === undefined || description.unique !== undefined) return;
    const double = await takeNewcomer(kind, inputs, before).catch(() => undefined);
    if (double === undefined) return;
    const { type } = description;
    const twin = formatId(kind.refOf(inputs, double));
    warn(
      { kind, inputs },
      `it was created twice, since the answer to the first request was lost: this resource is the ${type} ${id}. Delete the ${type} ${twin}`,
    );
  }

  /** The note stays: the next run looks first. */
  #unknown(error: unknown): ProviderError {
    const { kind, inputs } = this;
    const { description } = kind;
    const lost = this.#lost === undefined || this.#lost === error ? "" : `${sayingOf(this.#lost)}; then `;
    return new ProviderError(
      `${this.#attempt}: ${lost}${sayingOf(error)}; whether it was created is not known. ` +
        `The next \`pulumi up\` on this machine looks for it first, by ${howItIsKnown(description, inputs)}, ` +
        "and asks again only if it is not there",
      { cause: error },
    );
  }
}

/** By which inputs an object is looked for: `label "web-4fe9fba"`. */
function howItIsKnown({ identity, autoname }: Description, inputs: Properties): string {
  const paths = identity.filter((path) => inputs[path] !== undefined);
  const called = paths.map((path) => `${path} ${JSON.stringify(inputs[path])}`).join(", ");
  return autoname !== undefined && isAutomatic(inputs) ? `its ${called}` : called;
}
