import { type OperationSpec } from "../../api/operation";
import { type BodyOf } from "../describe/define-resource";
import { type Leaf } from "../describe/fields";
import { type Properties, setAt, snakeKeys } from "../base/values";

/** The body that an operation takes of the given inputs, and which of them it carries. */
export function bodyFor<Op extends OperationSpec>(
  op: Op,
  leaves: readonly Leaf[],
  values: ReadonlyMap<string, unknown>,
): { body: BodyOf<Op>; carried: Leaf[] } {
  const shape = op.body !== undefined && "shape" in op.body ? (op.body.shape as Properties) : {};
  const body: Properties = {};
  const carried = leaves.filter((leaf) => {
    const [root = ""] = leaf.wirePath.split(".");
    if (leaf.notSent === true || !(root in shape) || !values.has(leaf.path)) return false;
    const value = values.get(leaf.path);
    const encoded = onWire(leaf, value);
    setAt(body, leaf.wirePath, leaf.opaque ? encoded : snakeKeys(encoded));
    return true;
  });
  // `check` has checked the inputs by the schema of this body.
  return { body: body as BodyOf<Op>, carried };
}

/** The value of an input as requests have it. */
export const onWire = ({ encode }: Leaf, value: unknown): unknown =>
  encode === undefined || value === null ? value : encode(value);
