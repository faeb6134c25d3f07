import { type ServedKind, type ObjectKind } from "../kind/kind";
import { type Description, type Failure, formatId, type Ref, refused } from "../describe/define-resource";
import { ProviderError } from "../base/errors";
import { type Call, type Told, whoIs } from "../state/call";
import { type CheckCall } from "../state/provider-interface";
import { note, ownerOf, shortened, warn } from "../kind/warnings";
import { isSameOwner, type Owner } from "../notes/owner";
import { cached } from "../../api/cached";
import { IMPORT_VARIABLE } from "../settings/wished-imports";

/** Which objects the resources of a kind adopt in this run, one or many each. */
export abstract class Claims<Of extends ServedKind> {
  readonly #replaced = new Set<string>();

  constructor(
    protected readonly kind: Of,
    /** The description of the objects. */
    protected readonly objects: Description,
  ) {}

  /** Notes that a resource is replaced in this run. Its replacement is created, whatever `import` says. */
  replaces(told: Told): void {
    this.#replaced.add(whoIs(told));
  }

  /**
   * Ignores an entry of the environment for a resource that the state has: it is for a creation without an object, and the engine checks a replacement by the
   * command as a new resource.
   */
  async heedStanding(call: CheckCall): Promise<void> {
    const { kind } = this;
    const { importId, fullUrn: urn, olds, isRead, replacedByCommand } = call;
    const isWished = importId !== undefined && kind.run.settings.importOf(urn) === importId;
    const isNew = olds === undefined && isRead !== true && replacedByCommand === undefined;
    if (!isWished || !isNew || this.isReplaced(call)) return;
    const standing = await kind.standingOf(call);
    // A refresh of this run may have removed it from the state.
    if (standing === undefined || standing.isGone || kind.known.denied.has(standing.id)) return;
    this.replaces(call);
    const line = `replaces the ${kind.type} in the state: a new one is created, and ${IMPORT_VARIABLE} is ignored`;
    note({ kind, call }, line);
  }

  /** Whether a comparison of this run, or the command, replaces a resource. */
  isReplaced(told: Told): boolean {
    return this.#replaced.has(whoIs(told));
  }

  /** The option `import` of a resource that is not a replacement. */
  idIn(told: Told): string | undefined {
    return this.isReplaced(told) ? undefined : told.importId;
  }

  /** Claims objects to adopt. Fails if other resources of the program manage or import some of them. */
  protected claimAll<One extends Ref>(
    refs: readonly One[],
    owner: Owner,
    called: (ref: One) => string,
  ): Failure[] {
    const lost = this.#deleted(refs, called);
    const taken = lost.length > 0 ? [] : this.kind.run.owners.take(this.objects, refs, owner);
    const reasons = [...lost, ...taken.map(({ ref, rival }) => `${called(ref)}: ${hasIt(rival)}`)];
    return shortened(reasons).flatMap((reason) => refused("import", reason, "IMPORT_REFUSED"));
  }

  /** Refuses to import what this run deletes. */
  protected refuseLost<One extends Ref>(refs: readonly One[], called: (ref: One) => string): void {
    const lost = this.#deleted(refs, called);
    if (lost.length > 0) throw new ProviderError(shortened(lost).join("; "), { code: "IMPORT_REFUSED" });
  }

  /** Why an import cannot have some of these objects: this run has deleted them, or is just deleting them. */
  #deleted<One extends Ref>(refs: readonly One[], called: (ref: One) => string): string[] {
    const { owners } = this.kind.run;
    return refs.flatMap((ref) => {
      const former = owners.deletedFor(this.objects, ref);
      return former === undefined ? [] : [`${called(ref)}: ${deletesIt(former)}`];
    });
  }
}

/** Decides which objects the resources of a kind adopt in this run, and which they give up. */
class AdoptionClaims extends Claims<ObjectKind> {
  constructor(kind: ObjectKind) {
    super(kind, kind.description);
  }

  /** The id of the object to adopt. Undefined if this run has deleted it for the same resource, or as a member of a set, and another one is made. */
  override idIn(told: Told & Pick<Call, "isRead">): string | undefined {
    const { kind } = this;
    const { run, description } = kind;
    const id = super.idIn(told);
    const ref = id === undefined ? undefined : kind.parseId(id);
    if (ref === undefined) return id;
    if (told.isRead === true) this.refuseDeleted(ref);
    const former = run.owners.deletedFor(description, ref);
    const isMadeAnew =
      former !== undefined && (former.isSet === true || isSameOwner(former, ownerOf(description, told)));
    return isMadeAnew ? undefined : id;
  }

  /** Refuses what this run deletes to the engine's import: the state has its id then, whatever is made instead. */
  refuseDeleted(ref: Ref): void {
    this.refuseLost([ref], () => `import ${this.kind.type} ${formatId(ref)}`);
  }

  /** Notes that a resource replaces its object. */
  leaves(id: string, call: Call): void {
    const { run, description } = this.kind;
    const ref = this.kind.parseId(id);
    if (ref !== undefined) run.owners.leave(description, ref, ownerOf(description, call));
  }

