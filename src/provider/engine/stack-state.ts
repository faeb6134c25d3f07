import { classIn } from "../describe/type-token";
import {
  isDefaultProvider,
  lastingUrn,
  nameInUrn,
  PLUGIN_PROVIDER,
  PROVIDERS,
  referenceTo,
  typeInUrn,
  urnInReference,
} from "../describe/urn";
import { type Call } from "../state/call";
import { areAdopted, areManaged, keptInputs, memberIdsIn, objectIn, whereaboutsIn } from "../state/codec";
import { isObject, objectsIn, type Properties } from "../base/values";
import { type Environment } from "../base/pulumi-home";
import { addressIn } from "../settings/whereabouts";
import { askCommandLine, stackArguments } from "./command-line";
import { baseUrlIn, holdersIn, type HoldersOf, membersOf } from "./holders";

/** An operation that was interrupted, as the state names it. */
export type CutOff = "creating" | "updating" | "deleting";

/** A resource with an interrupted operation. A kind that keeps no URN is identified by its name. */
export interface Pending {
  readonly urn: string | undefined;
  readonly type: string;
  readonly name: string;
  /** The object that it manages, see `objectIn`. A run may have been interrupted while the resource had another name. */
  readonly object?: string | undefined;
}

/** An object that a state manages. */
export interface StateObject {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly outputs: Properties;
  /** See `State`. */
  readonly at: string | undefined;
  /** The name of its provider. */
  readonly provider: string;
  /** Whether that is an explicit provider of the full plugin. */
  readonly isOfPlugin?: boolean;
  /** The base URL of its explicit provider, as the program has it. */
  readonly baseUrl?: string | undefined;
  /** The base URL of its old provider, if an interrupted run has replaced the provider. The engine deletes the object through it. */
  readonly oldBaseUrl: string | undefined;
  /** Whether a run has replaced it, and the engine is still to delete it. */
  readonly isLeaving?: true;
}

/** The part of a stack's state that concerns this package's resources. */
export interface StackState {
  /** The objects that it manages, without members of collections. */
  readonly objects: readonly StateObject[];
  /** The settings of an explicit provider. */
  settingsOf(provider: string): Properties | undefined;
  /** Whether it has an object, also one that the engine will delete. An object at another base URL than that of the whereabouts is another one. */
  knows(type: string, id: string, at: string): boolean;
  /** The id of another object that the resource with this URN manages, or that the engine is about to delete for it. */
  otherIdOf(urn: string, id: string): string | undefined;
  /** The object that a resource manages, unless the engine is about to delete it. */
  standing(who: Pending): Standing | undefined;
  /** Whether the engine has imported an object for a program's option, and not for the command. */
  hasImported(type: string, id: string): boolean;
  /** The URN of a resource that has created an object and manages it, other than the one with this URN, or with this type and name. */
  makerOf(
    object: { readonly type: string; readonly id: string; readonly at: string | undefined },
    besides: Pending,
  ): string | undefined;
  /** The resources that manage an object. */
  readonly holdersOf: HoldersOf;
  /** Whether a run was interrupted in an operation on the resource with this URN, or with this type and name, or on what it manages. */
  wasCutOff(operation: CutOff, who: Pending): boolean;
  /** All updates and deletions in which runs were interrupted, each with what the resource managed (see `objectIn`). */
  readonly cutOff: readonly {
    readonly operation: "updating" | "deleting";
    readonly type: string;
    readonly object: string;
  }[];
  /** The operations on resources of a class in which runs were interrupted. */
  interrupted(type: string): readonly Interrupted[];
  /** The creation in which a run was interrupted. The engine keeps it until a refresh clears it, also after a later run has finished it. */
  pendingCreation(who: Pending): PendingCreation | undefined;
}

