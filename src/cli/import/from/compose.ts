import { cached } from "../../../api/cached";
import { RESERVED, UniqueNames, upperFirst, variableOf } from "../names";
import { type Adopted, Reference, withEach } from "./match";
import { PROGRAM, type ModuleScope } from "./source";

/** A statement of a class or of the program: a resource, a component, or a loop of them. */
export interface ComposedItem {
  /** The class of this package, or the class of a module. */
  readonly type: string | Composed;
  /** The variable or member. */
  readonly field: string;
  /** Whether the instances of the class have different keys, so that its arguments have them. */
  readonly isLoop: boolean;
  /** Whether their names begin with that of the component. */
  readonly isPrefixed: boolean;
  /** For each instance of the class, the members by the ends of their names. */
  readonly members: ReadonlyMap<ModuleScope, ReadonlyMap<string, Adopted | ModuleScope>>;
  /** Whether something refers to it or to what is in it. */
  isReferred: boolean;
}

/** A class for a module or a component, or the program. */
export interface Composed {
  readonly called: string;
  readonly token: string;
  readonly instances: readonly ModuleScope[];
  /** In the order in which they are declared. */
  items: readonly ComposedItem[];
}

export interface Composition {
  /** The classes before those that use them, and the program last. */
  readonly classes: readonly Composed[];
  /** How many references would have gone in a circle. */
  readonly cut: readonly Reference[];
  /** The way to a resource from a scope around it: the items and keys. Undefined if it is elsewhere. */
  wayTo(
    to: Adopted,
    from: ModuleScope,
  ): readonly (readonly [item: ComposedItem, suffix: string])[] | undefined;
}

const OF_COMPONENTS = [
  "urn",
  "name",
  "args",
  "opts",
  "getProvider",
  "registerOutputs",
  "initialize",
  "getData",
];

/** The type tokens of the classes of modules, without the name of the class. */
const MODULES = "terraform:modules:";

/**
 * Makes a class of each module, and orders what they declare. Each instance of the kinds in `split` has its own class. `components` are the type tokens that the
 * program has already.
 */
export function compose(
  adopted: readonly Adopted[],
  split: ReadonlySet<string>,
  components: readonly string[],
): Composition {
  const inScopes = new Map<ModuleScope, Set<Adopted | ModuleScope>>([[PROGRAM, new Set()]]);
  const add = (one: Adopted | ModuleScope, scope: ModuleScope) => {
    if (scope.above !== undefined) add(scope, scope.above);
    cached(inScopes, scope, () => new Set()).add(one);
  };
  for (const one of adopted) add(one, one.source.scope);
  const there = components.flatMap((token) =>
    token.startsWith(MODULES) ? [token.slice(MODULES.length)] : [],
  );
  const names = new UniqueNames(["Record", "Args", ...RESERVED.map(upperFirst), ...there], "");
  const kindOf = ({ kind, address }: ModuleScope) => (split.has(kind) ? `${kind} ${address}` : kind);
  const kinds = [...Map.groupBy(inScopes.keys(), kindOf)].sort(
    ([one, [a = PROGRAM]], [other, [b = PROGRAM]]) => depthOf(b) - depthOf(a) || (one < other ? -1 : 1),
  );
  const classes = new Map<ModuleScope, Composed>();
  const itemOf = new Map<Adopted | ModuleScope, ComposedItem>();
  const all = kinds.map(([kind, instances]): Composed => {
    const [first = PROGRAM] = instances;
    const wanted = split.has(first.kind) ? upperFirst(variableOf(first.name, first.called)) : first.called;
    const called = kind === "" ? "" : names.take(wanted);
    const one: Composed = {
      called,
      token: first.token ?? MODULES + called,
      instances,
      items: [],
    };
    for (const scope of instances) classes.set(scope, one);
    one.items = itemsOf(instances, inScopes, classes);
    for (const item of one.items)
      for (const members of item.members.values())
        for (const member of members.values()) itemOf.set(member, item);
    return one;
  });
  const wayTo = (to: Adopted, from: ModuleScope) => wayIn(to, from, itemOf);
  const cut = order(all, adopted, itemOf);
  return { classes: all, cut, wayTo };
}

const depthOf = ({ above }: ModuleScope): number => (above === undefined ? 0 : depthOf(above) + 1);

export const isScope = (one: Adopted | ModuleScope): one is ModuleScope => "kind" in one;

