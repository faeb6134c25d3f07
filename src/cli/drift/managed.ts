import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description, parseId } from "../../provider/describe/define-resource";
import { type Words } from "../../provider/engine/secret-words";
import { cached } from "../../api/cached";
import { type State } from "../../provider/state/call";
import { stateIn } from "../../provider/state/codec";
import { toldIn } from "../../provider/state/handed";
import { isSecretAt, secretPathsOf } from "../../provider/state/secret-inputs";
import { type Path } from "../../provider/base/property-paths";
import { type ServiceAccount, type Connection, type Connections, NotSent } from "../account/accounts";
import { keyOf } from "../account/list-account";
import { descriptionOf } from "../descriptions";
import { type CliError, lineOf, unreadableStacks } from "../errors";
import { calledStack, type ReadStack } from "../stacks/stack-state";
import { type StateResource } from "../stacks/state";
import { type Gap, type StackName } from "../stacks/names-and-gaps";

/** A resource of a stack, with the data for the comparison. */
export interface Managed {
  readonly stack: StackName;
  readonly resource: StateResource;
  readonly description: AnyDescription;
  readonly connection: Connection;
  readonly state: State;
  readonly secrets: readonly Path[];
  /** The description of its objects. */
  readonly item: Description;
  /** The id of their parent. */
  readonly parent: string | undefined;
  /** The keys of its objects. */
  readonly keys: readonly string[];
}

/** The resources of a state that this package knows, each with the connection to its account. Without `gaps`, throws if the token is not for one of them. */
export const managedIn = (
  { stack, state }: Pick<ReadStack, "stack" | "state">,
  connections: Connections,
  words: Words,
  gaps?: Gap[],
): Managed[] =>
  state.resources.flatMap((resource): Managed[] => {
    const description = descriptionOf(resource.type);
    if (description === undefined) return [];
    try {
      const connection = connections.ofState(resource.settings);
      const managed = managedOf(resource, description);
      const { item, parent } = managed;
      if (parent !== undefined && !resource.isLeaving)
        cached(connection.parents, item.type, () => new Set<string>()).add(parent);
      return [{ stack, connection, ...managed }];
    } catch (error) {
      if (gaps === undefined || !(error instanceof NotSent)) throw ofStack(stack, words, error);
      const gap = { what: `the objects of ${calledStack(stack)}`, reason: lineOf(error) };
      if (!gaps.some(({ what, reason }) => what === gap.what && reason === gap.reason)) gaps.push(gap);
      return [];
    }
  });

/** An object of an account, as text. */
export const addressOf = ({ endpoint }: Pick<ServiceAccount, "endpoint">, key: string): string =>
  `${endpoint} ${key}`;

/** An error that names the stack. */
export const ofStack = (stack: StackName, words: Words, error: unknown): CliError =>
  unreadableStacks(`${calledStack(stack)}: ${words.line(lineOf(error))}`, error);

function managedOf(resource: StateResource, description: AnyDescription) {
  const { id, inputs, outputs } = resource;
  const state = stateIn(outputs, toldIn(outputs));
  const secrets = [...secretPathsOf(description, toldIn(inputs), state), ...resource.secrets];
  const common = { resource, description, state, secrets };
  if (!isCollection(description))
    return {
      ...common,
      item: description,
      parent: parseId(description, id)?.parent,
      keys: [keyOf(description.type, id)],
    };
  const { item } = description;
  const above = outputs[item.id.parent ?? ""];
  const parent = above === undefined || above === null ? undefined : String(above);
  // The ids are readable even if the members are not.
  const { ids = [], left = [] } = state.members ?? {};
  const keys = [...ids, ...left.map(([id]) => id)].map((id) => keyOf(item.type, `${parent}/${id}`));
  return { ...common, item, parent, keys };
}

/** The objects that the stacks manage, by the endpoints of their accounts: the ids of objects are unique per service. */
export class ManagedObjects {
  readonly #keys: ReadonlySet<string>;
  /** The objects whose names are secret. */
  readonly #nameless: ReadonlySet<string>;

  constructor(all: readonly Managed[]) {
    const addressesOf = ({ connection, keys }: Managed) => keys.map((key) => addressOf(connection, key));
    this.#keys = new Set(all.flatMap(addressesOf));
    this.#nameless = new Set(all.filter(hasSecretName).flatMap(addressesOf));
  }

  has(account: Pick<ServiceAccount, "endpoint">, key: string): boolean {
    return this.#keys.has(addressOf(account, key));
  }

  isNameless(account: Pick<ServiceAccount, "endpoint">, key: string): boolean {
    return this.#nameless.has(addressOf(account, key));
  }
}

/** Whether a name or a tag of a resource's objects is secret. */
export function hasSecretName({ description, secrets }: Managed): boolean {
  const paths = isCollection(description) ? [description.property] : [...description.identity, "tags"];
  return paths.some((path) => isSecretAt(secrets, path));
}
