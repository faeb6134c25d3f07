/** The sections of a report, the most important first. Each change is in the first one that fits. */
export const SECTIONS = [
  "data-loss",
  "interruption",
  "shared",
  "replacement",
  "deletion",
  "update",
  "kept",
  "drift",
  "creation",
] as const;

export type Section = (typeof SECTIONS)[number];

/** The engine's operation on a resource. `kept`: it leaves the state, and its object stays. `drift`: a refresh found it different or gone. */
export type ReportedOperation =
  "creation" | "import" | "update" | "replacement" | "deletion" | "kept" | "drift";

/** A property that differs. Its texts are ready to be shown: without secrets and control characters. */
export interface PropertyChange {
  readonly path: string;
  /** Absent if there was no value. */
  readonly before?: string;
  /** Absent if there is no value any more. */
  readonly after?: string;
  /** For lists and texts of many lines: the elements that differ. */
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  readonly secret?: true;
}

/** The change of one resource. */
export interface ReportedChange {
  readonly urn: string;
  readonly stack: string;
  /** The name of the class for resources of this package, and the type token for others. */
  readonly type: string;
  readonly name: string;
  readonly operation: ReportedOperation;
  readonly section: Section;
  /** Whether it depends on values that are not known yet. */
  readonly may: boolean;
  /** Why it is replaced, or what else should be known about the operation: a part of a sentence. */
  readonly reason?: string | undefined;
  readonly losses: readonly string[];
  readonly interruptions: readonly string[];
  /** The other objects that it deletes: members of a set, and what an exclusive set finds. */
  readonly deletions: readonly string[];
  /** The resources of other stacks that manage what it takes over, each as a sentence. */
  readonly shared: readonly string[];
  readonly properties: readonly PropertyChange[];
  /** The provider's messages about it. */
  readonly messages: readonly string[];
}

/** The changes of one stack. */
export interface StackReport {
  readonly stack: string;
  readonly changes: readonly ReportedChange[];
  /** Errors and warnings that concern no change. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Why the report does not show everything. */
  readonly incomplete?: string | undefined;
  readonly unchanged: number;
}
