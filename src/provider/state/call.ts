import { type Properties, UNKNOWN } from "../base/values";

/** Inputs by dotted path, as they were last sent. A path without a value was cleared outside Pulumi. */
export type Sent = Map<string, unknown>;

/** The engine's instructions on automatic names. */
export interface Naming {
  /** Random, and the same for a preview and an update that is bound to its plan. */
  readonly seed: string;
  /** The name that the user's configuration asks for. */
  readonly proposed?: string;
  /** Whether the user's configuration allows no automatic name. */
  readonly isDisabled?: true;
}

/** A resource that the state has already, though the engine checks it as a new one. */
export interface ForcedReplacement {
  /** Whether it is deleted before its replacement is created. */
  readonly goesFirst: boolean;
}

/** Which resource a call is about, and its options, as the engine tells them or the state keeps them. */
export interface Told {
  /** The URN by which rows, notes and owners know the resource. Undefined for a kind whose state keeps none. */
  readonly urn?: string | undefined;
  /** The resource's name in the program. */
  readonly name?: string | undefined;
  /** The name again, if the object's name is automatic. `UNKNOWN` if that is not known yet. */
  readonly autonamed?: string | undefined;
  /** The id of the option `import`. */
  readonly importId?: string | undefined;
  /** The option `customTimeouts`. */
  readonly timeouts?: Properties | undefined;
  /** The paths of the option `replaceOnChanges`, as the program wrote them. */
  readonly replaceOn?: readonly string[] | undefined;
  /** The paths of the option `ignoreChanges`, for which a resource that adopts an object takes the object's values. */
  readonly ignored?: readonly string[] | undefined;
  /** The paths of the program's secrets, so that no message shows them. */
  readonly secrets?: readonly string[] | undefined;
  /** Whether the members of a collection hold a secret, so that nothing shows their values. */
  readonly isGuarded?: boolean | undefined;
}

/** Identifies a resource among those of its kind. */
export const whoIs = ({ urn, name = "" }: Told): string => urn ?? name;

/** The facts that only a check is told. */
export interface ToldInCheck {
  /** The URN, also of a kind whose state keeps none. */
  readonly fullUrn?: string | undefined;
  /** The organization of the stack. Empty if the backend has none, or the engine does not tell it. */
  readonly organization?: string | undefined;
  /** The URN of the parent's resource, which is known before its id. */
  readonly within?: string | undefined;
  /** The URN of the resource whose id another input is. */
  readonly source?: string | undefined;
  /** Whether the program tells these two if it can. Programs in other languages than TypeScript never do. */
  readonly isTraced?: boolean | undefined;
  /** The resources of the program that import members of a collection, each as its type, the id and its name. */
  readonly imports?: readonly string[] | undefined;
  /** The URNs of the program's collections below the parent of this one, for which it waits before it deletes what it gives up. */
  readonly beside?: readonly string[] | undefined;
  /** The resource in the state, if it is checked as a new one and the program knows it. */
  readonly replacedByCommand?: ForcedReplacement | undefined;
  readonly naming?: Naming | undefined;
  /** Whether the program gives the resource an explicit provider, if the engine does not see to its replacement. */
  readonly isExplicit?: boolean | undefined;
  /** Whether this is known to be a preview that asks for no update. */
  readonly isPreview?: boolean | undefined;
  /** Where data functions of the program have read through the resource's provider, if they run in another process than it: see `whereabouts`. */
  readonly readAt?: string | undefined;
}

/** The resource of a call, with its inputs: in a check those of the program, in a read or a deletion those of the state. */
export interface Call extends Told, ToldInCheck {
  readonly inputs: Properties;
  /** Whether the engine has read the object of the option `import`. The state then has its id, so nothing else can be made instead. */
  readonly isRead?: boolean | undefined;
  /** The hash of a collection's members as the program gave them, if none can be a secret. */
  readonly given?: string | undefined;
  /** The ids of the equal objects that existed before a creation, joined by commas. `UNKNOWN` if the inputs are not known yet. */
  readonly before?: string | undefined;
  /** The `whereabouts` of a creation. A state of an earlier version has none, or only the base URL. */
  readonly askedAt?: string | undefined;
}

/** The state of an object: the inputs of the program, and the answers of the service. */
export interface State extends Told {
  /** The outputs that programs see. */
  readonly outputs: Properties;
  /** The inputs as last sent. */
  readonly sent: Sent;
  /** Whether a program manages the object. One that `get` reads has no inputs. */
  readonly isManaged: boolean;
  /** Whether the object was adopted, so that properties which cannot be read are unknown, not unset. */
  readonly isAdopted?: boolean;
  /** The values that the rest of an unfinished creation needs. */
  readonly memory?: Properties | undefined;
  /** Whether a run has failed after the creation, or amid an update, so that not all inputs are carried out. */
  readonly isUnfinished?: boolean;
  /** Of such an update, the inputs that it has sent and that were not seen at the object: they may or may not take effect. */
  readonly begun?: ReadonlySet<string>;
  /** Whether an interrupted run may have carried out actions that the program asks for. An update or a refresh removes this. */
  readonly isDoubtful?: boolean | undefined;
  readonly members?: MembersInState;
  /** Where the object is, see `whereabouts`. A state of an earlier version has none. */
  readonly at?: string | undefined;
}

/** The facts that the state has about a collection's members in addition to their text. */
export interface MembersInState {
  /** Their ids, in the order of their lines. */
  readonly ids: readonly string[];
  /** The values of each that the service keeps in another form. */
  readonly answered: Properties;
  /** The ids and lines of members that exist and are no longer declared. */
  readonly left: readonly (readonly [id: string, line: string])[];
}

/** Whether the object's name is certainly automatic. */
export const isAutomatic = ({ autonamed }: Told): boolean => autonamed !== undefined && autonamed !== UNKNOWN;
