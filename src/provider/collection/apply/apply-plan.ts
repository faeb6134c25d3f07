import { isApiError, isNotFound } from "../../../api/errors";
import { createdTwice, Creations, outcomeUnknown } from "../../creation/creations-with-lost-answers";
import { asProviderError, deniedThough, ProviderError } from "../../base/errors";
import { deleteOnce, deletePauses } from "../../object/delete-retries";
import { updateTask, type UpdateTarget } from "../../object/update-task";
import { inParallel, objectsAtOnce } from "../../run/parallel";
import { type Call } from "../../state/call";
import { changedInputs } from "../../state/update-or-replace";
import { type Properties, snakeKeys } from "../../base/values";
import { type Collection } from "../collection";
import { type GivenUpMember } from "../member-ownership";
import { asObject, heldAfter, heldFrom } from "../members/as-objects";
import { type Held, plainMember, type Wanted } from "../../state/members";
import { type Plan } from "../plan";
import { type MemberStep, stepsOf } from "./steps";

/** After so many refusals the cause is not one member. */
const MOST_REFUSALS = 20;

const ATTEMPTS = { remove: "delete", change: "update", add: "create" } as const;

/** A run of a plan, and its results so far: changes that do not depend on each other run at once, within the limits of the client. A step that fails does not end the others, until too many have failed. */
export class PlanRun {
  /** The members that are known to exist, by id. */
  readonly held = new Map<string, Held>();
  readonly failures: ProviderError[] = [];
  /** Members that another resource has now, so that they are not deleted. */
  readonly givenUp: GivenUpMember[] = [];
  /** Members that another resource is to have and does not have. */
  readonly kept: GivenUpMember[] = [];
  /** How many changes the service accepted. */
  done = 0;
  /** How many changes were not begun after too many failures. */
  left = 0;
  /** Whether members may exist that are not among `held`. */
  isOpen = false;
  /** Whether no further change begins. */
  #isOver = false;
  readonly #removals = new Map<string, Promise<unknown>[]>();
  readonly #creations: Creations<Wanted>;
  /** The objects below the parent. They are read once, and only if a member is missing. */
  #there: Promise<readonly Properties[]> | undefined;

