/**
 * The effect of each standard option of Pulumi on a kind of resource, by the remarks of docs/options.md. An option that does the same with all
 * kinds has one mark; for any other it follows from the description.
 * @type {readonly (readonly [option: string, mark: string | ((description: any) => string)])[]}
 */
export const optionRows = [
  ["parent", "yes"],
  ["dependsOn", "yes"],
  ["provider", "yes"],
  ["providers", "yes"],
  ["aliases", "yes"],
  ["protect", "yes [1]"],
  ["retainOnDelete", ({ undeletable }) => (undeletable === undefined ? "yes" : "yes [2]")],
  ["deleteBeforeReplace", (one) => (one.unique !== undefined || isCollection(one) ? "yes [3]" : "yes")],
  ["deletedWith", "yes [4]"],
  ["ignoreChanges", (one) => (isCollection(one) ? "yes [6]" : hasNested(one) ? "yes [5]" : "yes")],
  ["replaceOnChanges", (one) => (isCollection(one) ? "yes [6]" : "yes [7]")],
  ["replacementTrigger", "yes [8]"],
  ["replaceWith", "yes [8]"],
  ["additionalSecretOutputs", "yes"],
  ["customTimeouts", "yes [9]"],
  ["import", "yes [10]"],
  ["id", "yes"],
  ["get", "yes"],
  ["urn", "yes [11]"],
  ["version", "yes [12]"],
  ["pluginDownloadURL", "yes [12]"],
  ["transformations", "yes"],
  ["transforms", "yes"],
  ["hooks", "yes [13]"],
  ["hideDiffs", "yes [14]"],
  ["envVarMappings", "no [15]"],
  ["stateMigrations", "no [16]"],
];

/** @param {any} description */
const isCollection = (description) => "item" in description;

/** Whether an object of inputs is within another one. @param {any} description */
const hasNested = ({ fields }) => objectsIn(fields).some((tree) => objectsIn(tree).length > 0);

/** @param {any} tree @returns {any[]} */
const objectsIn = (tree) => Object.values(tree).filter((node) => !("schema" in node));