function itemsOf(
  instances: readonly ModuleScope[],
  inScopes: ReadonlyMap<ModuleScope, ReadonlySet<Adopted | ModuleScope>>,
  classes: ReadonlyMap<ModuleScope, Composed>,
): ComposedItem[] {
  const isProgram = instances[0] === PROGRAM;
  const fields = new UniqueNames([...RESERVED, ...(isProgram ? ["config"] : OF_COMPONENTS)], "_");
  const taken = new Set<string>();
  const fieldOf = (wanted: string, type: string): string => {
    const [own, ofType] = [variableOf(wanted, type), variableOf(type, type)];
    // Modules often call their only resource `this`.
    const plain = RESERVED.includes(own) ? ofType : own;
    const name = fields.take(taken.has(plain) ? plain + upperFirst(type) : plain);
    taken.add(name);
    return name;
  };
  const all = instances.flatMap((scope) => [...(inScopes.get(scope) ?? [])].map((one) => ({ scope, one })));
  const groups = Map.groupBy(all, ({ scope, one }) =>
    JSON.stringify([
      isPrefixed(one, scope),
      ...(isScope(one) ? ["", classes.get(one)?.called] : [one.type, one.source.declared]),
    ]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const bySuffix = Map.groupBy(group, ({ one }) => suffixOf(one));
    const isLoop = [...bySuffix.values()].some(({ length }) => length < instances.length);
    const parts = isLoop ? [group] : [...bySuffix.values()];
    return parts.map((part): ComposedItem => {
      const one = part[0]?.one ?? first.one;
      const type = isScope(one) ? classes.get(one) : one.type;
      if (type === undefined) throw new TypeError(`no class was made of ${first.scope.kind}`);
      const typeName = typeof type === "string" ? type : "Module";
      const wanted = isLoop && !isScope(one) ? one.source.declared : isLoop ? typeOf(one) : suffixOf(one);
      const members = new Map<ModuleScope, Map<string, Adopted | ModuleScope>>(
        instances.map((scope) => [scope, new Map()]),
      );
      for (const { scope, one: member } of part) members.get(scope)?.set(suffixOf(member), member);
      const field = fieldOf(wanted, typeName);
      return { type, field, isLoop, isPrefixed: isPrefixed(one, first.scope), members, isReferred: false };
    });
  });
}

const typeOf = (one: Adopted | ModuleScope): string => (isScope(one) ? one.called : one.type);
export const nameOf = (one: Adopted | ModuleScope): string => (isScope(one) ? one.name : one.source.name);
const suffixOf = (one: Adopted | ModuleScope): string => (isScope(one) ? one.suffix : one.source.suffix);
const scopeOf = (one: Adopted | ModuleScope): ModuleScope | undefined =>
  isScope(one) ? one.above : one.source.scope;
const isPrefixed = (one: Adopted | ModuleScope, scope: ModuleScope): boolean =>
  scope !== PROGRAM && nameOf(one) === `${scope.name}-${suffixOf(one)}`;

/** A resource or a component, and the scopes around it. */
const chainOf = (one: Adopted | ModuleScope): (Adopted | ModuleScope)[] => {
  const scope = scopeOf(one);
  return scope === undefined ? [one] : [one, ...chainOf(scope)];
};

function wayIn(to: Adopted, from: ModuleScope, itemOf: ReadonlyMap<Adopted | ModuleScope, ComposedItem>) {
  const chain = chainOf(to);
  const at = chain.indexOf(from);
  if (at === -1) return undefined;
  return chain
    .slice(0, at)
    .reverse()
    .flatMap((one) => {
      const item = itemOf.get(one);
      return item === undefined ? [] : [[item, suffixOf(one)] as const];
    });
}

/** Puts the items of each class into an order in which each comes after what it refers to. Cuts the references that would go in a circle. */
function order(
  classes: readonly Composed[],
  adopted: readonly Adopted[],
  itemOf: ReadonlyMap<Adopted | ModuleScope, ComposedItem>,
): Reference[] {
  const before = new Map<ComposedItem, Set<ComposedItem>>();
  const reaches = (from: ComposedItem, to: ComposedItem, seen = new Set<ComposedItem>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(before.get(from) ?? [])].some((one) => reaches(one, to, seen));
  };
  /** Whether a resource can come after another one. Notes it if it can. */
  const follows = (one: Adopted, to: Adopted): boolean => {
    const [own, other] = [chainOf(one), chainOf(to)];
    const common = own.find((scope) => other.includes(scope));
    const [item, target] = [own, other].map((chain) =>
      itemOf.get(chain[chain.indexOf(common ?? PROGRAM) - 1] ?? one),
    );
    if (item === undefined || target === undefined || reaches(target, item)) return false;
    cached(before, item, () => new Set()).add(target);
    for (const around of other.slice(0, other.indexOf(common ?? PROGRAM))) {
      const referred = itemOf.get(around);
      if (referred !== undefined) referred.isReferred = true;
    }
    return true;
  };
  const cut: Reference[] = [];
  for (const one of adopted) {
    for (const [path, value] of Object.entries(one.inputs))
      one.inputs[path] = withEach(value, (part) => {
        if (!(part instanceof Reference) || follows(one, part.to)) return part;
        cut.push(part);
        return part.value;
      });
    one.dependsOn = one.dependsOn.filter((to) => follows(one, to));
  }
  for (const one of classes) one.items = sorted(one.items, before);
  return cut;
}

function sorted(
  items: readonly ComposedItem[],
  before: ReadonlyMap<ComposedItem, ReadonlySet<ComposedItem>>,
): ComposedItem[] {
  const done = new Set<ComposedItem>();
  const visit = (item: ComposedItem): void => {
    if (done.has(item)) return;
    for (const one of before.get(item) ?? []) if (items.includes(one)) visit(one);
    done.add(item);
  };
  for (const item of items) visit(item);
  return [...done];
}