  /** @param before the ids of the objects that existed before the first creation */
  constructor(
    private readonly collection: Collection,
    private readonly call: Call,
    before: ReadonlySet<string>,
  ) {
    const { item, description } = collection;
    const parent = collection.parentOf(call.inputs);
    this.#creations = new Creations(item, parent, {
      before,
      inputsOf: (wanted) => this.#inputsOf(wanted),
      poolOf: (there) => collection.poolOf(there),
      created: (wanted, { reply }) => {
        this.keep(heldFrom(description, wanted, parent, reply));
        this.done++;
      },
      unknown: (wanted, saying, cause) => {
        this.isOpen = true;
        this.failures.push(outcomeUnknown(`create ${this.#nameOf({ kind: "add", wanted })}`, saying, cause));
      },
      doubled: (wanted, twins) => {
        const name = this.#nameOf({ kind: "add", wanted });
        collection.warn(call, `${name} ${createdTwice("has", twins)}`, "CREATED_TWICE");
      },
      isOver: () => this.#isOver,
      again: (wanted) => this.#takeOne({ kind: "add", wanted }),
    });
  }

  keep(held: Held): void {
    this.held.set(held.id, held);
  }

  /** `progress` is called after each change. */
  async carryOut(plan: Plan, progress: (done: number, of: number) => void): Promise<void> {
    const { run, description } = this.collection;
    for (const { held, wanted } of plan.keep) this.keep(renamed(held, wanted));
    for (const held of [...plan.remove, ...plan.change.map((pair) => pair.held)]) this.keep(held);
    const steps = stepsOf(description, plan);
    this.left = steps.length;
    await inParallel(
      steps,
      objectsAtOnce(run),
      (step) => {
        this.left--;
        return this.#takeOne(step).finally(() => progress(this.done, steps.length));
      },
      () => this.#isOver,
    );
    await this.#creations.settle();
  }

  async #takeOne(step: MemberStep): Promise<void> {
    try {
      if (step.kind === "remove") await this.#remove(step.held);
      else if (step.kind === "change") await this.#change(step.held, step.wanted);
      else await this.#add(step.wanted);
    } catch (error) {
      this.failures.push(asProviderError(error, `${ATTEMPTS[step.kind]} ${this.#nameOf(step)}`));
      // These refusals are about one member. Any other failure meets all of them.
      const reason = error instanceof ProviderError ? error.cause : error;
      const isAboutOne = isApiError(reason, 400) || isNotFound(reason) || isApiError(reason, 409);
      if (!isAboutOne || this.failures.length >= MOST_REFUSALS) this.#isOver = true;
    }
  }

  /** Deletes a member, or gives it up to another resource that has it. */
  async #remove(held: Held): Promise<void> {
    const { collection, call } = this;
    const { item, description, ownership } = collection;
    const keeper = ownership.keeperOf(call, held);
    if (keeper !== undefined && !ownership.hasReceived({ held, keeper })) {
      this.kept.push({ held, keeper });
      return;
    }
    if (keeper !== undefined) this.givenUp.push({ held, keeper });
    else {
      // Each deletion has its own pauses, and deletions that begin together end together.
      const pauses = deletePauses(collection, item.allowedTime("delete", {}));
      const removal = deleteOnce(item, held, pauses);
      const place = description.place(held.inputs);
      this.#removals.set(place, [...(this.#removals.get(place) ?? []), removal]);
      await removal;
      item.known.taken(held.parent).delete(held.id);
    }
    this.held.delete(held.id);
    this.done++;
  }

  /** Creates a member, once the removals at its place have ended. */
  async #add(wanted: Wanted): Promise<void> {
    const place = this.collection.description.place(wanted.inputs);
    await Promise.allSettled(this.#removals.get(place) ?? []);
    await this.#creations.request(wanted);
  }

  /** Updates a member in place, as the state has it: it is not read first. A member that somebody has deleted is created again. */
  async #change(held: Held, wanted: Wanted): Promise<void> {
    const { account, item, description } = this.collection;
    const { sent, outputs } = asObject(held);
    let answer: Properties | undefined;
    const target: UpdateTarget = {
      kind: item,
      ref: held,
      inputs: this.#inputsOf(wanted),
      memory: {},
      live: { id: held.id, ...(snakeKeys(outputs) as Properties) },
      applied: sent,
      carriedOut: (_, reply) => (answer = reply ?? answer),
      until: () => Promise.resolve(),
    };
    const changed = changedInputs(item.leaves, { sent, outputs }, { inputs: wanted.inputs });
    try {
      await account.traffic.writing(async () => description.item.update?.(updateTask(target, changed)));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const attempt = `update ${this.#nameOf({ kind: "change", held, wanted })}`;
      if ((await item.reads.now(target.ref)) !== undefined)
        throw deniedThough(attempt, "It is unchanged", error);
      this.held.delete(held.id);
      const twin = await this.#twinOf(wanted);
      if (twin === undefined) return this.#add(wanted);
      throw new ProviderError(
        `${attempt}: it was deleted, and the ${item.type} ${twin} has been created with the same content. Run \`pulumi up --refresh\``,
        { code: "EXISTS_ALREADY", cause: error },
      );
    }
    if (answer !== undefined)
      this.keep(heldAfter(description, { before: held, wanted, reply: answer }, changed));
    this.done++;
  }

  /** The id of an object like a member that is missing, which somebody else has created. */
  async #twinOf(wanted: Wanted): Promise<string | undefined> {
    const { collection } = this;
    const { item } = collection;
    const parent = collection.parentOf(this.call.inputs);
    const there = await (this.#there ??= item.reads.all(parent));
    const others = there.filter((reply) => !this.held.has(item.description.idOf(reply)));
    const twin = collection.poolOf(others).take(this.#inputsOf(wanted));
    return twin && item.idBelow(parent, twin);
  }

  /** The name of a step's member in messages. */
  #nameOf(step: MemberStep): string {
    const { item } = this.collection;
    return step.kind === "add"
      ? item.nameOf(this.#inputsOf(step.wanted))
      : item.nameOf(step.held.inputs, step.held);
  }

  /** The inputs of a member, with the parent's id. */
  #inputsOf({ inputs }: Wanted): Properties {
    const { parentPath } = this.collection;
    return { ...inputs, [parentPath]: this.call.inputs[parentPath] };
  }
}

/** A kept member, under the key that the program has for it now. */
function renamed(held: Held, wanted: Wanted): Held {
  const { parent, id, answered, line } = held;
  return line === wanted.line ? held : { ...plainMember(wanted), parent, id, answered, line: wanted.line };
}
