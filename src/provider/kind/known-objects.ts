import { hasOrganizations } from "../engine/backend";
import { type CutOff, type Pending, type PendingCreation } from "../engine/stack-state";
import { type Call, type Told, whoIs } from "../state/call";
import { stableJson } from "../base/values";
import { cached } from "../../api/cached";
import { type Ports } from "../run/session";
import { cutOffKey } from "../notes/cut-off-notes";
import { addressIn } from "../settings/whereabouts";

type Resource = Pick<Call, "urn" | "name" | "fullUrn">;

/** A comparison of what a resource manages with the program: see `objectIn`. */
interface Compared {
  readonly object: string;
  /** The losses of its replacement. */
  readonly loss: string | undefined;
}

/** Remembers the engine's questions about resources, which tell a replacement from a creation and from a deletion. */
class Steps {
  readonly #checked = new Set<string>();
  /** The URNs of resources whose state keeps none. */
  readonly #urns = new Map<string, Set<string>>();
  readonly #compared = new Map<string, Compared>();
  readonly #replaced = new Set<string>();
  readonly #denied = new Map<string, string>();

  /** Notes why the settings deny the change of a resource, as its preview says. */
  denies(told: Told, why: string): void {
    this.#denied.set(whoIs(told), why);
  }

  denial(told: Told): string | undefined {
    return this.#denied.get(whoIs(told));
  }

