import { type Description } from "../describe/define-resource";
import { type Ask } from "../state/provider-interface";
import { type ObjectKind, kindOf } from "../kind/kind";
import { type Describe } from "../object/account-of-object";
import { type Ports } from "../run/session";
import { asking, type Hooks } from "./chain";
import { check } from "./check";
import type * as creating from "./create";
import type * as deleting from "./delete";
import { diff } from "./diff";
import type * as previewing from "./preview";
import type * as importing from "./read-for-import";
import type * as reading from "./read";
import type * as updating from "./update";

/* eslint-disable @typescript-eslint/no-require-imports -- loaded by the first call */
const hooks: Hooks<ObjectKind> = {
  check: () => check,
  diff: () => diff,
  create: () => (require("./create") as typeof creating).create,
  read: () => (require("./read") as typeof reading).read,
  update: () => (require("./update") as typeof updating).update,
  delete: () => (require("./delete") as typeof deleting).remove,
  readForImport: () => (require("./read-for-import") as typeof importing).readForImport,
  previewCreate: () => (require("./preview") as typeof previewing).previewCreate,
  previewUpdate: () => (require("./preview") as typeof previewing).previewUpdate,
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** Runs a description of one object: the same for every resource. */
export const lifecycle = (
  ports: Ports,
  description: Description,
  describe: Describe = () => undefined,
): Ask => asking(kindOf(ports, description), hooks, describe);
