import { type Properties } from "../provider/base/values";
import { quotedStart } from "../api/text";
import { type ScalarType } from "./fields";

/** A condition on an item. */
export interface ItemCondition {
  readonly fits: (item: Properties) => boolean;
  /** For messages, after "has": `label "web"`. */
  readonly says: (show: Show) => string;
}

/** Formats a value of the program for a message. */
export type Show = (value: unknown) => string;

/** A value in quotes, shortened if it is long. */
export const showing: Show = (value) => quotedStart(String(value));

/** Hides a secret value. */
export const concealing: Show = () => "[secret]";

/** The only operator of a condition, with its operand. Undefined if there is none, or more than one. */
export function operatorIn(wanted: Properties): [operator: string, operand: unknown] | undefined {
  const [first, ...more] = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return more.length === 0 ? first : undefined;
}

/** Fails if a value is missing or of another type. `form` says what is expected at the place. */
export function checkValues(values: readonly unknown[], type: ScalarType, place: string, form: string): void {
  for (const value of values) {
    if (value === undefined || value === null)
      throw new Error(`${place} has no value: remove the condition, or give it a value`);
    if (typeof value !== type) throw new Error(`${place} must be ${form}`);
  }
}

/** Creates a test from a regular expression of the program. Throws if the expression is invalid. */
export function tester(pattern: unknown, place: string): (value: string) => boolean {
  if (typeof pattern !== "string") throw new Error(`${place} must be a string`);
  try {
    const expression = new RegExp(pattern);
    return (value) => expression.test(value);
  } catch (error) {
    // Only the end of the error's message, as the rest repeats the pattern.
    const reason = error instanceof Error ? (error.message.split(": ").at(-1) ?? "") : "";
    // eslint-disable-next-line preserve-caught-error -- the pattern may be secret
    throw new Error(`${place} is not a regular expression: ${reason}`);
  }
}
