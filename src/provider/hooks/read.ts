import { announceEarlier } from "../creation/announce-earlier";
import { type Ref } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { type Kind } from "../process/kind";
import { stackInUrn } from "../describe/urn";
import { keptOf, SET, urnOf } from "../state/hidden-properties";
import { withDrift } from "../state/drift";
import { asInputs, asOutputs } from "../state/sent";
import { type Properties } from "../state/values";
import { findById, lookUpBelow } from "../object/look-up";

/** Reads an object: for `get` as it is, and for a refresh with its drift. */
export const readHook =
  (kind: Kind): Lifecycle["read"] =>
  (id, props) =>
    attempting(`read ${kind.type} ${id}`, (attempt) => {
      announceEarlier(kind.session, stackInUrn(urnOf(props)));
      const isManaged = typeof props[SET] === "string";
      return isManaged ? refresh(kind, id, props, attempt) : get(kind, id, props);
    });

async function get(kind: Kind, id: string, props: Properties) {
  const { ref, live } = await findById(kind, `get ${kind.type}`, id);
  return {
    id,
    props: asOutputs(kind.leaves, new Map(), await outputsOf(kind, ref, live, props)),
    inputs: {},
  };
}

async function refresh(kind: Kind, id: string, props: Properties, attempt: string) {
  const { leaves, known } = kind;
  const found =
    (await lookUpBelow(kind, id, { recency: "lately", operation: "update", attempt }, props)) ??
    // One answer may be wrong, and a resource that counts as gone is created again.
    (await lookUpBelow(kind, id, { recency: "now", operation: "update", attempt }, props));
  if (found === undefined) {
    known.denies(id);
    return { id: "", props: {} };
  }
  const shown = await outputsOf(kind, found.ref, found.live, props);
  known.hasRead(id);
  const sent = withDrift(leaves, props, shown);
  const inputs = { ...asInputs(sent), ...keptOf(props) };
  return { id, props: asOutputs(leaves, sent, shown, props), inputs };
}

async function outputsOf(kind: Kind, ref: Ref, live: Properties, stored: Properties): Promise<Properties> {
  const more = await kind.description.extraOutputs?.(kind.session.client, ref, live, stored);
  return { ...kind.outputsOf(live, ref), ...more };
}
