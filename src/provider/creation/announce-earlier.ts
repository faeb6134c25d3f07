import { latestOf, settledAt } from "../notes/lost-answer-limits";
import { createdAt } from "../matching/newcomers";
import { type Place } from "../notes/journal";
import { doubtAboutOthers, isOfRenamedStack, isShared, rivalsElsewhere } from "../ownership/other-owners";
import { addressIn } from "../settings/whereabouts";
import { keyOfParts } from "../base/key";
import { shortened } from "../kind/warnings";
import { isElsewhere, isThisRun } from "../base/runs";
import { type ServedKind } from "../kind/kind";
import { type Interrupted, type StackState } from "../engine/stack-state";
import { type Ports } from "../run/session";
import { formatId } from "../describe/define-resource";
import { calledIn } from "../describe/urn";

/** The key of a stack, given as `project/stack`, and an account. */
export const keyOfPlace = ({ baseUrl, backend }: Place, stack: string): string =>
  keyOfParts("place", baseUrl, backend, stack);

/** The notes about a stack that other processes have written. `isHere`: at the base URL of this process. `isGoingOn`: by a process that may still be running. */
function notesOf({ run, clock }: Pick<Ports, "run" | "clock">, stack: string) {
  const place = keyOfPlace(run.place, stack);
  const ofStack = keyOfPlace({ ...run.place, baseUrl: "" }, stack);
  const now = clock.now();
  return [...run.journal.all(now)].flatMap(([key, noted]) => {
    const { run: writer, called } = noted;
    const isHere = noted.place === place;
    const isOurs = isHere || noted.stack === ofStack;
    const isOwn = writer !== undefined && isThisRun(writer);
    const isGoingOn = isElsewhere(noted, now);
    return !isOurs || called === undefined || isOwn ? [] : [{ key, noted, called, isHere, isGoingOn }];
  });
}

/**
 * Says once what interrupted runs of a stack were creating. A resource that the program still declares says so itself. One that it no longer
 * declares would never be mentioned again.
 */
export async function announceEarlier(
  { run, screen, clock, account }: Ports,
  stack: string | undefined,
): Promise<void> {
  if (stack === undefined || !screen.isFirst(`what interrupted runs of ${stack} were at`)) return;
  const left: string[] = [];
  const notes = notesOf({ run, clock }, stack).filter(({ isGoingOn }) => !isGoingOn);
  for (const { key, noted, called, isHere } of notes) {
    const { type = "", where = account.at } = noted;
    // After a ctrl-C the engine usually saves what was created, and then the note is of no use.
    const isSaved =
      "id" in noted && (await run.stack.state())?.knows(type, noted.id, isHere ? account.at : where) === true;
    if (isSaved) run.journal.forget(key);
    else if (!(await isOfRenamedStack(run, called)))
      left.push(
        `${called} (${"id" in noted ? noted.id : "requested"}${isHere ? "" : ` at ${addressIn(where)}`})`,
      );
  }
  if (left.length === 0) return;
  screen.log.note(
    undefined,
    `interrupted runs of this stack were creating ${shortened(left).join(", ")}. Of those that the program still declares, this run says what becomes of them. ` +
      "The others may exist in their account: find them there, and delete or import them",
  );
}

/**
 * Says once for each kind what interrupted runs may have created on another machine, or on this one without an answer: the account has it, and the state has only
 * their inputs. Otherwise nothing would mention it after a change of the program.
 */
