import { type CommonDescription } from "./define-resource";
import { parseDuration } from "../process/duration";
import { TIMEOUTS } from "../state/hidden-properties";
import { isObject, type Properties } from "../state/values";

/** An operation that has a timeout. */
export type Operation = "create" | "update" | "delete";

/** The timeout of an operation, in milliseconds. */
export function allowedTime(
  description: CommonDescription,
  operation: Operation,
  inputs: Properties,
): number {
  const timeouts = inputs[TIMEOUTS];
  const custom = isObject(timeouts) ? timeouts[operation] : undefined;
  return (
    (typeof custom === "string" ? parseDuration(custom) : undefined) ??
    description.timeouts[operation] * 60_000
  );
}
