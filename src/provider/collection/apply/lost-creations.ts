import { isNodeCloudError } from "../../../api/errors";
import { lookRepeatedly, type Lost, type Recovery, recoverLost } from "../../creation/lost-answers";
import { ProviderError, sayingOf } from "../../engine/errors";
import { everyMember } from "../members/list";
import { newcomersIn } from "../members/object-pool";
import { type Wanted } from "../members/member";
import { inParallel, membersAtOnce } from "../members/parallel";
import { type PlanRun } from "./plan-run";

/** A request for a member whose answer was lost. */
interface LostMember extends Lost {
  readonly wanted: Wanted;
  readonly error: unknown;
}

/** Creations of members whose answers were lost: the service may have carried them out. */
export class LostCreations implements Recovery<LostMember> {
  #lost: LostMember[] = [];
  /** Why the members cannot be looked for. */
  #trouble: unknown;

  constructor(
    private readonly run: PlanRun,
    /** Asks again for a member. */
    private readonly ask: (wanted: Wanted) => Promise<void>,
  ) {}

  add(wanted: Wanted, error: unknown): void {
    this.#lost.push({ wanted, error });
  }

  /** Looks for the members, and asks again for those that do not exist. */
  settle(): Promise<void> {
    return recoverLost(this.#lost, this);
  }

  async look(lost: readonly LostMember[]): Promise<readonly LostMember[]> {
    let left = lost;
    try {
      await lookRepeatedly(this.run.collection.session, lost, async (missing) => {
        left = await this.#takeNewcomers(missing);
        return left;
      });
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      this.#trouble = error;
    }
    return left;
  }

  mayRepeat(): boolean {
    return !this.run.isOver && this.#trouble === undefined;
  }

  async again(lost: readonly LostMember[]): Promise<readonly LostMember[]> {
    this.#lost = [];
    await inParallel(lost, membersAtOnce(this.run.collection.session), ({ wanted }) => this.ask(wanted));
    return this.#lost;
  }

  giveUp({ wanted, error }: LostMember): void {
    this.#failUnknown(wanted, this.#trouble ?? error);
  }

  /** Takes each object that did not exist before and is like a lost member. */
  async #takeNewcomers(lost: readonly LostMember[]): Promise<readonly LostMember[]> {
    const { collection, parent, before } = this.run;
    const newcomers = newcomersIn(collection, parent, await everyMember(collection, parent), before);
    return lost.filter(({ wanted }) => {
      const reply = newcomers.take(wanted.inputs);
      if (reply !== undefined) this.run.created(wanted, reply);
      return reply === undefined;
    });
  }

  #failUnknown(wanted: Wanted, error: unknown): void {
    const { run } = this;
    run.isOpen = true;
    const name = run.nameOf({ kind: "add", wanted });
    run.failures.push(
      new ProviderError(
        `create ${name}: ${sayingOf(error)}; it is unknown whether it was created. The next \`pulumi up\` on this machine looks for it first`,
        { cause: error },
      ),
    );
  }
}
