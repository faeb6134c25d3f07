/** Outputs that no update in place changes. They stay known in the preview of an update. */
export interface Steady {
  readonly outputs: readonly string[];
  /** Inputs whose change may still change these outputs. */
  readonly unless?: readonly string[];
}

/** The parts of an output that is an object, by name. */
export interface OutputParts {
  readonly [name: string]: OutputParts;
}

/** The part of a description that a program needs to register a resource. It is plain data, so programs load no descriptions and schemas. */
export interface Outline {
  /** The name of its class, and the last part of its type token. */
  readonly type: string;
  /** Its inputs and outputs. */
  readonly properties: readonly string[];
  /** Inputs that are encrypted in the state. */
  readonly secretInputs?: readonly string[];
  /** Outputs that are encrypted in the state, in addition to secret inputs. */
  readonly secretOutputs?: readonly string[];
  /** The input that gets an automatic name if it is not set. */
  readonly autoname?: string;
  /** Outputs that stay known in the preview of an update. */
  readonly steady?: Steady;
  /** Inputs of which the service may keep another value: rounded, respelt, in another order, or changed by itself. */
  readonly rewritten?: readonly string[];
  /** Outputs that are objects of which programs may set parts. */
  readonly partial?: Readonly<Record<string, OutputParts>>;
  /** For an input, the other inputs that `ignoreChanges` ignores with it: another spelling of it, or inputs derived from it. */
  readonly together?: Readonly<Record<string, readonly string[]>>;
  /** An input with a value that only one resource should have, and the type of the resource whose id it is. */
  readonly onlyOnePer?: { readonly path: string; readonly of: string };
  /** The input with the id of the parent, for resources that must not declare equal objects, and the type of these objects. */
  readonly contentIdentity?: { readonly within: string; readonly type: string };
  /** The property that contains the members of a collection. */
  readonly membersProperty?: string;
  /** The inputs in which programs give these members, each in its own form. */
  readonly forms?: readonly string[];
  /** The input by which a collection owns all that it covers. */
  readonly exclusive?: string;
  /** Inputs for which programs may give a file. The provider gets its path. */
  readonly files?: readonly string[];
  /** Whether the state of a dynamic resource keeps its URN. */
  readonly keepsUrn?: true;
  /** Whether the state keeps data of an unfinished creation for the next `up`. The data may be secret. */
  readonly remembers?: true;
}
