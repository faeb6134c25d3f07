import { z } from "zod";
import { cached } from "../../../api/cached";
import { isObject, type Properties, same, setAt, valueAt } from "../../../provider/base/values";
import { type Leaf, leavesOf, topLevel } from "../../../provider/describe/fields";
import { checkInputs } from "../../../provider/inputs/check-inputs";
import { type Dropped, inputsOfObject } from "../../../provider/ownership/inputs-of-object";
import { isCollection } from "../../../provider/describe/define-collection";
import { type ServiceAccount } from "../../account/accounts";
import { keyOf, type LiveObject } from "../../account/list-account";
import { descriptionOf } from "../../descriptions";
import { accountObject } from "../../drift/account-object";
import { type Chosen } from "../choose-objects";
import { setOf } from "../collections";
import { UniqueNames, upperFirst } from "../names";
import { UNDEFINED } from "../source-text";
import { convert, isEqual } from "./convert";
import { isNamed, withoutKeys } from "./read-terraform";
import { PROGRAM, type ImportSource, type SourceResource, UNREADABLE } from "./source";
import {
  type Counterpart,
  COUNTERPARTS,
  NO_FAMILY,
  OTHER_PROVIDER,
  PREFIXES,
  WITHOUT_COUNTERPART,
} from "./table";

/** A value that another resource of the program has. */
export class Reference {
  constructor(
    readonly to: Adopted,
    /** Its output. Empty: the resource itself. */
    readonly output: string,
    /** The value, where the program cannot refer to the resource. */
    readonly value: unknown,
    /** The position in the list that the output is. */
    readonly index?: number,
  ) {}
}

/** A secret, which the program reads from the configuration of its stack. */
export class Secret {
  /** The key in the configuration. It is drawn when the program is written. */
  key = "";
  constructor(
    readonly of: SourceResource,
    readonly path: string,
    readonly isRequired: boolean,
    /** Whether the account shows the value, so that only the state makes a secret of it. */
    readonly isShown: boolean,
    readonly kind: "" | "Number" | "Boolean" | "Object",
    /** The type of the value in the program. */
    readonly type: string,
  ) {}
}

/** A resource of the program, with the object that it adopts. */
export interface Adopted {
  readonly source: SourceResource;
  readonly live: LiveObject;
  readonly type: string;
  readonly inputs: Properties;
  dependsOn: readonly Adopted[];
}

/** A difference between the state and the program, with the addresses that it concerns. */
export interface Remark {
  readonly reason: string;
  readonly names: string[];
}

export interface Matched {
  readonly adopted: readonly Adopted[];
  readonly leftOut: readonly Remark[];
  readonly dropped: readonly (Dropped & { readonly object: ReturnType<typeof accountObject> })[];
  readonly secrets: readonly Secret[];
}

/** Finds the objects of the account that the resources of a state are, and the inputs with which a program declares them. */
export const matchState = (...given: ConstructorParameters<typeof Matcher>): Matched =>
  new Matcher(...given).match();

class Matcher {
  readonly #adopted: Adopted[] = [];
  readonly #byKey = new Map<string, Adopted>();
  readonly #names = new Map<string, UniqueNames>();
  readonly #said = new Map<string, Remark>();
  readonly #dropped: Matched["dropped"][number][] = [];
  readonly #secrets: Secret[] = [];
  readonly #chosen: ReadonlyMap<string, LiveObject>;
  readonly #reasons: ReadonlyMap<string, string>;

  constructor(
    private readonly account: ServiceAccount,
    { objects, leftOut }: Chosen,
    private readonly source: ImportSource,
    /** The names that the program has already, by class. */
    private readonly taken: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.#chosen = new Map(objects.map((live) => [live.key, live]));
    this.#reasons = new Map(leftOut.map(({ object, reason }) => [keyOf(object.type, object.id), reason]));
  }

