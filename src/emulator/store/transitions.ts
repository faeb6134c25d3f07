import { type Clock, DEFAULT_SPEED, asDate } from "./clock";

/** The end of a transition: the object gets back its previous status. */
export const AS_BEFORE = Symbol("as before");
/** The end of a transition: the object is removed. */
export const GONE = Symbol("gone");

/**
 * A change that takes time: the statuses of the object, with the emulated seconds in each, and how it ends. The
 * reference names the statuses and few of the changes: docs/emulator.md lists the assumptions.
 */
export interface Transition {
  readonly steps: readonly (readonly [status: string, seconds: number])[];
  readonly end: string | typeof AS_BEFORE | typeof GONE;
  /** The shortest real time that it lasts, at any speed. @default 0.2, and less above the default speed */
  readonly shortestRealSeconds?: number;
}

export const minutes = (count: number) => count * 60;

/** At the default speed each transition lasts at least 0.2 s of real time, so that operations overlap. */
const shortestSeconds = ({ shortestRealSeconds }: Transition, speed: number): number =>
  shortestRealSeconds === undefined ? 0.2 * Math.min(speed, DEFAULT_SPEED) : shortestRealSeconds * speed;

/** One future change of an object: the fields to set, or its removal. */
export interface Move {
  readonly at: number;
  readonly set?: object;
  readonly gone?: true;
}

/** The moves of a transition that begins now. `atEnd` receives the date of the last move, and returns the fields that it sets. */
export function movesOf(
  transition: Transition,
  before: string,
  clock: Clock,
  atEnd: (ended: string) => object,
): Move[] {
  const usual = transition.steps.reduce((sum, [, seconds]) => sum + seconds, 0);
  const stretch = Math.max(1, shortestSeconds(transition, clock.speed) / usual) * 1000;
  let at = clock.now();
  return transition.steps.map(([, seconds], index) => {
    at += seconds * stretch;
    const next = transition.steps[index + 1];
    if (next) return { at, set: { status: next[0] } };
    if (transition.end === GONE) return { at, gone: true };
    return {
      at,
      set: { ...atEnd(asDate(at)), status: transition.end === AS_BEFORE ? before : transition.end },
    };
  });
}
