import { backendOf, hasOrganizations, namesCutOff, storeOf } from "../engine/backend";
import { stackOfCommand } from "../engine/command-line";
import { LONG_PATIENCE_MS, type OtherStacks, type readOtherStacks } from "../engine/other-stacks";
import { type readStackState, type StackState } from "../engine/stack-state";
import { NO_ORGANIZATION, partsOfUrn } from "../describe/urn";
import { type Environment } from "../base/pulumi-home";

/** A stack as the URNs of its resources name it. The organization is empty if the backend has none. */
interface StackName {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

/** The stack that a process works for. A destroy of dynamic resources only finds the name in their state that it had then. */
export class Stack {
  #parts: StackName | undefined;
  #isTold = false;
  #backend: string | undefined;
  #state: Promise<StackState | undefined> | undefined;
  #cutOff: { readonly isThere: boolean | undefined } | undefined;
  #others: Promise<OtherStacks> | undefined;
  #all: Promise<OtherStacks> | undefined;
  /** The last reading that was asked for anew, and the one that follows it. */
  #reading: Promise<OtherStacks> | undefined;
  #next: Promise<OtherStacks> | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly readState: typeof readStackState,
    private readonly readOthers: typeof readOtherStacks,
  ) {}

  /** Notes which stack it is, as the engine tells it. */
  hears(parts: StackName): void {
    if (this.#isTold) return;
    const { name } = this;
    [this.#parts, this.#isTold] = [parts, true];
    if (this.name !== name) [this.#state, this.#others] = [undefined, undefined];
  }

  /** Notes the stack of a URN that a state keeps, unless an organization belongs to it that only a check tells. */
  hearsOf(urn: string): void {
    const { project, stack } = partsOfUrn(urn);
    if (stack !== "" && !hasOrganizations(this.backend)) this.#parts ??= { organization: "", project, stack };
  }

  /** The stack as `project/stack`, if the engine has told it. */
  get told(): string | undefined {
    return this.#isTold ? this.inProject : undefined;
  }

  /** The stack as `organization/project/stack`, if it is known. */
  get name(): string | undefined {
    if (this.inProject === undefined) return undefined;
    return `${this.organization === "" ? NO_ORGANIZATION : this.organization}/${this.inProject}`;
  }

  /** The stack as `project/stack`, if it is known. */
  get inProject(): string | undefined {
    return this.#parts === undefined ? undefined : `${this.#parts.project}/${this.#parts.stack}`;
  }

  /** Empty if the backend has no organizations. */
  get organization(): string {
    return this.#parts?.organization ?? "";
  }

  /** The backend that keeps the stack. */
  get backend(): string {
    return (this.#backend ??= backendOf(this.environment, process.cwd()));
  }

  /** The backend with the store to which the environment leads its URL. */
  get store(): string {
    return storeOf(this.backend, this.environment);
  }

  /** The last saved state. Undefined if it cannot be read. */
  state(): Promise<StackState | undefined> {
    const { name } = this;
    if (name === undefined) return Promise.resolve(undefined);
    return (this.#state ??= this.readState(name, this.environment, this.#isTold));
  }

  /** Whether the state is read already, so that a question about it costs nothing. */
  get isRead(): boolean {
    return this.#state !== undefined;
  }

  /** Whether its file names an interrupted update or deletion, as it was when the engine told the stack. Undefined if the backend has no such file. */
  get mayBeCutOff(): boolean | undefined {
    const { told, backend, inProject } = this;
    if (told === undefined) return inProject === undefined ? undefined : namesCutOff(backend, inProject);
    return (this.#cutOff ??= { isThere: namesCutOff(backend, told) }).isThere;
  }

  /** The same in a destroy of dynamic resources, which may not know any name yet: on Linux, the command line tells which stack it is about. */
  stateOfCommand(): Promise<StackState | undefined> {
    if (this.name !== undefined || !stackOfCommand().isKnown) return this.state();
    return (this.#state ??= this.readState("", this.environment, false));
  }

  /** The other stacks of the backend, as they were when this process asked first. */
  others(): Promise<OtherStacks> {
    return (this.#others ??= this.#readOthers());
  }

  /**
   * All other stacks of the backend, before something is deleted or taken over: those for which there was no time are read too. They are those of the first
   * such question, or read `anew`. From then on `others` returns the same.
   */
  allOthers({ anew = false } = {}): Promise<OtherStacks> {
    if (anew) this.#all = this.#anew();
    this.#all ??= this.#complete(this.others());
    return (this.#others = this.#all);
  }

  /** A reading begins when the one before it has ended. All who ask meanwhile get it, as each state is a process. */
  #anew(): Promise<OtherStacks> {
    return (this.#next ??= (async () => {
      await this.#reading?.catch(() => undefined);
      this.#next = undefined;
      return (this.#reading = this.#readOthers(LONG_PATIENCE_MS));
    })());
  }

  async #complete(known: Promise<OtherStacks>): Promise<OtherStacks> {
    const found = await known;
    const isComplete = found.unread === 0 && found.isUnknown !== true;
    return isComplete ? found : this.#readOthers(LONG_PATIENCE_MS);
  }

  #readOthers(patienceMs?: number): Promise<OtherStacks> {
    return this.readOthers(this.inProject, this.environment, this.#isTold, patienceMs);
  }
}