  match(): Matched {
    for (const one of this.source.resources) {
      for (const line of one.notes) this.#say(line, one.address);
      const reason = this.#adopt(one);
      if (reason !== undefined) this.#say(reason, one.address);
    }
    for (const one of this.#adopted) this.#refer(one);
    for (const one of this.#adopted) one.dependsOn = this.#left(one);
    return {
      adopted: this.#adopted,
      leftOut: [...this.#said.values()],
      dropped: this.#dropped,
      secrets: this.#secrets,
    };
  }

  #say(reason: string, name: string): void {
    const { names } = cached(this.#said, reason, () => ({ reason, names: [] }));
    if (!names.includes(name)) names.push(name);
  }

  /** Why a resource is not adopted. Undefined if it is. */
  #adopt(one: SourceResource): string | undefined {
    const row = COUNTERPARTS[one.type];
    if (one.refused !== undefined) return one.refused;
    if (row === undefined) {
      const isOfProvider = PREFIXES.some((prefix) => one.type.startsWith(prefix));
      return WITHOUT_COUNTERPART[one.type] ?? (isOfProvider ? NO_FAMILY : OTHER_PROVIDER);
    }
    const key = keyOf(row.type, idOf(one, row));
    const other = this.#byKey.get(key);
    if (other !== undefined) return `it is the same object as ${other.source.address}`;
    const live = this.#chosen.get(key);
    if (live === undefined) return this.#absence(one, row, key);
    const set = setOf(row.type);
    const { inputs, dropped, refused } = inputsOfObject(live, set);
    if (refused !== undefined) return `no program can declare it: ${refused}`;
    const object = accountObject(this.account, live);
    this.#dropped.push(...dropped.map((drop) => ({ ...drop, object })));
    const leaves = new Map(leavesOf(live.description.fields).map((leaf) => [leaf.path, leaf]));
    const adopted = { source: this.#named(one, row.type), live, type: row.type, inputs, dependsOn: [] };
    this.#takeAttributes(adopted, row, leaves);
    this.#adopted.push(adopted);
    this.#byKey.set(key, adopted);
    return undefined;
  }

  /** A resource under a name that no other one of its class has, in its module or in the program. */
  #named(one: SourceResource, type: string): SourceResource {
    const { scope, name, suffix, address } = one;
    const taken = scope === PROGRAM ? this.taken.get(type) : undefined;
    const free = cached(this.#names, `${scope.kind} ${type}`, () => new UniqueNames(taken)).take(name);
    if (free === name) return one;
    this.#say(`its name in the program is ${free}, because another ${type} is called ${name}`, address);
    return { ...one, name: free, suffix: suffix + free.slice(name.length) };
  }

  #absence(one: SourceResource, row: Counterpart, key: string): string {
    const reason = this.#reasons.get(key);
    if (reason !== undefined) return reason;
    if (this.account.objects.has(key)) return "a stack manages it already";
    if (!this.account.isWanted(row.type)) return "--only leaves it out";
    if (!this.#isRead(row.type, key)) return "the account could not be read for such objects";
    const of = one.alias === undefined ? "" : ` of the provider ${one.alias}`;
    return `the account of this token does not have it: it was deleted, or belongs to another account${of}, whose token another run needs`;
  }

  /** Whether the account was asked for an object, or cannot have it, because it has no parent of it. */
  #isRead(type: string, key: string): boolean {
    const { account } = this;
    const description = descriptionOf(type);
    const parentType =
      description !== undefined && !isCollection(description) ? description.id.parentType : undefined;
    if (parentType === undefined) return account.isListed(type);
    const [parent = ""] = key.slice(type.length + 1).split("/");
    return account.objects.has(keyOf(parentType, parent))
      ? account.isListed(type, parent)
      : account.isListed(parentType);
  }

  /** Compares the attributes with the object, and takes what the API does not show. */
  #takeAttributes(adopted: Adopted, row: Counterpart, leaves: ReadonlyMap<string, Leaf>): void {
    const { source, live, inputs } = adopted;
    const { attributes, address } = source;
    const secrets: (() => void)[] = [];
    for (const [path, { input, as, unshown }] of Object.entries(row.inputs)) {
      const leaf = leaves.get(input);
      if (leaf === undefined || input === live.description.id.parent) continue;
      const stated = attributeAt(attributes, path);
      const [value, shown] = [convert(stated, as), valueAt(live.shown, input)];
      const isSensitive = leaf.secret === true || source.sensitive.has(topLevel(path));
      if (given(stated) && value === undefined)
        this.#say(`${path} has no counterpart: nor has its value`, address);
      if (unshown === true && given(value) && !same(leaf.comparison, leaf.default, value)) {
        if (isSensitive) secrets.push(() => this.#hide(adopted, leaf, value));
        else this.#takeUnshown(adopted, leaf, value);
      }
      if (unshown === true) continue;
      if (stated !== UNREADABLE && !isEqual(leaf, as, value, shown))
        this.#say(isSensitive ? hasChanged(leaf) : differs(leaf, value, shown, this.source.noun), address);
      // The compiler needs the value that decides on the shape of the inputs.
      const isShape = live.description.variants?.by === input;
      if (isSensitive && !isShape && valueAt(inputs, input) !== undefined)
        secrets.push(() => this.#hide(adopted, leaf));
    }
    // The checks of other inputs need the values.
    for (const hide of secrets) hide();
    const unset = live.description.variants?.cases.flatMap(({ unset: paths = [] }) => paths) ?? [];
    if (inputs["diskId"] === undefined) for (const path of unset) inputs[path] = UNDEFINED;
    this.#sayWithout(source, row);
  }

  #takeUnshown({ source, live, inputs }: Adopted, leaf: Leaf, value: unknown): void {
    const trial = structuredClone(inputs);
    setAt(trial, leaf.path, value);
    const [failure] = checkInputs(live.description, {}, { inputs: trial }, { isAdopted: true }).failures;
    if (failure === undefined) setAt(inputs, leaf.path, value);
    else this.#say(`${leaf.path} is left out: it ${failure.reason}`, source.address);
  }

  /** Says which attributes have no counterpart. */
  #sayWithout({ attributes, address }: SourceResource, row: Counterpart): void {
    const { given: other = "", attributes: more = {} } = row.withoutUnless ?? {};
    const rows = Object.keys(row.inputs).map(topLevel);
    const known = new Set(["id", ...rows, ...row.computed, ...Object.keys(row.referredTo)]);
    for (const [name, value] of Object.entries(attributes)) {
      if (!given(value) || known.has(name) || (name in more && given(attributes[other]))) continue;
      const family = name.replace(ENGINE_CONFIG, "engine_config_*");
      const reason = row.without[family] ?? more[name] ?? "this version has no row for it";
      this.#say(`${family} has no counterpart: ${reason}`, address);
    }
  }

  /** Puts a secret in place of an input. */
  #hide({ source, live, inputs }: Adopted, leaf: Leaf, value?: unknown): void {
    const shown = valueAt(live.shown, leaf.path);
    const type = typeIn(leaf, shown ?? value);
    const isRequired = leaf.required !== undefined || requiredBy(live).includes(leaf.path);
    const secret = new Secret(
      source,
      leaf.path,
      isRequired,
      shown !== undefined,
      KINDS[type] ?? (type.startsWith('"') ? "" : "Object"),
      type,
    );
    this.#secrets.push(secret);
    setAt(inputs, leaf.path, secret);
  }

