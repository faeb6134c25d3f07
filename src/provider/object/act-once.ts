import { type ObjectKind } from "../kind/kind";
import { type Phase } from "../kind/known-objects";
import { isAnswerLost, isApiError } from "../../api/errors";
import { type ActionNote, actionKey, wantedAt } from "../notes/action-notes";
import { isTimeout, SETTLED_MS } from "../notes/lost-answer-limits";
import { type Acted, type Action, type Ref } from "../describe/define-resource";
import { type ChangedInput, pendingAt } from "../state/update-or-replace";
import { ProviderError, sayingOf } from "../base/errors";
import { keyOfParts } from "../base/key";
import { inputAt, type Leaf } from "../describe/fields";
import { type Stamp } from "../notes/notes";
import { isElsewhere } from "../base/runs";
import { type Sent } from "../state/call";
import { PartialError } from "../state/partial-error";
import { type StateCall } from "../state/provider-interface";
import { objectOf } from "./guard";
import { statusOf } from "../describe/status";
import { type Properties } from "../base/values";
import { pollUntil } from "../run/watch";

const PAUSE_MS = 2_000;
/** How long to look for an action after a connection broke. */
const SHORT_MS = 10_000;

type Finding = "happened" | "not" | "unknown";

/** The object that an action is carried out on. */
export interface ActionTarget {
  readonly kind: ObjectKind;
  readonly ref: Ref;
  readonly inputs: Properties;
  /** The object as it was read last. */
  live: Properties;
}

/** An update whose actions an earlier run may have carried out. */
interface ResumedUpdate extends ActionTarget {
  /** The inputs that still have to be carried out. */
  pending(): readonly ChangedInput[];
  carriedOut(leaves: readonly Leaf[]): void;
}

const actionsOf = ({ kind }: ActionTarget): readonly Action[] => kind.description.actions ?? [];

const keyOf = ({ kind, ref }: ActionTarget, { path }: Action): string =>
  actionKey(kind.description, kind.run.place, ref, path);

const wantedOf = ({ kind, inputs }: ActionTarget, { path }: Action): string | undefined =>
  wantedAt(kind.description, path, (leaf) => inputAt(inputs, leaf));

/** Deletes notes of actions that the state has, or that the program no longer asks for. */
export function forgetKnownActions(target: ActionTarget, sent: Sent): void {
  for (const action of actionsOf(target)) {
    const wanted = wantedOf(target, action);
    const known = wantedAt(target.kind.description, action.path, ({ path }) => sent.get(path));
    if (wanted === undefined || wanted === known) target.kind.run.actions.forget(keyOf(target, action));
  }
}

/**
 * The refusal of an action that an earlier run on another machine may have carried out: the state says that the run was interrupted in this resource, or a
 * later run on this machine has noted that it did, and there is no note of the action. The update itself is refused with a state that says so, because the engine forgets the interrupted run.
 */
export async function refusalAfterCutOff(
  kind: ObjectKind,
  ref: Ref,
  call: StateCall,
  changed: readonly ChangedInput[],
  phase: Phase,
): Promise<PartialError | undefined> {
  const { run, clock, description } = kind;
  const { inputs } = call;
  const { actions = [], type } = description;
  const asked = actions.filter(
    ({ path }) =>
      changed.some(({ leaf }) => `${leaf.path}.`.startsWith(`${path}.`)) &&
      wantedAt(description, path, (leaf) => inputAt(inputs, leaf)) !== undefined,
  );
  for (const action of asked) {
    const key = actionKey(description, run.place, ref, action.path);
    if (run.actions.recall(key, clock.now()) !== undefined) continue;
    const isDoubtful = call.state.isDoubtful === true;
    if (!isDoubtful && !(await kind.known.wasCutOff("updating", call, phase, objectOf(call))))
      return undefined;
    const why = new ProviderError(
      `${action.what(ref, inputs)}: an interrupted run was updating this ${type} and may have carried this out. The provider does not repeat it, because a repetition ${action.ifRepeated}. ` +
        `${action.userShouldCheck}. If it was carried out, remove ${action.path} from the program. Otherwise run \`pulumi refresh\` first, which removes the interrupted update from the state`,
      { code: "ACTION_UNKNOWN" },
    );
    return new PartialError(call.id, { ...call.state, isDoubtful: true }, why);
  }
  return undefined;
}

/** Finds out about the actions of an interrupted run, before any wait. */
export async function settleEarlierActions(target: ResumedUpdate): Promise<void> {
  for (const action of actionsOf(target)) {
    const pending = pendingAt(target.pending(), action.path);
    if (pending.length === 0) continue;
    const noted = await recallSettled(target, action);
    if (noted !== undefined && noted.wanted === wantedOf(target, action)) {
      const finding = noted.accepted ? "happened" : await lookAgain(target, action, noted);
      if (finding === "not") target.kind.run.actions.forget(keyOf(target, action));
      else target.carriedOut(pending);
      if (finding === "unknown") throw unknown(target, action, "an interrupted run requested it");
    } else if (action.hasOwnStatus === true && action.statuses.includes(statusOf(target.live))) {
      target.carriedOut(pending);
      const because = `its status is already ${statusOf(target.live)}, perhaps because of an interrupted run`;
      throw unknown(target, action, because);
    }
  }
}

