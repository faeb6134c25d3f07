import { type Description } from "../../src/provider/describe/define-resource";
import { outlineOf } from "../../src/provider/state/make-outline";
import { lifecycle as ask } from "../../src/provider/hooks/lifecycle";
import { type Session } from "../../src/provider/run/session";
import { dynamic, type DynamicProvider } from "../../src/serve/dynamic";

export type Lifecycle = DynamicProvider;

/** Serves a description as dynamic resources. */
export const lifecycle = (session: Session, description: Description): Lifecycle =>
  dynamic(
    session,
    outlineOf(description),
    ask(session, description, (type) => (type === description.type ? description : undefined)),
  );
