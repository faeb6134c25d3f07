/** Which tests each command runs. */

/** @typedef {"dynamic" | "plugin"} Way How the resources are served: see test/helpers/way.ts. */

/** The folders whose tests start the engine. All other tests are without it, and reach only this machine. */
const withEngine = ["test/engine/", "test/matrix/", "test/nightly/", "test/faults/"];

/** The folders that `npm test` leaves out for their length. */
const long = ["test/matrix/", "test/nightly/"];

/** What only `npm run test:all` runs. The tests of test/matrix take more cases there: see test/matrix/whole.ts. */
const nightly = ["test/nightly/"];

/** The folders that run once for each way of serving resources. */
const bothWays = ["test/plugin/", "test/engine/"];

/**
 * @typedef {object} Part Some of the test files, served in one way.
 * @property {Way} [way] undefined leaves the choice to NODECLOUD_WAY.
 * @property {readonly string[]} [only] the folders, by default all of them.
 * @property {readonly string[]} [without] the folders to leave out.
 */

/** @typedef {"unit" | "short" | "matrix" | "ci" | "all" | "selected"} SetName */

/** @type {Record<SetName, readonly Part[]>} */
export const sets = {
  /** `npm run test:unit` */
  unit: [{ without: withEngine }],
  /** `npm test` */
  short: [{ without: long }],
  /** `npm run test:matrix` */
  matrix: [{ only: ["test/matrix/"] }, { way: "plugin", only: bothWays }],
  /** `npm run test:ci`, which `.ci/run` calls */
  ci: [{ without: nightly }, { way: "plugin", only: bothWays }],
  /** `npm run test:all` */
  all: [{}, { way: "plugin", only: bothWays }],
  /** Tests that the user selects: `npm test -- test/api` or `npx jest test/api`. */
  selected: [{}],
};

/**
 * Whether a test file does without the engine.
 * @param {string} file its path from the root.
 */
export const isUnit = (file) => !withEngine.some((folder) => file.startsWith(folder));
