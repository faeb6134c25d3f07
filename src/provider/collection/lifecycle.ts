import { type CollectionDescription } from "../describe/define-collection";
import { inRows } from "../engine/display-rows";
import { hidingSecrets } from "../engine/hide-secrets";
import { type Lifecycle } from "../engine/provider-interface";
import { type Session } from "../process/session";
import { Collection } from "./collection";
import { check } from "./hooks/check";
import type * as creating from "./hooks/create";
import type * as deleting from "./hooks/delete";
import { diff } from "./hooks/diff";
import type * as previewing from "./hooks/preview";
import type * as importing from "./hooks/read-for-import";
import type * as reading from "./hooks/read";
import type * as updating from "./hooks/update";
import { namesByIdentity } from "./members/names";
import { wantedIn } from "./members/member";
import { hideHeld } from "./members/secrets";

export interface CollectionLifecycle extends Lifecycle {
  /** The members that a text of the state declares, by identity, with what messages call them. */
  listed(text: unknown): ReadonlyMap<string, string>;
}

/** Runs the resources of a kind that hold many objects. To the engine each is one resource, and its members change inside of it. */
export function collectionLifecycle(
  session: Session,
  description: CollectionDescription,
): CollectionLifecycle {
  const collection = new Collection(session, description);
  const provider = inRows(session.rows, {
    configure: ({ config }) => session.configure((key) => config.get(key)),
    check: (olds, news) => check(collection, olds, news),
    diff: (id, olds, news) => diff(collection, id, olds, news),
    create: (inputs) => load.create().create(collection, inputs),
    read: (id, props) => load.read().read(collection, id, props),
    update: (id, olds, news) => load.update().update(collection, id, olds, news),
    delete: (id, props) => load.delete().remove(collection, id, props),
    readForImport: (id) => load.readForImport().readForImport(collection, id),
    previewCreate: (inputs) => load.preview().preview(collection, inputs),
    previewUpdate: (_, news) => load.preview().preview(collection, news),
  });
  return {
    ...hidingSecrets(collection, provider, (olds, news) => hideHeld(session, description, olds, news)),
    listed: (text) => namesByIdentity(description, wantedIn(description, text)),
  };
}

/** Most previews only check and compare, so the other hooks are loaded when they are called. */
/* eslint-disable @typescript-eslint/no-require-imports -- loaded by the first call */
const load = {
  create: () => require("./hooks/create") as typeof creating,
  read: () => require("./hooks/read") as typeof reading,
  update: () => require("./hooks/update") as typeof updating,
  delete: () => require("./hooks/delete") as typeof deleting,
  readForImport: () => require("./hooks/read-for-import") as typeof importing,
  preview: () => require("./hooks/preview") as typeof previewing,
};
/* eslint-enable @typescript-eslint/no-require-imports */
