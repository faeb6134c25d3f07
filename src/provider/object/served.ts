import { cached } from "../../api/cached";
import { formatDuration } from "../base/duration";
import { ProviderError } from "../base/errors";
import { type Properties } from "../base/values";
import { type Operation } from "../describe/define-resource";
import { ObjectPool } from "../matching/object-pool";
import { type ObjectKind, type ServedKind } from "../kind/kind";
import { type Ports } from "../run/session";
import { pollUntil } from "../run/watch";
import { type Call } from "../state/call";
import { type ObjectOperation } from "./object-operation";

/** The pauses between reads grow from the first to the last. */
const PAUSES_MS = { first: 1_000, last: 5_000 };

/** An object as the service answers it, and as the program has it: what is rendered may have either form of a name. */
type Forms = readonly [answered: Properties, sent: Properties];

/** The objects that what the service renders has to show, and deleted ones that it may not show any more. */
interface Changed {
  readonly shown: readonly Forms[];
  readonly gone: readonly Forms[];
}

interface Waiting {
  readonly parent: string;
  readonly attempt: string;
  readonly operation: Operation;
  /** When the time is up. */
  readonly deadline: number;
}

type Shows = (object: Forms) => boolean;

const renderings = new WeakMap<Ports["run"], Map<string, { at: number; shows: Promise<Shows> }>>();

/** Reads what is rendered of a parent, at most once in each pause for all that wait. */
function renderedOf(kind: ObjectKind, parent: string, pauseMs: number): Promise<Shows> | undefined {
  const { run, type, clock, account, description } = kind;
  const ofRun = cached(renderings, run, () => new Map<string, { at: number; shows: Promise<Shows> }>());
  const key = `${type} ${parent}`;
  const last = ofRun.get(key);
  if (last !== undefined && clock.now() - last.at < pauseMs) return last.shows;
  const { rendering, contentIdentity, identity } = description;
  const shows = rendering?.read(account.client, parent).then((there): Shows => {
    const pool = new ObjectPool(description, there, {
      by: contentIdentity?.by ?? identity,
      shown: rendering.formOf,
    });
    return (forms) => forms.some((one) => pool.find(rendering.formOf(one)) !== undefined);
  });
  if (shows !== undefined) ofRun.set(key, { at: clock.now(), shows });
  return shows;
}

/** Forgets what was read before a change. */
const forgetRendered = ({ run, type }: ObjectKind, parent: string): void =>
  void renderings.get(run)?.delete(`${type} ${parent}`);

/** Before a change: until it is rendered, the state counts what was asked for as open. Returns whether to wait for it. */
export function withdrawRendering(operation: ObjectOperation): boolean {
  const { rendering } = operation.kind.description;
  if (rendering === undefined || operation.inputs[rendering.path] !== true) return false;
  const isAsked = operation.operation === "create" || operation.wanted().length > 0;
  if (isAsked) operation.withdraw(rendering.path);
  return isAsked;
}

/** Waits until what the service renders shows an object as it is now. */
export async function untilRendered(operation: ObjectOperation): Promise<void> {
  const { kind, attempt, ref, live, watch } = operation;
  await untilServed(
    kind,
    { parent: ref.parent ?? "", attempt, operation: operation.operation, deadline: watch.deadline() },
    { shown: [[kind.outputsOf(live, ref), operation.inputs]], gone: [] },
  );
  operation.carriedOut(kind.leaves.filter(({ path }) => path === kind.description.rendering?.path));
}

/** Waits until what the service renders does not show deleted objects, if the program asks for that. A destruction, which has no program, waits for nothing. */
export async function untilNotServed(
  kind: ObjectKind,
  about: Omit<Waiting, "operation" | "deadline"> & { readonly kind: ServedKind; readonly call: Call },
  gone: readonly Forms[],
): Promise<void> {
  const { rendering } = kind.description;
  const { kind: of, call, parent, attempt } = about;
  if (rendering === undefined || call.inputs[rendering.path] !== true || kind.run.checks === 0) return;
  const deadline = kind.clock.now() + of.allowedTime("delete", call);
  await untilServed(kind, { parent, attempt, operation: "delete", deadline }, { shown: [], gone });
}

/** Waits until what the service renders shows these objects, and does not show the deleted ones. */
export async function untilServed(kind: ObjectKind, waiting: Waiting, changed: Changed): Promise<void> {
  const { rendering } = kind.description;
  if (rendering === undefined) return;
  const { parent, attempt, operation, deadline } = waiting;
  const began = kind.clock.now();
  forgetRendered(kind, parent);
  let gone: readonly Forms[] | undefined;
  let open: Changed = changed;
  const what = `the ${rendering.noun} of the ${kind.parentName} ${parent}`;
  const row = () => `waiting until ${what} ${missing(kind, open)}`;
  const { first, last } = PAUSES_MS;
  const pauseMs = () => Math.min(last, Math.max(first, (kind.clock.now() - began) / 4));
  const done = await pollUntil(kind, { until: deadline, pauseMs, row }, async () => {
    kind.run.ending.signal.throwIfAborted();
    const shows = await renderedOf(kind, parent, pauseMs());
    if (shows === undefined) return true;
    open = {
      shown: changed.shown.filter((one) => !shows(one)),
      gone: (gone ?? changed.gone).filter((one) => shows(one)),
    };
    // Another object may have the same content.
    if (gone === undefined && open.gone.length > 0)
      open = { ...open, gone: (gone = await withoutDoubles(kind, parent, open.gone)) };
    return open.shown.length + open.gone.length === 0 ? true : undefined;
  });
  if (done === true) return;
  const kept =
    operation === "delete"
      ? "It is deleted, and stays in the state until the next run has seen that"
      : "It stays in the state, and the next `pulumi up` continues to wait";
  throw new ProviderError(
    `${attempt}: for ${formatDuration(kind.clock.now() - began)}, ${what} has not been rendered so that it ${missing(kind, open)}. ` +
      `${kept}. To wait longer, set customTimeouts.${operation}`,
    { code: "WAIT_TIMED_OUT" },
  );
}

async function withoutDoubles(
  kind: ObjectKind,
  parent: string,
  gone: readonly Forms[],
): Promise<readonly Forms[]> {
  const pool = new ObjectPool(kind.description, await kind.reads.all(parent));
  return gone.filter(([answered]) => pool.find(answered) === undefined);
}

/** The rest of a sentence about what is rendered: `shows DomainRecord A www`. */
function missing(kind: ObjectKind, { shown, gone }: Changed): string {
  const [first, ...others] = shown.length > 0 ? shown : gone;
  const name = first === undefined ? kind.type : kind.nameOf(first[1]).split(" of ")[0];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${shown.length > 0 ? "shows" : "no longer shows"} ${name}${more}`;
}
