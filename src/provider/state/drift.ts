import { type Leaf } from "../describe/fields";
import { type Sent, type State } from "./call";
import { compact, type Properties, same, setAt, valueAt } from "../base/values";

/** The inputs that have drifted: the program set them, and the service shows another value than after the last write. */
export const driftedIn = (
  leaves: readonly Leaf[],
  { sent, outputs }: Pick<State, "sent" | "outputs">,
  live: Properties,
): Leaf[] =>
  leaves.filter(({ path, comparison, followsService }) => {
    const value = valueAt(live, path);
    const isManaged = sent.has(path) && followsService !== true;
    return isManaged && value !== undefined && !same(comparison, value, valueAt(outputs, path));
  });

/** Outputs in which what has drifted is as after the last write: a refresh finds drift by that, so an update of something else leaves it so. */
export function asLastWritten(outputs: Properties, drifted: Iterable<Leaf>, stored: Properties): Properties {
  for (const { path } of drifted) setAt(outputs, path, valueAt(stored, path) ?? null);
  return compact(outputs) as Properties;
}

/** The inputs as sent, with the live value in place of each that has drifted. */
export function withDrift(
  leaves: readonly Leaf[],
  stored: Pick<State, "sent" | "outputs">,
  live: Properties,
): Sent {
  const sent = new Map(stored.sent);
  for (const { path } of driftedIn(leaves, stored, live)) sent.set(path, valueAt(live, path) ?? undefined);
  return sent;
}
