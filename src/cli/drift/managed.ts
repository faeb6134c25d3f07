import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { parseId } from "../../provider/describe/define-resource";
import { heldIn } from "../../provider/state/members";
import { stateIn } from "../../provider/state/codec";
import { toldIn } from "../../provider/state/handed";
import { isSecretAt, secretPathsOf } from "../../provider/state/secret-inputs";
import { type Path } from "../../provider/state/property-paths";
import { type Account, type Connection } from "../account/accounts";
import { keyOf } from "../account/list-account";
import { type StateResource } from "../stacks/state";
import { type StackName } from "./findings";

/** A resource of a stack, with what it takes to compare it. */
export interface Managed {
  readonly stack: StackName;
  readonly resource: StateResource;
  readonly description: AnyDescription;
  readonly connection: Connection;
  readonly secrets: readonly Path[];
}

/** The paths of a resource's secrets: those of the description, of the program and of the state. */
export const secretsOf = (
  description: AnyDescription,
  { inputs, outputs, secrets }: StateResource,
): Path[] => [...secretPathsOf(description, toldIn(inputs), toldIn(outputs)), ...secrets];

/** The parent of the objects of a resource: its type of children, and its id. */
export function parentOf({ description, resource }: Pick<Managed, "description" | "resource">) {
  const { item } = isCollection(description) ? description : { item: description };
  const { parent } = item.id;
  if (parent === undefined) return undefined;
  const id = isCollection(description) ? resource.outputs[parent] : parseId(description, resource.id)?.parent;
  return id === undefined || id === null ? undefined : { type: item.type, id: String(id) };
}

/** The keys of the objects that a resource manages. */
export function objectsOf(managed: Pick<Managed, "description" | "resource">): string[] {
  const { description, resource } = managed;
  if (!isCollection(description)) return [keyOf(description.type, resource.id)];
  const parent = parentOf(managed)?.id ?? "";
  return heldIn(description, stateIn(resource.outputs)).map(({ id }) =>
    keyOf(description.item.type, `${parent}/${id}`),
  );
}

/** What the stacks manage, by the endpoints of their accounts: the ids of objects are unique per service. */
export class ManagedObjects {
  readonly #keys = new Map<string, Set<string>>();
  /** The objects whose names are secret. */
  readonly #nameless = new Set<string>();

  constructor(all: readonly Managed[]) {
    for (const managed of all) {
      const { endpoint } = managed.connection;
      const keys = this.#keys.get(endpoint) ?? new Set<string>();
      this.#keys.set(endpoint, keys);
      const isNameless = hasSecretName(managed);
      for (const key of objectsOf(managed)) {
        keys.add(key);
        if (isNameless) this.#nameless.add(`${endpoint} ${key}`);
      }
    }
  }

  has({ endpoint }: Pick<Account, "endpoint">, key: string): boolean {
    return this.#keys.get(endpoint)?.has(key) ?? false;
  }

  isNameless({ endpoint }: Pick<Account, "endpoint">, key: string): boolean {
    return this.#nameless.has(`${endpoint} ${key}`);
  }
}

/** Whether a name or a tag of a resource's objects is secret. */
function hasSecretName({ description, secrets }: Managed): boolean {
  const paths = isCollection(description) ? [description.property] : [...description.identity, "tags"];
  return paths.some((path) => isSecretAt(secrets, path));
}