  /** Puts references in place of the values that other resources have. */
  #refer(one: Adopted): void {
    const { live, inputs } = one;
    const { parent, parentType = "" } = live.description.id;
    if (parent !== undefined && live.ref.parent !== undefined)
      inputs[parent] = this.#byId(parentType, live.ref.parent) ?? live.ref.parent;
    const targets = this.#targetsOf(one);
    for (const [path, value] of Object.entries(inputs)) {
      if (path === parent) continue;
      inputs[path] = withEach(value, (part) => {
        if (typeof part !== "string") return part;
        // The name of an input says which kind has the ids that it holds: `image`.
        const named = part === value ? this.#byId(upperFirst(path), part) : undefined;
        const found = named ?? firstOf(targets, (to) => outputWith(to, part));
        return found === undefined || found.to === one ? part : found;
      });
    }
  }

  #byId(type: string, id: string): Reference | undefined {
    const to = this.#byKey.get(keyOf(type, id));
    return to && new Reference(to, "id", id);
  }

  /** The resources that a resource depends on. A dependency without a key means those of the same module, if there are some. */
  #targetsOf({ source }: Adopted): Adopted[] {
    return source.dependsOn.flatMap((dependency) => {
      const all = this.#adopted.filter((to) => to.source !== source && isNamed(dependency, to.source));
      const depths = all.map((to) => commonDepth(to.source, source));
      const deepest = Math.max(0, ...depths);
      return all.filter((_, index) => depths[index] === deepest);
    });
  }

  /** The dependencies that no reference and no other dependency implies. */
  #left(one: Adopted): Adopted[] {
    const referred: string[] = [];
    withEach(one.inputs, (part) => {
      if (part instanceof Reference) referred.push(withoutKeys(part.to.source.address));
    });
    const targets = this.#targetsOf(one).filter(
      ({ source }) => withoutKeys(source.address) !== withoutKeys(one.source.address),
    );
    const isImplied = ({ source }: Adopted) =>
      targets.some(
        (other) => other.source !== source && other.source.dependsOn.some((name) => isNamed(name, source)),
      );
    return targets.filter((to) => !referred.includes(withoutKeys(to.source.address)) && !isImplied(to));
  }
}

