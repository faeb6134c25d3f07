import { SENT, SET } from "./hidden-properties";
import { inputAt, type Leaf } from "../describe/fields";
import { compact, type Properties, same, setAt, valueAt } from "./values";

/**
 * What was sent, next to what came back. The service rounds, completes and reorders values in ways that this code does not know. The stored
 * outputs hold its answers and, in hidden properties, which inputs the program set and how they were sent.
 */

/** Inputs by dotted path, as they were last sent. A path without a value was cleared outside Pulumi. */
export type Sent = Map<string, unknown>;

/** The inputs as last sent, from the stored outputs. */
export function lastSent(outputs: Properties): Sent {
  const set = outputs[SET];
  const sent = (outputs[SENT] ?? {}) as Properties;
  const paths = typeof set === "string" && set !== "" ? set.split(",") : [];
  return new Map(paths.map((path) => [path, sent[path] ?? valueAt(outputs, path)]));
}

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
 * The outputs to store: the service's answers, sent values that it never shows, and sent values that differ from the answers.
 *
 * @param live The resource as it reads back. An absent key is not shown by the service, and null is empty.
 * @param stored Earlier outputs, for values that the service does not show.
 */
export function asOutputs(
  leaves: readonly Leaf[],
  sent: Sent,
  live: Properties,
  stored: Properties = {},
): Properties {
  const outputs: Properties = {};
  for (const [name, value] of Object.entries({ ...stored, ...live })) {
    if (name !== SET && name !== SENT) outputs[name] = compact(value);
  }
  const different: Properties = {};
  for (const leaf of leaves) {
    const value = sent.get(leaf.path);
    if (value === undefined || value === null) continue;
    if (leaf.secret || valueAt(live, leaf.path) === undefined) setAt(outputs, leaf.path, value);
    else if (!same("value", value, valueAt(live, leaf.path))) different[leaf.path] = value;
  }
  outputs[SET] = leaves
    .filter((leaf) => sent.has(leaf.path))
    .map((leaf) => leaf.path)
    .join(",");
  if (Object.keys(different).length > 0) outputs[SENT] = different;
  return Object.fromEntries(
    Object.entries(outputs).filter(([, value]) => value !== null && value !== undefined),
  );
}
