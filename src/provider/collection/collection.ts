import { type Code } from "../base/codes";
import { CreationNote, whose } from "../creation/creation-note";
import { keyOfParts } from "../base/key";
import { type CollectionDescription } from "../describe/define-collection";
import { type Leaf } from "../describe/fields";
import { note, warn } from "../kind/warnings";
import { ObjectPool } from "../matching/object-pool";
import { ServedKind, type ObjectKind, kindOf } from "../kind/kind";
import { type Ports } from "../run/session";
import { type Call, type State, whoIs } from "../state/call";
import { answerOf } from "../state/answers";
import { stateIn } from "../state/codec";
import { setInputs } from "../state/sent";
import { type Properties, UNKNOWN } from "../base/values";
import { type Held, heldIn, type MembersStored, storedFor, wantedIn } from "../state/members";
import { hideHeld } from "./members/secrets";
import { MemberOwnership } from "./member-ownership";

/** The resources of one kind that hold many objects, in one process: their description, and what follows from it. */
export class Collection extends ServedKind {
  /** The kind of the members. */
  readonly item: ObjectKind;
  /** The property that holds the members. */
  readonly property: string;
  /** The inputs other than the members. */
  readonly settings: readonly Leaf[];
  /** The input with the parent's id. */
  readonly parentPath: string;
  readonly ownership: MemberOwnership;
  /** The ids of members of resources that this run replaces: the replacement is checked as a new resource while they still exist. */
  readonly replaced = new Set<string>();
  /** Why an update will be refused, by the ids of resources. */
  readonly refused = new Map<string, Error>();
  /** The resources that were exclusive when they were checked, or may be. */
  readonly exclusives = new Set<string>();
  /** The ids of the resources in which a refresh has put other objects. The text of the members may be the same, as it has no ids. */
  readonly refilled = new Set<string>();
  readonly #forms = new Map<string, string>();

  constructor(
    ports: Ports,
    override readonly description: CollectionDescription,
  ) {
    super(ports, description);
    const { item, property } = description;
    this.item = kindOf(ports, item);
    this.property = property;
    this.settings = this.leaves.filter(({ path }) => path !== property);
    this.parentPath = item.id.parent ?? "";
    this.ownership = new MemberOwnership(this, description);
  }

  /** Notes in which input a program gives the members of a resource, for messages and its row: what is compared later is the text of the members. */
  notesForm(call: Call, form: string = this.property): void {
    this.#forms.set(whoIs(call), form);
  }

  formOf(call: Call): string {
    return this.#forms.get(whoIs(call)) ?? this.property;
  }

  parentOf(inputs: Properties): string {
    return String(inputs[this.parentPath]);
  }

  /** The id of a resource with these inputs. */
  idFor(inputs: Properties): string {
    return this.description.scope
      .flatMap((path) => (inputs[path] === undefined ? [] : [String(inputs[path])]))
      .join("/");
  }

  isExclusive(inputs: Properties): boolean {
    return inputs[this.description.exclusive] === true;
  }

  /** Whether this operation deletes what is covered and not declared. Later a refresh finds such objects as drift. */
  takesOver(olds: Properties, news: Properties): boolean {
    const { scope } = this.description;
    const coversMore = scope.some((path) => path !== this.parentPath && olds[path] !== news[path]);
    return this.isExclusive(news) && (!this.isExclusive(olds) || coversMore);
  }

  /** Whether this operation takes over, or may do so when all values are known. */
  mightTakeOver(olds: Properties, news: Properties): boolean {
    return this.takesOver(olds, news) || this.mayTakeOver(olds, news);
  }

  /** Whether a value that is not known yet may turn out to make the resource own all that it covers. */
  mayTakeOver(olds: Properties, news: Properties): boolean {
    return news[this.description.exclusive] === UNKNOWN && !this.isExclusive(olds);
  }

  /** Finds objects by what distinguishes the members. */
  poolOf(there: readonly Properties[]): ObjectPool {
    const { item, sameBy, inputsOf } = this.description;
    const shown = (reply: Properties) => inputsOf(answerOf(item, reply));
    return new ObjectPool(item, there, { by: sameBy, shown });
  }

  /** Lists the objects below a parent for a preview. */
  seen(parent: string): Promise<readonly Properties[] | undefined> {
    const { item, property } = this;
    return item.reads.seen(parent, `the ${property} of ${item.parentName} ${parent}`);
  }

  /** The state of a resource with these settings and members. */
  stateWith(settings: Properties, { text, members }: MembersStored): State {
    const sent = new Map([...setInputs(this.settings, settings), [this.property, text]]);
    return { outputs: Object.fromEntries(sent), sent, isManaged: true, members };
  }

  /** The state of a resource that has these members. */
  stateOf({ inputs }: Call, held: readonly Held[]): State {
    const declared = wantedIn(this.description, inputs[this.property]).map(({ line }) => line);
    return this.stateWith(inputs, storedFor(held, declared));
  }

  /** The members that the state has for the resource of a call, which is checked as a new one. None if they are at another base URL than that of this process. */
  async heldBy(call: Call): Promise<readonly Held[]> {
    const old = await this.inState(call);
    return old?.isHere === true ? heldIn(this.description, stateIn(old.outputs)) : [];
  }

  /** The note of the creations that an operation on a resource asks for. */
  creationNoteOf(call: Call): CreationNote {
    const { run, account } = this;
    const keyIn = (place: unknown) => keyOfParts(place, this.type, call.urn, this.idFor(call.inputs));
    const describe = () => whose({ kind: this, call });
    return new CreationNote(this, keyIn(run.place), keyIn(account.baseUrl), describe);
  }

  override objectsOf(_id: string, state: State) {
    const held = heldIn(this.description, state).slice(0, 3);
    return held.map((member) => ({ kind: this.item, ref: member, known: member.inputs }));
  }

  override async objectsLike(inputs: Properties) {
    const { item, property, description } = this;
    const parent = this.parentOf(inputs);
    const members = inputs[property];
    if (parent === UNKNOWN || typeof members !== "string" || members === UNKNOWN) return [];
    const pool = this.poolOf((await this.seen(parent)) ?? []);
    return wantedIn(description, members).flatMap((member) => {
      const reply = pool.take(member.inputs);
      return reply === undefined ? [] : [{ kind: item, ref: item.refOf(inputs, reply), reply }];
    });
  }

  override importedAs(id: string) {
    const scope = this.description.fromId(id);
    if (scope === undefined) return undefined;
    return { kind: this.item.description, ref: { parent: this.parentOf(scope), id: "" } };
  }

  override hideMore(state: State, news?: Call): void {
    hideHeld(this.screen, this.description, state, news);
  }

  note(call: Call, lines: string | readonly string[]): void {
    note({ kind: this, call }, lines);
  }

  warn(call: Call, lines: string | readonly string[], code: Code): void {
    warn({ kind: this, call }, lines, code);
  }

  /** Shows in the current row how many changes are done. */
  progress(): (done: number, of: number) => void {
    const row = this.screen.rows.current;
    return (done, of) => row.progress(`${done}/${of} ${this.property}`);
  }
}
