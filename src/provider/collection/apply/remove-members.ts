import { deletePauses, deleteOnce } from "../../object/delete-retries";
import { type Owner } from "../../process/owner";
import { type Held } from "../members/member";
import { type PlanRun } from "./plan-run";

/** Removes members, and knows which places become free. */
export class MemberRemovals {
  readonly #byPlace = new Map<string, Promise<unknown>[]>();

  constructor(
    private readonly run: PlanRun,
    /** The other resource that keeps a member which this one no longer declares. */
    private readonly keeperOf: (held: Held) => Owner | undefined,
  ) {}

  /** Deletes a member, or gives it up to another resource that has it. */
  async remove(held: Held): Promise<void> {
    const { run } = this;
    const keeper = this.keeperOf(held);
    if (keeper !== undefined) run.givenUp.push({ held, keeper });
    else await this.#delete(held);
    run.held.delete(held.id);
    run.done++;
  }

  /** Waits until the removals at a place have ended. */
  async ended(place: string): Promise<void> {
    await Promise.allSettled(this.#byPlace.get(place) ?? []);
  }

  async #delete(held: Held): Promise<void> {
    const { collection, parent } = this.run;
    const { session, item, description } = collection;
    // Each deletion has its own pauses, and deletions that begin together end together.
    const pauses = deletePauses(session, item.allowedTime("delete", {}));
    const removal = deleteOnce(item, this.run.refOf(held.id), pauses);
    const place = description.place(held.inputs);
    this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), removal]);
    await removal;
    item.known.taken(parent).delete(held.id);
  }
}
