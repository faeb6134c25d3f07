import { type z } from "zod";
import { type nodeClone, type nodeCreate } from "../../api/nodes";
import { specsOf } from "../operations/catalogue";
import { findImage } from "../images/find";
import { type Store } from "../kind/kind";
import { type NodeEntity, type NodeFields, type NodeHidden, node } from "../kinds/node";
import { findBackup, isOnVlan, picked } from "./checks";
import { type Contents, NO_CONTENTS, changeContents, deployedContents, restoredContents } from "./contents";
import { newNode } from "./deployment";
import { type Transition } from "../store/transitions";
import { withoutUndefined } from "../operations/values";

type Create = z.output<typeof nodeCreate>;
type Clone = z.output<typeof nodeClone>;

function contentsFor(store: Store, body: Create): Contents {
  const { type, image, swap_size, stackscript_id } = body;
  const source = body.backup_id === undefined ? undefined : findBackup(store, body.backup_id);
  if (source) return restoredContents(store, source.backup);
  if (image !== undefined) {
    return deployedContents(store, specsOf(type), findImage(store, image)?.label ?? image, swap_size);
  }
  if (stackscript_id !== undefined) return deployedContents(store, specsOf(type), "StackScript");
  return NO_CONTENTS;
}

function insert(
  store: Store,
  fields: NodeFields,
  { disks, configs }: Contents,
  vlan_attached: boolean,
): NodeEntity {
  return store.table(node).insert(fields.id, fields, {
    disks: [...disks],
    configs: [...configs],
    last_booted_config: null,
    clones_end: [],
    auto_backups_until: store.clock.now(),
    watchdog_boots: [],
    vlan_attached,
  });
}

/** Starts to provision a new node. Its daily backups begin at the end. */
function provision(
  store: Store,
  entity: NodeEntity,
  transition: Transition,
  atEnd?: () => Partial<NodeHidden>,
): NodeEntity {
  const nodes = store.table(node);
  const end = nodes.begin(entity, transition, atEnd);
  nodes.change(entity, {}, { auto_backups_until: end });
  return entity;
}

export function createNode(store: Store, body: Create): NodeEntity {
  const contents = contentsFor(store, body);
  const fields = newNode(store, { ...body, image: body.image ?? null });
  const created = insert(store, fields, contents, isOnVlan(body.interfaces));
  if (contents === NO_CONTENTS) return created;
  const { transitions } = node;
  if (body.booted === false) return provision(store, created, transitions.provisionWithoutBoot);
  const last_booted_config = contents.configs[0]?.id ?? null;
  return provision(store, created, transitions.provision, () => ({ last_booted_config }));
}

/** The parts of the source that are cloned, with new ids. */
function clonedContents(store: Store, { hidden }: NodeEntity, { disks, configs }: Clone): Contents {
  const copy = <Part extends { id: number }>(part: Part): Part => ({ ...part, id: store.nextId() });
  return {
    disks: picked(hidden.disks, disks).map(copy),
    configs: picked(hidden.configs, configs).map(copy),
  };
}

/** Clones onto an existing node, which shows the status of the clone. */
export function cloneOnto(store: Store, source: NodeEntity, body: Clone, target: NodeEntity): NodeEntity {
  const { disks, configs } = clonedContents(store, source, body);
  const tags = [...new Set([...target.fields.tags, ...source.fields.tags])];
  store.table(node).change(target, { tags });
  changeContents(store, target, node.transitions.clone, {
    disks: [...target.hidden.disks, ...disks],
    configs: [...target.hidden.configs, ...configs],
  });
  return target;
}

export function cloneToNew(store: Store, source: NodeEntity, body: Clone): NodeEntity {
  const { region, type, tags, image } = source.fields;
  const contents = clonedContents(store, source, body);
  const fields = newNode(store, { region, type, ...withoutUndefined(body), tags, image });
  const clone = insert(store, fields, contents, source.hidden.vlan_attached);
  return provision(store, clone, node.transitions.provisionWithoutBoot);
}
