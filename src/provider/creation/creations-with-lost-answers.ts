import { isAnswerLost, isNodeCloudError } from "../../api/errors";
import { isShared, rivalsElsewhere } from "../ownership/other-owners";
import { ProviderError, sayingOf } from "../base/errors";
import { newcomersAmong } from "../matching/newcomers";
import { ObjectPool } from "../matching/object-pool";
import { type ObjectKind } from "../kind/kind";
import { inParallel, objectsAtOnce } from "../run/parallel";
import { type Properties } from "../base/values";
import { type CreatedObject, creating, storedOf } from "./creation-task";
import { isTimeout, LOOK_PAUSE_MS, LOOKS, TRIES } from "../notes/lost-answer-limits";

/** Who asks for objects, and hears of them. */
interface Asker<One> {
  /** The ids of the objects that existed before. Undefined if they are not known: then a lost request is not repeated. */
  readonly before: ReadonlySet<string> | undefined;
  /** The inputs of an object, with the parent's id. */
  inputsOf(one: One): Properties;
  /** Finds objects by their content. */
  poolOf?(there: readonly Properties[]): ObjectPool;
  /** Called before each request. */
  asks?(): void;
  created(one: One, created: CreatedObject): void;
  /** Called before `created` if no answer named the object: it appeared, and is equal. */
  found?(one: One, reply: Properties): void;
  /** Called if it stays unknown whether an object was created. It may throw. `saying` says why. */
  unknown(one: One, saying: string, cause: unknown): void;
  /** Called if the service has carried out two requests for an object. */
  doubled(one: One, twins: Twins): void;
  /** Whether nothing is requested any more. */
  isOver?(): boolean;
  /** Requests an object again. It may only throw what ends all. */
  again?(one: One): Promise<void>;
}

/** An object that the service has created twice: its id, and the full id of the other object. */
type Twins = Readonly<Record<"type" | "id" | "twin", string>>;

/** The warning of twins, as the rest of a sentence. */
export const createdTwice = (is: "is" | "has", { type, id, twin }: Twins): string =>
  `was created twice, because the answer to the first request was lost: this resource ${is} the ${type} ${id}. Delete the ${type} ${twin}`;

/** The failure of a creation whose outcome stays unknown. `by`: how the next run recognises the object. */
export const outcomeUnknown = (attempt: string, saying: string, cause: unknown, by = ""): ProviderError =>
  new ProviderError(
    `${attempt}: ${saying}; it is unknown whether it was created. The next \`pulumi up\` on this machine looks for it first${by}`,
    { code: "OUTCOME_UNKNOWN", cause },
  );

/** A request that may have been carried out. */
interface Lost<One> {
  readonly one: One;
  /** Why the last answer was lost. */
  readonly lost: unknown;
  /** The last answer, if a refusal followed the lost one. */
  readonly refusal?: unknown;
  readonly created: (reply: Properties) => CreatedObject;
  /** Whether the request was carried out by half, and its object was deleted. */
  readonly isUndone?: true;
  /** Why its object may be another's. */
  readonly doubt?: string;
}

/**
 * Creations of objects of one kind under one parent. If an answer is lost, it looks for the object and requests it again only if it does not exist.
 * The service may still carry out a request that timed out, so this run does not repeat it.
 */
export class Creations<One> {
  #lost: Lost<One>[] = [];
  /** Why the last answer for an object was lost. */
  readonly #open = new Map<One, unknown>();
  /** Objects that were created by a repeated request, with their ids. */
  readonly #repeated = new Map<One, string>();

  constructor(
    private readonly kind: ObjectKind,
    private readonly parent: string,
    private readonly asker: Asker<One>,
  ) {}

  /** Requests an object. Throws a refusal, unless an earlier request for the object may have been carried out. */
  async request(one: One): Promise<void> {
    const { kind, asker } = this;
    const { account, description } = kind;
    const { task, applied } = creating(kind, asker.inputsOf(one));
    const created = (reply: Properties): CreatedObject => ({ reply, applied, stored: storedOf(task) });
    asker.asks?.();
    const endWrite = account.traffic.beginWrite();
    try {
      const reply = this.#take(await description.create(task));
      if (this.#open.has(one)) this.#repeated.set(one, description.idOf(reply));
      asker.created(one, created(reply));
    } catch (error) {
      const lost = isAnswerLost(error) ? error : this.#open.get(one);
      if (lost === undefined) throw error;
      this.#open.set(one, lost);
      this.#lost.push({ one, lost, created, ...(lost === error ? {} : { refusal: error }) });
    } finally {
      endWrite();
    }
  }

  /** Finds the objects whose answers were lost, and requests those again that do not exist. */
  async settle(): Promise<void> {
    const { kind, asker } = this;
    for (let tries = 1; this.#lost.length > 0; tries++) {
      const lost = this.#lost;
      this.#lost = [];
      const { missing, trouble } = await this.#look(lost);
      const canRepeat = tries < TRIES && trouble === undefined && this.#canLook && asker.isOver?.() !== true;
      // A unique name cannot be given twice.
      const isSafe = ({ lost: error, refusal }: Lost<One>) =>
        refusal === undefined && (kind.description.unique !== undefined || !isTimeout(error));
      const repeats = (one: Lost<One>) =>
        canRepeat && one.doubt === undefined && (one.isUndone === true || isSafe(one));
      for (const one of missing) if (!repeats(one)) this.#giveUp(one, trouble);
      await inParallel(missing.filter(repeats), objectsAtOnce(kind.run), ({ one }) =>
        asker.again === undefined ? this.request(one) : asker.again(one),
      );
    }
    await this.#nameDoubles();
  }

  get #canLook(): boolean {
    return this.asker.before !== undefined && this.kind.description.list !== undefined;
  }

