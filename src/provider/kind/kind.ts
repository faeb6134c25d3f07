import { takingTurns } from "../../api/concurrency";
import {
  type CommonDescription,
  type Description,
  formatId,
  type Operation,
  parseId,
  type Ref,
} from "../describe/define-resource";
import { inputAt, type Leaf, leavesOf, parentNameOf } from "../describe/fields";
import { outputsOf } from "../state/answers";
import { type Call, type State, type Told } from "../state/call";
import { hasUnknown, type Properties, UNKNOWN } from "../base/values";
import { cached } from "../../api/cached";
import { parseDuration } from "../base/duration";
import { type Standing, type StateObject } from "../engine/stack-state";
import { KnownObjects } from "./known-objects";
import { ObjectReads } from "../matching/object-reads";
import { taggedOwner, withoutOwnerTags } from "../run/owner-tags";
import { type Ports } from "../run/session";

/** An object, and those of its properties that the state has. */
interface KnownObject {
  readonly kind: ObjectKind;
  readonly ref: Ref;
  readonly known: Properties;
}

type Of = Pick<Call, "fullUrn" | "urn" | "name">;

/** An object that has the content of a resource. */
export interface LikeObject {
  readonly kind: ObjectKind;
  readonly ref: Ref;
  readonly reply: Properties;
}

/** A kind of resource, of one object or of many: what follows from its description alone. */
export class Kind {
  readonly type: string;
  /** Its inputs, each with its path. */
  readonly leaves: readonly Leaf[];

  constructor(readonly description: CommonDescription) {
    this.type = description.type;
    this.leaves = leavesOf(description.fields);
  }

  /** The name of the parent in messages: `domain`. */
  get parentName(): string {
    return parentNameOf(this.description.id.parent ?? "parent");
  }

  /** Names a resource for messages: `DomainRecord www (12/345)`, or `DomainRecord www of domain 12` before it has an id. */
  nameOf(inputs: Properties, ref?: Ref): string {
    const { type, description } = this;
    const first = description.identity
      .map((path) => inputs[path])
      .find((value) => typeof value === "string" && value !== UNKNOWN);
    const label = description.called?.(inputs) ?? first;
    const name = label === undefined ? type : `${type} ${label}`;
    if (ref !== undefined)
      return label === undefined ? `${name} ${formatId(ref)}` : `${name} (${formatId(ref)})`;
    const { parent } = description.id;
    const of = parent === undefined ? undefined : inputs[parent];
    return of === undefined || of === UNKNOWN ? name : `${name} of ${this.parentName} ${String(of)}`;
  }

  /** Parses an id. Undefined if it has another form. */
  parseId(id: string): Ref | undefined {
    return parseId(this.description, id);
  }

  /** How long an operation may take, in milliseconds. */
  allowedTime(operation: Operation, { timeouts }: Told): number {
    const custom = timeouts?.[operation];
    const asked = typeof custom === "string" ? parseDuration(custom) : undefined;
    return asked ?? this.description.timeouts[operation] * 60_000;
  }
}

/** A kind as one process serves it: with the ports of that process, and the objects that it knows. */
export class ServedKind extends Kind {
  readonly clock: Ports["clock"];
  readonly screen: Ports["screen"];
  readonly account: Ports["account"];
  readonly run: Ports["run"];
  readonly known: KnownObjects;

  constructor({ clock, screen, account, run }: Ports, description: CommonDescription) {
    super(description);
    [this.clock, this.screen, this.account, this.run] = [clock, screen, account, run];
    this.known = new KnownObjects(this, this.type);
  }

  /** The object that the resource of a call manages, as the state says. */
  async standingOf({ fullUrn, urn, name = "" }: Of): Promise<Standing | undefined> {
    return (await this.run.stack.state())?.standing({ urn: fullUrn ?? urn, type: this.type, name });
  }

  /** The entry of that resource in the state, and whether its object is at the base URL of this process. */
  async inState({ fullUrn, urn }: Of): Promise<(StateObject & { readonly isHere: boolean }) | undefined> {
    const objects = (await this.run.stack.state())?.objects;
    const own = objects?.find((one) => one.urn === (fullUrn ?? urn) && one.isLeaving !== true);
    return own && { ...own, isHere: this.account.isAt(own.at) };
  }

  /** Some objects of a resource, by which it is seen whether a provider reaches them. */
  objectsOf(_id: string, _state: State): readonly KnownObject[] {
    return [];
  }

