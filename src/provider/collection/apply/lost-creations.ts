import { isNodeCloudError } from "../../../api/errors";
import { isTimeout } from "../../creation/lost-answers";
import { ProviderError, sayingOf } from "../../engine/errors";
import { everyMember } from "../members/list";
import { newcomersIn } from "../members/pool";
import { type Wanted } from "../members/member";
import { inParallel, membersAtOnce } from "../members/parallel";
import { type PlanRun } from "./plan-run";

/** How often a member is asked for whose answers are lost. */
const TRIES = 3;
/** How many lists must lack a member before it counts as not created: a list may lag. */
const LOOKS = 3;
const LOOK_PAUSE_MS = 2_000;

interface Lost {
  readonly wanted: Wanted;
  readonly error: unknown;
}

/** Creations whose answers were lost: the service may have carried them out. */
export class LostCreations {
  #lost: Lost[] = [];

  constructor(private readonly run: PlanRun) {}

  add(wanted: Wanted, error: unknown): void {
    this.#lost.push({ wanted, error });
  }

  /** Looks for the members, and asks again for those that do not exist. */
  async settle(again: (wanted: Wanted) => Promise<void>): Promise<void> {
    const { run } = this;
    for (let tries = 1; this.#lost.length > 0; tries++) {
      const trouble = await this.#look();
      // The service may still carry out a request that timed out, so this run does not repeat it.
      const isLast = tries === TRIES || run.isOver || trouble !== undefined;
      const unsettled = this.#lost.filter(({ error }) => isLast || isTimeout(error));
      for (const { wanted, error } of unsettled) this.#failUnknown(wanted, trouble ?? error);
      const missing = this.#lost.filter((one) => !unsettled.includes(one));
      this.#lost = [];
      await inParallel(missing, membersAtOnce(run.collection.session), ({ wanted }) => again(wanted));
    }
  }

  /** Looks for the members; returns the error where the service cannot be read. */
  async #look(): Promise<unknown> {
    try {
      await this.#takeNewcomers();
      return undefined;
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      return error;
    }
  }

  /** Takes each object that did not exist before and is like a lost member. */
  async #takeNewcomers(): Promise<void> {
    const { collection, parent, before } = this.run;
    for (let looks = 1; looks <= LOOKS && this.#lost.length > 0; looks++) {
      if (looks > 1) await collection.session.pause(LOOK_PAUSE_MS);
      const newcomers = newcomersIn(collection, parent, await everyMember(collection, parent), before);
      this.#lost = this.#lost.filter(({ wanted }) => {
        const reply = newcomers.take(wanted.inputs);
        if (reply !== undefined) this.run.created(wanted, reply);
        return reply === undefined;
      });
    }
  }

  #failUnknown(wanted: Wanted, error: unknown): void {
    const { run } = this;
    run.isOpen = true;
    const name = run.nameOf({ kind: "add", wanted });
    run.failures.push(
      new ProviderError(
        `create ${name}: ${sayingOf(error)}; whether it was created is not known. The next \`pulumi up\` on this machine looks for it first`,
        { cause: error },
      ),
    );
  }
}
