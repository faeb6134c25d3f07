/** Writes the outlines: the parts of the descriptions that programs need to register resources, as plain data. */
import { formatted } from "./write.mjs";

/** @param {import("./load.mjs").Sources} sources */
export function outlines({ descriptions, outlineOf }) {
  const made = Object.fromEntries(
    Object.entries(descriptions).map(([type, description]) => [type, outlineOf(description)]),
  );
  const text = `// Written by \`npm run generate\` from src/resources.
import { type descriptions } from "../resources";
import { type Outline } from "../provider/describe/outline";

export const outlines: Readonly<Record<keyof typeof descriptions, Outline>> = ${JSON.stringify(made)};
`;
  return [formatted("src/sdk/outlines.ts", text)];
}