export async function announceInterrupted(kind: ServedKind): Promise<void> {
  const { screen, run, clock, account, type } = kind;
  if (!screen.isFirst(`what interrupted runs left of ${type}`)) return;
  const { resume, validate } = run.configuration;
  const stack = run.stack.inProject;
  const notes = stack === undefined ? [] : notesOf(kind, stack);
  const asked = askedBefore(kind, notes);
  // Where a file tells, the state is read anyway. The next `up` forgets what a run that was killed was updating.
  const isTold = resume || run.mayBeCutOff;
  if (!validate || (!isTold && asked.size === 0)) return;
  const state = await run.stack.state();
  const interrupted = state?.interrupted(type) ?? [];
  if (interrupted.length === 0 || (await doubtAboutOthers(run)) !== undefined) return;
  const left: string[] = [];
  // A move between the two ways begins a second process in the same run.
  const underWay = new Set(notes.flatMap(({ called, isGoingOn }) => (isGoingOn ? [called] : [])));
  const noted = new Set(
    [...run.journal.all(clock.now())].flatMap(([, note]) =>
      note.type === type && "id" in note ? [note.id] : [],
    ),
  );
  const haveNone = new Map<string, boolean>();
  for (const { urn, inputs, isUpdate, askedAt = account.at, before } of interrupted) {
    if (isUpdate === true && !("item" in kind.description)) continue;
    const called = calledIn({ urn });
    const note = asked.get(called);
    if ((!isTold && note === undefined) || underWay.has(called)) continue;
    if (account.mayBeElsewhere(askedAt)) {
      const address = addressIn(askedAt);
      const isSaved = state?.objects.some(
        (one) => one.urn === urn && one.at !== undefined && addressIn(one.at) === address,
      );
      const asked = account.isHere(address) ? "with another token" : `at ${address}`;
      if (isSaved !== true) left.push(`${calledIn({ urn })} (requested ${asked})`);
      continue;
    }
    const ids = await idsLeftBy(
      kind,
      state,
      { inputs, before: [before ?? [], note?.before ?? []].flat().join() },
      { besides: noted, latest: note?.latest, anew: false },
    ).catch(() => undefined);
    haveNone.set(called, ids?.length === 0 && haveNone.get(called) !== false);
    // What cannot be listed now is not named.
    if (ids === undefined) continue;
    if (ids.length > 0) left.push(`${called} (${shortened(ids).join(", ")})`);
  }
  // A unique name that nobody has after the last request is free: an object that has it later is not that of the request. Objects with a label have a date for that.
  if ("unique" in kind.description && !("autoname" in kind.description))
    for (const [called, { key, until }] of asked)
      if (haveNone.get(called) === true && until <= clock.now()) run.journal.forget(key);
  if (left.length > 0)
    screen.log.note(
      undefined,
      `the state says that runs of this stack were interrupted, and it does not have what they may have created: ${shortened([...new Set(left)]).join(", ")}. ` +
        "Of what the program still declares, this run says what becomes of it. Delete or import the rest",
    );
}

/** The requests without an answer that notes of this machine have, by resource. */
function askedBefore(kind: ServedKind, notes: ReturnType<typeof notesOf>) {
  return new Map(
    notes.flatMap(({ key, noted, called, isHere, isGoingOn }) =>
      isHere && !isGoingOn && "before" in noted && called.startsWith(`${kind.type} `)
        ? [[called, { key, before: noted.before, until: settledAt(noted), latest: latestOf(noted) }] as const]
        : [],
    ),
  );
}

interface LookOptions {
  readonly besides?: ReadonlySet<string>;
  readonly latest?: number | undefined;
  /** Whether the states of other stacks are read again. */
  readonly anew?: boolean;
}

/** The ids of the objects that an interrupted creation may have made: those of its content that existed neither before it, nor in any state of the backend, nor among `besides`, and no later than `latest`. */
export async function idsLeftBy(
  kind: ServedKind,
  state: StackState | undefined,
  { inputs, before = "" }: Pick<Interrupted, "inputs" | "before">,
  { besides = new Set(), latest = Infinity, anew = true }: LookOptions = {},
): Promise<string[]> {
  const ids: string[] = [];
  let rivals: ReturnType<typeof rivalsElsewhere> | undefined;
  for (const { kind: one, ref, reply } of await kind.objectsLike(inputs)) {
    const id = formatId(ref);
    const isOfOtherTime = before.split(",").includes(ref.id) || createdAt(reply) > latest;
    const isKnown = isOfOtherTime || state?.knows(one.type, id, kind.account.at) === true || besides.has(id);
    if (isKnown || (await isShared(one, {}, id))) continue;
    rivals ??= rivalsElsewhere(one, {}, undefined, kind.run.stack.allOthers({ anew }));
    if ((await rivals)(inputs) === undefined) ids.push(id);
  }
  return ids;
}
