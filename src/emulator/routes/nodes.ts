import { type z } from "zod";
import { type nodeClone, type nodeCreate, nodes } from "../../api/nodes";
import { type Caller } from "../accounts";
import { REGIONS, specsOf } from "../catalogue";
import { NO_CONTENTS, deployedContents, newNode, restoredContents, sizeOf } from "../deployment";
import { byId, endpoints } from "../endpoint";
import { findImage } from "../images";
import { backupsOf } from "../node-backups";
import { type Config, type NodeEntity, type NodeFields, type Store } from "../objects";
import { type Reason, forbidden, invalid, refuse, refuseFor } from "../refusal";
import { TRANSITIONS } from "../transitions";
import { given } from "../values";
import { requireRestorable } from "./node-backups";

type Create = z.output<typeof nodeCreate>;
type Clone = z.output<typeof nodeClone>;

const MAX_CLONES = 5;

/** Refuses where the node is in the middle of something: no other operation may begin then. */
function refuseBusy({ moves, fields }: NodeEntity, field?: string): void {
  if (moves.length > 0) throw refuse(400, `Node ${fields.id} is busy: it is ${fields.status}.`, field);
}

function refuseTags(caller: Caller | undefined): void {
  if (caller?.restricted) throw forbidden("Only an unrestricted user may set tags.", "tags");
}

function unknownRegion(id: string | undefined): Reason[] {
  const known = id === undefined || REGIONS.some((region) => region.id === id);
  return known ? [] : [{ field: "region", reason: "is not a known region" }];
}

/** What is wrong with the image of a new node, or with what it is to be deployed with. */
function deploymentFaults(store: Store, { image: id, metadata, region, type }: Create): Reason[] {
  const reasons = unknownRegion(region);
  const image = id === undefined ? undefined : findImage(store, id);
  if (id !== undefined && !image) reasons.push({ field: "image", reason: "is not a known image" });
  if (image && image.status !== "available") {
    reasons.push({ field: "image", reason: `cannot be deployed: it is ${image.status}` });
  }
  if (image && image.size > specsOf(type).disk) {
    reasons.push({ field: "type", reason: `is too small for the image, which needs ${image.size} MB` });
  }
  if (metadata) {
    if (!image?.capabilities.includes("cloud-init")) {
      reasons.push({ field: "metadata", reason: "requires an image with the capability cloud-init" });
    }
    const capable = REGIONS.some(
      ({ id, capabilities }) => id === region && capabilities.includes("Metadata"),
    );
    if (!capable) {
      reasons.push({ field: "metadata", reason: "requires a region with the capability Metadata" });
    }
  }
  return reasons;
}

/** The config that a boot uses: the one asked for, the only one, or else the last booted. */
function configToBoot({ hidden: { configs, last_booted_config } }: NodeEntity, asked?: number): Config {
  const wanted = asked ?? (configs.length === 1 ? configs[0]?.id : last_booted_config);
  const config = configs.find(({ id }) => id === wanted);
  if (config) return config;
  if (asked !== undefined) throw invalid("config_id", "is not a config of this node");
  throw refuse(400, configs.length === 0 ? "The node has no config to boot." : "Several configs: name one.");
}