/** The types that the configuration reads with a method of their own: the end of its name. */
const KINDS: Readonly<Record<string, Secret["kind"]>> = { string: "", number: "Number", boolean: "Boolean" };

/** The types of secrets whose values the state does not tell, where they have another name in the program. */
const TYPES: Readonly<Record<string, string>> = { integer: "number", array: "string[]" };

/** The type of a secret in the program. The configuration has one of another type as JSON. */
function typeIn({ schema, opaque }: Leaf, value: unknown): string {
  const { enum: values, anyOf = [], type } = z.toJSONSchema(schema, { unrepresentable: "any" });
  const allowed = values ?? anyOf.flatMap((one) => one.enum ?? one.const ?? []);
  if (allowed.length > 0) return allowed.map((one) => JSON.stringify(one)).join(" | ");
  if (opaque === true) return "Record<string, unknown>";
  if (value === UNREADABLE && typeof type === "string") return TYPES[type] ?? type;
  if (!Array.isArray(value)) return typeof value;
  return value.some(isObject) ? "nodecloud.NodeInterface[]" : "string[]";
}

/** The shape of an object's inputs, if one of them decides on it. */
export const shapeOf = ({ description: { variants }, shown }: LiveObject) =>
  variants?.cases.find(({ is }) => is?.includes(String(shown[variants.by ?? ""])));

/** The inputs that the shape of an object's inputs requires. Without one that decides, each shape may be meant. */
const requiredBy = (live: LiveObject): readonly string[] => {
  const { by, cases = [] } = live.description.variants ?? {};
  return by === undefined ? cases.flatMap(({ requires = [] }) => requires) : (shapeOf(live)?.requires ?? []);
};

/** The settings of database engines, of which there are many. */
const ENGINE_CONFIG = /^engine_config_.*/;

/** The id of the object: some states have that of a record behind the one of its domain. */
function idOf({ id, attributes }: SourceResource, { parent }: Counterpart): string {
  if (parent === undefined) return id;
  const [own = "", above = attributes[parent]] = id.split(/[/,:]/).reverse();
  return `${String(above)}/${own}`;
}

/** The attribute at a path. A block of one item is a list in states of Terraform. */
function attributeAt(attributes: Properties, path: string): unknown {
  const [block = "", ...rest] = path.split(".");
  const value = attributes[block];
  if (rest.length === 0 || value === UNREADABLE) return value;
  const [item] = Array.isArray(value) ? value : [value];
  return item === UNREADABLE ? item : valueAt(item, rest.join("."));
}

const given = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.values(value).some(given);
  return value !== undefined && value !== null && value !== "" && value !== false && value !== 0;
};

const hasChanged = ({ path }: Leaf): string =>
  `${path} has changed since: the program has the account's value`;

function differs(leaf: Leaf, stated: unknown, live: unknown, noun: string): string {
  const text = (value: unknown) => JSON.stringify(value) ?? "not set";
  return `${leaf.path} is ${text(stated)} in ${noun} and ${text(live)} in the account: the program has the account's value`;
}

/** A value with what `change` makes of each part of its lists and objects. */
export function withEach(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withEach(item, change));
  // References, secrets and expressions are of classes.
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withEach(part, change)]));
}

/** The output of a resource with a value. */
function outputWith(to: Adopted, value: string): Reference | undefined {
  const outputs = Object.values(COUNTERPARTS[to.source.type]?.referredTo ?? {});
  return firstOf(outputs, (output) => {
    const shown = valueAt(to.live.shown, output);
    if (shown === value) return new Reference(to, output, value);
    const index = Array.isArray(shown) ? shown.indexOf(value) : -1;
    return index === -1 ? undefined : new Reference(to, output, value, index);
  });
}

function firstOf<From, To>(all: readonly From[], find: (one: From) => To | undefined): To | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How many scopes two resources have in common. */
function commonDepth(one: SourceResource, other: SourceResource): number {
  const above = (scope: SourceResource["scope"] | undefined): string[] =>
    scope === undefined ? [] : [...above(scope.above), scope.address];
  const path = above(other.scope);
  return above(one.scope).filter((address) => path.includes(address)).length;
}
