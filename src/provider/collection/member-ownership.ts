import { asksForIt, calledBy, Claims } from "../ownership/adoption-claims";
import { heldTwice } from "../ownership/this-stack";
import { type Failure, formatId, parseId, type Ref, refused } from "../describe/define-resource";
import { declaredTwice, placeOf } from "../inputs/declared-twice";
import { ProviderError } from "../base/errors";
import { note, ownerOf, warn } from "../kind/warnings";
import { isSameOwner, type Owner } from "../notes/owner";
import { type ServedKind } from "../kind/kind";
import { type Call, type ForcedReplacement, type Told } from "../state/call";
import { type Properties } from "../base/values";
import { type CollectionDescription } from "../describe/define-collection";
import { ImportingSets } from "./importing-sets";
import { itemised, nameOfMember, namesByIdentity } from "./members/names";
import { type Held, identityOf, linesOf, wantedIn } from "../state/members";
import { isGuarded } from "./members/secrets";

/** A member that its resource gives up to another resource. */
export interface GivenUpMember {
  readonly held: Held;
  readonly keeper: Owner;
}

/** Members that other resources keep, and the rest. */
interface Apart {
  readonly givenUp: GivenUpMember[];
  readonly own: Held[];
}

function apart(members: readonly Held[], keeperOf: (held: Held) => Owner | undefined): Apart {
  const all = members.map((held) => ({ held, keeper: keeperOf(held) }));
  return {
    givenUp: all.flatMap(({ held, keeper }) => (keeper === undefined ? [] : [{ held, keeper }])),
    own: all.flatMap(({ held, keeper }) => (keeper === undefined ? [held] : [])),
  };
}

/** Which resource has which member, for the resources of one kind. */
export class MemberOwnership extends Claims<ServedKind> {
  readonly importing: ImportingSets;

  constructor(
    kind: ServedKind,
    private readonly description: CollectionDescription,
  ) {
    super(kind, description.item);
    this.importing = new ImportingSets(kind, description);
  }

  /** Refuses a replacement by the command line unless it deletes first: new and old members cannot exist together. */
  replacementFailures(call: Call, { goesFirst }: ForcedReplacement): Failure[] {
    const { property } = this.description;
    const reason = `cannot be replaced while they exist: set the option deleteBeforeReplace to delete them first`;
    if (!goesFirst) return refused(property, reason, "UPDATE_IMPOSSIBLE");
    const line = `replaces the set in the state: its ${property} are deleted and created again, and the option import is ignored`;
    note({ kind: this.kind, call }, line);
    return [];
  }

