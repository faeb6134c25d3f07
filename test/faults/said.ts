import { type Outcome } from "../helpers/stack";

const LONGEST = 1_000;

/** What the engine says at length after each kill. */
const PENDING = /^Attempting to deploy or update resources with \d+ pending operations/;

/** What a command said of its failure, or what it would change; else the end of what it printed. */
export function said({ messages, order, drifted, printed }: Outcome): string {
  const own = messages.filter((message) => !PENDING.test(message));
  if (own.length > 0) return own.join(" | ").trim();
  const steps = [...order, ...drifted.map((path) => `${path} drifted`)];
  if (steps.length > 0) return steps.join(", ");
  const plain = printed.split("\n").filter((line) => !line.startsWith('{"sequence"'));
  return plain.join("\n").slice(-LONGEST).trim();
}