  /** Notes an object as this run's. */
  #take(reply: Properties | undefined): Properties {
    const { kind, parent } = this;
    if (reply === undefined) throw new TypeError(`${kind.type} does not say how to find what it creates`);
    kind.known.taken(parent).add(kind.description.idOf(reply));
    return reply;
  }

  /** Takes the objects that the requests have created. Returns the requests without an object, and why they cannot be looked for. */
  async #look(lost: readonly Lost<One>[]): Promise<{ missing: readonly Lost<One>[]; trouble?: unknown }> {
    let missing = lost;
    if (!this.#canLook) return { missing };
    try {
      const isOpen = ({ isUndone, doubt }: Lost<One>) => isUndone !== true && doubt === undefined;
      for (let looks = 1; looks <= LOOKS && missing.some(isOpen); looks++) {
        if (looks > 1) await this.kind.clock.sleep(LOOK_PAUSE_MS);
        const undone = missing.filter((one) => !isOpen(one));
        missing = [...undone, ...(await this.#takeNewcomers(missing.filter(isOpen)))];
      }
    } catch (trouble) {
      if (!isNodeCloudError(trouble)) throw trouble;
      return { missing, trouble };
    }
    return { missing };
  }

  async #takeNewcomers(lost: readonly Lost<One>[]): Promise<Lost<One>[]> {
    const { kind, asker } = this;
    const { account, description } = kind;
    const newcomers = await this.#newcomers();
    // Who has an object with a unique name is asked when it is found.
    const isOthers = (inputs: Properties) => async (reply: Properties) =>
      kind.taggedElsewhere(reply, inputs) !== undefined ||
      (description.unique === undefined && (await isShared(kind, {}, kind.idBelow(this.parent, reply))));
    const missing: Lost<One>[] = [];
    let rivalsOf: Awaited<ReturnType<typeof rivalsElsewhere>> | undefined;
    for (const one of lost) {
      const inputs = asker.inputsOf(one.one);
      const reply = await newcomers.takeUnless(isOthers(inputs), inputs);
      const doubt = reply && (rivalsOf ??= await rivalsElsewhere(kind, {}))(inputs);
      if (reply === undefined) missing.push(one);
      else if (doubt !== undefined)
        missing.push({
          ...one,
          doubt: `the ${kind.type} ${kind.idBelow(this.parent, reply)} is equal, and ${doubt}`,
        });
      else if (description.isWhole?.(reply) === false) {
        const ref = kind.refOf(inputs, reply);
        await account.traffic.writing(async () => description.delete?.(account.client, ref));
        missing.push({ ...one, isUndone: true });
      } else {
        asker.found?.(one.one, reply);
        asker.created(one.one, one.created(this.#take(reply)));
      }
    }
    return missing;
  }

  /** The objects that appeared since the first request and belong to nobody else. */
  async #newcomers(): Promise<ObjectPool> {
    const { kind, parent, asker } = this;
    const there = newcomersAmong(kind, parent, await kind.reads.all(parent), asker.before ?? new Set());
    return asker.poolOf?.(there) ?? new ObjectPool(kind.description, there);
  }

  #giveUp({ one, lost, refusal, doubt }: Lost<One>, trouble: unknown): void {
    const then = trouble ?? refusal;
    const later = doubt ?? (then === undefined ? undefined : `then ${sayingOf(then)}`);
    const saying = [sayingOf(lost), later].filter(Boolean).join("; ");
    this.asker.unknown(one, saying, then ?? lost);
  }

  /** Tells of objects that the service has created twice, as the answer to the first request was lost. */
  async #nameDoubles(): Promise<void> {
    const { kind, asker } = this;
    if (this.#repeated.size === 0 || kind.description.unique !== undefined || !this.#canLook) return;
    const newcomers = await this.#newcomers().catch(() => undefined);
    for (const [one, id] of this.#repeated) {
      const double = newcomers?.take(asker.inputsOf(one));
      if (double === undefined) continue;
      asker.doubled(one, { type: kind.type, id, twin: kind.idBelow(this.parent, double) });
    }
  }
}
