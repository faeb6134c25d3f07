/** Outputs that no update in place touches, so that a preview of one keeps them known. */
export interface Steady {
  readonly outputs: readonly string[];
  /** Inputs whose change may touch them all the same. */
  readonly unless?: readonly string[];
}

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
  /** Outputs that stay known in the preview of an update. */
  readonly steady?: Steady;
  /** By input, others that `ignoreChanges` ignores with it: another spelling of it, or what is made of it. */
  readonly together?: Readonly<Record<string, readonly string[]>>;
  /** The input that only one resource should have a given value of, and the type of the resource whose id that is. */
  readonly onePer?: { readonly path: string; readonly of: string };
  /** The input with the id of the parent, under which no two resources may declare the same, and the type of what they declare. */
  readonly declaredOnce?: { readonly within: string; readonly type: string };
  /** The property that holds many objects, where it is no single one. */
  readonly holds?: string;
  /** The inputs that the members of a collection are given by, each in a form of its own. */
  readonly forms?: readonly string[];
  /** Inputs for which programs may give a file, whose path is handed over. */
  readonly files?: readonly string[];
  /** Whether something of its creation is remembered for the next `up`, which may be a key to it. */
  readonly remembers?: true;
}
