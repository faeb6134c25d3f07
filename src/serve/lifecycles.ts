import { descriptions } from "../resources";
import type * as collections from "../provider/collection/lifecycle";
import { unlessChanged } from "../provider/collection/speed/skip-unchanged";
import { type AnyDescription, isCollection } from "../provider/describe/define-collection";
import { type Ask } from "../provider/engine/provider-interface";
import type * as resources from "../provider/hooks/lifecycle";
import { type Session } from "../provider/process/session";
import { outlines } from "../sdk/outlines";
import { dynamic, type DynamicProvider } from "./dynamic";

/** Runs the resources of one type. Its description is loaded when it is needed. */
export function serve(session: Session, type: keyof typeof descriptions): Ask {
  const load = () => {
    // Each is a description of its own kind of answer; here only what they share is looked at.
    const description = descriptions[type] as AnyDescription;
    return isCollection(description)
      ? loadCollections().collectionLifecycle(session, description)
      : { ask: loadResources().lifecycle(session, description) };
  };
  const { holds, declaredOnce } = outlines[type];
  if (holds === undefined || declaredOnce === undefined) return load().ask;
  return unlessChanged(
    session,
    { type, property: holds, within: declaredOnce.within, of: declaredOnce.type },
    load,
  );
}

/** Serves the dynamic resources of one type. */
export const dynamicOf = (session: Session, type: keyof typeof descriptions): DynamicProvider =>
  dynamic(session, outlines[type], serve(session, type));

// Most plugin processes run only resources of one object, or only collections that did not change.
/* eslint-disable @typescript-eslint/no-require-imports -- loaded when the first resource needs it */
const loadResources = () => require("../provider/hooks/lifecycle") as typeof resources;
const loadCollections = () => require("../provider/collection/lifecycle") as typeof collections;
/* eslint-enable @typescript-eslint/no-require-imports */
