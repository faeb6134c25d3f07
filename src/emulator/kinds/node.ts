import { z } from "zod";
import { node as answer } from "../../api/nodes";
import { type ObjectKind, type ShapedBy, type Store } from "../kind/kind";
import { refuse } from "../base/refusal";
import { fieldsOf, flag, moment, text, whole } from "../kind/field-types";
import { type Entity } from "../store/table";
import { AS_BEFORE, GONE, type Transition, minutes } from "../store/transitions";

const disk = z.object({ id: whole, status: text, label: text, size: whole, filesystem: text });
const config = z.object({ id: whole, label: text });

const fields = fieldsOf(answer, ["image", "ipv6", "last_successful", "day", "window"]);

const hidden = {
  disks: z.array(disk),
  configs: z.array(config),
  last_booted_config: whole.nullable(),
  /** When each clone of this node that is under way ends. */
  clones_end: z.array(moment),
  /** The moment up to which the daily backups have been taken. */
  auto_backups_until: moment,
  /** When the watchdog issued its latest boot jobs. */
  watchdog_boots: z.array(moment),
  /** Whether one of its interfaces is on a VLAN. Such a node cannot be cloned to another region. */
  vlan_attached: flag,
};

const transitions = {
  provision: { steps: [["provisioning", minutes(20)]], end: "running" },
  provisionWithoutBoot: { steps: [["provisioning", minutes(20)]], end: "offline" },
  boot: { steps: [["booting", 30]], end: "running" },
  resize: { steps: [["migrating", minutes(10)]], end: AS_BEFORE },
  clone: { steps: [["cloning", minutes(10)]], end: AS_BEFORE },
  restore: { steps: [["restoring", minutes(10)]], end: AS_BEFORE },
  delete: { steps: [["deleting", 30]], end: GONE },
} as const satisfies Record<string, Transition>;

export type Disk = z.output<typeof disk>;
export type Config = z.output<typeof config>;
export type NodeFields = ShapedBy<typeof fields>;
/** The specs that a plan gives to a node. `disk` and `memory` are in MB. */
export type Specs = NodeFields["specs"];
export type NodeHidden = ShapedBy<typeof hidden>;
export type NodeEntity = Entity<NodeFields, NodeHidden>;

export const node: ObjectKind<NodeFields, NodeHidden, typeof transitions> = {
  stored: "nodes",
  fields,
  hidden,
  parent: null,
  transitions,
  statuses: { running: "good", ready: "good", offline: "idle", stopped: "idle" },
  secrets: ["root_pass"],
  privateInputs: ["user_data", "stackscript_data"],
  name: { column: "label", of: ({ label }) => label },
  actions: { "power-off": { run: powerOff } },
  collections: {
    nodes: {
      place: 10,
      title: "Nodes",
      one: "node",
      many: "nodes",
      columns: ["region", "type", "image", "ipv4", "tags", "updated"],
      changedByHand: () => ({ label: "by-hand" }),
      path: "/node/instances",
      example: { body: { label: "web", region: "us-east", type: "g6-nanode-1", image: "node/debian12" } },
    },
  },
};

const WATCHDOG_WINDOW_MS = 15 * 60 * 1000;
const MAX_WATCHDOG_BOOTS = 5;

/**
 * Powers a running node off without a shutdown job. Its watchdog issues a boot job if it is enabled and has issued at
 * most 5 within the last 15 minutes.
 */
function powerOff(store: Store, entity: NodeEntity): void {
  const { clock } = store;
  const nodes = store.table(node);
  const { status, watchdog_enabled } = entity.fields;
  if (status !== "running") throw refuse(400, `Only a running node can power off: it is ${status}.`);
  nodes.change(entity, { status: "offline", updated: clock.date() });
  const recent = entity.hidden.watchdog_boots.filter((boot) => boot > clock.now() - WATCHDOG_WINDOW_MS);
  if (!watchdog_enabled || recent.length > MAX_WATCHDOG_BOOTS) return;
  nodes.change(entity, {}, { watchdog_boots: [...recent, clock.now()] });
  nodes.begin(entity, transitions.boot);
}
