import { isAnswerLost, isApiError, isNodeCloudError, isNotFound } from "../../api/errors";
import { isTimeout } from "../creation/lost-answers";
import { type UpdateTask } from "../describe/define-resource";
import { changedInputs } from "../state/changed-inputs";
import { asProviderError, deniedThough, ProviderError, sayingOf } from "../engine/errors";
import { leavesOf } from "../describe/fields";
import { type Owner } from "../process/ownership";
import { removalPauses, removeOnce } from "../hooks/delete-object";
import { creating } from "../creation/creation-task";
import { asOutputs } from "../state/sent";
import { kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { allowedTime } from "../describe/timeouts";
import { type Properties } from "../state/values";
import { bodyFor } from "../state/request-body";
import { type CollectionDescription } from "../describe/define-collection";
import { everyMember, newcomersIn } from "./account";
import { type Held, heldFrom, type Wanted } from "./members";
import { inParallel, membersAtOnce } from "./parallel";
import { type Plan } from "./plan";

/** How often it is asked again for a member after an answer was lost. */
const TRIES = 3;
/** How many looks it takes to believe that a member is not there: the list may lag. */
const LOOKS = 3;
const PAUSE = 2_000;
/** After so many refusals it is not one member that is wrong. */
const MOST_REFUSALS = 20;

/** Whose members are that are no longer declared: they are not deleted where another resource has them. */
export interface Keepers {
  keeperOf(held: Held): Owner | undefined;
}

/** What came of carrying a plan out. */
export interface Outcome {
  /** Members that were given up to other resources. */
  readonly given: readonly { readonly held: Held; readonly keeper: Owner }[];
  /** What is there now, as far as it is known. */
  readonly held: readonly Held[];
  /** How many changes the service took. */
  readonly done: number;
  readonly failures: readonly ProviderError[];
  /** Changes that were not begun after too many failures. */
  readonly left: number;
  /** Whether members may have been made of which that is not known. */
  readonly isOpen: boolean;
}

type Step =
  | { readonly kind: "remove"; readonly held: Held }
  | { readonly kind: "change"; readonly held: Held; readonly wanted: Wanted }
  | { readonly kind: "add"; readonly wanted: Wanted };

/** Carries out a plan: all that does not depend on each other at once, as far as the client lets it. */
export class Execution {
  readonly #held = new Map<string, Held>();
  readonly #failures: ProviderError[] = [];
  readonly #given: { readonly held: Held; readonly keeper: Owner }[] = [];
  readonly #removals = new Map<string, Promise<unknown>[]>();
  #lost: { readonly wanted: Wanted; readonly error: unknown }[] = [];
  #done = 0;
  #isOver = false;
  #isOpen = false;

  constructor(
    private readonly session: Session,
    private readonly collection: CollectionDescription,
    private readonly parent: string,
    /** The ids of what was there before the first addition. */
    private readonly before: ReadonlySet<string>,
    private readonly keepers: Keepers,
    /** Told after each change that was carried out. */
    private readonly progress: (done: number, of: number) => void,
  ) {}

  async run(plan: Plan): Promise<Outcome> {
    for (const { held, wanted } of plan.keep) this.#keep(renamed(held, wanted));
    for (const held of [...plan.remove, ...plan.change.map((pair) => pair.held)]) this.#keep(held);
    const steps = this.#order(plan);
    let begun = 0;
    await inParallel(
      steps,
      membersAtOnce(this.session),
      async (step) => {
        begun++;
        await this.#take(step);
        this.progress(this.#done, steps.length);
      },
      () => this.#isOver,
    );
    await this.#findLost();
    return {
      held: [...this.#held.values()],
      done: this.#done,
      failures: this.#failures,
      given: this.#given,
      left: steps.length - begun,
      isOpen: this.#isOpen,
    };
  }

  /** What must go before something else can come is first, so that it is not away for long. */
  #order({ remove, change, add }: Plan): Step[] {
    const { place } = this.collection;
    const wanted = new Set(add.map(({ inputs }) => place(inputs)));
    const isContested = ({ inputs }: Held) => wanted.has(place(inputs));
    const vacated = new Set(remove.filter(isContested).map(({ inputs }) => place(inputs)));
    const removal = (held: Held): Step => ({ kind: "remove", held });
    const addition = (one: Wanted): Step => ({ kind: "add", wanted: one });
    const follows = ({ inputs }: Wanted) => vacated.has(place(inputs));
    return [
      ...remove.filter(isContested).map(removal),
      ...add.filter(follows).map(addition),
      ...remove.filter((held) => !isContested(held)).map(removal),
      ...change.map((pair): Step => ({ kind: "change", ...pair })),
      ...add.filter((one) => !follows(one)).map(addition),
    ];
  }

  async #take(step: Step): Promise<void> {
    try {
      if (step.kind === "remove") await this.#remove(step.held);
      else if (step.kind === "change") await this.#change(step.held, step.wanted);
      else await this.#add(step.wanted);
    } catch (error) {
      this.#fail(step, error);
    }
  }

  #fail(step: Step, error: unknown): void {
    const attempt = `${step.kind === "change" ? "update" : step.kind === "add" ? "create" : "delete"} ${this.#nameOf(step)}`;
    this.#failures.push(asProviderError(error, attempt));
    // What is wrong with one member says nothing of the others; anything else meets them all.
    const reason = error instanceof ProviderError ? error.cause : error;
    const isAboutIt = isApiError(reason, 400) || isNotFound(reason) || isApiError(reason, 409);
    if (!isAboutIt || this.#failures.length >= MOST_REFUSALS) this.#isOver = true;
  }

  #nameOf(step: Step): string {
    const { item } = this.collection;
    return step.kind === "add"
      ? kindOf(this.session, item).nameOf(this.#inputsOf(step.wanted))
      : kindOf(this.session, item).nameOf(step.held.inputs, this.#refOf(step.held.id));
  }

  async #remove(held: Held): Promise<void> {
    const { item, place } = this.collection;
    const keeper = this.keepers.keeperOf(held);
    if (keeper !== undefined) {
      this.#given.push({ held, keeper });
      this.#held.delete(held.id);
      this.#done++;
      return;
    }
    // Each has its own pauses, and all that begin together end together.
    const pauses = removalPauses(this.session, allowedTime(item, "delete", {}));
    const removal = removeOnce(kindOf(this.session, item), this.#refOf(held.id), pauses);
    const spot = place(held.inputs);
    const others = this.#removals.get(spot);
    if (others === undefined) this.#removals.set(spot, [removal]);
    else others.push(removal);
    await removal;
    kindOf(this.session, item).known.taken(this.parent).delete(held.id);
    this.#held.delete(held.id);
    this.#done++;
  }

  async #change(held: Held, wanted: Wanted): Promise<void> {
    const { item } = this.collection;
    const leaves = leavesOf(item.fields);
    const stored = asOutputs(leaves, new Map(Object.entries(held.inputs)), {
      ...held.inputs,
      ...held.answered,
    });
    const changed = changedInputs(leaves, stored, wanted.inputs);
    const values = new Map(changed.map(({ leaf, value }): [string, unknown] => [leaf.path, value]));
    let reply: Properties | undefined;
    const task: UpdateTask<Properties> = {
      client: this.session.client,
      ref: this.#refOf(held.id),
      inputs: this.#inputsOf(wanted),
      memory: {},
      live: {},
      changed: (path) => values.has(path),
      write: async (op, send) => {
        reply = await send(bodyFor(op, leaves, values).body);
      },
      act: () => Promise.reject(new TypeError("a member has no actions")),
      done: () => undefined,
      until: () => Promise.resolve(),
      show: () => undefined,
    };
    try {
      await this.session.writing(async () => item.update?.(task));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if ((await kindOf(this.session, item).reads.now(this.#refOf(held.id))) !== undefined)
        throw deniedThough(
          `update ${this.#nameOf({ kind: "change", held, wanted })}`,
          "It stays as it was",
          error,
        );
      // Somebody deleted it. The program wants it there.
      this.#held.delete(held.id);
      return this.#add(wanted);
    }
    if (reply !== undefined) this.#keep(heldFrom(this.collection, wanted, reply));
    this.#done++;
  }

  async #add(wanted: Wanted): Promise<void> {
    await Promise.allSettled(this.#removals.get(this.collection.place(wanted.inputs)) ?? []);
    try {
      const { task } = creating(kindOf(this.session, this.collection.item), this.#inputsOf(wanted));
      const reply = await this.session.writing(() => this.collection.item.create(task));
      if (reply !== undefined) this.#added(wanted, reply);
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      this.#lost.push({ wanted, error });
    }
  }

  #added(wanted: Wanted, reply: Properties): void {
    const held = heldFrom(this.collection, wanted, reply);
    kindOf(this.session, this.collection.item).known.taken(this.parent).add(held.id);
    this.#keep(held);
    this.#done++;
  }

  /** Looks for the additions whose answers were lost, and asks again for those that did not happen. */
  async #findLost(): Promise<void> {
    for (let tries = 1; this.#lost.length > 0; tries++) {
      const trouble = await this.#look();
      // What the service may still be at work on is not asked for again in this run.
      const isLast = tries === TRIES || this.#isOver || trouble !== undefined;
      const given = this.#lost.filter(({ error }) => isLast || isTimeout(error));
      for (const { wanted, error } of given) this.#failUnknown(wanted, trouble ?? error);
      const missing = this.#lost.filter((one) => !given.includes(one));
      this.#lost = [];
      await inParallel(missing, membersAtOnce(this.session), ({ wanted }) =>
        this.#take({ kind: "add", wanted }),
      );
    }
  }

  /** Takes what is there now, was not before, and is like what was asked for. Returns why it cannot be looked at. */
  async #look(): Promise<unknown> {
    try {
      await this.#lookAgain();
      return undefined;
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      return error;
    }
  }

  async #lookAgain(): Promise<void> {
    for (let looks = 1; looks <= LOOKS && this.#lost.length > 0; looks++) {
      if (looks > 1) await this.session.clock.sleep(PAUSE, new AbortController().signal);
      const there = await everyMember(this.session, this.collection, this.parent);
      const newcomers = newcomersIn(this.session, this.collection, this.parent, there, this.before);
      this.#lost = this.#lost.filter(({ wanted }) => {
        const reply = newcomers.take(wanted.inputs);
        if (reply !== undefined) this.#added(wanted, reply);
        return reply === undefined;
      });
    }
  }

  #failUnknown(wanted: Wanted, error: unknown): void {
    this.#isOpen = true;
    const name = kindOf(this.session, this.collection.item).nameOf(this.#inputsOf(wanted));
    this.#failures.push(
      new ProviderError(
        `create ${name}: ${sayingOf(error)}; whether it was created is not known. The next \`pulumi up\` on this machine looks for it first`,
        { cause: error },
      ),
    );
  }

  #keep(held: Held): void {
    this.#held.set(held.id, held);
  }

  #inputsOf(wanted: Wanted): Properties {
    const { parent } = this.collection.item.id;
    return parent === undefined ? wanted.inputs : { ...wanted.inputs, [parent]: this.parent };
  }

  readonly #refOf = (id: string) => ({ parent: this.parent, id });
}

/** A member that is kept, under the key that the program has for it now. */
function renamed(held: Held, { key, line, inputs }: Wanted): Held {
  if (held.line === line) return held;
  const { id, answered } = held;
  return key === undefined ? { id, answered, inputs, line } : { key, id, answered, inputs, line };
}
