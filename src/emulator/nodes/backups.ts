import { type NodeBackupEntity } from "../kinds/node-backup";

export function inProgress({ fields, moves }: NodeBackupEntity): boolean {
  return moves.length > 0 || ["pending", "running", "needsPostProcessing"].includes(fields.status);
}

/** Why a backup cannot be restored. A restore needs a backup that is complete and not under maintenance. */
export function whyUnrestorable({ fields: { id, status, available } }: NodeBackupEntity): string | undefined {
  if (status !== "successful") return `Backup ${id} cannot be restored: it is ${status}.`;
  return available ? undefined : `Backup ${id} cannot be restored: it is under maintenance.`;
}
