import { isIPv4 } from "node:net";
import { type DomainRecord, RECORD_TYPE_FIELDS, RECORD_TYPES, TYPES_WITHOUT_PERIOD } from "../../api/records";
import {
  type Failure,
  type ChangeRule,
  refused,
  type RuleInputs,
} from "../../provider/describe/define-resource";
import { unmeantText } from "../../provider/inputs/unmeant-text";
import { shownOf } from "../../provider/state/answers";
import { type Properties, UNKNOWN } from "../../provider/base/values";
import { isAddress } from "./input-problems";

type TypeRule = { readonly valid: readonly string[]; readonly required: readonly string[] };

type TypeField = keyof typeof RECORD_TYPE_FIELDS | "service" | "protocol";

const typeFields: Readonly<Record<TypeField, TypeRule>> = {
  ...RECORD_TYPE_FIELDS,
  // The reference says "of an SRV record", and not what happens to them in other records.
  service: { valid: ["SRV"], required: [] },
  protocol: { valid: ["SRV"], required: [] },
};

/** The inputs that only records of some types take. */
export const typeInputs = Object.keys(typeFields) as readonly TypeField[];

/** The types that take none of these inputs. */
export const plainTypes = RECORD_TYPES.filter((type) =>
  typeInputs.every((input) => !typeFields[input].valid.includes(type)),
);

/** The inputs of these that records of a type require, and those that they only take. */
export function inputsOfType(type: (typeof RECORD_TYPES)[number]) {
  const requires = typeInputs.filter((input) => typeFields[input].required.includes(type));
  const takes = typeInputs.filter(
    (input) => typeFields[input].valid.includes(type) && !requires.includes(input),
  );
  return { is: [type], requires, takes };
}

/** The types whose records take an input, as sentences of its documentation. */
export function typesThatTake(input: TypeField): string {
  const { valid, required } = typeFields[input];
  const only = `Only for ${valid.join(" and ")}`;
  if (required.length === 0) return `${only}.`;
  const isAll = required.length === valid.length;
  return isAll ? `${only}, which requires it.` : `${only}. ${required.join(" and ")} requires it.`;
}

/**
 * The properties in an answer. The service answers 0 for numbers that the record's type does not have: in the state they are empty, and any other
 * value is shown.
 */
export function shownByType(reply: DomainRecord): Properties {
  const shown = shownOf(reply);
  const foreign = typeInputs.filter((input) => !typeFields[input].valid.includes(reply.type));
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      value === 0 && foreign.some((input) => input === name) ? null : value,
    ]),
  );
}

/** The rules for the inputs of a record, by its type. */
export function typeRules({
  type,
  target,
  ...inputs
}: RuleInputs<TypeField | "type" | "target">): Failure<TypeField | "target">[] {
  if (typeof type !== "string" || type === UNKNOWN) return [];
  const failures = (Object.keys(typeFields) as TypeField[]).flatMap((property): Failure<TypeField>[] => {
    const { valid, required } = typeFields[property];
    const isSet = inputs[property] !== undefined;
    if (isSet && !valid.includes(type))
      return refused(property, `is only for ${valid.join(" and ")} records; this record is of type ${type}`);
    return !isSet && required.includes(type)
      ? refused(property, `is required for a record of type ${type}`)
      : [];
  });
  const isKnown = typeof target === "string" && target !== UNKNOWN;
  const reason = isKnown ? targetProblem(type, target) : undefined;
  return reason === undefined ? failures : [...failures, ...refused("target", reason)];
}

/** The problem of a target in a record of this type. */
function targetProblem(type: string, target: string): string | undefined {
  if (TYPES_WITHOUT_PERIOD.includes(type) && target.endsWith(".")) {
    return `must not end with a period in a record of type ${type}`;
  }
  const quoted = JSON.stringify(target);
  if (type === "A" && !isIPv4(target)) return `must be an IPv4 address in a record of type A, not ${quoted}`;
  if (type === "AAAA" && (isIPv4(target) || !isAddress(target))) {
    return `must be an IPv6 address in a record of type AAAA, not ${quoted}`;
  }
  return undefined;
}

/** In these types the target is a name. */
export const NAMING: readonly string[] = ["NS", "MX", "CNAME", "SRV", "PTR"];

export const targetNamesSomething: ChangeRule<"type" | "target"> = {
  about: ["type", "target"],
  check: ({ type, target }) => {
    if (!NAMING.includes(String(type)) || typeof target !== "string") return [];
    const unmeant = unmeantText(target, true);
    if (unmeant !== undefined) return refused("target", unmeant);
    const reason = `is empty; a record of type ${String(type)} names a host, and the reference does not show what the service does without one`;
    return target === "" ? [{ property: "target", reason, warns: true }] : [];
  },
};