  /** Says in the preview that a replacement by the command line ignores the option `import`. */
  announceReplacement(call: Call): void {
    if (call.importId === undefined) return;
    const { kind } = this;
    const line = `replaces the ${kind.type} in the state: a new one is created, and the option import is ignored`;
    note({ kind, call }, line);
  }

  /** Claims an object to adopt. Fails if another resource of the program manages or imports it. */
  claim(id: string, owner: Owner): Failure[] {
    const ref = this.kind.parseId(id);
    return ref === undefined ? [] : this.claimAll([ref], owner, () => `"${id}"`);
  }

  /** Notes which object a resource of the program manages. Fails if another resource has taken it over, unless this one replaces it and so gives it up. */
  hold(id: string, call: Call, isReplaced: boolean): void {
    const { kind } = this;
    const { run, description } = kind;
    const ref = kind.parseId(id);
    if (ref === undefined) return;
    const owner = ownerOf(description, call);
    const rival = run.owners.hold(description, ref, owner);
    const isTaken = rival !== undefined && run.owners.isTakenBy(description, ref, rival);
    if (rival === undefined || (isTaken && isReplaced)) return;
    if (isTaken)
      throw new ProviderError(`${owner.name} manages the ${kind.type} ${id}: ${asksForIt(rival)}`, {
        code: "TWO_OWNERS",
      });
    const line = `manages the ${kind.type} ${id}, and so does ${rival.name}: remove one of the two from the program. The object is not deleted`;
    warn({ kind, call, id }, line, "TWO_OWNERS");
  }

  /** Whether a resource gives up an object without a delete, because another resource manages it now. Says so if it does. `doubles`: see `release`. */
  forgets(ref: Ref, call: Call, doubles?: readonly Owner[]): boolean {
    const { kind } = this;
    const { run, description } = kind;
    const owner = ownerOf(description, call);
    const keeper = run.owners.release(description, ref, owner, doubles);
    if (keeper === undefined) {
      this.replaces(call);
      run.declared.forget(owner);
      return false;
    }
    const id = formatId(ref);
    const about = { kind, call, id };
    const isAgain = owner.urn !== undefined && isSameOwner(keeper, owner);
    const isTakenAgain = isAgain && run.owners.isTakenBy(description, ref, owner);
    if (isTakenAgain && !run.owners.isAdopted(description, ref)) {
      note(about, `keeps the ${kind.type} ${id}, which this run has taken back`);
    } else if (isTakenAgain) {
      const line = `imported the ${kind.type} ${id} again instead of replacing it. To replace it, remove the option import and run this command again`;
      warn(about, line, "IMPORT_REFUSED");
    } else {
      this.#refuseUntilAdopted(ref, keeper, call);
      note(
        about,
        `forgets the ${kind.type} ${id} without deleting it: ${calledBy(keeper, owner)} manages it now`,
      );
    }
    return true;
  }

  /** With `--continue-on-error` an import is left out if what it waits for has failed: without the old resource, no state would have the object. */
  #refuseUntilAdopted(ref: Ref, keeper: Owner, call: Call): void {
    const { kind } = this;
    const { run, description } = kind;
    const isAsked = run.owners.isTakenBy(description, ref, { name: keeper.name });
    if (!isAsked || run.owners.isAdopted(description, ref)) return;
    throw notAdopted(kind.nameOf(call.inputs, ref), keeper);
  }
}

/** The refusal of a deletion for an old owner while the new one has not imported what it asks for. */
export const notAdopted = (what: string, { name }: Owner): ProviderError =>
  new ProviderError(
    `delete ${what}: ${name} imports it, and has not done so in this run, so nothing is deleted. Run the command again`,
    { code: "IMPORT_PENDING" },
  );

const claims = new WeakMap<ObjectKind, AdoptionClaims>();

/** The claims of a kind. They are made once. */
export const adoptionOf = (kind: ObjectKind): AdoptionClaims =>
  cached(claims, kind, () => new AdoptionClaims(kind));

/** Refuses the import of an object by a resource that manages another one. */
export function refuseSecondObject(type: string, id: string, importId: string): void {
  if (importId === id) return;
  throw new ProviderError(
    `import ${type} ${importId}: this resource already manages the ${type} ${id}. ` +
      `Import ${importId} with another resource, or first remove ${id} from the state with \`pulumi state delete\``,
    { code: "IMPORT_REFUSED" },
  );
}

/** The name of one resource in a message about another. */
export const calledBy = ({ name }: Owner, reader: Owner): string =>
  name === reader.name ? "another resource with the same name" : name;

export const ONE_OWNER = "An object can have only one owner";

/** Says which resource manages the object that another one imports. */
const hasIt = ({ name }: Owner): string =>
  `${name} in this program manages it. ${ONE_OWNER}: remove import here, or remove ${name} from the program`;

/** Says which resource no longer has the object that another one imports. */
const deletesIt = ({ name }: Owner): string =>
  `${name} no longer has it, and this run deletes it. Remove the option import and run \`pulumi up --refresh\`: that creates another one`;

/** Says which resource imports the object that another one manages. */
export const asksForIt = ({ name }: Owner): string =>
  `${name} in this program imports it. ${ONE_OWNER}: remove import there, or remove this resource from the program`;
