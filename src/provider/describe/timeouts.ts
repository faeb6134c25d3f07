import { type CommonDescription } from "./define-resource";
import { parseDuration } from "../process/duration";
import { type Told } from "../state/call";

/** An operation that has a timeout. */
export type Operation = "create" | "update" | "delete";

/** The timeout of an operation, in milliseconds. */
export function allowedTime(
  description: CommonDescription,
  operation: Operation,
  { timeouts }: Told,
): number {
  const custom = timeouts?.[operation];
  return (
    (typeof custom === "string" ? parseDuration(custom) : undefined) ??
    description.timeouts[operation] * 60_000
  );
}
