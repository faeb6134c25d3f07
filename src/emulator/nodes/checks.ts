import { type z } from "zod";
import { type nodeClone, type nodeCreate } from "../../api/nodes";
import { REGIONS, specsOf } from "../operations/catalogue";
import { regionFaults } from "../operations/checks";
import { findImage } from "../images/find";
import { type Store } from "../kind/kind";
import { type ImageFields } from "../kinds/image";
import { type NodeEntity, node } from "../kinds/node";
import { backupsOf, inProgress, nodeBackup, whyUnrestorable } from "../kinds/node-backup";
import { type Reason, reasonsIf } from "../base/refusal";
import { sizeOf } from "./contents";

type Create = z.output<typeof nodeCreate>;
type Clone = z.output<typeof nodeClone>;

/** The reference names neither value. It says that VLANs need a "next-generation-network region". */
const VLAN = "vlan";
const VLANS = "Vlans";

/** Whether a region has a capability. It is undefined for an unknown region. */
const offers = (region: string | undefined, capability: string): boolean | undefined =>
  REGIONS.find(({ id }) => id === region)?.capabilities.includes(capability);

function metadataFaults(image: ImageFields | undefined, region: string | undefined): Reason[] {
  return reasonsIf(
    [
      !image?.capabilities.includes("cloud-init"),
      "metadata",
      "requires an image with the capability cloud-init",
    ],
    [offers(region, "Metadata") === false, "metadata", "requires a region with the capability Metadata"],
  );
}

function imageFaults(store: Store, { image: id, type, swap_size: swap = 0 }: Partial<Create>): Reason[] {
  if (id === undefined) return [];
  const image = findImage(store, id);
  if (!image) return [{ field: "image", reason: "is not a known image" }];
  if (image.status !== "available") {
    return [{ field: "image", reason: `cannot be deployed: it is ${image.status}` }];
  }
  if (type === undefined) return [];
  const room = specsOf(type).disk - image.size;
  return reasonsIf(
    [room < 0, "type", `is too small for the image, which needs ${image.size} MB`],
    [room >= 0 && (swap < 0 || swap > room), "swap_size", `must be 0 to ${room} MB`],
  );
}

export const isOnVlan = (interfaces: Partial<Create>["interfaces"] = []): boolean =>
  interfaces.some(({ purpose }) => purpose === VLAN);

function interfaceFaults({ interfaces = [], region }: Partial<Create>): Reason[] {
  if (offers(region, VLANS) !== false) return [];
  return interfaces.flatMap(({ purpose }, index) =>
    purpose === VLAN
      ? [{ field: `interfaces.${index}.purpose`, reason: `requires a region with the capability ${VLANS}` }]
      : [],
  );
}

/** A backup by its id, and the region in which it can be restored. */
export function findBackup(store: Store, id: number) {
  const source = store.table(node).get(store.table(nodeBackup).get(id)?.parent ?? 0);
  const backup = source && backupsOf(store, source).find((other) => other.id === id);
  return backup && { backup, region: source.fields.region };
}

function backupFaults(store: Store, { backup_id: id, region, type }: Partial<Create>): Reason[] {
  if (id === undefined) return [];
  const found = findBackup(store, id);
  if (!found) return [{ field: "backup_id", reason: "is not a known backup" }];
  const unfit = whyUnrestorable(found.backup);
  const needed = sizeOf(found.backup.fields.disks);
  const isElsewhere = region !== undefined && region !== found.region;
  const isTooSmall = type !== undefined && needed > specsOf(type).disk;
  return reasonsIf(
    [unfit !== undefined, "backup_id", unfit ?? ""],
    [isElsewhere, "region", `must be the region of the backup, ${found.region}`],
    [isTooSmall, "type", `is too small for the backup, which needs ${needed} MB`],
  );
}

/** The reasons to refuse the body of a creation. */
export function createFaults(store: Store, body: Partial<Create>): Reason[] {
  const image = body.image === undefined ? undefined : findImage(store, body.image);
  return [
    ...regionFaults(body.region),
    ...imageFaults(store, body),
    ...(body.metadata ? metadataFaults(image, body.region) : []),
    ...interfaceFaults(body),
    ...backupFaults(store, body),
  ];
}

function strayIds(field: "disks" | "configs", { hidden }: NodeEntity, ids: number[] = []): Reason[] {
  const own = new Set(hidden[field].map(({ id }) => id));
  const strays = ids.filter((id) => !own.has(id));
  const reason = `includes ids that are not of this node: ${strays.join(", ")}`;
  return reasonsIf([strays.length > 0, field, reason]);
}

/** The requested parts of a node. Without ids it returns all parts. */
export function picked<Part extends { readonly id: number }>(
  parts: readonly Part[],
  ids?: readonly number[],
): Part[] {
  return parts.filter(({ id }) => ids?.includes(id) ?? true);
}

function faultsOfNewClone(store: Store, { fields, hidden }: NodeEntity, body: Partial<Clone>): Reason[] {
  const { region = fields.region, type = fields.type, metadata } = body;
  const isElsewhere = hidden.vlan_attached && region !== fields.region;
  const isTooLarge = sizeOf(picked(hidden.disks, body.disks)) > specsOf(type).disk;
  return [
    ...regionFaults(region),
    ...reasonsIf(
      [isElsewhere, "region", "must be the region of the node, because the node is attached to a VLAN"],
      [fields.has_user_data && !metadata, "metadata", "is required: the node has user data"],
    ),
    ...(metadata ? metadataFaults(findImage(store, fields.image ?? ""), region) : []),
    ...reasonsIf([isTooLarge, "type", "is too small for the disks"]),
  ];
}

/** Why a node cannot be cloned onto another one. */
function whyNoTarget(store: Store, source: NodeEntity, body: Partial<Clone>, id: number): string | undefined {
  const target = store.table(node).get(id);
  if (!target) return "is not a known node";
  if (target === source) return "must be another node";
  if (source.fields.has_user_data) return "a node with user data is cloned to a new node";
  if (source.hidden.vlan_attached && target.fields.region !== source.fields.region) {
    return "must be in the region of the node, because the node is attached to a VLAN";
  }
  if (target.moves.length > 0) return `is busy: it is ${target.fields.status}`;
  if (backupsOf(store, target).some(inProgress)) return "is creating a backup";
  const disks = [...target.hidden.disks, ...picked(source.hidden.disks, body.disks)];
  return sizeOf(disks) > target.fields.specs.disk ? "has insufficient space" : undefined;
}

/** The reasons to refuse the body of a clone. */
export function cloneFaults(store: Store, source: NodeEntity, body: Partial<Clone>): Reason[] {
  const strays = [...strayIds("disks", source, body.disks), ...strayIds("configs", source, body.configs)];
  if (body.node_id === undefined) return [...strays, ...faultsOfNewClone(store, source, body)];
  const reason = whyNoTarget(store, source, body, body.node_id);
  return reason === undefined ? strays : [...strays, { field: "node_id", reason }];
}
