import { isEmptyAtFirst } from "./judge-together";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { type Properties, UNKNOWN } from "../base/values";

/**
 * The losses of a creation whose object takes the place of others. `list` reads the objects below a parent; if it returns undefined, there may be some.
 * Objects in whose place the program asks for new ones are no loss.
 */
export async function lossByOverwriting(
  kind: ObjectKind,
  call: Call,
  list: (parent: string) => Promise<readonly Properties[] | undefined>,
): Promise<string | undefined> {
  const { description, type, known, parentName } = kind;
  const { overwrites } = description;
  const parent = kind.parentOf(call.inputs);
  if (overwrites === undefined) return undefined;
  if (parent === UNKNOWN) {
    return isEmptyAtFirst(kind, call, call.within ?? call.source)
      ? undefined
      : `a ${type} that the ${parentName}, which is not known yet, may have is overwritten, because ${overwrites}`;
  }
  const there = await list(parent);
  const others = there?.filter((reply) => !known.renewed.has(kind.idBelow(parent, reply)));
  const names = others?.map((reply) => kind.nameOf(reply, kind.refOf(call.inputs, reply)));
  if (names?.length === 0) return undefined;
  const lost =
    names === undefined ? `a ${type} that ${parentName} ${parent} may have is` : `${names.join(" and ")} is`;
  return `${lost} overwritten, because ${overwrites}`;
}
