import { type Properties } from "../provider/state/values";

/** One thing that an item must fulfil. */
export interface Condition {
  readonly fits: (item: Properties) => boolean;
  /** For messages, after "has": `label "web"`. */
  readonly says: (show: Show) => string;
}

/** Writes a value of the program's into a message. */
export type Show = (value: unknown) => string;

/** A value between quotes, cut where it is long. */
export const showing: Show = (value) => {
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
};

/** For values that are secret. */
export const concealing: Show = () => "[secret]";

/** Tests texts with a regular expression of the program's. Throws where it is none. */
export function tester(pattern: unknown, place: string): (value: string) => boolean {
  if (typeof pattern !== "string") throw new Error(`${place} must be a string`);
  try {
    const expression = new RegExp(pattern);
    return (value) => expression.test(value);
  } catch (error) {
    // Only the end of what the error says: before it the pattern is repeated.
    const reason = error instanceof Error ? (error.message.split(": ").at(-1) ?? "") : "";
    // eslint-disable-next-line preserve-caught-error -- the pattern may be secret
    throw new Error(`${place} is not a regular expression: ${reason}`);
  }
}
