import { takingTurns } from "../../api/concurrency";
import { listed } from "../../api/text";
import { cached } from "../../api/cached";
import { formatDuration } from "../base/duration";
import { ProviderError } from "../base/errors";
import { isObject, type Properties } from "../base/values";
import { inputAt, type Leaf } from "../describe/fields";
import { type Readiness } from "../describe/readiness";
import { type ObjectKind } from "../kind/kind";
import { note } from "../kind/warnings";
import { noteWait, usualWait, waitNotes } from "../notes/wait-notes";
import { ask } from "../probes/ask";
import { type ProbeAnswer, type Probe } from "../probes/probe";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";
import { type ChangedInput, pendingAt } from "../state/update-or-replace";
import { type ObjectOperation } from "./object-operation";

/** How often the object itself is read while a probe waits. */
const LOOK_MS = 30_000;

/** How many probes of one process are under way at a time. */
const AT_ONCE = 16;

/** A wait for the answers to one probe. */
interface Wait {
  readonly probe: Probe;
  readonly began: number;
  /** The last answer, and since when it is the same. */
  last: ProbeAnswer | undefined;
  since: number;
  hasHeard: boolean;
  isDone: boolean;
}

/** Whether changes interrupt the service that the object gives. */
export const isInterrupted = (
  { readiness }: { readonly readiness?: Readiness },
  changed: readonly Pick<ChangedInput, "leaf">[],
): boolean => changed.some(({ leaf }) => readiness?.after.some((one) => isBelow(leaf, one)) === true);

/** Whether changes make the object answer again. */
const asksAgain = ({ path, after }: Readiness, changed: readonly Pick<ChangedInput, "leaf">[]): boolean =>
  changed.some(({ leaf }) => [path, ...after].some((one) => isBelow(leaf, one)));

const isBelow = ({ path }: Leaf, above: string): boolean => path === above || path.startsWith(`${above}.`);

/** The readiness that the program asks for. Undefined if it asks for nothing. */
function askedIn(readiness: Readiness | undefined, inputs: Properties): Properties | undefined {
  const asked = readiness === undefined ? undefined : inputAt(inputs, readiness);
  return isObject(asked) ? asked : undefined;
}

/** Says in a preview what a creation or an update waits for. */
export function announceReadiness(kind: ObjectKind, call: Call, changed?: readonly ChangedInput[]): void {
  const { readiness } = kind.description;
  const asked = askedIn(readiness, call.inputs);
  if (readiness === undefined || asked === undefined) return;
  if (changed !== undefined && !asksAgain(readiness, changed)) return;
  const notes = kind.run.notes(waitNotes);
  const texts = readiness.probes(asked, {}).map(({ what }) => {
    const usual = usualWait(notes, kind.type, what, kind.clock.now());
    return usual === undefined || usual < 1_000 ? what : `${what} (usually ${formatDuration(usual)})`;
  });
  note({ kind, call }, `waits for ${listed(texts, "and")}`);
}

/** Whether everything that the program asks for answers now. True if it asks for nothing. */
export async function answersNow(
  kind: ObjectKind,
  inputs: Properties,
  outputs: Properties,
): Promise<boolean> {
  const { readiness } = kind.description;
  const asked = askedIn(readiness, inputs);
  if (readiness === undefined || asked === undefined) return true;
  const { signal } = kind.run.ending;
  const probes = readiness.probes(asked, outputs);
  const answers = await Promise.all(
    probes.flatMap(({ address, ...probe }) =>
      address === undefined
        ? []
        : [atAddress(kind, address, signal, () => ask({ ...probe, address }, signal))],
    ),
  );
  return answers.length === probes.length && answers.every(({ isReady }) => isReady);
}

/** Waits until everything answers that the program asks for. */
export async function untilReady(operation: ObjectOperation): Promise<void> {
  const { kind, inputs, live, ref } = operation;
  const { readiness } = kind.description;
  const asked = askedIn(readiness, inputs);
  if (readiness === undefined || asked === undefined) return;
  const stop = new AbortController();
  const waits = readiness.probes(asked, kind.outputsOf(live, ref)).map((probe): Wait => {
    const now = kind.clock.now();
    return { probe, began: now, since: now, last: undefined, hasHeard: false, isDone: false };
  });
  try {
    await Promise.all(waits.map((wait) => answered(operation, readiness, waits, wait, stop.signal)));
  } finally {
    stop.abort();
  }
  const leaf = kind.leaves.filter(({ path }) => path === readiness.path);
  operation.carriedOut(leaf);
}

