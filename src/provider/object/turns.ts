import { cached } from "../../api/cached";
import { formatDuration } from "../base/duration";
import { ProviderError } from "../base/errors";
import { isObject, type Properties } from "../base/values";
import { formatId, type Operation, type Ref } from "../describe/define-resource";
import { inputAt } from "../describe/fields";
import { statusOf } from "../describe/status";
import { type ObjectKind } from "../kind/kind";
import { calledInProgram } from "../kind/warnings";
import { type Ports } from "../run/session";
import { pollUntil } from "../run/watch";
import { type Call, whoIs } from "../state/call";
import { stateIn } from "../state/codec";
import { asInputs } from "../state/sent";
import { lookUp } from "./look-up";
import { answersNow } from "./readiness";

const PAUSE_MS = 1_000;

/** A resource of a group, with its present object. Without one, it is between its old and its new object. */
interface Peer {
  readonly name: string;
  readonly inputs: Properties;
  readonly id: string | undefined;
  /** Whether a run has failed to bring it to an end. */
  readonly isUnfinished?: boolean;
}

/** Resources of which only some may be interrupted at a time. */
class TurnGroup {
  readonly peers = new Map<string, Peer>();
  /** The resources that are interrupted now. */
  readonly working = new Set<string>();
  /** Why nothing more of the group is interrupted in this run. */
  failure: string | undefined;
  /** The reading of the peers that the state has. */
  reading: Promise<void> | undefined;

  constructor(readonly name: string) {}
}

interface Turn {
  readonly group: string;
  readonly max: number;
}

/** The group of a resource, as its inputs say. */
export function turnIn(
  { description }: Pick<ObjectKind, "description">,
  inputs: Properties,
): Turn | undefined {
  const path = description.readiness?.turn;
  const turn = path === undefined ? undefined : inputAt(inputs, { path });
  if (!isObject(turn) || typeof turn["group"] !== "string") return undefined;
  const { group, max } = turn;
  return { group, max: typeof max === "number" ? max : 1 };
}

const groups = new WeakMap<Ports["run"], Map<string, TurnGroup>>();

const groupOf = ({ run, type }: ObjectKind, { group }: Turn): TurnGroup =>
  cached(
    cached(groups, run, () => new Map<string, TurnGroup>()),
    `${type} ${group}`,
    () => new TurnGroup(group),
  );

/** Notes the object that a resource of the program has now. */
export function notePeer(kind: ObjectKind, call: Call, id: string | undefined, isUnfinished = false): void {
  const turn = turnIn(kind, call.inputs);
  if (turn === undefined) return;
  const peer = { name: calledInProgram({ kind, call }), inputs: call.inputs, id, isUnfinished };
  groupOf(kind, turn).peers.set(whoIs(call), peer);
}

/** Notes that a new object has not become ready, so that nothing else of the group is interrupted. */
export function failPeer(kind: ObjectKind, call: Call): void {
  const turn = turnIn(kind, call.inputs);
  if (turn === undefined) return;
  groupOf(kind, turn).failure ??= `create ${calledInProgram({ kind, call })} has failed`;
}

/** Notes that the old object of a resource is deleted. If its new one is not there yet, the resource is down. */
export function leavePeer(kind: ObjectKind, call: Call & { readonly id: string }): void {
  const turn = turnIn(kind, call.inputs);
  const peers = turn === undefined ? undefined : groupOf(kind, turn).peers;
  const peer = peers?.get(whoIs(call));
  if (peer?.id === call.id) peers?.set(whoIs(call), { ...peer, id: undefined });
}

/** Notes that a resource which left the program is deleted: nobody waits for it any more. */
export function forgetPeer(kind: ObjectKind, call: Call): void {
  const turn = turnIn(kind, call.inputs);
  if (turn !== undefined) groupOf(kind, turn).peers.delete(whoIs(call));
}

/** Runs a step that interrupts a resource, as soon as few enough of its group are interrupted or not ready. `ref`: its object. */
export async function inTurn<Result>(
  kind: ObjectKind,
  call: Call,
  { ref, ...step }: Pick<Waiting, "attempt" | "operation"> & { readonly ref: Ref },
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = turnIn(kind, call.inputs);
  if (turn === undefined) return work();
  const group = groupOf(kind, turn);
  const who = whoIs(call);
  await (group.reading ??= readPeers(kind, group));
  await itsTurn({ kind, call, turn, group, who, id: formatId(ref), ...step });
  try {
    return await work();
  } catch (error) {
    group.failure ??= `${step.attempt} has failed`;
    throw error;
  } finally {
    group.working.delete(who);
  }
}

