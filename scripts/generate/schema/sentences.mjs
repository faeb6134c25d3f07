/** The sentences that follow from the facts of a field: its limits, and what a change and a removal do. */

/** @typedef {Record<string, any>} Json a JSON schema */

const SAFE = Number.MAX_SAFE_INTEGER;

/** The limits of a value, from its JSON schema. @param {Json} json @returns {string[]} */
export function limitsOf(json) {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, items } = json;
  const each = items === undefined ? [] : textLimits(items).map((limit) => `Each: ${limit}`);
  return [
    ...textLimits({ minLength, maxLength }),
    ...range(minimum, maximum),
    ...(maxItems !== undefined && minItems > 0 ? [`${minItems} to ${maxItems} items.`] : []),
    ...(maxItems !== undefined && minItems === 0 ? [`At most ${maxItems} items.`] : []),
    ...(maxItems === undefined && minItems > 0 ? [`At least ${minItems} items.`] : []),
    ...each,
  ];
}

/** @param {Json} json @returns {string[]} */
function textLimits({ minLength = 0, maxLength }) {
  if (maxLength !== undefined)
    return [minLength > 0 ? `${minLength} to ${maxLength} characters.` : `At most ${maxLength} characters.`];
  return minLength > 1 ? [`At least ${minLength} characters.`] : [];
}

/** The schema of a whole number has the limits of safe integers. They are no limits of the field. @param {number | undefined} least @param {number | undefined} most @returns {string[]} */
function range(least, most) {
  const from = least === undefined || least === -SAFE ? undefined : least;
  const to = most === undefined || most === SAFE ? undefined : most;
  if (from !== undefined && to !== undefined) return [`${from} to ${to}.`];
  if (from !== undefined) return [`At least ${from}.`];
  return to === undefined ? [] : [`At most ${to}.`];
}

/**
 * The effect of a change of an input: the rest of a sentence that starts with "A change".
 * @param {any} leaf @param {string} noun what messages call the resource.
 */
export function changeOf({ change, changeDoc }, noun) {
  if (changeDoc !== undefined) return changeDoc;
  if (typeof change === "function") return `updates the ${noun} in place or replaces it`;
  if (change === "replace") return `replaces the ${noun}`;
  return change === "update" ? `updates the ${noun} in place` : "has no effect by itself";
}

/**
 * The effect of the removal of an input from the program: the rest of a sentence that starts with "Removing it".
 * @param {any} leaf @param {string} noun @param {boolean} isNamed whether it gets an automatic name.
 * @returns {string}
 */
export function removalOf(leaf, noun, isNamed) {
  const { required, removalDoc, change, default: back, removed } = leaf;
  if (removalDoc !== undefined) return removalDoc;
  if (required) return "is refused";
  if (isNamed)
    return change === "update" ? "restores the automatic name" : "keeps the name; the preview warns";
  if (back !== undefined) {
    const effect = back === null ? "clears it" : `resets it to ${literal(back)}`;
    return change === "replace" ? `${effect}, which replaces the ${noun}` : effect;
  }
  const effects = {
    replace: `replaces the ${noun}`,
    stays: "keeps the current value; the preview warns",
    forgotten: "sends nothing; setting the same value again repeats the operation",
    nothing: "has no effect",
    refused: "is refused unless another input takes its place",
  };
  return effects[/** @type {keyof typeof effects} */ (removed)];
}

/** The value that holds if the program omits the input, for `@default`. @param {any} leaf @param {boolean} isNamed @returns {string | undefined} */
export function defaultOf({ omittedDoc, default: back, required }, isNamed) {
  if (omittedDoc !== undefined) return omittedDoc;
  if (required) return undefined;
  if (isNamed) return "the resource's name and a derived suffix";
  return back === undefined || back === null ? undefined : literal(back);
}

/** @param {unknown} value */
const literal = (value) => `\`${JSON.stringify(value)}\``;

/** @param {readonly (string | undefined)[]} sentences */
export const joined = (sentences) => sentences.filter((one) => one !== undefined && one !== "").join(" ");