  /** The target of an import of this id: an object, or, without an id, some below a parent. Undefined if the id has another form. */
  importedAs(_id: string): { readonly kind: Pick<Description, "type">; readonly ref: Ref } | undefined {
    return undefined;
  }

  /** The objects of the account that have the content of a resource with these inputs. */
  objectsLike(_inputs: Properties): Promise<readonly LikeObject[]> {
    return Promise.resolve([]);
  }

  /** Hides the secrets of a call that no path names. */
  hideMore(_state: State, _news?: Call): void {
    // An object has none.
  }
}

/** A kind of resource of one object. */
export class ObjectKind extends ServedKind {
  readonly reads: ObjectReads;
  readonly #turns = new Map<string, ReturnType<typeof takingTurns>>();

  constructor(
    ports: Ports,
    override readonly description: Description,
  ) {
    super(ports, description);
    this.reads = new ObjectReads(this, description);
  }

  override objectsOf(id: string, { outputs }: State): readonly KnownObject[] {
    const ref = this.parseId(id);
    return ref === undefined ? [] : [{ kind: this, ref, known: outputs }];
  }

  override importedAs(id: string) {
    const ref = this.parseId(id);
    return ref === undefined ? undefined : { kind: this.description, ref };
  }

  override async objectsLike(inputs: Properties): Promise<readonly LikeObject[]> {
    if (this.isPartlyUnknown(inputs)) return [];
    const there = await this.reads.listed(this.parentOf(inputs));
    return (there?.equalTo(inputs) ?? []).map((reply) => ({
      kind: this,
      ref: this.refOf(inputs, reply),
      reply,
    }));
  }

  /** The id of a resource's parent. Empty if it has none. */
  parentOf(inputs: Properties): string {
    const { parent } = this.description.id;
    return parent === undefined ? "" : String(inputs[parent]);
  }

  /** Whether the parent, or what identifies an object, is not known yet. */
  isPartlyUnknown(inputs: Properties): boolean {
    const { identity, id } = this.description;
    return [...identity, ...(id.parent === undefined ? [] : [id.parent])].some((path) =>
      hasUnknown(inputs[path]),
    );
  }

  /** The reference of the object in an answer. */
  refOf(inputs: Properties, reply: Properties): Ref {
    const id = this.description.idOf(reply);
    return this.description.id.parent === undefined ? { id } : { parent: this.parentOf(inputs), id };
  }

  /** The id of the object in an answer, which has this parent. */
  idBelow(parent: string, reply: Properties): string {
    const id = this.description.idOf(reply);
    return formatId(this.description.id.parent === undefined ? { id } : { parent, id });
  }

  /** The properties of an answer, with the parent's id among them. */
  outputsOf(reply: Properties, ref: Ref): Properties {
    const outputs = outputsOf(this.description, reply, ref);
    const hasTags = this.description.fields["tags"] !== undefined;
    return hasTags && this.run.configuration.ownerTags ? withoutOwnerTags(outputs) : outputs;
  }

  /** The other stack that created an object which has the content of these inputs, as its tag says. Undefined if no setting asks for these tags. A copy has those of its source. */
  taggedElsewhere(reply: Properties, inputs: Properties): string | undefined {
    const { configuration, stack } = this.run;
    const isCopy = this.leaves.some((leaf) => leaf.copies === true && inputAt(inputs, leaf) !== undefined);
    return configuration.ownerTags && !isCopy ? taggedOwner(reply, stack.inProject) : undefined;
  }

  /** Runs a creation as soon as fewer than `atOnce.most` others run. */
  withCreationSlot<Result>(inputs: Properties, create: () => Promise<Result>): Promise<Result> {
    const { atOnce } = this.description;
    const value = atOnce === undefined ? undefined : inputs[atOnce.path];
    if (atOnce === undefined || value === undefined) return create();
    return cached(this.#turns, String(value), () => takingTurns(atOnce.max))(undefined, create);
  }
}

const kinds = new WeakMap<Ports["run"], Map<string, ObjectKind>>();

/** The known objects of any type in this process. Undefined as long as the engine has not called it about one. */
export const knownOf = ({ run }: Pick<Ports, "run">, type: string): KnownObjects | undefined =>
  kinds.get(run)?.get(type)?.known;

/** The kind of a description in a run. It is made once. */
export function kindOf(ports: Ports, description: Description): ObjectKind {
  const ofRun = cached(kinds, ports.run, () => new Map<string, ObjectKind>());
  return cached(ofRun, description.type, () => new ObjectKind(ports, description));
}