/** An operation in which a run was interrupted, with the inputs of the program. The state encrypts secrets. */
export interface Interrupted extends Pick<Call, "inputs" | "askedAt" | "before"> {
  readonly urn: string;
  /** Whether it was an update, which makes objects only for a collection. */
  readonly isUpdate?: boolean;
}

/** The object that a resource manages. */
export interface Standing {
  readonly id: string;
  /** See `objectIn`. */
  readonly object: string;
  /** Whether the engine keeps it if the resource goes. */
  readonly isRetained: boolean;
  /** Whether a replacement that was not finished has deleted it. */
  readonly isGone: boolean;
  /** Whether `pulumi state taint` has marked it, so that the engine replaces it. */
  readonly isTainted?: boolean;
}

/** A creation in which a run was interrupted, as the state names it. */
export interface PendingCreation {
  /** The inputs with which the object was requested, once for each interruption. The state encrypts secrets. */
  readonly requested: readonly Pick<Call, "inputs" | "autonamed" | "before" | "askedAt">[];
  /** Whether the state has no such resource. Otherwise a later run has finished the creation, or it was that of a replacement. */
  readonly isOpen: boolean;
  /** When the state was saved last: its request was sent about then. */
  readonly savedAt?: number | undefined;
}

const PATIENCE_MS = 30_000;

/**
 * Asks the command line for the last saved state of a stack. `isTold`: whether the engine names it, and not only a state. Undefined if it cannot be read. The engine does not tell a provider about objects
 * that it replaces without a diff, or that left the program. Only the state distinguishes them from objects of an interrupted run.
 */
export async function readStackState(
  stack: string,
  environment: Environment,
  isTold: boolean,
): Promise<StackState | undefined> {
  try {
    const args = ["stack", "export", ...stackArguments(stack, isTold)];
    const exported = await askCommandLine(args, environment, PATIENCE_MS);
    const { deployment } = exported as { deployment?: unknown };
    return isObject(deployment) ? stateIn(deployment) : undefined;
  } catch {
    return undefined;
  }
}

/** The explicit providers of a deployment. The engine refers to one by its URN and its id. */
function providersIn(all: readonly Record<string, unknown>[]) {
  const providers = all.flatMap(({ type, urn, id, inputs, delete: isOld }) =>
    String(type).startsWith(PROVIDERS) && isObject(inputs)
      ? [{ urn: String(urn), reference: referenceTo({ urn, id }), inputs, isOld: isOld === true }]
      : [],
  );
  const baseUrlOf = (reference: string, isOld: boolean) =>
    baseUrlIn(providers.find((one) => one.isOld === isOld && one.reference === reference) ?? {});
  return {
    /** What an object tells of its provider. */
    of: (reference: unknown): Pick<StateObject, "provider" | "isOfPlugin" | "baseUrl" | "oldBaseUrl"> => {
      const urn = urnInReference(String(reference));
      const provider = nameInUrn(urn);
      return {
        provider,
        isOfPlugin: typeInUrn(urn) === PLUGIN_PROVIDER && !isDefaultProvider(provider),
        baseUrl: baseUrlOf(String(reference), false),
        oldBaseUrl: baseUrlOf(String(reference), true),
      };
    },
    settingsOf: (name: string) =>
      providers.find(({ urn, isOld }) => !isOld && nameInUrn(urn) === name)?.inputs,
  };
}

/** Whether a lasting URN is that of a resource, of which a kind that keeps no URN only has the type and the name. */
const isSame = ({ urn, type, name }: Pending, other: string): boolean =>
  urn === undefined ? other.endsWith(`:${type}::${name}`) : other === urn;

function standingIn(managed: readonly Record<string, unknown>[], who: Pending): Standing | undefined {
  const all = managed.filter(
    ({ urn, delete: isOld }) => isOld !== true && isSame(who, lastingUrn(String(urn))),
  );
  // Without a URN, components may have others of the name.
  const one = all.find(({ pendingReplacement: isGone }) => isGone !== true) ?? all[0];
  if (one === undefined) return undefined;
  const { id, outputs } = one;
  return {
    id: String(id),
    object: objectIn(String(id), isObject(outputs) ? memberIdsIn(outputs) : []),
    isRetained: one["retainOnDelete"] === true,
    isGone: one["pendingReplacement"] === true,
    isTainted: one["taint"] === true,
  };
}

