import { type Properties } from "../provider/state/values";

/** A condition on an item. */
export interface Condition {
  readonly fits: (item: Properties) => boolean;
  /** For messages, after "has": `label "web"`. */
  readonly says: (show: Show) => string;
}

/** Formats a value of the program for a message. */
export type Show = (value: unknown) => string;

/** A value in quotes, shortened if it is long. */
export const showing: Show = (value) => {
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
};

/** Hides a secret value. */
export const concealing: Show = () => "[secret]";

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
