import { UPLOAD_WINDOW_SECONDS } from "../api/images";
import { type Clock, DEFAULT_SPEED, asDate } from "./clock";

/** The end of a transition that puts the object back into the status it had before. */
export const AS_BEFORE = Symbol("as before");
/** The end of a transition that removes the object. */
export const GONE = Symbol("gone");

/** The statuses that an object passes through, with the emulated seconds it stays in each, and how that ends. */
export interface Transition {
  readonly steps: readonly (readonly [status: string, seconds: number])[];
  readonly end: string | typeof AS_BEFORE | typeof GONE;
  /** How long it lasts in real time at least, whatever the speed. @default 0.2, and less above the default speed */
  readonly shortestRealSeconds?: number;
}

const minutes = (count: number) => count * 60;

/** Every change that takes time. The reference names the statuses but few of the moves: docs/emulator.md lists the assumptions. */
export const TRANSITIONS = {
  node: {
    provision: { steps: [["provisioning", minutes(20)]], end: "running" },
    provisionWithoutBoot: { steps: [["provisioning", minutes(20)]], end: "offline" },
    boot: { steps: [["booting", 30]], end: "running" },
    resize: { steps: [["migrating", minutes(10)]], end: AS_BEFORE },
    clone: { steps: [["cloning", minutes(10)]], end: AS_BEFORE },
    restore: { steps: [["restoring", minutes(10)]], end: AS_BEFORE },
    delete: { steps: [["deleting", 30]], end: GONE },
  },
  nodeBackup: {
    snapshot: {
      steps: [
        ["pending", 60],
        ["running", minutes(8)],
        ["needsPostProcessing", 60],
      ],
      end: "successful",
    },
  },
  database: {
    provision: { steps: [["provisioning", minutes(25)]], end: "active" },
    update: { steps: [["updating", 60]], end: AS_BEFORE },
    patch: { steps: [["updating", minutes(5)]], end: AS_BEFORE },
    resetCredentials: { steps: [["updating", 10]], end: AS_BEFORE },
    backup: { steps: [["backing_up", minutes(5)]], end: AS_BEFORE },
    restore: { steps: [["restoring", minutes(10)]], end: "active" },
    restoreAfterReset: { steps: [["restoring", minutes(10)]], end: "failed" },
    delete: { steps: [["suspending", 30]], end: GONE },
  },
  image: {
    capture: { steps: [["creating", minutes(5)]], end: "available" },
    process: { steps: [["pending_upload", minutes(5)]], end: "available" },
    // It is the client that takes this time, and the client is not faster than in real life.
    awaitUpload: { steps: [["pending_upload", UPLOAD_WINDOW_SECONDS]], end: GONE, shortestRealSeconds: 60 },
  },
} as const satisfies Record<string, Record<string, Transition>>;

/** At the default speed each transition lasts at least 0.2 s of real time, so that operations overlap. */
function shortestSeconds({ shortestRealSeconds }: Transition, speed: number): number {
  return shortestRealSeconds === undefined
    ? 0.2 * Math.min(speed, DEFAULT_SPEED)
    : shortestRealSeconds * speed;
}

/** One future change of an object: fields and hidden state to set, or that it is gone. */
export interface Move {
  readonly at: number;
  readonly set?: object;
  readonly gone?: true;
}

/** Lays a transition out on the clock, from its first status on; `atEnd` is set with the last one, and is told its date. */
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