/** An operation that a run is at, or was at when it was interrupted: the engine saves it before it calls the provider. */
export interface PendingOperation {
  readonly operation: unknown;
  readonly urn: string;
  /** The URNs that the resource may have had before. */
  readonly aliases?: readonly string[];
  /** As the state has them, with encrypted secrets. */
  readonly inputs: Properties;
}

/** Whether both are what one resource manages. A refresh may have removed members. */
function isSameObject(one: string, other: string): boolean {
  const [[id, ...members], [otherId, ...others]] = [one.split(" "), other.split(" ")];
  const isEmpty = members.length + others.length === 0;
  return id === otherId && (isEmpty || members.some((member) => others.includes(member)));
}

/** Finds the object of a pending operation. The operation itself has no id if it is an update, and may be the first under a new name. */
function objectsOf(
  { urn, aliases = [] }: PendingOperation,
  managed: readonly Record<string, unknown>[],
): readonly string[] {
  const urns = [urn, ...aliases];
  return managed.flatMap(({ urn: its, id, outputs }) =>
    urns.includes(lastingUrn(String(its)))
      ? [objectIn(String(id), isObject(outputs) ? memberIdsIn(outputs) : [])]
      : [],
  );
}

/** The pending operations of a deployment. */
export const pendingIn = (deployment: Record<string, unknown>): readonly PendingOperation[] =>
  objectsIn(deployment, "pending_operations").flatMap(({ type, resource }) => {
    if (!isObject(resource)) return [];
    const { urn, aliases, inputs } = resource;
    return [
      {
        operation: type,
        urn: lastingUrn(String(urn)),
        aliases: Array.isArray(aliases) ? aliases.map((alias) => lastingUrn(String(alias))) : [],
        inputs: isObject(inputs) ? inputs : {},
      },
    ];
  });

const interruptedIn = (
  pending: readonly PendingOperation[],
  managed: readonly Record<string, unknown>[],
): Pick<StackState, "cutOff" | "interrupted" | "wasCutOff"> => ({
  cutOff: pending.flatMap((one) => {
    const { operation, urn } = one;
    const type = classIn(typeInUrn(urn));
    if (type === undefined || (operation !== "updating" && operation !== "deleting")) return [];
    return objectsOf(one, managed).map((object) => ({ operation, type, object }));
  }),
  wasCutOff: (operation, who) =>
    pending.some((one) => {
      if (one.operation !== operation) return false;
      if (isSame(who, one.urn)) return true;
      if (who.object === undefined || classIn(typeInUrn(one.urn)) !== who.type) return false;
      const objects = objectsOf(one, managed);
      // `pulumi state rename` leaves the operation under the old name. Then it may be that of any resource of the kind.
      return objects.length === 0
        ? operation === "updating"
        : objects.some((object) => isSameObject(object, who.object ?? ""));
    }),
  interrupted: (type) =>
    pending
      .filter(({ urn, operation }) => classIn(typeInUrn(urn)) === type && operation !== "deleting")
      .map(({ urn, inputs, operation }) => ({
        ...keptInputs(inputs),
        urn,
        isUpdate: operation === "updating",
      })),
});

/**
 * Whether a state has the object of a creation. Of a replacement that was interrupted, it has the old object, which is deleted, which was there before the
 * request, or which is below another parent or at another base URL than those of the request.
 */