interface Waiting {
  readonly kind: ObjectKind;
  readonly call: Call;
  readonly turn: Turn;
  readonly group: TurnGroup;
  readonly who: string;
  readonly id: string;
  readonly attempt: string;
  readonly operation: Operation;
}

/** Waits until a resource may be interrupted, and counts it as interrupted. */
async function itsTurn(waiting: Waiting): Promise<void> {
  const { kind, call, turn, group, who, id, attempt, operation } = waiting;
  const { clock, screen } = kind;
  const row = screen.rows.current;
  const allowed = kind.allowedTime(operation, call);
  /** Since when it waits for resources that nobody works on. */
  let idleSince: number | undefined;
  await pollUntil(kind, { until: Infinity, pauseMs: PAUSE_MS }, async () => {
    kind.run.ending.signal.throwIfAborted();
    if (group.failure !== undefined)
      throw new ProviderError(
        `${attempt}: it was not begun, because ${group.failure}, and turn.group is ${group.name} for both`,
        { code: "TURN_NOT_BEGUN" },
      );
    const isBusy = group.working.size >= turn.max;
    // What is down already interrupts nothing.
    const isDown = !isBusy && !(await isUp(kind, { name: "", inputs: call.inputs, id }));
    const down = isBusy || isDown ? [] : await othersDown(kind, group, who);
    if (group.failure === undefined && group.working.size + down.length < turn.max) {
      group.working.add(who);
      return true;
    }
    const [first] = down;
    if (isBusy || first === undefined) idleSince = undefined;
    else idleSince ??= clock.now();
    if (first !== undefined && idleSince !== undefined && clock.now() - idleSince >= allowed)
      throw new ProviderError(
        `${attempt}: it was not begun: after ${formatDuration(allowed)}, ${first.name} of the group ${group.name} is not ready, and at most ${turn.max} may be interrupted at a time. ` +
          "Mend it first, or raise turn.max",
        { code: "TURN_NOT_BEGUN" },
      );
    row.waitFor(
      `turn ${first?.name ?? ""}`,
      `waiting for its turn in the group ${group.name}${first === undefined ? "" : `: ${first.name} is not ready`}`,
    );
    return undefined;
  });
}

/** The other resources of the group that are not ready, without those that are interrupted now. */
async function othersDown(kind: ObjectKind, group: TurnGroup, who: string): Promise<Peer[]> {
  const others = [...group.peers].filter(([key]) => key !== who && !group.working.has(key));
  const up = await Promise.all(others.map(([, peer]) => isUp(kind, peer)));
  return others.flatMap(([, peer], place) => (up[place] === true ? [] : [peer]));
}

/** Whether a resource serves: its status is that of a finished one, and what its program asks for answers. */
async function isUp(kind: ObjectKind, { id, inputs, isUnfinished = false }: Peer): Promise<boolean> {
  const found = id === undefined || isUnfinished ? undefined : await lookUp(kind, id, "now");
  if (found === undefined) return false;
  const { ready = [] } = kind.description.statuses ?? {};
  const isRunning = (typeof ready === "function" ? ready(inputs) : ready).includes(statusOf(found.live));
  return isRunning && (await answersNow(kind, inputs, kind.outputsOf(found.live, found.ref)));
}

/** Adds the resources of the group that the state has and that the engine has not come to yet. */
async function readPeers(kind: ObjectKind, group: TurnGroup): Promise<void> {
  for (const { urn, type, id, outputs } of (await kind.run.stack.state())?.objects ?? []) {
    const { sent, isUnfinished = false } = stateIn(outputs);
    const inputs = asInputs(sent);
    if (type !== kind.type || group.peers.has(urn) || turnIn(kind, inputs)?.group !== group.name) continue;
    const name = calledInProgram({ kind, call: { urn, inputs }, id });
    group.peers.set(urn, { name, inputs, id, isUnfinished });
  }
}
