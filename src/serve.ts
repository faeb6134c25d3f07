import { descriptions } from "./resources";
import { unlessChanged } from "./provider/collection/unchanged";
import { type Description } from "./provider/describe/define-resource";
import { type Lifecycle, lifecycle } from "./provider/hooks/lifecycle";
import { type Session } from "./provider/process/session";
import { outlines } from "./sdk/outlines";

/** Runs the resources of one type. Its description is loaded when it is needed. */
export function serve(session: Session, type: keyof typeof descriptions): Lifecycle {
  // Each is a description of its own kind of answer; here only what they share is looked at.
  const described = () => descriptions[type] as Description;
  const load = () => described().lifecycle?.(session, described()) ?? lifecycle(session, described());
  const { holds, alike } = outlines[type];
  if (holds === undefined || alike === undefined) return load();
  const listed = (text: unknown) => described().alike?.listed?.(text) ?? new Map<string, string>();
  return unlessChanged(
    session,
    { type, property: holds, within: alike.within, of: alike.type, listed },
    load,
  );
}
