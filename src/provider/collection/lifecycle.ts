import { type CollectionDescription } from "../describe/define-collection";
import { type Ask, type StateCall } from "../state/provider-interface";
import { asking, type Hooks } from "../hooks/chain";
import { type Describe } from "../object/account-of-object";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";
import { type Properties } from "../base/values";
import { Collection } from "./collection";
import { check } from "./hooks/check";
import type * as deleting from "./hooks/delete";
import { diff } from "./hooks/diff";
import type * as reading from "./hooks/read";
import type * as reconciling from "./hooks/reconcile";

/* eslint-disable @typescript-eslint/no-require-imports -- loaded by the first call */
const hooks: Hooks<Collection> = {
  check: () => check,
  diff: () => diff,
  create: () => (require("./hooks/reconcile") as typeof reconciling).create,
  read: () => (require("./hooks/read") as typeof reading).read,
  update: () => (require("./hooks/reconcile") as typeof reconciling).update,
  delete: () => (require("./hooks/delete") as typeof deleting).remove,
  readForImport: () => (require("./hooks/read") as typeof reading).readForImport,
  previewCreate: () => preview,
  previewUpdate: () => previewUpdate,
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** The outputs that a creation or an update will have: the settings and the text of the members, which are all that programs see. */
const preview = ({ settings, property }: Collection, { inputs }: Call): Properties =>
  Object.fromEntries(
    [...settings.map(({ path }) => path), property].flatMap((name) =>
      inputs[name] === undefined ? [] : [[name, inputs[name]]],
    ),
  );

function previewUpdate(collection: Collection, call: StateCall): Properties {
  const refusal = collection.refused.get(call.id);
  if (refusal !== undefined) throw refusal;
  return preview(collection, call);
}

/** Runs the resources of a kind that hold many objects. To the engine each is one resource, and its members change inside of it. */
export const collectionLifecycle = (
  ports: Ports,
  description: CollectionDescription,
  describe: Describe = () => undefined,
): Ask => asking(new Collection(ports, description), hooks, describe);
