import { type Words } from "../../provider/engine/secret-words";
import { type Connections } from "../account/accounts";
import { descriptionOf } from "../descriptions";
import { CliError, lineOf } from "../errors";
import { type StackState } from "../stacks/read-stacks";
import { type Managed, parentOf, secretsOf } from "./managed";

/** The resources of a state that this package knows, each with the connection to its account. */
export function managedIn({ stack, state }: StackState, connections: Connections, words: Words): Managed[] {
  return state.resources.flatMap((resource): Managed[] => {
    const description = descriptionOf(resource.type);
    if (description === undefined) return [];
    try {
      const connection = connections.of(resource.settings);
      const managed = { stack, resource, description, connection, secrets: secretsOf(description, resource) };
      const parent = parentOf(managed);
      if (parent !== undefined && !resource.isLeaving) {
        const parents = connection.parents.get(parent.type) ?? new Set();
        connection.parents.set(parent.type, parents.add(parent.id));
      }
      return [managed];
    } catch (error) {
      throw new CliError(`stack ${stack.name} of ${stack.directory}: ${words.line(lineOf(error))}`, {
        cause: error,
      });
    }
  });
}
