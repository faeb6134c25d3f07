import { inputAt, type Leaf } from "../describe/fields";
import { canonicalAddress, type Properties, same, valueAt } from "../base/values";

/** Whether an object is the wanted one: it is equal in these inputs, or the service may have rewritten them. */
export function matchOf(
  leaves: readonly Leaf[],
  shown: Properties,
  inputs: Properties,
): "equal" | "alike" | undefined {
  let match: "equal" | "alike" = "equal";
  for (const leaf of leaves) {
    const wanted = inputAt(inputs, leaf) ?? "";
    const found = valueAt(shown, leaf.path) ?? "";
    if (same(leaf.comparison, wanted, found)) continue;
    if (!isRespelt(wanted, found)) return undefined;
    match = "alike";
  }
  return match;
}

/**
 * Whether one text may be the service's spelling of another: it changes case, adds the domain or a period to a name, and respells addresses. A domain has at
 * least two labels.
 */
export function isRespelt(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string" || wanted === "" || found === "") return false;
  const [a, b] = [canonicalAddress(wanted), canonicalAddress(found)];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const added = long.slice(short.length + 1);
  return a === b || (long.startsWith(`${short}.`) && (added === "" || added.includes(".")));
}
