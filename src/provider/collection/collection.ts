import { CreationNote, whose } from "../creation/creation-note";
import { keyOfParts } from "../process/key";
import { type CollectionDescription } from "../describe/define-collection";
import { type Leaf } from "../describe/fields";
import { note, warn } from "../engine/warnings";
import { CommonKind, type Kind, kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { keptOf, SET, URN } from "../state/hidden-properties";
import { setInputs } from "../state/sent";
import { type Properties } from "../state/values";
import { type Held, wantedIn } from "./members/member";
import { outputsFor } from "./members/in-state";
import { MemberOwnership } from "./member-ownership";

/** The resources of one kind that hold many objects, in one process: their description, and what follows from it. */
export class Collection extends CommonKind {
  /** The kind of the members. */
  readonly item: Kind;
  /** The property that holds the members. */
  readonly property: string;
  /** The inputs besides the members. */
  readonly settings: readonly Leaf[];
  /** The input with the parent's id. */
  readonly parentPath: string;
  readonly ownership: MemberOwnership;
  /** The ids of members of resources that this run replaces: the replacement is checked as a new resource while they still exist. */
  readonly replaced = new Set<string>();

  constructor(
    session: Session,
    override readonly description: CollectionDescription,
  ) {
    super(session, description);
    const { item, property } = description;
    this.item = kindOf(session, item);
    this.property = property;
    this.settings = this.leaves.filter(({ path }) => path !== property);
    this.parentPath = item.id.parent ?? "";
    this.ownership = new MemberOwnership(this, description);
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

  /** What the state keeps beside the members. */
  settingsOf(inputs: Properties): Properties {
    const set = setInputs(this.settings, inputs);
    return { ...Object.fromEntries(set), [SET]: [...set.keys(), this.property].join(","), ...keptOf(inputs) };
  }

  /** What the state keeps of a resource that has these members. */
  outputsOf(inputs: Properties, held: readonly Held[]): Properties {
    const declared = wantedIn(this.description, inputs[this.property]).map(({ line }) => line);
    return { ...this.settingsOf(inputs), ...outputsFor(this.description, held, declared) };
  }

  /** The note of the creations that an operation on a resource asks for. */
  creationNoteOf(inputs: Properties): CreationNote {
    const { session } = this;
    const keyIn = (place: unknown) => keyOfParts(place, this.type, inputs[URN], this.idFor(inputs));
    const describe = () => whose({ kind: this, inputs });
    return new CreationNote(session, keyIn(session.place), keyIn(session.baseUrl), describe);
  }

  note(inputs: Properties, lines: string | readonly string[]): void {
    note({ kind: this, inputs }, lines);
  }

  warn(inputs: Properties, lines: string | readonly string[]): void {
    warn({ kind: this, inputs }, lines);
  }

  /** Shows in the current row how many changes are done. */
  progress(): (done: number, of: number) => void {
    const row = this.session.rows.current;
    return (done, of) => row.progress(`${done}/${of} ${this.property}`);
  }
}
