import { type UnlistedKinds } from "../account/accounts";
import { type AccountObject, type ChangedMember, type ChangedProperty } from "./findings";
import { type Gap, type SourcePosition, type StackName } from "../stacks/names-and-gaps";

/** An object of an account that a part does not name: its listing does. */
export type ListedObject = Omit<AccountObject, "account">;

/** The objects that the tokens of an account list. */
export interface ListedPart {
  readonly endpoint: string;
  /** The endpoint and some digits of a hash of each token. */
  readonly tokens: readonly string[];
  /** Whether the environment has the token, as no state has a resource. */
  readonly isOfEnvironment?: boolean;
  /** The lists that were read: a type, and the parent if objects of the type have one. */
  readonly places: readonly string[];
  /** `isOnlyRead`: programs do not manage it. `isOpen`: a run may have begun to create it. */
  readonly objects: readonly (ListedObject & {
    readonly isOnlyRead?: true;
    readonly isOpen?: true;
  })[];
}

/** A changed or deleted object, as the part that compared it knows it. */
export interface PartFinding extends ListedObject {
  readonly kind: "changed" | "deleted";
  readonly properties?: readonly ChangedProperty[];
  readonly members?: readonly ChangedMember[];
  /** The keys of the members that an exclusive set will delete, in their order. */
  readonly added?: readonly string[];
}

/** A resource, and what comparing it has found. */
export interface ComparedResource {
  /** The index of its stack. */
  readonly stack: number;
  /** The index of a listing of its account. */
  readonly listing: number;
  readonly urn: string;
  readonly source?: SourcePosition;
  /** The keys of its objects. */
  readonly keys: readonly string[];
  readonly isLeaving?: true;
  readonly hasSecretName?: true;
  readonly finding?: PartFinding;
}

/** Something in the account of a listing that could not be looked at. */
export interface GapOfListing extends Gap {
  readonly listing: number;
}

/** The reads and comparisons of one run. Several runs can each do a part of the stacks, and their parts become one report. */
export interface DriftPart {
  readonly stacks: readonly StackName[];
  readonly listings: readonly ListedPart[];
  readonly resources: readonly ComparedResource[];
  /** The stacks that could not be read. */
  readonly unread: readonly Gap[];
  readonly gaps: readonly (Gap | GapOfListing)[];
  /** The kinds that a token which only reads cannot list. */
  readonly hidden: readonly (UnlistedKinds & { readonly listing: number })[];
  /** The types of objects that were compared, if these are not all. */
  readonly only?: readonly string[];
  readonly notes: readonly string[];
  /** The indexes of the stacks that a run has locked. */
  readonly locked?: readonly number[];
}

export const withoutAccount = ({ account: _, ...object }: AccountObject): ListedObject => object;
