// Written by `npm run generate`.
import { type ObjectKind } from "../kind/kind";
import { database } from "./database";
import { databaseBackup } from "./database-backup";
import { domain } from "./domain";
import { image } from "./image";
import { node } from "./node";
import { nodeBackup } from "./node-backup";
import { record } from "./record";

/** Every kind of objects. */
export const kinds: readonly ObjectKind[] = [
  database,
  databaseBackup,
  domain,
  image,
  node,
  nodeBackup,
  record,
];