export function nodeEndpoints(store: Store) {
  const { nodes: table, nodeBackups, clock } = store;

  /** A node with what its backups say about it. */
  function shown(node: NodeEntity): NodeFields {
    const { fields } = node;
    const done = backupsOf(store, node).filter((backup) => backup.fields.status === "successful");
    if (done.length === 0) return fields;
    const finished = done.map((backup) => backup.fields.finished ?? "").sort();
    const last_successful = fields.backups.last_successful ?? (finished.at(-1) || null);
    return { ...fields, backups: { ...fields.backups, available: true, last_successful } };
  }

  function restoredFrom(backupId: number, { region, type }: Create) {
    const source = table.get(nodeBackups.get(backupId)?.parent ?? 0);
    const backup = source && backupsOf(store, source).find(({ id }) => id === backupId);
    if (!backup) throw invalid("backup_id", "is not a known backup");
    requireRestorable(backup, "backup_id");
    if (source.fields.region !== region) throw invalid("region", "must be that of the backup");
    if (sizeOf(backup.fields.disks) > specsOf(type).disk) {
      throw invalid("type", "is too small for the backup");
    }
    return restoredContents(store, backup);
  }

  function contentsFor(body: Create) {
    if (body.backup_id !== undefined) return restoredFrom(body.backup_id, body);
    if (body.image === undefined && body.stackscript_id === undefined) return NO_CONTENTS;
    const label = (body.image !== undefined && findImage(store, body.image)?.label) || "StackScript";
    return deployedContents(store, specsOf(body.type), label, body.swap_size);
  }

  function insert(fields: NodeFields, { disks, configs }: ReturnType<typeof contentsFor>): NodeEntity {
    return table.insert(fields.id, fields, {
      disks: [...disks],
      configs: [...configs],
      last_booted_config: null,
      clones_end: [],
      auto_backups_until: clock.now(),
      watchdog_boots: [],
    });
  }

  /** Until a new node is provisioned there is nothing on it to back up. */
  function backedUpOnceProvisioned(node: NodeEntity): NodeEntity {
    table.change(node, {}, { auto_backups_until: node.moves.at(-1)?.at ?? clock.now() });
    return node;
  }

  function create(body: Create): NodeEntity {
    refuseFor(deploymentFaults(store, body));
    const contents = contentsFor(body);
    const fields = newNode(store, {
      ...body,
      image: body.image ?? null,
      hasUserData: body.metadata !== undefined,
      backupsEnabled: body.backups_enabled,
      privateIp: body.private_ip,
    });
    const node = insert(fields, contents);
    if (contents === NO_CONTENTS) return node;
    const booted = body.booted ?? true;
    const { provision, provisionWithoutBoot } = TRANSITIONS.node;
    const bootedConfig = { last_booted_config: contents.configs[0]?.id ?? null };
    table.begin(node, booted ? provision : provisionWithoutBoot, () => (booted ? bootedConfig : {}));
    return backedUpOnceProvisioned(node);
  }

  /** The parts of the source that are cloned: those asked for, or all. */
  function clonedContents({ hidden }: NodeEntity, { disks, configs }: Clone) {
    const pick = <Part extends { id: number }>(all: Part[], ids: number[] | undefined, field: string) => {
      const stray = ids?.find((id) => !all.some((part) => part.id === id));
      if (stray !== undefined) throw invalid(field, `${stray} does not belong to the node`);
      const picked = ids ? all.filter(({ id }) => ids.includes(id)) : all;
      return picked.map((part) => ({ ...part, id: store.nextId() }));
    };
    return { disks: pick(hidden.disks, disks, "disks"), configs: pick(hidden.configs, configs, "configs") };
  }

  /** Clones onto an existing node, which shows that it is busy with it. */
  function cloneOnto(source: NodeEntity, body: Clone, targetId: number): NodeEntity {
    const target = table.get(targetId);
    if (!target) throw invalid("node_id", "is not a known node");
    if (target === source) throw invalid("node_id", "must be another node");
    if (source.fields.has_user_data) {
      throw invalid("node_id", "a node with user data is cloned to a new node");
    }
    refuseBusy(target, "node_id");
    const { disks, configs } = clonedContents(source, body);
    if (sizeOf([...target.hidden.disks, ...disks]) > target.fields.specs.disk) {
      throw invalid("node_id", "has insufficient space");
    }
    const { hidden } = target;
    table.begin(target, TRANSITIONS.node.clone, () => ({
      disks: [...hidden.disks, ...disks],
      configs: [...hidden.configs, ...configs],
    }));
    return target;
  }

  function cloneToNew({ fields: source, ...rest }: NodeEntity, body: Clone): NodeEntity {
    refuseFor(unknownRegion(body.region));
    if (source.has_user_data && !body.metadata) {
      throw invalid("metadata", "is required: the node has user data");
    }
    const contents = clonedContents({ fields: source, ...rest }, body);
    const plan = {
      ...body,
      region: body.region ?? source.region,
      type: body.type ?? source.type,
      tags: source.tags,
      image: source.image,
      hasUserData: body.metadata !== undefined,
      backupsEnabled: body.backups_enabled,
      privateIp: body.private_ip,
    };
    if (sizeOf(contents.disks) > specsOf(plan.type).disk) throw invalid("type", "is too small for the disks");
    const clone = insert(newNode(store, plan), contents);
    table.begin(clone, TRANSITIONS.node.provisionWithoutBoot);
    return backedUpOnceProvisioned(clone);
  }

  return endpoints(nodes, byId(table), {
    list: () => table.all().map(shown),
    create({ body, caller }) {
      if (body.tags && body.tags.length > 0) refuseTags(caller);
      return create(body).fields;
    },
    get: ({ subject }) => shown(subject),
    update({ subject, body: { alerts, backups, ...rest }, caller }) {
      if (rest.tags && JSON.stringify(rest.tags) !== JSON.stringify(subject.fields.tags)) {
        refuseTags(caller);
      }
      const { group, ...plain } = given(rest);
      table.change(subject, { ...plain, ...(group === undefined ? {} : { group: group ?? "" }) });
      table.merge(subject, {
        updated: clock.date(),
        alerts: given(alerts ?? {}),
        backups: { schedule: given(backups?.schedule ?? {}) },
      });
      return shown(subject);
    },
    delete({ subject }) {
      if (subject.fields.status !== "deleting") table.begin(subject, TRANSITIONS.node.delete);
      return {};
    },
    boot({ subject, body }) {
      refuseBusy(subject);
      const config = configToBoot(subject, body.config_id);
      table.change(subject, {}, { last_booted_config: config.id });
      if (subject.fields.status !== "running") table.begin(subject, TRANSITIONS.node.boot);
      return {};
    },
    clone({ subject, body }) {
      const underWay = subject.hidden.clones_end.filter((end) => end > clock.now());
      if (underWay.length >= MAX_CLONES) {
        throw refuse(400, `Up to ${MAX_CLONES} clones of one node can run at a time.`);
      }
      if (underWay.length === 0) refuseBusy(subject);
      const clone =
        body.node_id === undefined ? cloneToNew(subject, body) : cloneOnto(subject, body, body.node_id);
      table.begin(subject, TRANSITIONS.node.clone);
      const end = subject.moves.at(-1)?.at ?? clock.now();
      table.change(subject, {}, { clones_end: [...underWay, end] });
      return shown(clone);
    },
    resize({ subject, body: { type } }) {
      refuseBusy(subject);
      table.begin(subject, TRANSITIONS.node.resize, () => ({ type, specs: specsOf(type) }));
      return {};
    },
  });
}
