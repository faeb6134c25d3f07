import { type Description, type Ref } from "../describe/define-resource";
import { camelKeys, type Properties } from "../base/values";

/** The properties of an answer in the program's spelling, including the parent's id. */
export function outputsOf(description: Description, reply: Properties, ref: Ref): Properties {
  const outputs = answerOf(description, reply);
  const { parent } = description.id;
  return parent === undefined ? outputs : { ...outputs, [parent]: ref.parent };
}

/** The properties that an answer shows. */
export const answerOf = (description: Description, reply: Properties): Properties =>
  description.toOutputs?.(reply) ?? shownOf(reply);

/** All fields of an answer except its id, in the program's spelling. */
export function shownOf(reply: Properties): Properties {
  return camelKeys(Object.fromEntries(Object.entries(reply).filter(([name]) => name !== "id"))) as Properties;
}
