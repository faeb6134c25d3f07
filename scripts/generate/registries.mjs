/** The index of the descriptions. */
import { exportOf, stemOf } from "./load.mjs";
import { formatted } from "./write.mjs";

/** @param {import("./load.mjs").Sources} sources */
export const registries = (sources) => [formatted("src/resources/index.ts", resourcesIndex(sources))];

/** @param {import("./load.mjs").Sources} sources */
function resourcesIndex({ descriptions }) {
  const modules = Object.keys(descriptions).map((type) => ({
    type,
    stem: stemOf(type),
    name: exportOf(stemOf(type)),
  }));
  return `// Written by \`npm run generate\` from the files beside it.
/* eslint-disable @typescript-eslint/no-require-imports -- each is loaded when it is first asked for, with the schemas that it needs */
${modules.map(({ stem, name }) => `import type * as ${name} from "./${stem}";`).join("\n")}

/** What each resource is run by, by the name of its class. */
export const descriptions = {
${modules.map(({ type, stem, name }) => `get ${type}() { return (require("./${stem}") as typeof ${name}).${name}; },`).join("\n")}
};
`;
}
