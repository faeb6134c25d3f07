import { type Description, isWaitedFor, type Steady } from "./define";
import { leavesOf, topLevel } from "./fields";

/** What a program needs of a description to register a resource. Plain data, so that programs need not load descriptions and schemas. */
export interface Outline {
  /** The name of its class, and the last part of its type token. */
  readonly type: string;
  /** Its inputs and outputs. */
  readonly properties: readonly string[];
  /** Inputs that are encrypted in the state. */
  readonly secretInputs?: readonly string[];
  /** Outputs, besides secret inputs, that are. */
  readonly secretOutputs?: readonly string[];
  /** The input that gets a name where it is not set. */
  readonly autoname?: string;
  /** Whether its provider needs the URN, to show progress or to tell resources apart. */
  readonly needsUrn?: true;
  /** Outputs that stay known in the preview of an update. */
  readonly steady?: Steady;
  /** The property that holds many objects, where it is no single one. */
  readonly holds?: string;
  /** Whether something of its creation is remembered for the next `up`, which may be a key to it. */
  readonly remembers?: true;
}

/** The outline of a description. */
export function outlineOf(description: Description): Outline {
  const {
    type,
    fields,
    outputs,
    secretOutputs = [],
    autoname,
    unique,
    finish,
    steady,
    holds,
    hasRow = false,
  } = description;
  const secretInputs = leavesOf(fields).flatMap((leaf) => (leaf.secret ? [topLevel(leaf.path)] : []));
  return {
    type,
    properties: [...new Set([...Object.keys(fields), ...outputs])],
    ...(secretInputs.length === 0 ? {} : { secretInputs: [...new Set(secretInputs)] }),
    ...(secretOutputs.length === 0 ? {} : { secretOutputs }),
    ...(autoname === undefined ? {} : { autoname: autoname.path }),
    // Only what is waited for has progress to show in its row, and only a unique name can be another resource's.
    ...(isWaitedFor(description) || unique !== undefined || hasRow ? { needsUrn: true } : {}),
    ...(steady === undefined ? {} : { steady }),
    ...(holds === undefined ? {} : { holds }),
    ...(finish === undefined ? {} : { remembers: true }),
  };
}
