import { isEmptyAtFirst } from "./judge-together";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { type Ref } from "../describe/define-resource";
import { type Properties, UNKNOWN } from "../base/values";

/** What a creation takes the place of. */
interface Overwritten {
  readonly loss?: string;
  /** Undefined if it is not known. */
  readonly refs?: readonly Ref[];
}

/**
 * Finds what the object of a creation takes the place of. `list` reads the objects below a parent; if it returns undefined, there may be some.
 * Objects in whose place the program asks for new ones are no loss.
 */
export async function overwrittenBy(
  kind: ObjectKind,
  call: Call,
  list: (parent: string) => Promise<readonly Properties[] | undefined>,
): Promise<Overwritten> {
  const { description, type, known, parentName } = kind;
  const { overwrites } = description;
  const parent = kind.parentOf(call.inputs);
  if (overwrites === undefined) return { refs: [] };
  if (parent === UNKNOWN) {
    const lost = `a ${type} that the ${parentName}, which is not known yet, may have is overwritten, because ${overwrites}`;
    return isEmptyAtFirst(kind, call, call.within ?? call.source) ? { refs: [] } : { loss: lost };
  }
  const there = await list(parent);
  if (there === undefined)
    return { loss: `a ${type} that ${parentName} ${parent} may have is overwritten, because ${overwrites}` };
  const refs = there.map((reply) => kind.refOf(call.inputs, reply));
  const others = there.filter((reply) => !known.renewed.has(kind.idBelow(parent, reply)));
  if (others.length === 0) return { refs };
  const names = others.map((reply) => kind.nameOf(reply, kind.refOf(call.inputs, reply)));
  return { refs, loss: `${names.join(" and ")} is overwritten, because ${overwrites}` };
}
