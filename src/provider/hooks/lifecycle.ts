import { type Description } from "../describe/define-resource";
import { type Lifecycle } from "../engine/provider-interface";
import { inRows } from "../engine/display-rows";
import { kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { AdoptionClaims } from "../adoption/adoption-claims";
import { checkHook } from "./check";
import type * as creating from "./create";
import type * as deleting from "./delete";
import { diffHook } from "./diff";
import { hidingSecrets } from "../engine/hide-secrets";
import type * as previewing from "./preview";
import type * as importing from "./read-for-import";
import type * as reading from "./read";
import type * as updating from "./update";

export type { Lifecycle } from "../engine/provider-interface";

/** Runs a description of one object: the same for every resource. */
export function lifecycle(session: Session, description: Description): Lifecycle {
  const kind = kindOf(session, description);
  const adoption = new AdoptionClaims(kind);
  const hooks = inRows(session.rows, {
    configure: ({ config }) => session.configure((key) => config.get(key)),
    check: checkHook(kind, adoption),
    diff: diffHook(kind, adoption),
    create: (inputs) => load.create().createHook(kind, adoption)(inputs),
    read: (id, props) => load.read().readHook(kind)(id, props),
    update: (id, olds, news) => load.update().updateHook(kind)(id, olds, news),
    delete: (id, props) => load.delete().deleteHook(kind, adoption)(id, props),
    readForImport: (id) => load.readForImport().readForImportHook(kind)(id),
    previewCreate: (inputs) => load.preview().previewCreateHook(kind)(inputs),
    previewUpdate: (olds, news) => load.preview().previewUpdateHook(kind)(olds, news),
  });
  return hidingSecrets(kind, hooks);
}

/** Most previews only check and compare, so the other hooks are loaded when they are called. */
/* eslint-disable @typescript-eslint/no-require-imports -- loaded by the first call */
const load = {
  create: () => require("./create") as typeof creating,
  read: () => require("./read") as typeof reading,
  update: () => require("./update") as typeof updating,
  delete: () => require("./delete") as typeof deleting,
  readForImport: () => require("./read-for-import") as typeof importing,
  preview: () => require("./preview") as typeof previewing,
};
/* eslint-enable @typescript-eslint/no-require-imports */
