import { type ObjectKind } from "../kind/kind";
import { withOwnerTags } from "../run/owner-tags";
import { type CreateTask } from "../describe/define-resource";
import { inputAt, isAwaited, type Leaf } from "../describe/fields";
import { type Sent, type State } from "../state/call";
import { setInputs } from "../state/sent";
import { type Properties, valueAt } from "../base/values";
import { bodyFor } from "../state/request-body";

/** The result of a creation request: the object, the inputs that the request carried, and what the rest of the creation needs. */
export interface CreatedObject {
  readonly reply: Properties;
  readonly applied: Sent;
  /** The values to store with its outputs. */
  readonly stored: Pick<State, "outputs" | "memory">;
}

/** Whether a creation carries out an input without a request. */
const isLocal = (leaf: Leaf, inputs: Properties): boolean =>
  leaf.notSent === true && !isAwaited(leaf, inputAt(inputs, leaf));

/** The arguments of `create` of a description, and the inputs that its requests carry. */
export function creating(kind: ObjectKind, inputs: Properties) {
  const { account, leaves } = kind;
  const values = setInputs(leaves, inputs);
  const applied: Sent = new Map();
  const apply = (leaf: Leaf) => applied.set(leaf.path, values.get(leaf.path));
  for (const leaf of leaves) if (isLocal(leaf, inputs) && values.has(leaf.path)) apply(leaf);
  const task: CreateTask = {
    client: account.client,
    inputs,
    unshown: {},
    memory: {},
    body: (op) => {
      const { body, carried } = bodyFor(op, leaves, values);
      carried.forEach(apply);
      return withOwnerTags(kind.run, op, body);
    },
    idAt: (path) => {
      applied.set(path, valueAt(inputs, path));
      return String(valueAt(inputs, path));
    },
  };
  return { task, applied };
}

/** The values to store with the outputs of a new object. */
export const storedOf = ({ unshown, memory }: CreateTask): CreatedObject["stored"] => ({
  outputs: unshown,
  memory,
});

/** The creation of an earlier run. Inputs that can be updated are compared with the object again. */
export function createdBefore(kind: ObjectKind, inputs: Properties, reply: Properties): CreatedObject {
  const carried = kind.leaves.filter((leaf) => isLocal(leaf, inputs) || leaf.change === "replace");
  return { reply, applied: setInputs(carried, inputs), stored: { outputs: {}, memory: {} } };
}
