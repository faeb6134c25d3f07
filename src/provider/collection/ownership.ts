import { asksForIt, calledBy, hasIt, Replacements } from "../hooks/adoption";
import { type Failure, formatId } from "../describe/define-resource";
import { declaredTwice, placeOf } from "../hooks/declared-twice";
import { ProviderError } from "../engine/errors";
import { GUARDED } from "../state/hidden";
import { type Standing } from "../hooks/introduce";
import { note, ownerOf, shortened } from "../engine/warnings";
import { type Owner } from "../process/ownership";
import { CommonKind } from "../process/kind";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";
import { type CollectionDescription } from "../describe/define-collection";
import { nameOfMember, namesByIdentity } from "./describe";
import { type Held, linesOf, wantedIn } from "./members";

/** A member that its resource gives up to another one. */
interface GivenUp {
  readonly held: Held;
  readonly keeper: Owner;
}

/** Whose the members of the resources of a kind are. */
export class MemberOwnership {
  readonly #replaced = new Replacements();

  constructor(
    private readonly session: Session,
    private readonly collection: CollectionDescription,
  ) {}

  replaces(inputs: Properties): void {
    this.#replaced.add(inputs);
  }

  /** The id of what is to be adopted; undefined for what takes the place of a resource that the state has. */
  idIn(inputs: Properties): string | undefined {
    return this.#replaced.importIdIn(inputs);
  }

  /** What stands against a replacement that the command line asks for. The new members cannot be there beside the old ones. */
  replacementFailures(inputs: Properties, { goesFirst }: Standing): Failure[] {
    const { property } = this.collection;
    const { session, collection } = this;
    if (goesFirst) {
      const line = `takes the place of the one in the state: its ${property} are deleted and made anew, and import adopts nothing`;
      note({ kind: new CommonKind(session, collection), inputs }, line);
      return [];
    }
    const reason = `cannot be replaced while they are there: to have them deleted first, set the option deleteBeforeReplace`;
    return [{ property, reason }];
  }

  /** Asks for the members to adopt. It fails where another resource of the program has one of them, or asks for it. */
  claim(inputs: Properties, parent: string, held: readonly Held[]): Failure[] {
    const { session, collection } = this;
    const owner = ownerOf(collection, inputs);
    const problems = held.flatMap((member) => {
      const rival = session.owners.otherOwner(collection.item, { parent, id: member.id }, owner);
      return rival === undefined ? [] : [`${this.#called(inputs, member, parent)}: ${hasIt(rival)}`];
    });
    if (problems.length === 0) this.take(inputs, parent, held);
    return shortened(problems).map((reason) => ({ property: "import", reason }));
  }

  /** Takes members over. */
  take(inputs: Properties, parent: string, held: readonly Held[]): void {
    const { session, collection } = this;
    const refs = held.map(({ id }) => ({ parent, id }));
    if (refs.length > 0) session.owners.takeAll(collection.item, refs, ownerOf(collection, inputs));
  }

  /** Notes which members a resource of the program has and keeps. It fails where another one is to adopt one of them. */
  hold(inputs: Properties, parent: string, ids: () => readonly string[], isShared: boolean): void {
    const owner = ownerOf(this.collection, inputs);
    const conflict = this.session.owners.holdMany(this.collection.item, parent, owner, ids, isShared);
    if (conflict === undefined) return;
    const { ref, rival } = conflict;
    throw new ProviderError(
      `${owner.name} has the ${this.collection.item.type} ${formatId(ref)}: ${asksForIt(rival)}`,
    );
  }

  /** What is there and is no other resource's of the program. */
  notOthers(inputs: Properties, parent: string, there: readonly Properties[]): Properties[] {
    const { session, collection } = this;
    const { item } = collection;
    const owner = ownerOf(collection, inputs);
    return there.filter(
      (reply) => session.owners.otherOwner(item, { parent, id: item.idOf(reply) }, owner) === undefined,
    );
  }

  /** Who keeps a member that is about to be deleted, because it is no longer declared or because its resource goes. */
  keeperOf(inputs: Properties, parent: string, { id }: Held, goes: boolean): Owner | undefined {
    const owner = ownerOf(this.collection, inputs);
    const ref = { parent, id };
    const { owners } = this.session;
    return goes
      ? owners.release(this.collection.item, ref, owner)
      : owners.giveUp(this.collection.item, ref, owner);
  }

  /** Says which members a resource gives up without deleting them. */
  sayGivenUp(inputs: Properties, parent: string, given: readonly GivenUp[]): void {
    if (given.length === 0) return;
    const { session, collection } = this;
    const owner = ownerOf(collection, inputs);
    const lines = given.map(
      ({ held, keeper }) => `- ${this.#called(inputs, held, parent)}: ${calledBy(keeper, owner)} has it now`,
    );
    const what = `forgets ${given.length} of the ${collection.property} and does not delete them`;
    note({ kind: new CommonKind(session, collection), inputs }, [what, ...shortened(lines)]);
  }

  /** What another resource of the program declares too. */
  doubles(olds: Properties, inputs: Properties, within: string | undefined, isAdopted: boolean): Failure[] {
    const { session, collection } = this;
    const { item, property } = collection;
    const path = item.id.parent ?? "";
    const place = placeOf(item.type, path, inputs, within);
    if (place === undefined || typeof inputs[property] !== "string") return [];
    const guarded = inputs[GUARDED] === true;
    let all: ReadonlyMap<string, string> | undefined;
    const before = new Set(olds[path] === inputs[path] ? linesOf(olds[property]) : []);
    const isSame = olds[property] === inputs[property] && olds[path] === inputs[path];
    const added =
      isAdopted || isSame
        ? []
        : wantedIn(collection, inputs[property]).filter(({ line }) => !before.has(line));
    const double = session.contents.declareMany(place, {
      owner: ownerOf(collection, inputs),
      all: () => (all ??= namesByIdentity(collection, wantedIn(collection, inputs[property]), guarded)),
      made: new Set(namesByIdentity(collection, added).keys()),
    });
    if (double === undefined) return [];
    return [{ property, reason: `${double.what}: ${declaredTwice(double.rival)}` }];
  }

  #called({ [GUARDED]: guarded }: Properties, held: Held, parent: string): string {
    return `${nameOfMember(this.collection, held, guarded === true)} (${formatId({ parent, id: held.id })})`;
  }
}
