import { inputAt, type Leaf } from "../describe/fields";
import { type Sent, type State } from "./call";
import { compact, type Properties, setAt, valueAt } from "../base/values";

/** The inputs that a program sets, by path. */
export function setInputs(leaves: readonly Leaf[], inputs: Properties): Sent {
  return new Map(
    leaves.flatMap((leaf): [string, unknown][] => {
      const value = inputAt(inputs, leaf);
      return value === undefined ? [] : [[leaf.path, value]];
    }),
  );
}

/** The inputs of a resource as the program would write them. */
export function asInputs(sent: Sent): Properties {
  const inputs: Properties = {};
  for (const [path, value] of sent) {
    if (value !== undefined && value !== null) setAt(inputs, path, value);
  }
  return inputs;
}

/**
 * The values to store: the service's answers, and the sent values. The service rounds, completes and reorders values in ways that this code does not know.
 *
 * @param live The resource as it reads back. An absent key is not shown by the service, and null is empty.
 * @param stored Earlier outputs, for values that the service does not show.
 */
export function asStored(
  leaves: readonly Leaf[],
  sent: Sent,
  live: Properties,
  stored: Properties = {},
): Pick<State, "outputs" | "sent" | "isManaged"> {
  const outputs = compact({ ...stored, ...live }) as Properties;
  for (const leaf of leaves) {
    const value = sent.get(leaf.path) ?? undefined;
    if (value === undefined) continue;
    if (leaf.secret || valueAt(live, leaf.path) === undefined) setAt(outputs, leaf.path, value);
  }
  return {
    outputs,
    sent: new Map(leaves.flatMap(({ path }) => (sent.has(path) ? [[path, sent.get(path)]] : []))),
    isManaged: true,
  };
}
