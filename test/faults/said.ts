import { type Outcome } from "../helpers/stack";

const LONGEST = 1_000;

/** The engine's long warning after each kill. */
const PENDING = /^Attempting to deploy or update resources with \d+ pending operations/;

/** The messages of a command's failure, or the changes that it plans, or else the end of its output. */
export function said({ messages, order, drifted, printed }: Outcome): string {
  const own = messages.filter((message) => !PENDING.test(message));
  if (own.length > 0) return own.join(" | ").trim();
  const steps = [...order, ...drifted.map((path) => `${path} drifted`)];
  if (steps.length > 0) return steps.join(", ");
  const plain = printed.split("\n").filter((line) => !line.startsWith('{"sequence"'));
  return plain.join("\n").slice(-LONGEST).trim();
}
