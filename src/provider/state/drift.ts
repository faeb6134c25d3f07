import { type Leaf } from "../describe/fields";
import { type Sent, type State } from "./call";
import { type Properties, same, valueAt } from "./values";

/**
 * Finds drift: an input that the program set has drifted if the service shows another value than after the last write.
 * Returns the inputs as sent, with the live value in place of each that has drifted.
 */
export function withDrift(
  leaves: readonly Leaf[],
  stored: Pick<State, "sent" | "outputs">,
  live: Properties,
): Sent {
  const sent = new Map(stored.sent);
  for (const leaf of leaves) {
    if (!sent.has(leaf.path) || leaf.followsService) continue;
    const value = valueAt(live, leaf.path);
    const hidden = value === undefined;
    if (!hidden && !same(leaf.comparison, value, valueAt(stored.outputs, leaf.path))) {
      sent.set(leaf.path, value ?? undefined);
    }
  }
  return sent;
}
