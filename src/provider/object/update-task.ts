import { type OperationSpec } from "../../api/operation";
import { type BodyOf, type Operation, type UpdateTask } from "../describe/define-resource";
import { inputAt, type Leaf } from "../describe/fields";
import { type ChangedInput, pendingAt } from "../state/update-or-replace";
import { withOwnerTags } from "../run/owner-tags";
import { bodyFor } from "../state/request-body";
import { type Sent } from "../state/call";
import { type Properties, valueAt } from "../base/values";
import { type ActionTarget, actOnce } from "./act-once";

/** The object that an update is about, and what has been carried out of it so far. */
export interface UpdateTarget extends ActionTarget {
  readonly memory: Properties;
  /** The inputs that the service has been given. */
  readonly applied: Sent;
  readonly operation?: Operation;
  /** Whether this stack has imported the object. */
  readonly isAdopted?: boolean;
  /** Notes that inputs have been carried out, with the answer of the request that did it. */
  carriedOut(leaves: readonly Leaf[], reply?: Properties): void;
  /** Waits until `settled` returns true. */
  until(what: string, settled: (reply: Properties) => boolean | Promise<boolean>): Promise<void>;
}

/** The arguments of `update` and `finishCreation` of a description. */
export function updateTask(target: UpdateTarget, pending: readonly ChangedInput[]): UpdateTask<Properties> {
  const { kind, ref, inputs, memory } = target;
  const { screen, account } = kind;
  const row = screen.rows.current;
  const changed = (path: string) => pendingAt(pending, path);
  return {
    client: account.client,
    ref,
    inputs,
    memory,
    get live() {
      return target.live;
    },
    changed: (path) => changed(path).length > 0,
    act: (path) => actOnce(target, path, () => target.carriedOut(changed(path))),
    done: (...paths) => target.carriedOut(paths.flatMap(changed)),
    write: async (op, send) => {
      const { body, carried } = changedBody(target, pending, op);
      if (carried.length > 0) target.carriedOut(carried, await send(body));
    },
    until: (what, settled) => target.until(what, settled),
    show: (text) => row.progress(text),
  };
}

/** The body that an operation takes of the changed inputs, and which of them it carries. */
function changedBody<Op extends OperationSpec>(
  { kind, ref, inputs, live, applied, operation, isAdopted = false }: UpdateTarget,
  pending: readonly ChangedInput[],
  op: Op,
): { body: BodyOf<Op>; carried: Leaf[] } {
  const touched = new Set(pending.map(({ leaf }) => leaf.wirePath.split(".")[0]));
  const shown = kind.outputsOf(live, ref);
  const staying = ({ removed, path }: Leaf) =>
    removed === "stays" && applied.has(path) ? (valueAt(shown, path) ?? undefined) : undefined;
  const values = new Map(pending.map(({ leaf, value }): [string, unknown] => [leaf.path, value]));
  for (const leaf of kind.leaves) {
    const value = inputAt(inputs, leaf) ?? staying(leaf);
    // An object is sent whole: the service may clear a field that is missing.
    if (value !== undefined && touched.has(leaf.wirePath.split(".")[0])) values.set(leaf.path, value);
  }
  const { body, carried } = bodyFor(op, kind.leaves, values);
  const whose = { isNew: operation === "create", isOwn: operation === "update" && !isAdopted };
  return { body: withOwnerTags(kind.run, op, body, live, whose), carried };
}
