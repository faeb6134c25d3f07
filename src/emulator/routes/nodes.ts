import { type z } from "zod";
import { MAX_CONCURRENT_CLONES, type nodeClone, type nodeCreate, nodes } from "../../api/nodes";
import { type Caller } from "../accounts";
import { specsOf } from "../catalogue";
import { type Contents, NO_CONTENTS, deployedContents, newNode, restoredContents } from "../deployment";
import { byId, endpoints } from "../endpoint";
import { findImage } from "../images";
import { changeContents, shownNode } from "../node-backups";
import { cloneFaults, createFaults, findBackup, isOnVlan, picked } from "../node-checks";
import { type Config, type NodeEntity, type NodeFields, type Store } from "../objects";
import { forbidden, invalid, refuse } from "../refusal";
import { TRANSITIONS } from "../transitions";
import { shownAs } from "../store";
import { given } from "../values";

type Create = z.output<typeof nodeCreate>;
type Clone = z.output<typeof nodeClone>;

/** Refuses where the node is in the middle of something: no other operation may begin then. */
function refuseBusy({ moves, fields }: NodeEntity): void {
  if (moves.length > 0) throw refuse(400, `Node ${fields.id} is busy: it is ${fields.status}.`);
}

function refuseTags(caller: Caller | undefined): void {
  if (caller?.restricted) throw forbidden("Only an unrestricted user may set tags.", "tags");
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
  const { nodes: table, clock } = store;

  function contentsFor(body: Create): Contents {
    const { type, image, swap_size, stackscript_id } = body;
    const source = body.backup_id === undefined ? undefined : findBackup(store, body.backup_id);
    if (source) return restoredContents(store, source.backup);
    if (image !== undefined) {
      return deployedContents(store, specsOf(type), findImage(store, image)?.label ?? image, swap_size);
    }
    if (stackscript_id !== undefined) return deployedContents(store, specsOf(type), "StackScript");
    return NO_CONTENTS;
  }

  function insert(fields: NodeFields, { disks, configs }: Contents, vlan_attached: boolean): NodeEntity {
    return table.insert(fields.id, fields, {
      disks: [...disks],
      configs: [...configs],
      last_booted_config: null,
      clones_end: [],
      auto_backups_until: clock.now(),
      watchdog_boots: [],
      vlan_attached,
    });
  }

  /** Until a new node is provisioned there is nothing on it to back up. */
  function backedUpOnceProvisioned(node: NodeEntity): NodeEntity {
    table.change(node, {}, { auto_backups_until: node.moves.at(-1)?.at ?? clock.now() });
    return node;
  }

  function create(body: Create): NodeEntity {
    const contents = contentsFor(body);
    const fields = newNode(store, {
      ...body,
      image: body.image ?? null,
      hasUserData: body.metadata !== undefined,
      backupsEnabled: body.backups_enabled,
      privateIp: body.private_ip,
    });
    const node = insert(fields, contents, isOnVlan(body.interfaces));
    if (contents === NO_CONTENTS) return node;
    const booted = body.booted ?? true;
    const { provision, provisionWithoutBoot } = TRANSITIONS.node;
    const bootedConfig = { last_booted_config: contents.configs[0]?.id ?? null };
    table.begin(node, booted ? provision : provisionWithoutBoot, () => (booted ? bootedConfig : {}));
    return backedUpOnceProvisioned(node);
  }

  /** The parts of the source that are cloned, under ids of their own. */
  function clonedContents({ hidden }: NodeEntity, { disks, configs }: Clone): Contents {
    const copy = <Part extends { id: number }>(part: Part): Part => ({ ...part, id: store.nextId() });
    return {
      disks: picked(hidden.disks, disks).map(copy),
      configs: picked(hidden.configs, configs).map(copy),
    };
  }

  /** Clones onto an existing node, which shows that it is busy with it. */
  function cloneOnto(source: NodeEntity, body: Clone, target: NodeEntity): NodeEntity {
    const { disks, configs } = clonedContents(source, body);
    table.change(target, { tags: [...new Set([...target.fields.tags, ...source.fields.tags])] });
    changeContents(store, target, TRANSITIONS.node.clone, {
      disks: [...target.hidden.disks, ...disks],
      configs: [...target.hidden.configs, ...configs],
    });
    return target;
  }

  function cloneToNew(source: NodeEntity, body: Clone): NodeEntity {
    const { region, type, tags, image } = source.fields;
    const plan = {
      ...body,
      region: body.region ?? region,
      type: body.type ?? type,
      tags,
      image,
      hasUserData: body.metadata !== undefined,
      backupsEnabled: body.backups_enabled,
      privateIp: body.private_ip,
    };
    const contents = clonedContents(source, body);
    const clone = insert(newNode(store, plan), contents, source.hidden.vlan_attached);
    table.begin(clone, TRANSITIONS.node.provisionWithoutBoot);
    return backedUpOnceProvisioned(clone);
  }

  const shown = (node: NodeEntity) => shownNode(store, node);

  return endpoints(
    nodes,
    byId(table),
    {
      list: () => shownAs(table.all(), shown),
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
        if (underWay.length >= MAX_CONCURRENT_CLONES) {
          throw refuse(400, `Up to ${MAX_CONCURRENT_CLONES} clones of one node can run at a time.`);
        }
        if (underWay.length === 0) refuseBusy(subject);
        const target = body.node_id === undefined ? undefined : table.get(body.node_id);
        const clone = target ? cloneOnto(subject, body, target) : cloneToNew(subject, body);
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
    },
    {
      create: ({ body }) => createFaults(store, body),
      clone: ({ subject, body }) => cloneFaults(store, subject, body),
    },
    { tags: [] },
  );
}
