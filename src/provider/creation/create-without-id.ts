import { rivalsElsewhere } from "../ownership/other-owners";
import { type ObjectKind } from "../kind/kind";
import { isAnswerLost, isApiError } from "../../api/errors";
import { ParentWatch } from "../object/parent-watch";
import { isTimeout, LOOK_PAUSE_MS, LOOKS, settledAt, TRIES } from "../notes/lost-answer-limits";
import { awaitedUntil } from "./asked-elsewhere";
import { pollUntil } from "../run/watch";
import { type CreationNote } from "./creation-note";
import { type ParentObject, type CreatedWithoutId } from "../describe/define-resource";
import { ProviderError, sayingOf } from "../base/errors";
import { type Asked } from "../notes/journal";
import { heedDoubts, unknownNewcomer } from "./leftover";
import { strangersIn } from "./strangers";
import { ObjectPool } from "../matching/object-pool";
import { isAboutInputs, REFUSAL_PAUSE_MS, REFUSALS } from "../object/refused-requests";
import { createdBefore, type CreatedObject, creating, storedOf } from "./creation-task";
import { takes } from "../describe/status";
import { type Call } from "../state/call";
import { type Properties } from "../base/values";

/** A request for an object. Its answer names no object, or was lost. */
interface AskedFor {
  readonly asked: Asked;
  /** Why there is no answer. */
  readonly error?: unknown;
  readonly created: Omit<CreatedObject, "reply">;
}

/** A kind for which the answer to a creation names no object. */
type KindWithoutId = ObjectKind & {
  readonly description: {
    readonly parent: Required<ParentObject>;
    readonly withoutId: CreatedWithoutId;
  };
};

export const isCreatedWithoutId = (kind: ObjectKind): kind is KindWithoutId =>
  kind.description.withoutId !== undefined && kind.description.parent?.statuses !== undefined;

/** A creation whose answer names no object. The object is listed when it is complete. */
class CreationWithoutId {
  readonly #parent: string;
  readonly #attempt: string;
  readonly #watch: ParentWatch;

  constructor(
    private readonly kind: KindWithoutId,
    private readonly call: Call,
    private readonly note: CreationNote,
  ) {
    this.#parent = kind.parentOf(call.inputs);
    this.#attempt = `create ${kind.nameOf(call.inputs)}`;
    this.#watch = new ParentWatch(kind, this.#parent, "create", this.#attempt, call);
  }

  /** Waits for the object that an earlier run requested, or requests it. */
  async run(): Promise<CreatedObject> {
    const earlier = this.#recall();
    const reply =
      earlier === undefined ? await this.#stranger() : await this.#appearance(earlier.asked, earlier.until);
    if (reply !== undefined) return createdBefore(this.kind, this.call.inputs, reply);
    for (let tries = 1; ; tries++) {
      const { asked, created, error } = await this.#ask();
      const appeared = await this.#appearance(asked);
      if (appeared !== undefined) return { ...created, reply: appeared };
      if (tries === TRIES || isTimeout(error)) throw this.#unknown(error);
    }
  }

