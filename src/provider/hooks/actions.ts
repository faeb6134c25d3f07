import { type Kind } from "../process/kind";
import { isAnswerLost, isApiError } from "../../api/errors";
import { type ActionNote, actionKey, wantedAt } from "./action-notes";
import { isTimeout, SETTLED_MS } from "../creation/lost-answers";
import { type Acted, type Action, type Ref } from "../describe/define-resource";
import { type ChangedInput } from "../state/changed-inputs";
import { ProviderError, sayingOf } from "../engine/errors";
import { keyOfParts } from "../creation/journal";
import { inputAt } from "../describe/fields";
import { type Stamp } from "../process/notes";
import { isElsewhere } from "../process/runs";
import { type Sent } from "../state/sent";
import { statusOf } from "../describe/status";
import { type Properties } from "../state/values";
import { type Work } from "./operation";

const PAUSE_MS = 2_000;
/** How long an action is looked for after a connection broke. */
const SHORT_MS = 10_000;

type Finding = "happened" | "not" | "unknown";

const actionsOf = ({ kind }: Work): readonly Action[] => kind.description.actions ?? [];

const keyOf = ({ kind, ref }: Work, { path }: Action): string =>
  actionKey(kind.description, kind.session.place, ref, path);

const wantedOf = ({ kind, inputs }: Work, { path }: Action): string | undefined =>
  wantedAt(kind.description, path, (leaf) => inputAt(inputs, leaf));

/** Notes of actions that the state knows of, or that the program no longer asks for, say nothing any more. */
export function forgetKnownActions(work: Work, sent: Sent): void {
  for (const action of actionsOf(work)) {
    const wanted = wantedOf(work, action);
    const known = wantedAt(work.kind.description, action.path, ({ path }) => sent.get(path));
    if (wanted === undefined || wanted === known) work.kind.session.actions.forget(keyOf(work, action));
  }
}

/**
 * Refuses in the preview what an earlier run may have carried out, on another machine: the state says that it was cut off in this resource, and
 * there is no note here.
 */
export async function refuseAfterCutOff(
  kind: Kind,
  ref: Ref,
  inputs: Properties,
  changed: readonly ChangedInput[],
): Promise<void> {
  const { session, description } = kind;
  const { actions = [], type } = description;
  const asked = actions.filter(
    ({ path }) =>
      changed.some(({ leaf }) => `${leaf.path}.`.startsWith(`${path}.`)) &&
      wantedAt(description, path, (leaf) => inputAt(inputs, leaf)) !== undefined,
  );
  for (const action of asked) {
    const key = actionKey(description, session.place, ref, action.path);
    if (session.actions.recall(key, session.clock.now()) !== undefined) continue;
    if (!(await kind.known.learnCutOff("updating", inputs))) return;
    throw new ProviderError(
      `${action.what(ref, inputs)}: an interrupted run was changing this ${type}, and may have carried it out. It is not repeated, because a repetition ${action.harm}. ` +
        `${action.check}. If it is done, take ${action.path} out of the program; to have it done, run \`pulumi refresh\` first, which takes that run out of the state`,
    );
  }
}

/** Finds out about actions that a run which was cut off has asked for, before anything is waited for. */
export async function settleEarlierActions(work: Work): Promise<void> {
  for (const action of actionsOf(work)) {
    const task = work.task(work.pending());
    if (!task.changed(action.path)) continue;
    const noted = await recallSettled(work, action);
    if (noted !== undefined && noted.wanted === wantedOf(work, action)) {
      const finding = noted.accepted ? "happened" : await lookAgain(work, action, noted);
      if (finding === "not") work.kind.session.actions.forget(keyOf(work, action));
      if (finding !== "not") task.done(action.path);
      if (finding === "unknown") throw unknown(work, action, "an interrupted run asked for it");
    } else if (action.isTold === true && action.during.includes(statusOf(work.live))) {
      task.done(action.path);
      throw unknown(
        work,
        action,
        `its status is ${statusOf(work.live)} already, perhaps by an interrupted run`,
      );
    }
  }
}

/** Looks for what an earlier run asked for. Only a trace can tell that it did not happen, once it is too late for that. */
const lookAgain = (work: Work, action: Action, noted: ActionNote & Stamp): Promise<Finding> =>
  look(work, action, noted, noted.at + (noted.trace === undefined ? SHORT_MS : SETTLED_MS));

