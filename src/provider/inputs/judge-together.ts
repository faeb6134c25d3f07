import { formatId } from "../describe/define-resource";
import { type Clash, type Part, type Together, type Whole } from "../describe/together";
import { classIn } from "../describe/type-token";
import { lastingUrn, typeInUrn } from "../describe/urn";
import { type About, ownerOf, shortened, warn } from "../kind/warnings";
import { cached } from "../../api/cached";
import { type Kind, type ObjectKind } from "../kind/kind";
import { answerOf } from "../state/answers";
import { type Call } from "../state/call";
import { type DeclaredParent } from "../run/declared-objects";
import { withoutQuotes } from "../state/secret-inputs";
import { type Properties, UNKNOWN } from "../base/values";
import { placeOf } from "./declared-twice";

/** An object of a resource, with its path in that: empty for a resource of one object. */
export interface JointObject {
  readonly path: string;
  readonly inputs: Properties;
}

/** The objects that a resource declares below a parent. */
export interface JointDeclaration {
  readonly objects: () => readonly JointObject[];
  /** Whether it is new or changed. Of others only what new and changed ones bring is shown. */
  readonly isNew: boolean;
  /** Whether messages must not show the value of a property. */
  readonly isSecret: (property: string) => boolean;
}

interface OwnPart extends Part, Pick<JointDeclaration, "isNew" | "isSecret"> {
  readonly path: string;
  readonly owner: string;
}

interface AccountPart extends Part {
  readonly isThere: true;
  readonly id: string;
  /** An object of the state stays, changes or goes in this run: the resource that declares it tells. Undefined until it matters. */
  isSure?: boolean;
}

const isOwn = (part: Part): part is OwnPart => "owner" in part;
const isAccounts = (part: Part | undefined): part is AccountPart => part?.isThere === true;

/** The objects below one parent: those that the resources of the program declare, and those of the account that were read. */
class Gathering {
  hasNew = false;
  #whole: Promise<Whole> | undefined;
  readonly #waiting = new Map<string, JointDeclaration>();
  readonly #own = new Map<string, readonly OwnPart[]>();
  #listed: readonly Properties[] | undefined;
  readonly #account = new Map<Properties, AccountPart>();
  readonly #said = new Set<string>();

  /** Whether a line about a resource was not said yet. A set is judged alone, and with what the account has. */
  isFirst(owner: string, line: string): boolean {
    const count = this.#said.size;
    return this.#said.add(`${owner}: ${line}`).size > count;
  }

  declare(owner: string, declaration: JointDeclaration): void {
    this.hasNew ||= declaration.isNew;
    this.#waiting.set(owner, declaration);
  }

