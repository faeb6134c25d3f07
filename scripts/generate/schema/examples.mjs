/** The example values of inputs: those of the descriptions, and those that follow from the kind of an input. */

/** @typedef {Record<string, any>} Json a JSON schema */

/** The example of an input. @param {any} field @param {Json} json @returns {unknown} */
export function exampleOf({ example, compare, default: back }, json) {
  if (example !== undefined) return example;
  return compare === "id" ? "123" : exampleIn(json, back);
}

/**
 * The example of a value: that of its schema, a listed value, or what an object must have. A default is no example if there is another value.
 * @param {Json} json @param {unknown} [back] the default. @returns {unknown}
 */
export function exampleIn(json, back) {
  const { examples, knownValues, type, items, properties, required = [] } = json;
  if (examples !== undefined) return examples[0];
  const values = knownValues ?? listedIn(json);
  if (values !== undefined) return values.find((/** @type {unknown} */ value) => value !== back);
  if (type === "boolean") return back !== true;
  if (type === "array") return items === undefined ? undefined : listOf(exampleIn(items));
  if (properties === undefined) return undefined;
  return objectOf(
    Object.entries(properties).map(([name, inner]) => [name, exampleIn(inner)]),
    required,
  );
}

/** An object with what is required, or else with its first property. @param {[string, unknown][]} examples @param {readonly string[]} required */
export function objectOf(examples, required) {
  const needed = examples.filter(([name]) => required.includes(name));
  const shown = needed.length === 0 ? examples.slice(0, 1) : needed;
  return shown.some(([, example]) => example === undefined) ? undefined : Object.fromEntries(shown);
}

/** @param {unknown} item */
const listOf = (item) => (item === undefined ? undefined : [item]);

/**
 * The sentence for the texts of all languages. Each language spells the properties of an object in its own way, so an object whose type is named has none.
 * @param {unknown} example @param {boolean} isOfNamedType
 */
export const exampleSentence = (example, isOfNamedType) =>
  example === undefined || isOfNamedType ? undefined : `Example: \`${JSON.stringify(example)}\`.`;

/** An example as code of TypeScript. @param {unknown} value @returns {string} */
export function codeOf(value) {
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([name, inner]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${codeOf(inner)}`,
  );
  return `{ ${parts.join(", ")} }`;
}

/** The values of a JSON schema that takes only listed values. @param {Json} json @returns {unknown[] | undefined} */
export function listedIn(json) {
  if (json["enum"] !== undefined) return json["enum"];
  if (json["const"] !== undefined) return [json["const"]];
  if (json["anyOf"] === undefined) return undefined;
  const lists = json["anyOf"].map(listedIn);
  return lists.every((/** @type {unknown} */ list) => list !== undefined) ? lists.flat() : undefined;
}