  /** Claims the members to adopt. Fails if another resource of the program has or claims one of them. */
  claim(call: Call, held: readonly Held[]): Failure[] {
    return this.claimAll(held, this.#owner(call), (member) => this.called(call, member));
  }

  /** Fails if this run deletes one of the members to adopt. */
  refuseDeleted(call: Call, held: readonly Held[]): void {
    const attempt = `import ${this.kind.type}: `;
    this.refuseLost(held, (member) => `${attempt}${this.called(call, member)}`);
  }

  /** Notes the resources of the program that import members. The engine may check them later. */
  announced(imports: readonly string[] = []): void {
    const { item, type: own } = this.description;
    for (const one of imports) {
      const [, type, id = "", name = ""] = /^(\S+) (\S+) (.*)$/s.exec(one) ?? [];
      const ref = type === item.type ? parseId(item, id) : undefined;
      if (ref !== undefined) this.#owners.announce(item, ref, { name: `${item.type} ${name}` });
      else if (type === item.type) this.importing.misreads(item, id, name);
      if (type === own) this.importing.announce(id, name);
    }
  }

  /** Claims members that other sets give up, if these wait for it. */
  claimGivenUp(told: Told, held: readonly Held[]): boolean {
    const isExpected = this.importing.isExpected(told);
    if (isExpected) this.#owners.takeAll(this.objects, held, this.#owner(told));
    return isExpected;
  }

  /** Takes members over. */
  take(told: Told, held: readonly Held[]): void {
    this.#owners.adoptsAll(this.objects, held, this.#owner(told));
  }

  /** Whether the other resource that is to keep a member has it. */
  hasReceived({ held, keeper }: GivenUpMember): boolean {
    return this.#owners.hasReceived(this.objects, held, keeper);
  }

  /** Waits until other resources have imported the members that they are to keep, or have failed to. */
  async settleHeirs(given: readonly GivenUpMember[]): Promise<void> {
    await this.importing.until(() => given.every((one) => this.hasReceived(one) || this.#hasMissed(one)));
  }

  /** Whether an object is deleted in this run, although a list may still have it. */
  isDeleted(ref: Ref): boolean {
    return this.#owners.deletedFor(this.objects, ref) !== undefined;
  }

  /** Notes which members a resource of the program keeps. Fails if another resource adopts one of them. */
  hold(call: Call, ids: () => readonly string[]): void {
    const owner = this.#owner(call);
    const conflict = this.#owners.holdMany(this.objects, this.#parentIn(call), owner, ids);
    if (conflict === undefined) return;
    const what = `${this.objects.type} ${formatId(conflict.ref)}`;
    throw new ProviderError(`${owner.name} manages the ${what}: ${asksForIt(conflict.rival)}`, {
      code: "TWO_OWNERS",
    });
  }

  /** Notes that a resource replaces its members. */
  leaves(told: Told, members: readonly Ref[]): void {
    for (const member of members) this.#owners.leave(this.objects, member, this.#owner(told));
  }

  /** The objects that no other resource of the program has. */
  notOthers(call: Call, there: readonly Properties[]): Properties[] {
    const owner = this.#owner(call);
    const parent = this.#parentIn(call);
    const refOf = (reply: Properties) => ({ parent, id: this.objects.idOf(reply) });
    return there.filter((reply) => !this.#owners.otherOwner(this.objects, refOf(reply), owner));
  }

  /** Without what other resources of the program declare or will import: one of them may just be creating it. */
  notForOthers(call: Call, found: readonly Held[]): readonly Held[] {
    const { type, id } = this.objects;
    const place = placeOf(type, id.parent ?? "", call.inputs, undefined);
    if (place === undefined) return found;
    const { declared } = this.kind.run;
    const owner = this.#owner(call);
    return found.filter(
      (one) =>
        !declared.isOthers(place, identityOf(this.description, one.inputs), owner) &&
        this.heirOf(call, one) === undefined,
    );
  }

  /** The other resource that keeps a member if this one no longer declares it. */
  heirOf(told: Told, held: Held): Owner | undefined {
    return this.#owners.heirOf(this.objects, held, this.#owner(told));
  }

  /** Members that are no longer declared: those that other resources keep, and the rest. */
  heirsOf(told: Told, members: readonly Held[]): Apart {
    return apart(members, (held) => this.heirOf(told, held));
  }

  /** The other resource that keeps a member that is no longer declared. Asked before its deletion. */
  keeperOf(told: Told, held: Held): Owner | undefined {
    return this.#owners.giveUp(this.objects, held, this.#owner(told));
  }

  /** Gives up the members of a resource that is deleted: those that another resource keeps, and the rest. */
  async release(told: Told, all: readonly Held[]): Promise<Apart> {
    const owner = this.#owner(told);
    const doubles = await heldTwice(this.kind, this.objects, all, owner);
    return apart(all, (held) => this.#owners.release(this.objects, held, owner, doubles.get(formatId(held))));
  }

  /** Says which members a resource gives up without deleting them. */
  sayGivenUp(call: Call, given: readonly GivenUpMember[]): void {
    if (given.length === 0) return;
    const owner = this.#owner(call);
    const whose = (keeper: Owner) =>
      owner.urn !== undefined && isSameOwner(keeper, owner)
        ? "this run has taken it back"
        : `${calledBy(keeper, owner)} manages it now`;
    const what = `forgets ${given.length} of the ${this.description.property} without deleting them`;
    const lines = given.map(({ held, keeper }) => `${this.called(call, held)}: ${whose(keeper)}`);
    note({ kind: this.kind, call }, itemised(what, lines));
  }

  /** Says which members a resource keeps because their new owners do not have them. */
  sayKept(call: Call, kept: readonly GivenUpMember[]): void {
    if (kept.length === 0) return;
    const owner = this.#owner(call);
    const lines = kept.map((one) => {
      const why = this.#hasMissed(one) ? "failed to import it" : "has not imported it in this run";
      return `${this.called(call, one.held)}: ${calledBy(one.keeper, owner)} ${why}`;
    });
    const what = `keeps ${kept.length} of the ${this.description.property} in the state until their new owner has them`;
    warn({ kind: this.kind, call }, itemised(what, lines), "IMPORT_PENDING");
  }

  #hasMissed({ held, keeper }: GivenUpMember): boolean {
    const missed = this.#owners.missedBy(this.objects, held);
    return missed !== undefined && isSameOwner(missed, keeper);
  }

  /** Refuses members that another resource of the program declares too. */
  declaredElsewhere(olds: Properties, call: Call, isAdopted: boolean): Failure[] {
    const { description } = this;
    const { inputs, within } = call;
    const { item, property } = description;
    const path = item.id.parent ?? "";
    const place = placeOf(item.type, path, inputs, within);
    if (place === undefined || typeof inputs[property] !== "string") return [];
    const isBelowSame = olds[path] === inputs[path];
    const isMade = !isAdopted && !(isBelowSame && olds[property] === inputs[property]);
    const before = new Set(isBelowSame ? linesOf(olds[property]) : []);
    const declared = () => wantedIn(description, inputs[property]);
    const added = isMade ? declared().filter(({ line }) => !before.has(line)) : [];
    let all: ReadonlyMap<string, string> | undefined;
    const double = this.kind.run.declared.declareMany(place, {
      owner: this.#owner(call),
      all: () => (all ??= namesByIdentity(description, declared(), isGuarded(call))),
      made: new Set(namesByIdentity(description, added).keys()),
    });
    return double === undefined
      ? []
      : refused(property, `${double.what}: ${declaredTwice(double.rival)}`, "DECLARED_TWICE");
  }

  #parentIn({ inputs }: Call): string {
    return String(inputs[this.objects.id.parent ?? ""]);
  }

  get #owners() {
    return this.kind.run.owners;
  }

  #owner(told: Told): Owner {
    return ownerOf(this.description, told);
  }

  /** The name and the id of a member in messages. */
  called(told: Told, held: Held): string {
    return `${nameOfMember(this.description, held, isGuarded(told))} (${formatId(held)})`;
  }
}
