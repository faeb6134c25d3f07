import { type Ref } from "../describe/define-resource";
import { type ReadResult, type StateCall } from "../state/provider-interface";
import { findById, lookUpBelow } from "../object/look-up";
import { type ObjectKind } from "../kind/kind";
import { withDrift } from "../state/drift";
import { asInputs, asStored } from "../state/sent";
import { type Properties } from "../base/values";

/** Reads an object: for `get` as it is, and for a refresh with its drift. A refresh keeps the state of what the token may not read. */
export const read = (kind: ObjectKind, call: StateCall): Promise<ReadResult | undefined> =>
  call.state.isManaged ? refresh(kind, call) : get(kind, call);

async function get(kind: ObjectKind, { id, state }: StateCall): Promise<ReadResult> {
  const { ref, live } = await findById(kind, `get ${kind.type}`, id);
  const shown = await outputsOf(kind, ref, live, state.outputs);
  return { id, state: asStored(kind.leaves, new Map(), shown), inputs: {} };
}

async function refresh(kind: ObjectKind, call: StateCall): Promise<ReadResult | undefined> {
  try {
    return await refreshSeen(kind, call);
  } catch (error) {
    if (!kind.account.hides(error, "warn")) throw error;
    const { id, state } = call;
    kind.known.hasRead(id);
    return { id, state, inputs: asInputs(state.sent) };
  }
}

async function refreshSeen(kind: ObjectKind, call: StateCall): Promise<ReadResult | undefined> {
  const { leaves, known } = kind;
  const { id, state } = call;
  const attempt = `read ${kind.type} ${id}`;
  const found =
    (await lookUpBelow(kind, id, { recency: "lately", operation: "update", attempt }, call)) ??
    // One answer may be wrong, and a resource that counts as gone is created again.
    (await lookUpBelow(kind, id, { recency: "now", operation: "update", attempt }, call));
  if (found === undefined) {
    known.denied.add(id);
    return undefined;
  }
  const shown = await outputsOf(kind, found.ref, found.live, state.outputs);
  known.hasRead(id);
  const sent = withDrift(leaves, state, shown);
  return {
    id,
    state: { ...state, ...asStored(leaves, sent, shown, state.outputs), isDoubtful: undefined },
    inputs: asInputs(sent),
  };
}

async function outputsOf(
  kind: ObjectKind,
  ref: Ref,
  live: Properties,
  stored: Properties,
): Promise<Properties> {
  const more = await kind.description.extraOutputs?.(kind.account.client, ref, live, stored);
  return { ...kind.outputsOf(live, ref), ...more };
}
