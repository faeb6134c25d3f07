import { isApiError, isNotFound } from "../../../api/errors";
import { type Ref } from "../../describe/define-resource";
import { asProviderError, ProviderError } from "../../engine/errors";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { type Held, type Wanted } from "../members/member";
import { heldFrom } from "../members/as-objects";
import { type GivenUp } from "../member-ownership";
import { type Step } from "./steps";

/** After so many refusals the cause is not one member. */
const MOST_REFUSALS = 20;

const ATTEMPTS = { remove: "delete", change: "update", add: "create" } as const;

/** What a run of a plan has done so far. */
export class PlanRun {
  /** The members that exist, by id. */
  readonly held = new Map<string, Held>();
  readonly failures: ProviderError[] = [];
  /** Members that another resource has now, so that they are not deleted. */
  readonly givenUp: GivenUp[] = [];
  /** How many changes are carried out. */
  done = 0;
  /** Whether no further change begins. */
  isOver = false;
  /** Whether members may exist that the state will not have. */
  isOpen = false;

  constructor(
    readonly collection: Collection,
    readonly parent: string,
    /** The ids of the objects that existed before the first creation. */
    readonly before: ReadonlySet<string>,
  ) {}

  keep(held: Held): void {
    this.held.set(held.id, held);
  }

  /** Notes a member that a creation has made. */
  created(wanted: Wanted, reply: Properties): void {
    this.keep(heldFrom(this.collection.description, wanted, reply));
    this.done++;
  }

  /** Notes that it stays unknown whether a member was created. */
  failUnknown(wanted: Wanted, saying: string, cause: unknown): void {
    this.isOpen = true;
    const name = this.nameOf({ kind: "add", wanted });
    const line = `create ${name}: ${saying}; it is unknown whether it was created. The next \`pulumi up\` on this machine looks for it first`;
    this.failures.push(new ProviderError(line, { cause }));
  }

  fail(step: Step, error: unknown): void {
    this.failures.push(asProviderError(error, `${ATTEMPTS[step.kind]} ${this.nameOf(step)}`));
    // These refusals are about one member. Any other failure meets all of them.
    const reason = error instanceof ProviderError ? error.cause : error;
    const isAboutOne = isApiError(reason, 400) || isNotFound(reason) || isApiError(reason, 409);
    if (!isAboutOne || this.failures.length >= MOST_REFUSALS) this.isOver = true;
  }

  /** What messages call the member of a step. */
  nameOf(step: Step): string {
    const { item } = this.collection;
    return step.kind === "add"
      ? item.nameOf(this.inputsOf(step.wanted))
      : item.nameOf(step.held.inputs, this.refOf(step.held.id));
  }

  /** The inputs of a member, with the parent's id. */
  inputsOf({ inputs }: Wanted): Properties {
    const { parent } = this.collection.description.item.id;
    return parent === undefined ? inputs : { ...inputs, [parent]: this.parent };
  }

  refOf(id: string): Ref {
    return { parent: this.parent, id };
  }
}