  checks(told: Resource): void {
    this.#checked.add(whoIs(told)).add(told.fullUrn ?? whoIs(told));
    if (told.urn === undefined && told.fullUrn !== undefined)
      cached(this.#urns, whoIs(told), () => new Set<string>()).add(told.fullUrn);
  }

  /** The URN by which the engine knows a resource: the call's own, or that of its check. Undefined if components have several of its name. */
  urnOf(told: Resource): string | undefined {
    const [only, ...others] = this.#urns.get(whoIs(told)) ?? [];
    return told.urn ?? told.fullUrn ?? (others.length === 0 ? only : undefined);
  }

  /** Whether the program has the resource. Components may have others of its name. */
  isChecked(told: Resource): boolean {
    return this.#checked.has(told.fullUrn ?? whoIs(told));
  }

  compares(told: Told, object: string, loss: string | undefined): void {
    this.#compared.set(whoIs(told), { object, loss });
  }

  compared(told: Told): Compared | undefined {
    return this.#compared.get(whoIs(told));
  }

  /** The same by the object: the engine deletes it under the name that the state has, which an alias may lead to. */
  comparedWith(object: string): Compared | undefined {
    return [...this.#compared.values()].find((one) => one.object === object);
  }

  /** Whether the program has a resource for an object, under whichever name. */
  isDeclared(told: Resource, object: string): boolean {
    const others = [...this.#compared].filter(([, one]) => one.object === object);
    return this.isChecked(told) || others.some(([who]) => this.#checked.has(who));
  }

  /** Notes that a replacement of an object may be carried out. */
  replaces(object: string): void {
    this.#replaced.add(object);
  }

  isReplaced(object: string): boolean {
    return this.#replaced.has(object);
  }
}

/** Whether an object keeps its unique name. The engine does not tell whether `deleteBeforeReplace` is set: it may go with an object that is replaced. */
type Keeping = "stays" | "goes" | "may go";

/** When something is asked: in a check or comparison, which look into the state, or in the operation after it, whose own entry the state has by then. */
export type Phase = "check" | "operation";

/** Remembers the objects of a kind that a process knows from the engine's calls, by their ids. */
export class KnownObjects {
  /** The ids by which the engine has called this process. */
  readonly managed = new Set<string>();
  /** Those of them that the program has, each with what becomes of its unique name, or the one that the program gives it. */
  readonly kept = new Map<string, Keeping | { readonly name: unknown; readonly ifReplaced: Keeping }>();
  /** The ids that a refresh did not find, so that the engine removes them from the state. */
  readonly denied = new Set<string>();
  /** The ids of the objects in whose place the program asks for new ones. */
  readonly renewed = new Set<string>();
  /** The engine's questions about the resources in this run. */
  readonly steps = new Steps();
  /** The ids of given-up objects that their resources take back. */
  readonly back = new Set<string>();
  readonly #taken = new Map<string, Set<string>>();
  readonly #cutOff = new Set<string>();
  readonly #pending = new Map<string, PendingCreation | undefined>();
  readonly #created = new Set<string>();
  /** How often the engine had called `check` when a refresh read a resource. */
  readonly #read = new Map<string, number>();

  constructor(
    private readonly ports: Pick<Ports, "run" | "account" | "clock">,
    private readonly type: string,
  ) {}

  /** Whether an object of the program keeps its unique name. Undefined if the program has no such object. */
  keeping(id: string, name: unknown): Keeping | undefined {
    const kept = this.kept.get(id);
    if (typeof kept !== "object") return kept;
    return [undefined, name].includes(kept.name) ? "stays" : "goes";
  }

  /** Notes that the engine replaces what the provider would update, as `replaceOnChanges` asks for. */
  replacesAnyway(told: Told): void {
    const id = this.steps.compared(told)?.object ?? "";
    const kept = this.kept.get(id);
    if (typeof kept === "object") this.kept.set(id, kept.ifReplaced);
  }

  /** Whether the engine knows an object: it has called this process with it, or the state has it. */
  async isKnown(id: string): Promise<boolean> {
    // The last saved state still has what a refresh of this run has removed.
    if (this.denied.has(id)) return false;
    if (this.managed.has(id)) return true;
    return (await this.ports.run.stack.state())?.knows(this.type, id, this.ports.account.at) ?? false;
  }

  /** The ids, without the parent's, of the objects that this process has created or recognised after a lost answer. */
  taken(parent: string): Set<string> {
    return cached(this.#taken, parent, () => new Set<string>());
  }

  /** The ids of the objects that other runs have created, if those runs may still be running. */
  ofOtherRuns(): ReadonlySet<string> {
    return this.ports.run.otherRuns.idsOf(this.type);
  }

  /** Notes that a refresh has read a resource. */
  hasRead(id: string): void {
    this.#read.set(id, this.ports.run.checks);
  }

  /** Whether the engine compares a resource with what a refresh has just read. That comparison leads to no plan. */
  isRefreshing(id: string): boolean {
    const at = this.#read.get(id);
    this.#read.delete(id);
    // A destruction without a program compares what depends on its targets.
    return at === this.ports.run.checks || this.ports.run.checks === 0;
  }

  /**
   * Whether the state says that an earlier run was cut off in an operation on a resource, or a note, because the engine has forgotten it since. A check asks. Later
   * the state has the operation of this run, so the answer of the check counts. `object`: see `objectIn`. Without it, only the state counts.
   */
  async wasCutOff(
    operation: CutOff,
    { urn, name = "" }: Told,
    phase: Phase,
    object?: string,
  ): Promise<boolean> {
    const who: Pending = { urn, type: this.type, name };
    const key = stableJson([operation, who]);
    const { run, clock } = this.ports;
    // Of a stack of Pulumi Cloud, a refresh does not learn the organization, and so could not settle it.
    const isNoted = () => {
      if (object === undefined || hasOrganizations(run.stack.backend)) return false;
      const noteKey = cutOffKey(run.place, this.type, object);
      return run.cutOff.has(noteKey) && run.cutOff.recall(noteKey, clock.now())?.operation === operation;
    };
    if (
      phase === "check" &&
      ((await run.stack.state())?.wasCutOff(operation, { ...who, object }) === true || isNoted())
    )
      this.#cutOff.add(key);
    return this.#cutOff.has(key);
  }

  /** Notes that a creation begins. A state that is read later has it as a pending one. */
  creates(told: Told): void {
    this.#created.add(whoIs(told));
    cached(this.#pending, whoIs(told), () => undefined);
  }

  /** Whether the engine has asked to create a resource in this run. */
  isCreated(told: Told): boolean {
    return this.#created.has(whoIs(told));
  }

  /** The interrupted creation of a resource, as the state names it. As above, the answer from before this run's creation counts. */
  async pendingCreation({ urn, name = "" }: Told, phase: Phase): Promise<PendingCreation | undefined> {
    const key = urn ?? name;
    if (phase === "check" && !this.#pending.has(key))
      this.#pending.set(
        key,
        this.#ofThisAccount(
          (await this.ports.run.stack.state())?.pendingCreation({ urn, type: this.type, name }),
        ),
      );
    return this.#pending.get(key);
  }

  /** Whether an interrupted run has requested the resource with another token only: perhaps in another account. */
  async isOfOtherToken(told: Told, phase: Phase): Promise<boolean> {
    const pending = await this.pendingCreation(told, phase);
    const { account } = this.ports;
    return (
      pending?.isOpen === true &&
      pending.requested.every(({ askedAt = account.at }) => account.mayBeElsewhere(askedAt))
    );
  }

  /** Without what was requested at another base URL. */
  #ofThisAccount(pending: PendingCreation | undefined): PendingCreation | undefined {
    const { run, account } = this.ports;
    if (pending === undefined || run.configuration.sameAccount) return pending;
    const { at } = account;
    const here = addressIn(at);
    const requested = pending.requested.filter(({ askedAt = at }) => addressIn(askedAt) === here);
    return requested.length === 0 ? undefined : { ...pending, requested };
  }
}
