import { isAnswerLost, isNodeCloudError, type NodeCloudError } from "../../api/errors";
import { formatId } from "../describe/define-resource";
import { ProviderError, sayingOf } from "../engine/errors";
import { warn } from "../engine/warnings";
import { withHolder } from "../inputs/unique-names";
import { type Kind } from "../process/kind";
import { type Call, isAutomatic } from "../state/call";
import { type Properties } from "../state/values";
import { type CreationNote } from "./creation-note";
import { type Created, creating, storedOf } from "./creation-task";
import { type Inventory } from "./inventory";
import { lookRepeatedly, type Lost, type Recovery, recoverLost } from "./lost-answers";
import { takeNewcomer } from "./match-object";

/** A request whose answer was lost. */
interface LostCreation extends Lost {
  readonly error: unknown;
  /** The creation's result, when the object is found. */
  created(reply: Properties): Created;
}

/** A creation whose answer names the object. */
class CreationWithId implements Recovery<LostCreation> {
  readonly #attempt: string;
  readonly #parent: string;
  /** The objects that existed before. Undefined if they cannot be read. */
  #before: Inventory | undefined;
  /** The ids of those that are like the wanted object. */
  #alike: readonly string[] = [];
  /** The last error that left open whether the object was created. */
  #lost: NodeCloudError | undefined;
  #created: Created | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly call: Call,
    private readonly note: CreationNote,
  ) {
    this.#attempt = `create ${kind.nameOf(call.inputs)}`;
    this.#parent = kind.parentOf(call.inputs);
  }

  async run(): Promise<Created> {
    const { kind, call } = this;
    this.#before = await kind.reads.existing(this.#parent).catch(() => undefined);
    this.#alike = this.#before?.equalTo(call.inputs).map((item) => kind.description.idOf(item)) ?? [];
    await recoverLost(await this.#ask(), this);
    if (this.#created === undefined) throw new TypeError(`${this.#attempt}: nothing was created`);
    return this.#created;
  }

  async look([one]: readonly LostCreation[]): Promise<readonly LostCreation[]> {
    if (one === undefined) return [];
    const { kind, call } = this;
    const { session, description } = kind;
    const reply = await this.#newcomer();
    if (reply !== undefined && description.isWhole?.(reply) !== false) {
      this.#created = one.created(reply);
      return [];
    }
    if (reply !== undefined) {
      await session.writing(async () => description.delete?.(session.client, kind.refOf(call.inputs, reply)));
      return [{ ...one, isSafeToRepeat: true }];
    }
    if (!isAnswerLost(one.error)) throw this.#unknown(one.error);
    return [{ ...one, isSafeToRepeat: description.unique !== undefined }];
  }

  mayRepeat(): boolean {
    return this.#before !== undefined && this.kind.description.list !== undefined;
  }

  async again(lost: readonly LostCreation[]): Promise<readonly LostCreation[]> {
    return lost.length === 0 ? [] : this.#ask();
  }

  giveUp({ error }: LostCreation): never {
    throw this.#unknown(error);
  }

  async #ask(): Promise<readonly LostCreation[]> {
    const { kind, call } = this;
    const { session, description } = kind;
    const { task, applied } = creating(kind, call.inputs);
    const created = (reply: Properties): Created => ({ reply, applied, stored: storedOf(task) });
    // Noted before the request, so that a later run knows of it if this one is interrupted.
    this.note.asked(this.#alike);
    const endWrite = session.traffic.beginWrite();
    try {
      const reply = await description.create(task);
      if (reply === undefined) throw new TypeError(`${kind.type} does not say how to find what it creates`);
      kind.known.taken(this.#parent).add(description.idOf(reply));
      await this.#nameDouble(description.idOf(reply));
      this.#created = created(reply);
      return [];
    } catch (error) {
      if (!isAnswerLost(error)) await this.#refused(error);
      else this.#lost = error;
      return [{ error, created }];
    } finally {
      endWrite();
    }
  }

  /** Throws a refusal, unless an earlier request of this creation may have been carried out. */
  async #refused(error: unknown): Promise<void> {
    if (this.#lost !== undefined) return;
    this.note.forget();
    throw await withHolder(error, this.kind, this.call, this.#attempt);
  }

  /** A new object that is like the wanted one. */
  async #newcomer(): Promise<Properties | undefined> {
    const { kind, call } = this;
    const before = this.#before?.ids;
    if (before === undefined || kind.description.list === undefined) return undefined;
    let found: Properties | undefined;
    try {
      await lookRepeatedly(kind.session, [call], async (wanted) => {
        found = await takeNewcomer(kind, call.inputs, before);
        return found === undefined ? wanted : [];
      });
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      throw this.#unknown(error);
    }
    return found;
  }

  /** Warns that the service has carried out two requests, as the answer to the first was lost. */
  async #nameDouble(id: string): Promise<void> {
    const { kind, call } = this;
    const { type } = kind;
    const before = this.#before?.ids;
    if (before === undefined || this.#lost === undefined || kind.description.unique !== undefined) return;
    const double = await takeNewcomer(kind, call.inputs, before).catch(() => undefined);
    if (double === undefined) return;
    const twin = formatId(kind.refOf(call.inputs, double));
    warn(
      { kind, call },
      `it was created twice, because the answer to the first request was lost: this resource is the ${type} ${id}. Delete the ${type} ${twin}`,
    );
  }

  /** The note stays: the next run looks first. */
  #unknown(error: unknown): ProviderError {
    const lost = this.#lost === undefined || this.#lost === error ? "" : `${sayingOf(this.#lost)}; then `;
    return new ProviderError(
      `${this.#attempt}: ${lost}${sayingOf(error)}; it is unknown whether it was created. ` +
        `The next \`pulumi up\` on this machine looks for it first, by ${howItIsKnown(this.kind, this.call)}, ` +
        "and requests it again only if it does not exist",
      { cause: error },
    );
  }
}

/** The inputs that identify an object, for messages: `label "web-4fe9fba"`. */
function howItIsKnown({ description: { identity, autoname } }: Kind, call: Call): string {
  const { inputs } = call;
  const paths = identity.filter((path) => inputs[path] !== undefined);
  const called = paths.map((path) => `${path} ${JSON.stringify(inputs[path])}`).join(", ");
  return autoname !== undefined && isAutomatic(call) ? `its ${called}` : called;
}

/** Creates an object. The answer names it. */
export const createWithId = (kind: Kind, call: Call, note: CreationNote): Promise<Created> =>
  new CreationWithId(kind, call, note).run();
