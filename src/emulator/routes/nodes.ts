import { MAX_CONCURRENT_CLONES, nodes } from "../../api/nodes";
import { type Caller } from "../operations/accounts";
import { specsOf } from "../operations/catalogue";
import { type Checks, type Handlers, byId, endpoints } from "../operations/endpoint";
import { type Store } from "../kind/kind";
import { type Config, type NodeEntity, node } from "../kinds/node";
import { shownNode } from "../kinds/node-backup";
import { cloneFaults, createFaults } from "../nodes/checks";
import { cloneOnto, cloneToNew, createNode } from "../nodes/creation";
import { forbidden, invalid, refuse } from "../base/refusal";
import { shownAs } from "../store/table";
import { withoutUndefined } from "../operations/values";

/** Refuses an operation while another one is under way. */
function refuseBusy({ moves, fields }: NodeEntity): void {
  if (moves.length > 0) throw refuse(400, `Node ${fields.id} is busy: it is ${fields.status}.`);
}

function refuseTags(caller: Caller | undefined): void {
  if (caller?.restricted) throw forbidden("Only an unrestricted user may set tags.", "tags");
}

/** The config that a boot uses: the requested one, the only one, or the last booted one. */
function configToBoot({ hidden: { configs, last_booted_config } }: NodeEntity, asked?: number): Config {
  const wanted = asked ?? (configs.length === 1 ? configs[0]?.id : last_booted_config);
  const config = configs.find(({ id }) => id === wanted);
  if (config) return config;
  if (asked !== undefined) throw invalid("config_id", "is not a config of this node");
  throw refuse(400, configs.length === 0 ? "The node has no config to boot." : "Several configs: name one.");
}

function handlersOf(store: Store): Handlers<typeof nodes, NodeEntity> {
  const { clock } = store;
  const table = store.table(node);
  const { transitions } = node;
  const shown = (entity: NodeEntity) => shownNode(store, entity);
  return {
    list: () => shownAs(table.all(), shown),
    create({ body, caller }) {
      if (body.tags && body.tags.length > 0) refuseTags(caller);
      return createNode(store, body).fields;
    },
    get: ({ subject }) => shown(subject),
    update({ subject, body: { alerts, backups, ...rest }, caller }) {
      if (rest.tags && JSON.stringify(rest.tags) !== JSON.stringify(subject.fields.tags)) {
        refuseTags(caller);
      }
      const { group, ...plain } = withoutUndefined(rest);
      table.change(subject, { ...plain, ...(group === undefined ? {} : { group: group ?? "" }) });
      table.merge(subject, {
        updated: clock.date(),
        alerts: withoutUndefined(alerts ?? {}),
        backups: { schedule: withoutUndefined(backups?.schedule ?? {}) },
      });
      return shown(subject);
    },
    delete({ subject }) {
      if (subject.fields.status !== "deleting") table.begin(subject, transitions.delete);
      return {};
    },
    boot({ subject, body }) {
      refuseBusy(subject);
      const config = configToBoot(subject, body.config_id);
      table.change(subject, {}, { last_booted_config: config.id });
      if (subject.fields.status !== "running") table.begin(subject, transitions.boot);
      return {};
    },
    clone({ subject, body }) {
      const underWay = subject.hidden.clones_end.filter((end) => end > clock.now());
      if (underWay.length >= MAX_CONCURRENT_CLONES) {
        throw refuse(400, `Up to ${MAX_CONCURRENT_CLONES} clones of one node can run at a time.`);
      }
      if (underWay.length === 0) refuseBusy(subject);
      const target = body.node_id === undefined ? undefined : table.get(body.node_id);
      const clone = target ? cloneOnto(store, subject, body, target) : cloneToNew(store, subject, body);
      const end = table.begin(subject, transitions.clone);
      table.change(subject, {}, { clones_end: [...underWay, end] });
      return shown(clone);
    },
    resize({ subject, body: { type } }) {
      refuseBusy(subject);
      table.begin(subject, transitions.resize, () => ({ type, specs: specsOf(type) }));
      return {};
    },
  };
}

export const routes = {
  nodes(store: Store) {
    const checks: Checks<typeof nodes, NodeEntity> = {
      create: ({ body }) => createFaults(store, body),
      clone: ({ subject, body }) => cloneFaults(store, subject, body),
    };
    return endpoints(nodes, byId(store.table(node)), handlersOf(store), checks, { tags: [] });
  },
};
