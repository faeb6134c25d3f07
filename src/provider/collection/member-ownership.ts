import { asksForIt, calledBy, hasIt, Replacements } from "../adoption/adoption-claims";
import { type Failure, formatId, parseId } from "../describe/define-resource";
import { declaredTwice, placeOf } from "../inputs/declared-twice";
import { ProviderError } from "../engine/errors";
import { note, ownerOf, shortened } from "../engine/warnings";
import { type Owner } from "../process/owner";
import { type CommonKind } from "../process/kind";
import { type Call, type Standing, type Told } from "../state/call";
import { type Properties } from "../state/values";
import { type CollectionDescription } from "../describe/define-collection";
import { ImportingSets } from "./importing-sets";
import { nameOfMember, namesByIdentity } from "./members/names";
import { type Held, linesOf, wantedIn } from "./members/member";
import { isGuarded } from "./members/secrets";

/** A member that its resource gives up to another resource. */
export interface GivenUp {
  readonly held: Held;
  readonly keeper: Owner;
}

/** Which resource has which member, for the resources of one kind. */
export class MemberOwnership {
  readonly importing: ImportingSets;
  readonly #replaced = new Replacements();

  constructor(
    private readonly kind: CommonKind,
    private readonly description: CollectionDescription,
  ) {
    this.importing = new ImportingSets(kind, description);
  }

  /** Notes that a resource is replaced in this run. */
  replaces(told: Told): void {
    this.#replaced.add(told);
  }

  /** The id that the option `import` names; undefined for a resource that replaces another one in this run. */
  idIn(told: Told): string | undefined {
    return this.#replaced.importIdIn(told);
  }

  /** Refuses a replacement by the command line unless it deletes first: new and old members cannot exist together. */
  replacementFailures(call: Call, { goesFirst }: Standing): Failure[] {
    const { property } = this.description;
    if (goesFirst) {
      const line = `replaces the set in the state: its ${property} are deleted and created again, and the option import is ignored`;
      note({ kind: this.kind, call }, line);
      return [];
    }
    const reason = `cannot be replaced while they exist: set the option deleteBeforeReplace to delete them first`;
    return [{ property, reason }];
  }

  /** Claims the members to adopt. Fails if another resource of the program has or claims one of them. */
  claim(call: Call, parent: string, held: readonly Held[]): Failure[] {
    const { description } = this;
    const { session } = this.kind;
    const owner = ownerOf(description, call);
    const problems = held.flatMap((member) => {
      const rival = session.owners.otherOwner(description.item, { parent, id: member.id }, owner);
      return rival === undefined ? [] : [`${this.#called(call, member, parent)}: ${hasIt(rival)}`];
    });
    if (problems.length === 0) this.take(call, parent, held);
    return shortened(problems).map((reason) => ({ property: "import", reason }));
  }

  /** Notes the resources of the program that import members. The engine may check them later. */
  announced(imports: readonly string[] = []): void {
    const { item } = this.description;
    for (const one of imports) {
      const [, type, id = "", name = ""] = /^(\S+) (\S+) (.*)$/s.exec(one) ?? [];
      const ref = type === item.type ? parseId(item, id) : undefined;
      if (ref !== undefined) this.kind.session.owners.announce(item, ref, { name: `${item.type} ${name}` });
      if (type === this.description.type) this.importing.announce(id, name);
    }
  }

  /** Takes members over. */
  take(told: Told, parent: string, held: readonly Held[]): void {
    const { description } = this;
    const { session } = this.kind;
    const refs = held.map(({ id }) => ({ parent, id }));
    if (refs.length > 0) session.owners.takeAll(description.item, refs, ownerOf(description, told));
  }

  /** Notes which members a resource of the program keeps. Fails if another resource adopts one of them. */
  hold(told: Told, parent: string, ids: () => readonly string[], isShared: boolean): void {
    const owner = ownerOf(this.description, told);
    const conflict = this.kind.session.owners.holdMany(this.description.item, parent, owner, ids, isShared);
    if (conflict === undefined) return;
    const { ref, rival } = conflict;
    throw new ProviderError(
      `${owner.name} manages the ${this.description.item.type} ${formatId(ref)}: ${asksForIt(rival)}`,
    );
  }

  /** The objects that no other resource of the program has. */
  notOthers(call: Told, parent: string, there: readonly Properties[]): Properties[] {
    const { description } = this;
    const { session } = this.kind;
    const { item } = description;
    const owner = ownerOf(description, call);
    return there.filter(
      (reply) => session.owners.otherOwner(item, { parent, id: item.idOf(reply) }, owner) === undefined,
    );
  }

  /** The other resource that keeps a member if this one no longer declares it. */
  heirOf(call: Call, { id }: Held): Owner | undefined {
    const { item } = this.description;
    const parent = String(call.inputs[item.id.parent ?? ""]);
    return this.kind.session.owners.heirOf(item, { parent, id }, ownerOf(this.description, call));
  }

  /** The other resource that keeps a member. Asked before a deletion: the member is no longer declared, or its resource is deleted (`goes`). */
  keeperOf(told: Told, parent: string, { id }: Held, goes: boolean): Owner | undefined {
    const owner = ownerOf(this.description, told);
    const ref = { parent, id };
    const { owners } = this.kind.session;
    return goes
      ? owners.release(this.description.item, ref, owner)
      : owners.giveUp(this.description.item, ref, owner);
  }

  /** Says which members a resource gives up without deleting them. */
  sayGivenUp(call: Call, parent: string, given: readonly GivenUp[]): void {
    if (given.length === 0) return;
    const { description } = this;
    const owner = ownerOf(description, call);
    const lines = given.map(
      ({ held, keeper }) =>
        `- ${this.#called(call, held, parent)}: ${calledBy(keeper, owner)} manages it now`,
    );
    const what = `forgets ${given.length} of the ${description.property} without deleting them`;
    note({ kind: this.kind, call }, [what, ...shortened(lines)]);
  }

  /** Refuses members that another resource of the program declares too. */
  doubles(olds: Properties, call: Call, isAdopted: boolean): Failure[] {
    const { description } = this;
    const { inputs, within } = call;
    const { session } = this.kind;
    const { item, property } = description;
    const path = item.id.parent ?? "";
    const place = placeOf(item.type, path, inputs, within);
    if (place === undefined || typeof inputs[property] !== "string") return [];
    const guarded = isGuarded(call);
    let all: ReadonlyMap<string, string> | undefined;
    const before = new Set(olds[path] === inputs[path] ? linesOf(olds[property]) : []);
    const isSame = olds[property] === inputs[property] && olds[path] === inputs[path];
    const added =
      isAdopted || isSame
        ? []
        : wantedIn(description, inputs[property]).filter(({ line }) => !before.has(line));
    const double = session.declared.declareMany(place, {
      owner: ownerOf(description, call),
      all: () => (all ??= namesByIdentity(description, wantedIn(description, inputs[property]), guarded)),
      made: new Set(namesByIdentity(description, added).keys()),
    });
    if (double === undefined) return [];
    return [{ property, reason: `${double.what}: ${declaredTwice(double.rival)}` }];
  }

  #called(told: Told, held: Held, parent: string): string {
    return `${nameOfMember(this.description, held, isGuarded(told))} (${formatId({ parent, id: held.id })})`;
  }
}
