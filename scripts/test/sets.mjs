/** Which tests each command runs. */

/** @typedef {"dynamic" | "plugin"} Way How the resources are served: see test/helpers/way.ts. */

/** The folders whose tests start the engine or the compiler, or test the package and the scripts of the repository by starting them. */
export const withPrograms = [
  "engine",
  "stacks",
  "matrix",
  "nightly",
  "faults",
  "consumers",
  "scripts",
  "types",
].map(inTest);

/**
 * The files beside the other tests that start programs, or try whole programs with random values, which takes long. All other tests run within one process, and reach
 * only this machine.
 */
const longerOnes = /\.(process|property)\.test\.ts$/;

/** The folders that `npm test` leaves out for their length. */
const long = ["stacks", "matrix", "nightly", "consumers"].map(inTest);

/** The folders that only `npm run test:all` runs. The other tests take more cases there too: see test/helpers/whole.ts. */
const nightly = [inTest("nightly")];

/** The folders that CI runs once for each way of serving resources. `npm run test:all` does the same with test/stacks. Tests within one process see to it themselves. */
const bothWays = [inTest("engine")];

/** @param {string} folder */
function inTest(folder) {
  return `test/${folder}/`;
}

/**
 * @typedef {object} Part Some of the test files, served in one way.
 * @property {Way} [way] undefined leaves the choice to NODECLOUD_WAY.
 * @property {readonly string[]} [only] the folders, by default all of them.
 * @property {readonly string[]} [without] the folders, or patterns of files, to leave out.
 */

/** @typedef {"unit" | "short" | "matrix" | "ci" | "all" | "selected"} SetName */

/** @type {Record<SetName, readonly Part[]>} */
export const sets = {
  /** `npm run test:unit` */
  unit: [{ without: [...withPrograms, `.*${longerOnes.source}`] }],
  /** `npm test` */
  short: [{ without: long }],
  /** `npm run test:matrix` */
  matrix: [{ only: long.filter((folder) => !nightly.includes(folder)) }, { way: "plugin", only: bothWays }],
  /** `npm run test:ci`, which `.ci/run` calls */
  ci: [{ without: nightly }, { way: "plugin", only: bothWays }],
  /** `npm run test:all` */
  all: [{}, { way: "plugin", only: [...bothWays, inTest("stacks")] }],
  /** Tests that the user selects: `npm test -- test/api` or `npx jest test/api`. */
  selected: [{}],
};

/**
 * Whether a test file is one of `npm run test:unit`.
 * @param {string} file its path from the root.
 */
export const isUnit = (file) =>
  !longerOnes.test(file) && !withPrograms.some((folder) => file.startsWith(folder));