  /** The whole with all that was declared until now, and the objects of a resource. Nothing is computed before this is needed. */
  async filled(begin: () => Promise<Whole>, owner: string) {
    const whole = await (this.#whole ??= begin());
    for (const [name, { objects, isNew, isSecret }] of this.#waiting) {
      for (const part of this.#own.get(name) ?? []) whole.remove(part);
      const parts = objects().map((object): OwnPart => ({ ...object, owner: name, isNew, isSecret }));
      for (const part of parts) whole.add(part);
      this.#own.set(name, parts);
    }
    this.#waiting.clear();
    return { whole, own: this.#own.get(owner) ?? [] };
  }

  async list(
    begin: () => Promise<Whole>,
    { description }: ObjectKind,
    parent: string,
    listed: readonly Properties[],
  ) {
    if (this.#listed === listed) return;
    this.#listed = listed;
    const whole = await (this.#whole ??= begin());
    for (const part of this.#account.values()) whole.remove(part);
    this.#account.clear();
    for (const reply of listed) {
      const id = formatId({ parent, id: description.idOf(reply) });
      const part: AccountPart = { inputs: answerOf(description, reply), isThere: true, id };
      this.#account.set(reply, part);
      whole.add(part);
    }
  }

  /** Leaves out the object of a resource as the account has it: what the resource declares takes its place. */
  async takesPlaceOf(reply: Properties): Promise<void> {
    const part = this.#account.get(reply);
    if (part === undefined) return;
    this.#account.delete(reply);
    (await this.#whole)?.remove(part);
  }
}

const gatherings = new WeakMap<ObjectKind, Map<string, Gathering>>();

/** The objects that those of a resource belong to, and the name by which they know the resource. */
function gatheringOf(item: ObjectKind, { kind, call }: About) {
  const { id, type } = item.description;
  const owner = ownerOf(kind.description, call).name;
  // A resource of which not even the parent is known is judged alone.
  const place = placeOf(type, id.parent ?? "", call.inputs, call.within) ?? owner;
  const ofKind = cached(gatherings, item, () => new Map<string, Gathering>());
  return { owner, gathering: cached(ofKind, place, () => new Gathering()) };
}

/** Notes what a resource of the program declares, for itself and for the resources that are checked later. */
export function declareTogether(item: ObjectKind, about: About, declaration: JointDeclaration): void {
  if (item.description.together === undefined) return;
  const { gathering, owner } = gatheringOf(item, about);
  gathering.declare(owner, declaration);
}

/** The objects that the account has below the parent. */
export interface There {
  /** The objects that were read. */
  readonly listed?: readonly Properties[] | undefined;
  /** One of them, if it is that of the resource itself. */
  readonly own?: Properties | undefined;
  /** Whether the program and `listed` have all objects below the parent. */
  readonly isComplete: boolean;
}

/** Warns of the objects of a resource that cannot be right together with others below the parent. */
export async function warnTogether(
  item: ObjectKind,
  about: About,
  { listed, own: old, isComplete }: There,
): Promise<void> {
  const { together } = item.description;
  if (together === undefined) return;
  const { call } = about;
  const { gathering, owner } = gatheringOf(item, about);
  if (!gathering.hasNew) return;
  const parent = parentOf(item, together, call);
  const begin = async () => together.begin((await parent).name);
  if (listed !== undefined) await gathering.list(begin, item, item.parentOf(call.inputs), listed);
  if (old !== undefined) await gathering.takesPlaceOf(old);
  const { whole, own } = await gathering.filled(begin, owner);
  // A collection below a new parent is meant as all of it. Single objects are declared one after the other.
  const { isEmpty, isNew } = await parent;
  const isAll = about.kind === item ? isComplete && !isNew : isComplete || isEmpty;
  const clashes: Clash[] = [];
  for (const part of own) {
    for (const clash of await problemsOf(item, whole, part, isAll))
      if (part.isNew || (clash.with !== undefined && isOwn(clash.with) && clash.with.isNew))
        clashes.push(clash);
    for (const other of whole.related(part)) {
      if ((isOwn(other) && other.owner === owner) || !(part.isNew || (isOwn(other) && other.isNew))) continue;
      const found = await problemsOf(item, whole, other, isAll);
      clashes.push(...found.filter((clash) => clash.with === part));
    }
  }
  const lines = clashes
    .map((clash) => lineOf(item, owner, clash))
    .filter((line) => gathering.isFirst(owner, line));
  if (lines.length > 0) warn(about, shortened(lines), "QUESTIONABLE_INPUT");
}

/** The problems of an object, without those because of objects that the state has: what becomes of them, their resources tell. */
async function problemsOf(
  item: ObjectKind,
  whole: Whole,
  part: Part,
  isComplete: boolean,
): Promise<readonly Clash[]> {
  const isOthers = async (one: AccountPart) => {
    const { parent = "", id = "" } = item.parseId(one.id) ?? {};
    return (one.isSure ??= !item.known.taken(parent).has(id) && !(await item.known.isKnown(one.id)));
  };
  if (isAccounts(part) && !(await isOthers(part))) return [];
  for (;;) {
    const found = whole.problems(part, isComplete);
    const open = found.map((clash) => clash.with).find((one) => isAccounts(one) && one.isSure === undefined);
    if (!isAccounts(open)) return found;
    await isOthers(open);
  }
}

/**
 * Whether a parent whose id is not known yet has no objects at first: a resource of the program creates it, and not from another one. If nobody tells which
 * resource that is, it counts as one of the new ones.
 *
 * @param urn the resource that the id comes from
 */
export function isEmptyAtFirst(
  { run, description }: ObjectKind,
  { isTraced }: Pick<Call, "isTraced">,
  urn: string | undefined,
): boolean {
  const { id, together } = description;
  const isEmpty = ({ importId, inputs }: DeclaredParent) =>
    importId === undefined && together?.parent(inputs).isEmpty !== false;
  const classOf = (one: string) => classIn(typeInUrn(one));
  if (urn === undefined && isTraced !== true) {
    const made = [...run.declared.parents].filter(
      ([key, { isNew }]) => isNew === true && classOf(key) === id.parentType,
    );
    return made.length > 0 && made.every(([, parent]) => isEmpty(parent));
  }
  if (urn === undefined || classOf(urn) !== id.parentType) return false;
  const declared = run.declared.parents.get(lastingUrn(urn));
  return declared === undefined || isEmpty(declared);
}

/** Warns that a new parent may have what a resource declares, because it starts as a copy. */
export function warnOfCopy(kind: ObjectKind, about: About): void {
  const { run, description } = kind;
  const { inputs, within = "" } = about.call;
  const { id, together } = description;
  if (inputs[id.parent ?? ""] !== UNKNOWN || classIn(typeInUrn(within)) !== id.parentType) return;
  const declared = run.declared.parents.get(lastingUrn(within));
  if (declared === undefined || declared.importId !== undefined) return;
  if (together?.parent(declared.inputs).isEmpty !== false) return;
  warn(
    about,
    `the ${kind.parentName} starts as a copy, and \`pulumi up\` refuses to create what the copy has already: import that in the next run`,
    "EXISTS_ALREADY",
  );
}

interface Parent {
  readonly name?: string;
  /** Whether it does not exist yet, and has no objects at first. */
  readonly isEmpty: boolean;
  /** Whether this run creates it. */
  readonly isNew: boolean;
}

/** The parent, from the resource that declares it or else from the account. */
async function parentOf(
  { run, description, reads }: ObjectKind,
  together: Together,
  { inputs, within = "" }: Call,
): Promise<Parent> {
  const id = inputs[description.id.parent ?? ""];
  const isKnown = typeof id === "string" && id !== UNKNOWN;
  const { parents } = run.declared;
  const byId = isKnown ? run.declared.parentWith(id, description.id) : undefined;
  const declared = byId ?? parents.get(lastingUrn(within));
  if (declared !== undefined) {
    const { name, isEmpty } = together.parent(declared.inputs);
    const isAdopted = declared.importId !== undefined;
    return {
      isEmpty: isEmpty && !isKnown && !isAdopted,
      isNew: (!isKnown && !isAdopted) || declared.isMade === true,
      ...(typeof name === "string" && name !== UNKNOWN ? { name } : {}),
    };
  }
  const found = isKnown && run.configuration.validate ? await reads.parentSeen(id) : undefined;
  const name = found && together.parent(found).name;
  return { isEmpty: false, isNew: false, ...(typeof name === "string" ? { name } : {}) };
}

function lineOf(item: Kind, owner: string, { part, with: other, property, reason }: Clash): string {
  const called = (one: Part): string => {
    if (isAccounts(one)) return `the ${item.nameOf(one.inputs, item.parseId(one.id))} of the account`;
    if (!isOwn(one)) return "";
    return (
      [...(one.owner === owner ? [] : [one.owner]), one.path].filter((name) => name !== "").join(" ") ||
      "this resource"
    );
  };
  const text = typeof reason === "string" ? reason : reason(other === undefined ? "" : called(other));
  if (!isOwn(part)) return `${called(part)}: ${property} ${text}`;
  const shown = part.isSecret(property) ? withoutQuotes(text) : text;
  // A record of a zone file has no path, but a name.
  const joiner = /\s/.test(part.path) ? ": " : ".";
  const path = part.path === "" ? property : part.path + joiner + property;
  return part.owner === owner ? `${path} ${shown}` : `${part.owner}: ${path} ${shown}`;
}
