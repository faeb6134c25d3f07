import { isObject, type Properties } from "../../../provider/base/values";
import { type Description } from "../../../provider/describe/define-resource";
import { UniqueNames, upperFirst, variableOf } from "../names";
import { Expression, sourceOf } from "../source-text";
import { type Composed, type Composition, isScope, type ComposedItem } from "./compose";
import { type Adopted, Reference, Secret, shapeOf } from "./match";
import { type ModuleScope } from "./source";

/** An argument of the class of a module. */
export interface Argument {
  readonly name: string;
  readonly type: string;
  /** Its value for each instance. */
  readonly values: ReadonlyMap<ModuleScope, unknown>;
}

/** A statement of a class or of the program. */
export interface Statement {
  readonly item: ComposedItem;
  readonly inputs: Properties;
  readonly dependsOn?: unknown;
  /** The expression of the elements of a loop. */
  readonly elements?: Expression;
}

export interface Placed {
  readonly of: Composed;
  readonly args: readonly Argument[];
  readonly statements: readonly Statement[];
}

const DEPENDS_ON = "dependsOn";

/**
 * Decides which values stand in the classes, and which are arguments, because the instances differ or the value is from outside. An argument cannot refer to what
 * the class declares: `split` gets the kinds of modules whose instances need classes of their own for that.
 */
export function place(composition: Composition, split: Set<string>): readonly Placed[] {
  const placed = new Map<Composed, Placed>();
  for (const one of composition.classes) placed.set(one, new Placer(composition, one, placed, split).place());
  return [...placed.values()];
}

class Placer {
  readonly #args: Argument[] = [];
  readonly #names = new UniqueNames([], "_");
  /** The arguments by their values, so that equal ones are passed once. */
  readonly #byValues = new Map<string, Argument>();

  constructor(
    private readonly composition: Composition,
    private readonly of: Composed,
    private readonly placed: ReadonlyMap<Composed, Placed>,
    private readonly split: Set<string>,
  ) {}

