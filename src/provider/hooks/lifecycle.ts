import { type Description } from "../describe/define-resource";
import { type Lifecycle } from "../engine/lifecycle";
import { inRows } from "../engine/display-rows";
import { kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { Adoption } from "./adoption";
import { checkHook } from "./check";
import { createHook } from "./create";
import { deleteHook } from "./delete";
import { diffHook } from "./diff";
import { hidingSecrets } from "./hide-secrets";
import { readHook } from "./read";
import { updateHook } from "./update";

export type { Lifecycle } from "../engine/lifecycle";

/** Runs a description of one object: the same for every resource. */
export function lifecycle(session: Session, description: Description): Lifecycle {
  const kind = kindOf(session, description);
  const adoption = new Adoption(kind);
  const hooks = inRows(session.rows, {
    configure: ({ config }) => session.configure((key) => config.get(key)),
    check: checkHook(kind, adoption),
    diff: diffHook(kind, adoption),
    create: createHook(kind, adoption),
    read: readHook(kind),
    update: updateHook(kind),
    delete: deleteHook(kind, adoption),
  });
  return hidingSecrets(kind, hooks);
}
