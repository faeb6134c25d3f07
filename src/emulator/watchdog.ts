import { type NodeEntity, type Store } from "./objects";
import { refuse } from "./refusal";
import { TRANSITIONS } from "./transitions";

const WINDOW_MS = 15 * 60 * 1000;
const MAX_BOOTS = 5;

/**
 * A running node powers off without a shutdown job. Its watchdog, where that is enabled, issues a boot job; it has
 * stopped doing so where more than 5 were issued within the last 15 minutes.
 */
export function powerOff({ nodes, clock }: Store, node: NodeEntity): void {
  const { status, watchdog_enabled } = node.fields;
  if (status !== "running") throw refuse(400, `Only a running node can power off: it is ${status}.`);
  nodes.change(node, { status: "offline", updated: clock.date() });
  const recent = node.hidden.watchdog_boots.filter((moment) => moment > clock.now() - WINDOW_MS);
  if (!watchdog_enabled || recent.length > MAX_BOOTS) return;
  nodes.change(node, {}, { watchdog_boots: [...recent, clock.now()] });
  nodes.begin(node, TRANSITIONS.node.boot);
}
