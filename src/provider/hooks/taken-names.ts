import { type Kind } from "../process/kind";
import { isApiError } from "../../api/errors";
import { ProviderError } from "../engine/errors";
import { type Properties } from "../state/values";

/** What to do about a unique name that another resource of the program has. The engine runs what does not depend on each other in any order. */
export const HOW_TO_PASS_ON =
  "If another resource of this program gives the name up in the same run, put that resource into the option dependsOn. " +
  "Two resources that exchange their names need a run in between, in which one of them has a third name";

/** A refusal of a unique name, with the object that has it and what to do; any other error as it is. */
export async function withHolder(
  error: unknown,
  kind: Kind,
  inputs: Properties,
  attempt: string,
): Promise<unknown> {
  const { session, description } = kind;
  const { unique } = description;
  const isRefused =
    isApiError(error) && error.status < 500 && error.reasons.some(({ field }) => field === unique);
  if (!isRefused || unique === undefined || description.list === undefined) return error;
  try {
    for await (const item of description.list(session.client, kind.parentOf(inputs))) {
      if (String(item[unique]).toLowerCase() !== String(inputs[unique]).toLowerCase()) continue;
      const reasons = error.reasons.map(({ reason }) => reason).join("; ");
      const id = description.idOf(item);
      return new ProviderError(`${attempt}: ${unique}: ${reasons} (${error.status}). ${whatToDo(kind, id)}`, {
        cause: error,
      });
    }
  } catch {
    // The hint is a courtesy; the refusal itself is what counts.
  }
  return error;
}

const whatToDo = (kind: Kind, id: string): string =>
  kind.known.isManaged(id)
    ? `The ${kind.type} ${id} of this program has it. ${HOW_TO_PASS_ON}. ` +
      "If this resource replaces that one, set its option deleteBeforeReplace"
    : `To manage the one that exists, give this resource the option import: "${id}"`;