  #unknown(error: unknown): ProviderError {
    return new ProviderError(
      `${this.#attempt}: ${sayingOf(error)}; it is unknown whether it was created. ` +
        "The next `pulumi up` on this machine looks for it first, and requests it again only if it does not exist",
      { code: "OUTCOME_UNKNOWN", cause: error },
    );
  }

  /**
   * The object of an interrupted run on another machine, if it may be taken. It is listed when the parent accepts another request, and the run's last request may
   * still take effect.
   */
  async #stranger(): Promise<Properties | undefined> {
    const { kind, call } = this;
    const { run, clock, description } = kind;
    if (!run.configuration.validate) return undefined;
    const until = (await awaitedUntil(kind, call, "operation")) ?? clock.now();
    const row = "looking for the object that an interrupted run requested";
    return pollUntil(kind, { until, pauseMs: LOOK_PAUSE_MS, row }, async () => {
      await this.#accepted();
      const there = new ObjectPool(description, await kind.reads.all(this.#parent));
      const left = await strangersIn(kind, call, there, "now");
      if (left !== undefined) heedDoubts(kind, call, left);
      return left?.object?.reply;
    });
  }

  /** Waits until the parent's status allows the request. */
  #accepted(): Promise<void> {
    const create = this.kind.description.waitsForStatusOf?.create;
    return this.#watch.accepted(create, "Nothing was created; the next `pulumi up` tries again");
  }

  /** The request of an earlier run, and how long its object may take to appear. */
  #recall(): { readonly asked: Asked; readonly until: number } | undefined {
    const { kind, call, note } = this;
    const { clock } = kind;
    const noted = note.recall();
    if (noted === undefined || !("before" in noted) || note.isOther(noted) || note.isElsewhere(noted))
      return undefined;
    // The object of an older request has appeared or never will.
    const isRecent = clock.now() - noted.at < kind.allowedTime("create", call);
    const asked = { before: noted.before, accepted: noted.accepted && isRecent };
    return { asked, until: settledAt(noted) };
  }

  #note(asked: Asked): Asked {
    this.note.asked(asked.before, asked);
    return asked;
  }

  /** Requests the object as soon as the parent's status allows it. */
  async #ask(): Promise<AskedFor> {
    const { kind, call } = this;
    const { account, clock, description } = kind;
    const { waitsForStatusOf: requires } = description;
    for (let refusals = 1; ;) {
      await this.#accepted();
      const before = (await this.kind.reads.all(this.#parent)).map((item) => description.idOf(item));
      const { task, applied } = creating(kind, call.inputs);
      const result = () => ({ applied, stored: storedOf(task) });
      // Noted before the request, so that a later run knows of it if this one is killed.
      const asked = this.#note({ before, accepted: false });
      try {
        await account.traffic.writing(() => description.create(task));
        return { asked: this.#note({ before, accepted: true }), created: result() };
      } catch (error) {
        if (isAnswerLost(error)) return { asked, created: result(), error };
        this.note.forget();
        if (!isApiError(error, 400) || isAboutInputs(error, call.inputs)) throw error;
        // The parent's status has changed since it was read, so wait for it again.
        if (!(await this.#watch.takes(requires?.create))) continue;
        await this.#refuseMore(error);
        if (refusals++ === REFUSALS) throw error;
        await clock.sleep(REFUSAL_PAUSE_MS);
      }
    }
  }

  /** Explains the refusal if the parent has as many objects as the service allows. */
  async #refuseMore(error: Error): Promise<void> {
    const { kind, call } = this;
    const { description } = kind;
    const { maxKept: most, advice } = description.withoutId;
    const listed = await this.kind.reads.all(this.#parent);
    if (listed.length < most) return;
    const names = listed.map((item) => {
      const ref = kind.refOf(call.inputs, item);
      return kind.nameOf(item, ref).replace(`${kind.type} `, "");
    });
    throw new ProviderError(
      `${this.#attempt}: ${sayingOf(error)}. The ${kind.parentName} already has ${names.join(", ")}: ${advice}`,
      {
        cause: error,
      },
    );
  }

  /** Waits until the object is listed. Undefined if the request may never have arrived. */
  async #appearance(asked: Asked, until = 0): Promise<Properties | undefined> {
    const { kind, call } = this;
    const { clock, description } = kind;
    let reply: Properties | undefined;
    let worked = false;
    let rested = 0;
    const goal = {
      until: "it is listed",
      afterwards: "The next `pulumi up` on this machine continues to wait",
      usually: description.withoutId.usually,
    };
    await this.#watch.until(goal, async (status) => {
      if (!takes(description.waitsForStatusOf?.read, status)) return false;
      reply = await unknownNewcomer(kind, call, asked);
      if (reply !== undefined) {
        const doubt = (await rivalsElsewhere(kind, call))(call.inputs);
        if (doubt !== undefined)
          throw new ProviderError(
            `${this.#attempt}: the ${kind.type} ${description.idOf(reply)} is equal, and ${doubt}`,
            { code: "EXISTS_ALREADY" },
          );
        // No other creation in this process takes it.
        kind.known.taken(this.#parent).add(description.idOf(reply));
        return true;
      }
      const { busy, failed } = description.parent.statuses;
      worked ||= busy.includes(status) || failed.includes(status);
      rested = busy.includes(status) ? 0 : rested + 1;
      return rested >= LOOKS && (worked || !asked.accepted) && clock.now() >= until;
    });
    if (reply !== undefined || !asked.accepted) return reply;
    this.#note({ before: asked.before, accepted: false, answered: true });
    throw new ProviderError(
      `${this.#attempt}: the service accepted the request, but no object appeared. ` +
        "The next `pulumi up` looks for it once more, and then requests it again",
      { code: "OUTCOME_UNKNOWN" },
    );
  }
}

/**
 * Creates an object. The answer does not name it. Creations under one parent run one after the other (`atOnce`), so that each new object in the
 * list belongs to one creation.
 */
export const createWithoutId = (
  kind: KindWithoutId,
  call: Call,
  note: CreationNote,
): Promise<CreatedObject> => new CreationWithoutId(kind, call, note).run();
