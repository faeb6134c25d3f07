import { invalidSetting } from "../base/errors";
import { classIn } from "../describe/type-token";
import { lastingUrn } from "../describe/urn";
import { hintFor } from "../base/nearest-name";

/** The classes of changes that a policy can deny. */
export const DENIABLE = ["data-loss", "interruption", "replacement", "deletion", "shared"] as const;

export type Deniable = (typeof DENIABLE)[number];

/** A rule of a policy. */
export interface Rule {
  readonly kind: Deniable;
  /** The class or type token that it concerns. By default all. */
  readonly type?: string;
  readonly reason?: string;
  /** Where it was given: `--deny`, a file, or a setting. */
  readonly source: string;
}

/** Changes that may be made although a rule denies them. */
export interface Allowance {
  readonly kind: Deniable;
  readonly type?: string;
  /** The name of the resource, or its URN, or `*` for all of the type. */
  readonly name: string;
  /** Where it was given: `--allow`, a file, or a setting. */
  readonly source: string;
}

/** The effects of a change that a policy can deny. */
export interface Effects {
  readonly operation: string;
  /** The losses, each as a part of a sentence, as in the next lists. */
  readonly losses?: readonly string[];
  readonly interruptions?: readonly string[];
  /** The objects that it deletes, other than the object of the resource. */
  readonly deletions?: readonly string[];
  /** The resources of other stacks that manage what it takes over. */
  readonly shared?: readonly string[];
}

/** The resource of a change. */
export interface ChangedResource {
  /** The name of the class, or the type token. */
  readonly type: string;
  readonly name: string;
  readonly urn: string | undefined;
}

/** A class of a change that a rule denies. */
export interface Denial {
  readonly rule: Rule;
  /** The allowances that fit. If there are some, the change may be made. */
  readonly allowances: readonly Allowance[];
}

/** Compares a change with the rules, once for each class. */
export const denialsOf = (
  change: ChangedResource & Effects,
  rules: readonly Rule[],
  allowances: readonly Allowance[],
): Denial[] =>
  DENIABLE.flatMap((kind) => {
    const rule = rules.find((one) => one.kind === kind && meets(one, change));
    if (rule === undefined || !isOf(kind, change)) return [];
    const fitting = allowances.filter((one) => one.kind === kind && meets(one, change) && names(one, change));
    return [{ rule, allowances: fitting }];
  });

function isOf(
  kind: Deniable,
  { losses = [], interruptions = [], deletions = [], shared = [], operation }: Effects,
): boolean {
  if (kind === "shared") return shared.length > 0;
  if (kind === "data-loss") return losses.length > 0;
  if (kind === "interruption") return interruptions.length > 0;
  return operation === kind || (kind === "deletion" && deletions.length > 0);
}

const meets = ({ type }: { readonly type?: string }, change: ChangedResource): boolean =>
  type === undefined || type === change.type;

const names = ({ name }: Allowance, { name: own, urn }: ChangedResource): boolean =>
  name === "*" || name === own || (urn !== undefined && lastingUrn(name) === lastingUrn(urn));

/** The class that a text names. Throws if there is none. */
export function deniableIn(text: string, source: string): Deniable {
  const kind = DENIABLE.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw invalidSetting(
    `${source}: ${JSON.stringify(text)} is no class of changes; ${hintFor(text, DENIABLE, "classes")}`,
  );
}

/** The class of a type, which a type token names too. A rule or an allowance for a type that does not exist would have no effect. */
function checkedType(
  text: string,
  types: readonly string[],
  source: string,
  { takesOthers }: { readonly takesOthers: boolean },
): string {
  const type = classIn(text) ?? text;
  if (types.length === 0 || types.includes(type)) return type;
  const [first = "", ...rest] = text.split(":");
  if (types.includes(first))
    throw invalidSetting(
      `${source}: a rule is for all resources of a type: write ${first} without ${JSON.stringify(rest.join(":"))}`,
    );
  if (takesOthers && classIn(text) === undefined && rest.length > 0) return type;
  throw invalidSetting(
    `${source}: there is no type ${JSON.stringify(text)}; ${hintFor(type, types, "types of this provider")}`,
  );
}

/**
 * Reads `data-loss` or `data-loss:MysqlDatabase`. `types` has the names of the classes that exist. `takesOthers`: whether it may name a type token of
 * another package.
 */
export function ruleIn(
  text: string,
  types: readonly string[],
  source: string,
  {
    reason,
    takesOthers = false,
  }: { readonly reason?: string | undefined; readonly takesOthers?: boolean } = {},
): Rule {
  const [kind = "", ...rest] = text.trim().split(":");
  const type = rest.length === 0 ? {} : { type: checkedType(rest.join(":"), types, source, { takesOthers }) };
  return { kind: deniableIn(kind, source), ...type, ...(reason === undefined ? {} : { reason }), source };
}

/** Reads `data-loss:db`, `data-loss:MysqlDatabase:db`, `data-loss:MysqlDatabase:*` or `data-loss:URN`. */
export function allowanceIn(text: string, types: readonly string[], source: string): Allowance {
  const [kind = "", ...rest] = text.trim().split(":");
  const named = rest.join(":");
  if (named === "") {
    throw invalidSetting(
      `${source}: ${JSON.stringify(text)} names no resource: write data-loss:MysqlDatabase:db`,
    );
  }
  if (types.includes(named)) {
    throw invalidSetting(
      `${source}: ${JSON.stringify(text)} names a type: write ${text.trim()}:* for all resources of it`,
    );
  }
  if (named === "*") {
    throw invalidSetting(
      `${source}: ${JSON.stringify(text)} names no type: write data-loss:MysqlDatabase:* for all resources of one`,
    );
  }
  if (named.startsWith("urn:pulumi:")) return { kind: deniableIn(kind, source), name: named, source };
  // A name may contain colons, and so does a type token.
  const isClass = types.includes(rest[0] ?? "");
  const type = isClass ? rest[0] : rest.slice(0, -1).join(":");
  return {
    kind: deniableIn(kind, source),
    name: isClass ? rest.slice(1).join(":") : (rest.at(-1) ?? ""),
    ...(type === undefined || type === ""
      ? {}
      : { type: checkedType(type, types, source, { takesOthers: true }) }),
    source,
  };
}