function hasCreated(
  managed: readonly Record<string, unknown>[],
  wanted: string | undefined,
  requested: PendingCreation["requested"],
): boolean {
  const earlier = new Set(requested.flatMap(({ before = "" }) => before.split(",")));
  const isAsked = (id: string, at: string | undefined) =>
    requested.some(
      ({ inputs, askedAt = at }) =>
        (at === undefined || addressIn(askedAt ?? at) === addressIn(at)) &&
        (!id.includes("/") || Object.values(inputs).some((value) => String(value) === id.split("/", 1)[0])),
    );
  return managed.some(({ urn, id, outputs, pendingReplacement: isGone }) => {
    if (isGone === true || lastingUrn(String(urn)) !== wanted || earlier.has(String(id))) return false;
    return isAsked(String(id), isObject(outputs) ? whereaboutsIn(outputs) : undefined);
  });
}

/** Reads a deployment in the form that the command line exports. */
export function stateIn(deployment: Record<string, unknown>): StackState {
  const all = objectsIn(deployment, "resources");
  const resources = all.map(({ type, id, outputs }) => ({
    kind: classIn(String(type)) ?? "",
    id: String(id),
    outputs: isObject(outputs) ? outputs : {},
  }));
  const managed = all.filter((one) => one["external"] !== true);
  const providers = providersIn(all);
  // The type of a collection begins with the type of its members.
  const held = resources.map(({ kind, id, outputs }) => ({
    ...{ kind, id, at: whereaboutsIn(outputs) },
    ids: membersOf(id, outputs),
  }));
  const { manifest } = deployment;
  const savedAt = isObject(manifest) ? Date.parse(String(manifest["time"])) : NaN;
  const pending = pendingIn(deployment);
  return {
    objects: managed.flatMap(({ urn, type, id, outputs, provider, delete: isOld }) => {
      const kind = classIn(String(type));
      if (kind === undefined || !isObject(outputs) || !areManaged(outputs)) return [];
      return [
        {
          urn: lastingUrn(String(urn)),
          type: kind,
          id: String(id),
          outputs,
          at: whereaboutsIn(outputs),
          ...providers.of(provider),
          ...(isOld === true && { isLeaving: true }),
        },
      ];
    }),
    settingsOf: providers.settingsOf,
    knows: (type, id, here) =>
      held.some(
        ({ kind, at, ids, ...one }) =>
          ((kind === type && one.id === id) || (kind.startsWith(type) && ids.has(id))) &&
          (at === undefined || addressIn(at) === addressIn(here)),
      ),
    otherIdOf: (urn, id) => {
      const other = managed.find((one) => lastingUrn(String(one["urn"])) === urn && one["id"] !== id);
      return other === undefined ? undefined : String(other["id"]);
    },
    standing: (who) => standingIn(managed, who),
    hasImported: (type, id) =>
      managed.some(
        (one) => classIn(String(one["type"])) === type && one["id"] === id && one["importID"] === id,
      ),
    makerOf: ({ type, id, at }, besides) => {
      const others = managed.filter((one) => one["delete"] !== true && one["pendingReplacement"] !== true);
      const maker = others.find(({ type: token, id: its, urn, outputs }) => {
        const kind = classIn(String(token));
        if (kind === undefined || !isObject(outputs) || isSame(besides, lastingUrn(String(urn))))
          return false;
        const has =
          (kind === type && its === id) || (kind.startsWith(type) && membersOf(String(its), outputs).has(id));
        return has && areManaged(outputs) && !areAdopted(outputs) && whereaboutsIn(outputs) === at;
      });
      return maker === undefined ? undefined : String(maker["urn"]);
    },
    holdersOf: holdersIn(deployment),
    ...interruptedIn(pending, managed),
    pendingCreation: (who) => {
      const found = pending.filter((one) => one.operation === "creating" && isSame(who, one.urn));
      if (found.length === 0) return undefined;
      const requested = found.map(({ inputs }) => keptInputs(inputs));
      return {
        requested,
        isOpen: !hasCreated(managed, found[0]?.urn, requested),
        savedAt: Number.isNaN(savedAt) ? undefined : savedAt,
      };
    },
  };
}
