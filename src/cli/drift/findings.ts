import { type Gap, type SourcePosition, type StackName } from "../stacks/names-and-gaps";

/** A resource in the state of a stack. */
export interface ManagedResource {
  /** One of the stacks of the comparison. */
  readonly stack: StackName;
  readonly urn: string;
  /** Where the program declares it, if the state has that. */
  readonly source?: SourcePosition;
}

/** An object of an account. */
export interface AccountObject {
  /** The class of resources that can manage it: `DomainRecord`. */
  readonly type: string;
  /** The id with which a program would import it. */
  readonly id: string;
  /** Its name on the service: the label, the domain, or the name and type of a record. */
  readonly label?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The account, by its endpoint and, where several users have objects there, a number. */
  readonly account: string;
}

/** An input whose live value differs from what the stack set. */
export interface ChangedProperty {
  /** Its path in the program's spelling: `alerts.cpu`. */
  readonly path: string;
  /** Undefined: nothing was set. Both values are absent if the property is secret. */
  readonly expected?: unknown;
  readonly live?: unknown;
  readonly secret?: true;
}

/** A member of a set that differs, as a line of text. */
export interface ChangedMember {
  readonly change: "changed" | "deleted" | "added";
  /** Absent if the member is new, or if the members hold secrets. */
  readonly expected?: string;
  /** Absent if the member is gone, or if the members hold secrets. */
  readonly live?: string;
}

/** An object that differs from what a stack set. */
export interface Changed extends AccountObject, Lacking<"others"> {
  readonly kind: "changed";
  readonly resource: ManagedResource;
  readonly properties: readonly ChangedProperty[];
  /** For a set of records. */
  readonly members?: readonly ChangedMember[];
}

/** An object that a stack manages and that does not exist any more. */
export interface Deleted extends AccountObject, Lacking<"properties" | "members" | "others"> {
  readonly kind: "deleted";
  readonly resource: ManagedResource;
}

/** An object that none of the stacks manages. */
export interface Unmanaged extends AccountObject, Lacking<"resource" | "properties" | "members" | "others"> {
  readonly kind: "unmanaged";
}

/** An object that several resources manage. A deletion of one of them deletes the object of the others. */
export interface Shared extends AccountObject, Lacking<"properties" | "members"> {
  readonly kind: "shared";
  readonly resource: ManagedResource;
  readonly others: readonly ManagedResource[];
}

/** Properties that only other findings have. */
type Lacking<Key extends string> = Readonly<Partial<Record<Key, never>>>;

export type DriftFinding = Changed | Deleted | Shared | Unmanaged;

/** How many objects of one type an account has, and how many of them the stacks manage. */
export interface Coverage {
  readonly account: string;
  readonly type: string;
  readonly objects: number;
  readonly managed: number;
}

/** The result of comparing accounts with stacks. */
export interface Drift {
  readonly stacks: readonly StackName[];
  readonly findings: readonly DriftFinding[];
  readonly coverage: readonly Coverage[];
  readonly gaps: readonly Gap[];
  /** Whether kinds of objects were left out: those that were not asked for, and those that the token cannot list because it only reads. */
  readonly isPartial?: boolean;
  /** Facts that a reader should know, such as resources of other providers that were left out. */
  readonly notes: readonly string[];
}
