import { type Kind } from "../process/kind";
import { type Failure, formatId, type Ref } from "../describe/define-resource";
import { ProviderError } from "../engine/errors";
import { ADOPTED, IMPORT_ID, PROGRAM_NAME, urnOf } from "../state/hidden-properties";
import { note, ownerOf, warn } from "../engine/warnings";
import { isSameOwner, type Owner } from "../process/owner";
import { type Properties } from "../state/values";

/** Resources that are replaced in this run. Their replacements are created, whatever `import` says. */
export class Replacements {
  readonly #who = new Set<string>();

  add(inputs: Properties): void {
    this.#who.add(whoIs(inputs));
  }

  /** The option `import` of a resource that is not a replacement. */
  importIdIn(inputs: Properties): string | undefined {
    const id = inputs[IMPORT_ID];
    return typeof id === "string" && !this.#who.has(whoIs(inputs)) ? id : undefined;
  }
}

/** Decides which objects the resources of a kind adopt in this run, and which they give up. */
export class AdoptionClaims {
  readonly #replaced = new Replacements();

  constructor(private readonly kind: Kind) {}

  /** The id of the object to adopt. Undefined if this run has deleted it for the same resource, or as a member of a set. */
  idIn(inputs: Properties): string | undefined {
    const { kind } = this;
    const { session, description } = kind;
    const id = this.#replaced.importIdIn(inputs);
    if (id === undefined) return undefined;
    const ref = kind.parseId(id);
    const former = ref === undefined ? undefined : session.owners.deletedFor(description, ref);
    const isMadeAnew =
      former !== undefined && (former.isSet === true || isSameOwner(former, ownerOf(description, inputs)));
    return isMadeAnew ? undefined : id;
  }

  /** Notes that a new resource replaces one that the state has. */
  replaces(inputs: Properties): void {
    this.#replaced.add(inputs);
  }

  /** Says in the preview that a replacement by the command line ignores the option `import`. */
  announceReplacement(inputs: Properties): void {
    if (typeof inputs[IMPORT_ID] !== "string") return;
    const { kind } = this;
    const line = `replaces the ${kind.type} in the state: a new one is created, and the option import is ignored`;
    note({ kind, inputs }, line);
  }

  /** Claims an object to adopt. Fails if another resource of the program manages or imports it. */
  claim(id: string, owner: Owner): Failure[] {
    const ref = this.kind.parseId(id);
    const rival =
      ref === undefined ? undefined : this.kind.session.owners.take(this.kind.description, ref, owner);
    return rival === undefined ? [] : [{ property: "import", reason: `"${id}": ${hasIt(rival)}` }];
  }

  /** Notes which object a resource of the program manages. Fails if another resource imports it. */
  hold(id: string, olds: Properties, news: Properties): void {
    const { kind } = this;
    const { session, description } = kind;
    const ref = kind.parseId(id);
    if (ref === undefined) return;
    const owner = ownerOf(description, news);
    const isShared = olds[ADOPTED] === true;
    const rival = session.owners.hold(description, ref, owner, isShared);
    if (rival === undefined) return;
    if (session.owners.isTakenBy(description, ref, rival))
      throw new ProviderError(`${owner.name} manages the ${kind.type} ${id}: ${asksForIt(rival)}`);
    const line = `manages the ${kind.type} ${id}, and so does ${rival.name}: remove one of the two from the program. The object is not deleted`;
    warn({ kind, inputs: news, id }, line);
  }

  /** Whether a resource gives up an object without a delete, because another resource manages it now. Says so if it does. */
  forgets(ref: Ref, props: Properties): boolean {
    const { kind } = this;
    const { session, description } = kind;
    const owner = ownerOf(description, props);
    const keeper = session.owners.release(description, ref, owner);
    if (keeper === undefined) {
      this.replaces(props);
      session.declared.forget(owner);
      return false;
    }
    const id = formatId(ref);
    const about = { kind, inputs: props, id };
    if (owner.urn !== undefined && isSameOwner(keeper, owner)) {
      const line = `imported the ${kind.type} ${id} again instead of replacing it. To replace it, remove the option import and run this command again`;
      warn(about, line);
    } else {
      note(
        about,
        `forgets the ${kind.type} ${id} without deleting it: ${calledBy(keeper, owner)} manages it now`,
      );
    }
    return true;
  }
}

/** Refuses the import of an object by a resource that manages another one. */
export function refuseSecondObject(type: string, id: string, importId: string): void {
  if (importId === id) return;
  throw new ProviderError(
    `import ${type} ${importId}: this resource already manages ${id}. ` +
      `Import ${importId} with another resource, or first remove ${id} from the state with \`pulumi state delete\``,
  );
}

const whoIs = (inputs: Properties): string => urnOf(inputs) ?? String(inputs[PROGRAM_NAME] ?? "");

/** The name of one resource in a message about another. */
export const calledBy = ({ name }: Owner, reader: Owner): string =>
  name === reader.name ? "another resource with the same name" : name;

const ONE_OWNER = "An object can have only one owner";

/** Says which resource manages the object that another one imports. */
export const hasIt = ({ name }: Owner): string =>
  `${name} in this program manages it. ${ONE_OWNER}: remove import here, or remove ${name} from the program`;

/** Says which resource imports the object that another one manages. */
export const asksForIt = ({ name }: Owner): string =>
  `${name} in this program imports it. ${ONE_OWNER}: remove import there, or remove this resource from the program`;