/** Looks for the action of an earlier run. Only a trace can prove, after enough time, that it did not happen. */
const lookAgain = (target: ActionTarget, action: Action, noted: ActionNote & Stamp): Promise<Finding> =>
  look(target, action, noted, noted.at + (noted.trace === undefined ? SHORT_MS : SETTLED_MS));

/** The note of an action. While the process that wrote it still runs, the answer to its request is waited for. */
async function recallSettled(target: ActionTarget, action: Action) {
  const { run } = target.kind;
  const { clock } = target.kind;
  const recall = () => run.actions.recall(keyOf(target, action), clock.now());
  const settled = await pollUntil(target.kind, { until: clock.now() + SETTLED_MS, pauseMs: PAUSE_MS }, () => {
    const noted = recall();
    const isUnderWay = noted !== undefined && !noted.accepted && isElsewhere(noted, clock.now());
    return isUnderWay ? undefined : { noted };
  });
  return settled === undefined ? recall() : settled.noted;
}

/** Carries an action out once. If its answer is lost, it looks whether the action happened, and never repeats it. */
export async function actOnce(target: ActionTarget, path: string, done: () => void): Promise<Acted> {
  const action = actionsOf(target).find((one) => one.path === path);
  if (action === undefined) throw new TypeError(`${target.kind.type} has no action for ${path}`);
  const { inputs, kind } = target;
  const { run, clock, account } = kind;
  const key = keyOf(target, action);
  const trace = await traceOf(target, action);
  const note: ActionNote = {
    wanted: wantedOf(target, action) ?? "",
    accepted: false,
    ...(trace === undefined ? {} : { trace }),
  };
  // Noted before the request, so that a later run knows of it if this one is killed.
  run.actions.note(key, note, clock.now());
  try {
    await action.send(account.client, target.ref, inputs);
  } catch (error) {
    if (!isAnswerLost(error)) {
      run.actions.forget(key);
      throw error;
    }
    const finding = await afterLoss(target, action, note, error);
    if (finding === "not") {
      run.actions.forget(key);
      throw new ProviderError(
        `${action.what(target.ref, inputs)}: ${sayingOf(error)}; it was not carried out. The next \`pulumi up\` tries again`,
        { cause: error },
      );
    }
    if (finding === "unknown") {
      done();
      throw unknown(target, action, sayingOf(error));
    }
  }
  run.actions.note(key, { ...note, accepted: true }, clock.now());
  done();
  const shows = async () => ![undefined, trace].includes(await traceOf(target, action));
  return { shows };
}

async function afterLoss(
  target: ActionTarget,
  action: Action,
  note: ActionNote,
  error: unknown,
): Promise<Finding> {
  const { clock, run } = target.kind;
  const until = clock.now() + (isTimeout(error) ? SETTLED_MS : SHORT_MS);
  try {
    return await look(target, action, note, until);
  } catch (failure) {
    // The note stays for the next run.
    if (run.ending.signal.aborted) throw failure;
    return "unknown";
  }
}

/** Looks whether an action happened, until the service will not carry it out any more. */
async function look(target: ActionTarget, action: Action, note: ActionNote, until: number): Promise<Finding> {
  const { kind, ref, inputs } = target;
  const { screen } = kind;
  screen.rows.current.progress(`checking whether it happened: ${action.what(ref, inputs)}`);
  let isComparable = false;
  const finding = await pollUntil<Finding>(kind, { until, pauseMs: PAUSE_MS }, async () => {
    const reply = await kind.reads.now(ref);
    if (reply === undefined) return "unknown";
    target.live = reply;
    if (action.statuses.includes(statusOf(reply))) return "happened";
    const trace = await traceOf(target, action);
    isComparable = trace !== undefined && note.trace !== undefined;
    return isComparable && trace !== note.trace ? "happened" : undefined;
  });
  return finding ?? (isComparable ? "not" : "unknown");
}

async function traceOf({ kind, ref }: ActionTarget, action: Action): Promise<string | undefined> {
  try {
    const trace = await action.lastingMark?.(kind.account.client, ref);
    return trace === undefined ? undefined : keyOfParts("trace", trace);
  } catch (error) {
    // The service does not show it in this status.
    if (isApiError(error, 400)) return undefined;
    throw error;
  }
}

const unknown = ({ ref, inputs }: ActionTarget, action: Action, because: string): ProviderError =>
  new ProviderError(
    `${action.what(ref, inputs)}: ${because}; it is unknown whether it was carried out. The provider does not repeat it, because a repetition ${action.ifRepeated}. ` +
      `${action.userShouldCheck}. In the state, ${action.path} counts as carried out. To run it again, set another value, ` +
      "or remove it from the program, run `pulumi up`, and set it again",
    { code: "ACTION_UNKNOWN" },
  );
