import { descriptions } from "./resources";
import type * as collections from "./provider/collection/lifecycle";
import { unlessChanged } from "./provider/collection/speed/skip-unchanged";
import { type AnyDescription, isCollection } from "./provider/describe/define-collection";
import { type Lifecycle, lifecycle } from "./provider/hooks/lifecycle";
import { type Session } from "./provider/process/session";
import { outlines } from "./sdk/outlines";

/** Runs the resources of one type. Its description is loaded when it is needed. */
export function serve(session: Session, type: keyof typeof descriptions): Lifecycle {
  const load = () => {
    // Each is a description of its own kind of answer; here only what they share is looked at.
    const description = descriptions[type] as AnyDescription;
    return isCollection(description)
      ? loadCollections().collectionLifecycle(session, description)
      : lifecycle(session, description);
  };
  const { holds, declaredOnce } = outlines[type];
  if (holds === undefined || declaredOnce === undefined) return load();
  return unlessChanged(
    session,
    { type, property: holds, within: declaredOnce.within, of: declaredOnce.type },
    load,
  );
}

// Most plugins run no collection, or one that does not change.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the first collection needs it
const loadCollections = () => require("./provider/collection/lifecycle") as typeof collections;
