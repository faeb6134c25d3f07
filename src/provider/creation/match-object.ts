import { type Kind } from "../process/kind";
import { type Description, formatId } from "../describe/define-resource";
import { inputAt, leavesOf } from "../describe/fields";
import { canonicalAddress, type Properties, same, valueAt } from "../state/values";
import { answerOf } from "../state/answers";

/** Whether the engine knows an object, by its id. */
type Knows = (id: string) => boolean | Promise<boolean>;

/**
 * Looks once for a new object that is like the wanted one. Objects that the engine knows, and those that this process or another run has
 * created, belong to other resources.
 */
export async function newcomer(
  kind: Kind,
  inputs: Properties,
  before: ReadonlySet<string>,
  isKnown: Knows = (id) => kind.known.isManaged(id),
): Promise<Properties | undefined> {
  const { session, description } = kind;
  const parent = kind.parentOf(inputs);
  const taken = kind.known.taken(parent);
  const elsewhere = kind.known.ofOtherRuns();
  let alike: Properties | undefined;
  for await (const item of description.list?.(session.client, parent) ?? []) {
    const id = description.idOf(item);
    const full = formatId(kind.refOf(inputs, item));
    if (before.has(id) || taken.has(id) || elsewhere.has(full)) continue;
    const match = matchOf(description, item, inputs);
    if (match === undefined || (await isKnown(full))) continue;
    if (match === "equal") return item;
    alike ??= item;
  }
  return alike;
}

/** Looks once for the new object of a creation, and takes it: no other creation in this process will. */
export async function takeNewcomer(
  kind: Kind,
  inputs: Properties,
  before: ReadonlySet<string>,
): Promise<Properties | undefined> {
  const { description } = kind;
  const taken = kind.known.taken(kind.parentOf(inputs));
  for (;;) {
    const found = await newcomer(kind, inputs, before);
    if (found === undefined) return undefined;
    const id = description.idOf(found);
    // Another creation may have been faster since the look.
    if (taken.has(id)) continue;
    taken.add(id);
    return found;
  }
}

/** Whether an object is the wanted one: it is equal, or the service may have rewritten it. */
export function matchOf(
  description: Description,
  item: Properties,
  inputs: Properties,
): "equal" | "alike" | undefined {
  const live = answerOf(description, item);
  let match: "equal" | "alike" = "equal";
  for (const leaf of leavesOf(description.fields)) {
    if (!description.identity.includes(leaf.path)) continue;
    const wanted = inputAt(inputs, leaf) ?? "";
    const found = valueAt(live, leaf.path) ?? "";
    if (same(leaf.comparison, wanted, found)) continue;
    if (!isRespelt(wanted, found)) return undefined;
    match = "alike";
  }
  return match;
}

/** Whether one text may be the service's spelling of another: it changes case, adds the domain or a period to a name, and respells addresses. */
export function isRespelt(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "string" || typeof found !== "string" || wanted === "" || found === "") return false;
  const [a, b] = [canonicalAddress(wanted), canonicalAddress(found)];
  return a === b || b.startsWith(`${a}.`) || a.startsWith(`${b}.`);
}
