/** The settings of the package in its schema: those of a stack's configuration, and of an explicit provider. */
import { described, objectSpec } from "./types.mjs";

/** @import { Spec } from "./types.mjs" */

export const PROVIDER = "src/provider/program/provider.ts";

/** A stack's configuration is not its own default. @param {[string, Spec]} setting @returns {[string, Spec]} */
const asVariable = ([name, spec]) => [
  name,
  { ...spec, description: spec["description"].replace(`\`nodecloud:${name}\` of the stack, then `, "") },
];

/** @param {import("./program.mjs").Program} program @returns {{ config: Spec; provider: Spec }} */
export function providerSpecs(program) {
  const { checker, exported, textOf, tagOf } = program;
  const args = checker.getDeclaredTypeOfSymbol(exported(PROVIDER, "ProviderArgs"));
  /** @type {[string, Spec][]} */
  const settings = checker.getPropertiesOfType(args).map((symbol) => {
    const type = checker.typeToString(checker.getTypeOfSymbol(symbol));
    const value = /Input<(\w+)>/.exec(type)?.[1];
    if (value === undefined) throw new Error(`ProviderArgs.${symbol.name} has no simple type: ${type}`);
    const [omitted, example] = [tagOf(symbol, "default"), tagOf(symbol, "example")];
    const text = `${textOf(symbol)} Default: ${omitted}. Example: \`${example}\`.`.replace(/\s+/g, " ");
    const one = { type: value === "number" ? "integer" : value };
    const spec = described(type.includes("[]") ? { type: "array", items: one } : one, text);
    return [symbol.name, symbol.name === "token" ? { ...spec, secret: true } : spec];
  });
  const { properties } = objectSpec(undefined, settings, []);
  return {
    config: { variables: Object.fromEntries(Object.entries(properties).map(asVariable)) },
    provider: {
      description: textOf(exported(PROVIDER, "Provider")),
      inputProperties: properties,
    },
  };
}
