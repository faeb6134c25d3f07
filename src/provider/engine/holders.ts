import { classIn } from "../describe/type-token";
import { PROVIDERS, referenceTo } from "../describe/urn";
import { quietly } from "../../api/quietly";
import { addressIn, shortAddress } from "../settings/whereabouts";
import { areRead, memberIdsIn, whereaboutsIn } from "../state/codec";
import { isObject, objectsIn, type Properties } from "../base/values";

/** A resource that manages an object, as a state names it. */
export interface Holder {
  readonly urn: string;
  /** The address of its account, if the state has it: see `shortAddress`. */
  readonly address?: string;
  /** Whether the engine has imported the object for a program, and no run has compared it with the program's inputs. */
  readonly isOpen?: true;
  /** Whether its option `protect` is set. */
  readonly isProtected?: true;
  /** Whether a run has replaced it, and the engine is still to delete it. */
  readonly isLeaving?: true;
}

/** The resources of a state that manage an object, or, if the id ends in a slash, what is below it. */
export type HoldersOf = (type: string, id: string) => readonly Holder[];

/** A resource that manages an object, or the members of a collection. */
export interface Managing {
  /** Its class: `Node`. */
  readonly kind: string;
  readonly id: string;
  readonly holder: Holder;
  /** The full ids of the members of a collection. */
  readonly members: ReadonlySet<string>;
  /** The resource as the state has it. */
  readonly resource: Properties;
}

/** The resources of a deployment that manage objects. Those that a program only reads manage none. */
export function managingIn(deployment: Properties): Managing[] {
  const all = objectsIn(deployment, "resources");
  const providers = new Map(
    all
      .filter(({ type }) => String(type).startsWith(PROVIDERS))
      .map((one) => [referenceTo(one), addressOfProvider(one)]),
  );
  return all.flatMap((one) => {
    const kind = classIn(String(one["type"]));
    // Without the old object, a replacement that was interrupted manages none.
    if (kind === undefined || one["external"] === true || one["pendingReplacement"] === true) return [];
    const id = String(one["id"]);
    const address = providers.get(String(one["provider"])) ?? addressOfOutputs(one["outputs"]);
    const isOpen = one["importID"] === id && areRead(one["inputs"]);
    const holder: Holder = {
      urn: String(one["urn"]),
      ...(address === undefined ? {} : { address }),
      ...(isOpen ? { isOpen } : {}),
      ...(one["protect"] === true ? { isProtected: true } : {}),
      ...(one["delete"] === true ? { isLeaving: true } : {}),
    };
    return [{ kind, id, holder, members: membersOf(id, one["outputs"]), resource: one }];
  });
}

/** Finds the resources of a deployment that manage an object. */
export function holdersIn(deployment: Properties): HoldersOf {
  const managed = managingIn(deployment);
  const single = Map.groupBy(managed, ({ kind, id }) => `${kind} ${id}`);
  const sets = managed.filter(({ members }) => members.size > 0);
  // The type of what is below an object begins with its type.
  const below = (type: string, id: string) =>
    managed.filter((one) => one.kind !== type && one.kind.startsWith(type) && `${one.id}/`.startsWith(id));
  return (type, id) => [
    ...(id.endsWith("/") ? below(type, id).map(({ holder }) => holder) : []),
    ...(single.get(`${type} ${id}`) ?? []).map(({ holder }) => holder),
    // The type of a collection begins with the type of its members.
    ...sets.flatMap(({ kind, members, holder }) =>
      kind.startsWith(type) && members.has(id) ? [holder] : [],
    ),
  ];
}

/** The full ids of the members of a collection in a state. Empty for an object. */
export function membersOf(id: string, outputs: unknown): ReadonlySet<string> {
  const [parent] = id.split("/");
  return new Set(isObject(outputs) ? memberIdsIn(outputs).map((one) => `${parent}/${one}`) : []);
}

/** The address that the settings of a provider name. */
export function addressOfProvider(provider: { readonly inputs?: unknown }): string | undefined {
  const baseUrl = baseUrlIn(provider);
  return baseUrl === undefined ? undefined : (quietly(() => shortAddress(baseUrl)) ?? baseUrl);
}

/** The address at which the object of a state was reached. A state of an earlier version has none. */
export function addressOfOutputs(outputs: unknown): string | undefined {
  const at = isObject(outputs) ? whereaboutsIn(outputs) : undefined;
  return at === undefined ? undefined : addressIn(at);
}

/** The base URL among the settings of a provider. Those of the full plugin have no namespace. */
export function baseUrlIn({ inputs }: { readonly inputs?: unknown }): string | undefined {
  if (!isObject(inputs)) return undefined;
  const url = inputs["nodecloud:baseUrl"] ?? inputs["baseUrl"];
  return typeof url === "string" ? url : undefined;
}
