import { isObject, valueAt } from "../provider/base/values";
import { checkValues, type ItemCondition, operatorIn, type Show, tester } from "./condition";
import { type ScalarType } from "./fields";

const OPERATORS = ["contains", "any", "all", "matches"] as const;

/** A comparison with the entries of a list. */
interface Comparison {
  readonly operator: (typeof OPERATORS)[number];
  readonly operand: unknown;
  /** For messages: the place of the operand in the arguments, and its form. */
  readonly place: string;
  readonly form: string;
}

/** The condition that a list contains a value, any of several values, all of them, or a matching string. */
export function listConditionOn(
  path: string,
  wanted: unknown,
  type: ScalarType,
  argument: string,
): ItemCondition {
  const comparison = comparisonIn(wanted, type, argument);
  if (comparison.operator === "matches" && type !== "string")
    throw new Error(`${argument}: matches is for strings, but ${path} contains ${type}s`);
  const { fits, says } = compared(comparison, type);
  return {
    fits: (item) => {
      // A missing list has no entries.
      const value = valueAt(item, path);
      return fits(Array.isArray(value) ? value : []);
    },
    says: (show) => `${path} with ${says(show)}`,
  };
}

/** A plain value means `contains`, a list of values means `any`. */
function comparisonIn(wanted: unknown, type: ScalarType, argument: string): Comparison {
  const patterns = type === "string" ? " or { matches }" : "";
  const form = `a ${type}, a list of them, { contains }, { any }${patterns ? "," : " or"} { all }${patterns}`;
  if (Array.isArray(wanted)) return { operator: "any", operand: wanted, place: argument, form };
  if (!isObject(wanted)) return { operator: "contains", operand: wanted, place: argument, form };
  const [name, operand] = operatorIn(wanted) ?? [];
  const operator = OPERATORS.find((known) => known === name);
  if (operator === undefined) throw new Error(`${argument} must be ${form}`);
  const isOne = operator === "contains" || operator === "matches";
  return {
    operator,
    operand,
    place: `${argument}.${operator}`,
    form: isOne ? `a ${type}` : `a list of ${type}s`,
  };
}

type Entries = readonly unknown[];

/** A test of the entries, and its description for messages. */
function compared(comparison: Comparison, type: ScalarType) {
  const { operator, operand, place, form } = comparison;
  if (operator === "matches") {
    const matches = tester(operand, place);
    return {
      fits: (entries: Entries) => entries.some((entry) => typeof entry === "string" && matches(entry)),
      says: (show: Show) => `one matching ${show(operand)}`,
    };
  }
  if (operator === "contains") {
    checkValues([operand], type, place, form);
    return { fits: (entries: Entries) => entries.includes(operand), says: (show: Show) => show(operand) };
  }
  if (!Array.isArray(operand)) throw new Error(`${place} must be ${form}`);
  if (operand.length === 0)
    throw new Error(`${place} is an empty list: remove the condition, or name at least one value`);
  checkValues(operand, type, place, form);
  const wanted: Entries = operand;
  return {
    fits: (entries: Entries) =>
      wanted[operator === "any" ? "some" : "every"]((entry) => entries.includes(entry)),
    says: (show: Show) => `${operator} of ${wanted.map((entry) => show(entry)).join(", ")}`,
  };
}
