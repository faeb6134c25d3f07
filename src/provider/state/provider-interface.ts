import { type Failure } from "../describe/define-resource";
import { type Call, type State } from "./call";
import { type Properties } from "../base/values";

/** The call that each method receives. */
export interface Calls {
  check: CheckCall;
  diff: StateCall;
  create: Call;
  read: StateCall;
  update: StateCall;
  delete: StateCall;
  /** Reads an object for the engine's import. */
  readForImport: Call & { readonly id: string };
  /** Says which outputs a creation will have. Only the full plugin can use it. */
  previewCreate: Call;
  /** Says which outputs an update will have. Only the full plugin can use it. */
  previewUpdate: StateCall;
}

export interface CheckCall extends Call {
  /** The resource as it was checked last. Undefined for a new one, and for a replacement. */
  readonly olds?: Call | undefined;
}

/** A call about a resource that the state has. */
export interface StateCall extends Call {
  readonly id: string;
  readonly state: State;
}

/** The answer of each method. */
export interface Answers {
  check: Checked;
  diff: Difference;
  create: Created;
  /** Undefined if there is no such object. */
  read: ReadResult | undefined;
  update: State;
  delete: unknown;
  readForImport: FoundForImport;
  /** The known outputs. All others are `UNKNOWN`. */
  previewCreate: Properties;
  previewUpdate: Properties;
}

export type Method = keyof Answers;

/** Runs the resources of one type, whichever way serves them. */
export type Ask = <Name extends Method>(method: Name, call: Calls[Name]) => Promise<Answers[Name]>;

/** The answer of `check`. */
export interface Checked {
  readonly inputs: Properties;
  /** See `Told`. */
  readonly autonamed?: string | undefined;
  /** See `Call`. */
  readonly given?: string | undefined;
  /** See `Call`. */
  readonly before?: string | undefined;
  /** See `Call`. */
  readonly askedAt?: string | undefined;
  readonly failures: Failure[];
}

/** The answer of `create`. */
export interface Created {
  readonly id: string;
  readonly state: State;
}

/** An object that was read. */
export interface ReadResult extends Created {
  /** The inputs with which a program declares it. */
  readonly inputs: Properties;
}

/** An object that was read for the engine's import. */
export interface FoundForImport extends ReadResult {
  /** Why the command `pulumi import` must not add it to the state. A program may: its run decides who owns the object. */
  readonly refusal?: string | undefined;
}

/** The answer of `diff`. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** Whether a replacement on which the engine itself decides should delete the old object first. */
  readonly shouldDeleteFirst: boolean;
  /** Each change, for the full plugin. */
  readonly details: readonly Detail[];
}

/** A changed input. */
export interface Detail {
  /** Its path as the engine writes it. */
  readonly path: string;
  /** The input that the row names, if the program gives the value in another one than the state keeps. */
  readonly givenAs?: string | undefined;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}
