import { type Store } from "../kind/kind";
import { type Config, type Disk, type NodeEntity, type Specs, node } from "../kinds/node";
import { type NodeBackupEntity, backupsOf } from "../kinds/node-backup";
import { type Transition } from "../store/transitions";

/** The disks and configs that a node boots from. */
export interface Contents {
  readonly disks: Disk[];
  readonly configs: Config[];
}

export const NO_CONTENTS: Contents = { disks: [], configs: [] };

/** The contents that an image deploys: a disk, a swap disk, and a config that boots them. */
export function deployedContents(store: Store, specs: Specs, label: string, swap = 512): Contents {
  const size = Math.max(specs.disk - swap, 0);
  return {
    disks: [
      { id: store.nextId(), label: `${label} Disk`, status: "ready", size, filesystem: "ext4" },
      { id: store.nextId(), label: `${swap} MB Swap Image`, status: "ready", size: swap, filesystem: "swap" },
    ],
    configs: [{ id: store.nextId(), label: `My ${label} Profile` }],
  };
}

/** The contents of a backup, with new ids. */
export function restoredContents(store: Store, { fields }: NodeBackupEntity): Contents {
  return {
    disks: fields.disks.map((disk) => ({ ...disk, id: store.nextId(), status: "ready" })),
    configs: fields.configs.map((label) => ({ label, id: store.nextId() })),
  };
}

export const sizeOf = (disks: readonly { readonly size: number }[]): number =>
  disks.reduce((sum, { size }) => sum + size, 0);

/** Starts a change of a node's disks and configs. A node that had no disks is backed up from the end of the change on. */
export function changeContents(
  store: Store,
  entity: NodeEntity,
  transition: Transition,
  contents: Contents,
): void {
  const nodes = store.table(node);
  backupsOf(store, entity);
  const wasEmpty = entity.hidden.disks.length === 0;
  const end = nodes.begin(entity, transition, () => contents);
  if (wasEmpty) nodes.change(entity, {}, { auto_backups_until: end });
}