async function answered(
  operation: ObjectOperation,
  readiness: Readiness,
  waits: readonly Wait[],
  wait: Wait,
  stop: AbortSignal,
): Promise<void> {
  const { kind, attempt, watch } = operation;
  const { clock, run } = kind;
  const { probe } = wait;
  const { address } = probe;
  if (address === undefined)
    throw new ProviderError(
      `${attempt}: ${readiness.path} asks for the ${probe.addressName}, and it has none: set another address`,
      { code: "NEVER_READY" },
    );
  const deadline = watch.deadline();
  const signal = AbortSignal.any([stop, run.ending.signal]);
  let looked = clock.now();
  for (let inRow = 0; ;) {
    const answer = await atAddress(kind, address, signal, () => ask({ ...probe, address }, signal));
    signal.throwIfAborted();
    hear(wait, answer, clock.now());
    inRow = answer.isReady ? inRow + 1 : 0;
    wait.isDone = inRow >= probe.answers;
    if (wait.isDone) break;
    if (clock.now() >= deadline) throw new ProviderError(timeUp(operation, wait), { code: "NEVER_READY" });
    show(kind, waits);
    await clock.sleep(Math.min(probe.intervalMs, deadline - clock.now()), signal);
    signal.throwIfAborted();
    if (clock.now() - looked < LOOK_MS) continue;
    // It may have been deleted meanwhile.
    await operation.until("there", () => true);
    looked = clock.now();
  }
  const now = clock.now();
  noteWait(run.notes(waitNotes), kind.type, probe.what, now - wait.began, now);
}

function hear(wait: Wait, answer: ProbeAnswer, now: number): void {
  if (wait.last?.said !== answer.said) wait.since = now;
  wait.last = answer;
  wait.hasHeard ||= answer.isHeard;
}

const turns = new WeakMap<Ports["run"], Map<string, ReturnType<typeof takingTurns>>>();

/** Runs one probe at a time for each address, and few at a time for all. */
function atAddress<Result>(
  { run }: ObjectKind,
  address: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const ofRun = cached(turns, run, () => new Map<string, ReturnType<typeof takingTurns>>());
  const turnAt = (key: string, limit: number) => cached(ofRun, key, () => takingTurns(limit));
  return turnAt(`at ${address}`, 1)(signal, () => turnAt("all", AT_ONCE)(signal, work));
}

function show({ screen, clock }: ObjectKind, waits: readonly Wait[]): void {
  const open = waits.filter(({ isDone, last }) => !isDone && last !== undefined);
  const now = clock.now();
  const parts = open.map(({ probe, last, since }) => ({
    fact: `${probe.what}, ${last?.said ?? ""}`,
    age: ` for ${formatDuration(now - since)}`,
  }));
  screen.rows.current.waitFor(
    parts.map(({ fact }) => fact).join("; "),
    `waiting for ${parts.map(({ fact, age }) => fact + age).join("; ")}`,
  );
}

/** The end of a wait in which something did not answer. Its last sentence says where to look. */
function timeUp(operation: ObjectOperation, wait: Wait): string {
  const { kind, attempt, ref, live, watch } = operation;
  const { address = "", addressName } = wait.probe;
  const { probe, last, since, began, hasHeard } = wait;
  const now = kind.clock.now();
  const outputs = kind.outputsOf(live, ref);
  const age = formatDuration(now - began);
  const heard = hasHeard
    ? ""
    : "Nothing answered from the first try to the last: the machine that runs Pulumi asks, and it has to reach this address. ";
  const path = kind.description.readOperation.path.replace(/\{\w+\}/, ref.id);
  return (
    `${attempt}: after ${formatDuration(watch.allowed)} it is not ready: ${probe.what} at ${address} has not answered as asked. ` +
    `The last answer was: ${last?.said ?? "none"}, for ${formatDuration(now - since)}. ${heard}` +
    `It stays in the state, and the next \`pulumi up\` continues to wait${operation.operation === "create" ? ", for the time of customTimeouts.update" : ""}. To wait longer, set customTimeouts.${operation.operation}. ` +
    `docs/ready.md has the usual reasons. The ${kind.type} ${ref.id}${addressName === "address" ? "" : ` at ${address}`} has been ${String(outputs["status"])} for at least ${age}; ` +
    `this shows its state: curl --oauth2-bearer "$NODECLOUD_TOKEN" ${kind.account.baseUrl}${path}`
  );
}

/** Before an interruption: until it has answered again, the state counts what was asked for as open. */
export function withdrawReadiness(operation: ObjectOperation): boolean {
  const { readiness } = operation.kind.description;
  if (readiness === undefined) return false;
  const isAsked = operation.operation === "create" || asksAgain(readiness, operation.wanted());
  if (isAsked) operation.withdraw(readiness.path);
  return isAsked;
}

/** Whether an update only waits for answers. */
export const isOnlyAsked = (
  { readiness }: { readonly readiness?: Readiness },
  changed: readonly ChangedInput[],
): boolean =>
  readiness !== undefined &&
  changed.length > 0 &&
  pendingAt(changed, readiness.path).length === changed.length;
