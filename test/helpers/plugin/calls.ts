import { type Properties } from "./wire";

/** Which resource a call is about. */
export interface Subject {
  readonly urn: string;
}

/** A resource in the state. */
export interface Stored extends Subject {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export interface CheckAnswer {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** How the engine wants names to be made. By default the seed is random. */
export interface Naming {
  readonly seed?: Uint8Array;
  readonly proposed?: string;
  readonly isDisabled?: boolean;
}

export interface Diff {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly stables: readonly string[];
  /** The kind of each change by its path. Only the full plugin tells them. */
  readonly details: Readonly<Record<string, string>>;
  /** The inputs that the engine names in the row of the resource: `[diff: ~label,tags]`. */
  readonly row: readonly string[];
}

export interface ReadResult {
  readonly id: string;
  readonly props: Properties;
  /** Undefined if the provider returned none. The engine then keeps the old ones. */
  readonly inputs: Properties | undefined;
}

/** How a creation or an update runs. */
export interface CallOptions {
  readonly timeoutSec?: number;
  readonly isPreview?: boolean;
}

/** One call to the engine's log. */
export interface LogEntry {
  readonly urn: string;
  readonly message: string;
  readonly severity: "debug" | "info" | "warning" | "error";
  /** Whether it shows only in the resource's row, and leaves no diagnostic. */
  readonly ephemeral: boolean;
}

/** The error that the plugin answered instead of a result. */
export class PluginError extends Error {
  constructor(
    message: string,
    /** The state that the engine keeps of a resource whose creation or update failed midway. */
    readonly partial?: {
      readonly id: string;
      readonly properties: Properties;
      readonly reasons: readonly string[];
    },
  ) {
    super(message);
    this.name = "PluginError";
  }
}

/** The calls of the engine to a plugin about resources. */
export interface Plugin {
  /** Everything that it logged. */
  readonly logs: LogEntry[];
  /** Everything that it printed to stderr. */
  readonly printed: () => string;
  /** `inputs` are those in the state, if the resource is there. */
  check(
    about: Subject & { readonly inputs?: Properties },
    news: Properties,
    naming?: Naming,
  ): Promise<CheckAnswer>;
  diff(from: Stored, news: Properties, ignoreChanges?: readonly string[]): Promise<Diff>;
  create(
    about: Subject,
    inputs: Properties,
    manner?: CallOptions,
  ): Promise<{ id: string; outputs: Properties }>;
  /** Reads a resource of the state. */
  read(stored: Stored): Promise<ReadResult>;
  /** Reads an object that the program does not manage. `properties` are those that the program gives. */
  get(about: Subject, id: string, properties: Properties): Promise<ReadResult>;
  /** Reads an object that the engine itself imports. */
  readForImport(about: Subject, id: string): Promise<ReadResult>;
  update(from: Stored, news: Properties, manner?: CallOptions): Promise<Properties>;
  delete(stored: Stored, manner?: CallOptions): Promise<void>;
  stop(): Promise<void>;
}