  place(): Placed {
    const statements = this.of.items.map((item) => (item.isLoop ? this.#loop(item) : this.#single(item)));
    return { of: this.of, args: this.#args, statements };
  }

  #single(item: ComposedItem): Statement {
    const all = this.of.instances.map((scope) => {
      const [member] = item.members.get(scope)?.values() ?? [];
      return [scope, member === undefined ? {} : this.#inputsOf(member)] as const;
    });
    const names = new Set(all.flatMap(([, inputs]) => Object.keys(inputs)));
    const placed = [...names].map((name) => {
      const values = new Map(all.map(([scope, inputs]) => [scope, inputs[name]]));
      return [name, this.#placed(item, name, values)] as const;
    });
    const { [DEPENDS_ON]: dependsOn, ...inputs } = Object.fromEntries(placed);
    return { item, inputs, ...(dependsOn === undefined ? {} : { dependsOn }) };
  }

  /** A value in the class, or the argument that has it. If a part of it refers to what the class declares, only the rest is an argument. */
  #placed(item: ComposedItem, name: string, values: ReadonlyMap<ModuleScope, unknown>): unknown {
    const common = this.#common(values);
    const [[scope, value] = []] = values;
    if (common !== undefined || scope === undefined) return common;
    if (values.size > 1 || !this.#isReferring(value, scope)) return this.#argument(item, name, values);
    return this.#inParts(item, name, value, scope);
  }

  /** A value of a single instance of the class. The parts of it that are from outside are arguments. */
  #inParts(item: ComposedItem, name: string, value: unknown, scope: ModuleScope): unknown {
    const given = new Map([[scope, value]]);
    const common = this.#common(given);
    if (common !== undefined) return common;
    if (value instanceof Reference) return this.#argument(item, name, given);
    if (Array.isArray(value) && value.some(isResource)) {
      const [inside, outside] = [true, false].map((is) =>
        value.filter((one) => this.#isReferring(one, scope) === is),
      );
      const rest = this.#argument(item, name, new Map([[scope, outside]]));
      const more = rest === undefined ? [] : [new Expression(`...${rest.text}`, "args")];
      return [...(this.#common(new Map([[scope, inside]])) as unknown[]), ...more];
    }
    if (Array.isArray(value)) return value.map((one: unknown) => this.#inParts(item, name, one, scope));
    return Object.fromEntries(
      Object.entries(value as Properties).map(([key, one]) => {
        const part = name + upperFirst(variableOf(key, "value"));
        return [key, this.#inParts(item, part, one, scope)];
      }),
    );
  }

  /** Whether a value refers to what is in a scope. */
  #isReferring(value: unknown, scope: ModuleScope): boolean {
    if (value instanceof Reference) return this.composition.wayTo(value.to, scope) !== undefined;
    if (value instanceof Secret || value instanceof Expression) return false;
    if (Array.isArray(value)) return value.some((one) => this.#isReferring(one, scope));
    return isObject(value) && Object.values(value).some((one) => this.#isReferring(one, scope));
  }

  #loop(item: ComposedItem): Statement {
    const all = this.of.instances.flatMap((scope) =>
      [...(item.members.get(scope) ?? [])].map(([key, member]) => ({
        scope,
        key,
        inputs: this.#inputsOf(member),
      })),
    );
    const names = new Set(all.flatMap(({ inputs }) => Object.keys(inputs)));
    // The elements of a loop have no options of their own.
    if (names.has(DEPENDS_ON)) this.#splits();
    const isFixed = (name: string) =>
      typeof item.type !== "string" || variantsOf(item) === undefined || name === parentOf(item);
    const common = [...names].filter(isFixed).flatMap((name) => {
      const resolved = all.map(({ scope, inputs }) => this.#resolved(inputs[name], scope));
      const texts = new Set(resolved.map((one) => one && sourceOf(one.value, 0, -Infinity)));
      return texts.size === 1 && resolved[0] !== undefined ? [[name, resolved[0].value] as const] : [];
    });
    const fixed = new Set([DEPENDS_ON, ...common.map(([name]) => name)]);
    const values = new Map(
      this.of.instances.map((scope) => {
        const own = all.filter((one) => one.scope === scope);
        const elements = own.map(({ key, inputs }) => {
          const left = Object.entries(inputs).filter(([name]) => !fixed.has(name));
          return [
            key,
            Object.fromEntries(left.map(([name, value]) => [name, this.#outward(value, scope)])),
          ] as const;
        });
        return [scope, Object.fromEntries(elements)] as const;
      }),
    );
    const type = `Record<string, ${elementType(
      item,
      common.map(([name]) => name),
    )}>`;
    const elements = this.#add(this.#names.take(item.field), type, values);
    return { item, inputs: Object.fromEntries(common), elements };
  }

  #inputsOf(member: Adopted | ModuleScope): Properties {
    if (!isScope(member)) {
      const dependsOn = member.dependsOn.map((to) => new Reference(to, "", undefined));
      return dependsOn.length === 0 ? member.inputs : { ...member.inputs, [DEPENDS_ON]: dependsOn };
    }
    const of = [...this.placed.values()].find((one) => one.of.instances.includes(member));
    const given = (of?.args ?? []).map(({ name, values }) => [name, values.get(member)] as const);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** The value that all instances have. Undefined if they differ, or if it is from outside of them. */
  #common(values: ReadonlyMap<ModuleScope, unknown>): unknown {
    const resolved = [...values].map(([scope, value]) => this.#resolved(value, scope));
    const texts = new Set(resolved.map((one) => one && sourceOf(one.value, 0, -Infinity)));
    return texts.size === 1 ? resolved[0]?.value : undefined;
  }

  /** A value with expressions in place of references. Undefined if one of them leads out of the scope. */
  #resolved(value: unknown, scope: ModuleScope): { readonly value: unknown } | undefined {
    if (value instanceof Reference) {
      const way = this.composition.wayTo(value.to, scope);
      return way && { value: new Expression(referenceText(way, value, this.of.called === ""), "this") };
    }
    if (value instanceof Secret) return { value: secretText(value) };
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => this.#resolved(item, scope));
      return items.every((item) => item !== undefined)
        ? { value: items.map((item) => item.value) }
        : undefined;
    }
    if (!isObject(value) || value instanceof Expression) return { value };
    const entries = Object.entries(value).map(([name, item]) => [name, this.#resolved(item, scope)] as const);
    if (entries.some(([, item]) => item === undefined)) return undefined;
    return { value: Object.fromEntries(entries.map(([name, item]) => [name, item?.value])) };
  }

  /** A value for the arguments, which cannot refer to what the class declares. */
  #outward(value: unknown, scope: ModuleScope): unknown {
    if (value instanceof Reference) {
      if (this.composition.wayTo(value.to, scope) === undefined) return value;
      this.#splits();
      return value.value;
    }
    if (Array.isArray(value)) return value.flatMap((item: unknown) => this.#outward(item, scope) ?? []);
    if (!isObject(value) || value instanceof Expression || value instanceof Secret) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#outward(item, scope)]),
    );
  }

  #splits(): void {
    const [first, ...others] = this.of.instances;
    if (first !== undefined && others.length > 0) this.split.add(first.kind);
  }

  #argument(
    item: ComposedItem,
    input: string,
    given: ReadonlyMap<ModuleScope, unknown>,
  ): Expression | undefined {
    const values = new Map([...given].map(([scope, value]) => [scope, this.#outward(value, scope)]));
    const [first] = [...values.values()].filter((value) => value !== undefined);
    if (first === undefined || (Array.isArray(first) && first.length === 0 && input === DEPENDS_ON))
      return undefined;
    const isDiscriminator = variantsOf(item)?.by === input;
    const type = isDiscriminator ? "string" : inputType(item, input, first, this.placed);
    const text = identityOf([...values.values()]);
    const key = `${type} ${text}`;
    const known = this.#byValues.get(key);
    const wanted =
      first instanceof Reference && first.output === "id"
        ? `${lastField(this.composition, first)}Id`
        : item.field + upperFirst(input);
    const expression = known
      ? new Expression(`args.${known.name}`, "args")
      : this.#add(this.#names.take(wanted), type, values, key);
    return isDiscriminator ? new Expression(`pulumi.output(${expression.text})`, "pulumi") : expression;
  }

  #add(name: string, type: string, values: ReadonlyMap<ModuleScope, unknown>, key = name): Expression {
    const argument = { name, type, values };
    this.#args.push(argument);
    this.#byValues.set(key, argument);
    return new Expression(`args.${name}`, "args");
  }
}

/** Whether a value is a resource itself, as in `dependsOn`. */
const isResource = (value: unknown): boolean => value instanceof Reference && value.output === "";

/** A text that is equal for equal values: references are told apart by the objects that they lead to. */
const identityOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof Reference) return { reference: `${one.to.live.key} ${one.output} ${one.index ?? ""}` };
    return one instanceof Secret ? { secret: one.key } : (one ?? null);
  });

const lastField = ({ wayTo }: Composition, { to }: Reference): string =>
  wayTo(to, to.source.scope)?.at(-1)?.[0].field ?? "other";

function referenceText(
  way: readonly (readonly [ComposedItem, string])[],
  { output, index }: Reference,
  isProgram: boolean,
): string {
  const fields = way.map(
    ([{ field, isLoop }, suffix]) => field + (isLoop ? `[${JSON.stringify(suffix)}]` : ""),
  );
  const text = [...(isProgram ? [] : ["this"]), ...fields, ...(output === "" ? [] : [output])].join(".");
  return index === undefined ? text : `${text}.apply((all) => all[${index}])`;
}

const secretText = ({ key, isRequired, kind, type }: Secret): Expression => {
  const call = isRequired ? "requireSecret" : "getSecret";
  const text = `config.${call}${kind}${kind === "Object" || type.startsWith('"') ? `<${type}>` : ""}(${JSON.stringify(key)})`;
  return new Expression(text, "config");
};

function descriptionOf({ members }: ComposedItem): Description | undefined {
  const [member] = [...members.values()].flatMap((one) => [...one.values()]);
  return member === undefined || isScope(member) ? undefined : member.live.description;
}
const variantsOf = (item: ComposedItem) => descriptionOf(item)?.variants;
const parentOf = (item: ComposedItem) => descriptionOf(item)?.id.parent;

/** The type of an argument that is passed on to an input. */
function inputType(
  item: ComposedItem,
  input: string,
  value: unknown,
  placed: ReadonlyMap<Composed, Placed>,
): string {
  if (input === DEPENDS_ON && typeof item.type === "string") return "pulumi.Resource[]";
  if (value instanceof Reference) return "pulumi.Input<string>";
  if (typeof item.type !== "string")
    return placed.get(item.type)?.args.find(({ name }) => name === input)?.type ?? "unknown";
  const variants = variantsOf(item);
  if (variants === undefined) return `nodecloud.${item.type}Args["${input}"]`;
  if (input === parentOf(item)) return "pulumi.Input<string | number>";
  const [member] = [...item.members.values()].flatMap((one) => [...one.values()]);
  const ofCase = member && !isScope(member) ? shapeOf(member.live) : undefined;
  if (ofCase?.requires?.includes(input) === true) return `nodecloud.${ofCase.name}["${input}"]`;
  if (variants.cases.some(({ requires = [], takes = [] }) => [...requires, ...takes].includes(input)))
    return value instanceof Secret
      ? `pulumi.Input<${value.type}> | undefined`
      : `pulumi.Input<${typeof value === "number" ? "number" : "string"}>`;
  return `nodecloud.${variants.common.name}["${input}"]`;
}

/** The type of an element of a loop, without the inputs that all of them have. */
function elementType(item: ComposedItem, common: readonly string[]): string {
  if (typeof item.type !== "string") return `${item.type.called}Args`;
  const variants = variantsOf(item);
  if (variants !== undefined)
    return common.length > 0 && variants.union
      ? `nodecloud.${variants.union.name}`
      : `nodecloud.${item.type}Args`;
  const names = common.map((name) => JSON.stringify(name)).join(" | ");
  return names === "" ? `nodecloud.${item.type}Args` : `Omit<nodecloud.${item.type}Args, ${names}>`;
}