/** The note of an action; while the process that wrote it still runs, it is waited for what comes of the request. */
async function recallSettled(work: Work, action: Action) {
  const { session } = work.kind;
  const until = session.clock.now() + SETTLED_MS;
  for (;;) {
    const noted = session.actions.recall(keyOf(work, action), session.clock.now());
    const now = session.clock.now();
    if (noted === undefined || noted.accepted || !isElsewhere(noted, now) || now >= until) return noted;
    await session.pause(PAUSE_MS);
  }
}

/** Carries an action out, once: when its answer is lost it looks whether it happened, and repeats nothing. */
export async function actOnce(work: Work, path: string, done: () => void): Promise<Acted> {
  const action = actionsOf(work).find((one) => one.path === path);
  if (action === undefined) throw new TypeError(`${work.kind.type} has no action for ${path}`);
  const { inputs, kind } = work;
  const { session } = kind;
  const key = keyOf(work, action);
  const trace = await traceOf(work, action);
  const note: ActionNote = {
    wanted: wantedOf(work, action) ?? "",
    accepted: false,
    ...(trace === undefined ? {} : { trace }),
  };
  // Noted first: whoever is killed while asking must know that he asked.
  session.actions.note(key, note, session.clock.now());
  try {
    await action.send(session.client, work.ref, inputs);
  } catch (error) {
    if (!isAnswerLost(error)) {
      session.actions.forget(key);
      throw error;
    }
    const finding = await afterLoss(work, action, note, error);
    if (finding === "not") {
      session.actions.forget(key);
      throw new ProviderError(
        `${action.what(work.ref, inputs)}: ${sayingOf(error)}; it was not carried out. The next \`pulumi up\` asks again`,
        { cause: error },
      );
    }
    if (finding === "unknown") {
      done();
      throw unknown(work, action, sayingOf(error));
    }
  }
  session.actions.note(key, { ...note, accepted: true }, session.clock.now());
  done();
  const shows = async () => ![undefined, trace].includes(await traceOf(work, action));
  return { shows };
}

async function afterLoss(work: Work, action: Action, note: ActionNote, error: unknown): Promise<Finding> {
  const { session } = work.kind;
  const until = session.clock.now() + (isTimeout(error) ? SETTLED_MS : SHORT_MS);
  try {
    return await look(work, action, note, until);
  } catch (failure) {
    // The note stays for the next run.
    if (session.ending.signal.aborted) throw failure;
    return "unknown";
  }
}

/** Looks whether an action happened, until a time after which it will not be carried out any more. */
async function look(work: Work, action: Action, note: ActionNote, until: number): Promise<Finding> {
  const { kind, ref, inputs } = work;
  const { session } = kind;
  session.rows.current.progress(`looks whether it happened: ${action.what(ref, inputs)}`);
  for (;;) {
    const reply = await kind.reads.now(ref);
    if (reply === undefined) return "unknown";
    work.live = reply;
    if (action.during.includes(statusOf(reply))) return "happened";
    const trace = await traceOf(work, action);
    const isComparable = trace !== undefined && note.trace !== undefined;
    if (isComparable && trace !== note.trace) return "happened";
    if (session.clock.now() >= until) return isComparable ? "not" : "unknown";
    await session.pause(PAUSE_MS);
  }
}

async function traceOf({ kind, ref }: Work, action: Action): Promise<string | undefined> {
  try {
    const trace = await action.trace?.(kind.session.client, ref);
    return trace === undefined ? undefined : keyOfParts("trace", trace);
  } catch (error) {
    // The service does not show it in this status.
    if (isApiError(error, 400)) return undefined;
    throw error;
  }
}

const unknown = ({ ref, inputs }: Work, action: Action, because: string): ProviderError =>
  new ProviderError(
    `${action.what(ref, inputs)}: ${because}; whether it was carried out is not known. It is not repeated, because a repetition ${action.harm}. ` +
      `${action.check}. The state takes ${action.path} as carried out. To ask for it again, give it another value, ` +
      "or remove it from the program, run `pulumi up`, and set it again",
  );
