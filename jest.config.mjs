import { sets } from "./scripts/test/sets.mjs";

/** Dependencies that are published as ES modules only: compiled for jest's CommonJS loader. */
const esmOnly = ["p-retry", "is-network-error", "@actions/expressions", "@actions/workflow-parser"];

/** @type {import("jest").Config} */
const base = {
  roots: ["<rootDir>/test"],
  testEnvironment: "<rootDir>/scripts/test/environment.mjs",
  transform: {
    "^.+\\.(t|j|m)sx?$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  moduleNameMapper: {
    // The SDK loads them with its index. Loading them anew for each file was a sixth of the processor time of `npm run test:unit`.
    "^typescript$": "<rootDir>/scripts/test/once/typescript.cjs",
    "^@npmcli/arborist$": "<rootDir>/scripts/test/once/arborist.cjs",
    // Their manifests have no entry for CommonJS.
    "^@actions/(expressions|workflow-parser)$": "<rootDir>/node_modules/@actions/$1/dist/index.js",
    "^@actions/(expressions|workflow-parser)/(?!dist/)(.*?)(\\.js)?$":
      "<rootDir>/node_modules/@actions/$1/dist/$2.js",
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join("|")})/)`],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/node_modules/pulumi-nodecloud/"],
};

const set = /** @type {import("./scripts/test/sets.mjs").SetName} */ (
  process.env["NODECLOUD_TESTS"] ?? "selected"
);

/** @type {import("jest").Config} */
export default {
  projects: sets[set].map(({ way, only = ["test/"], without = [] }) => ({
    ...base,
    ...(way !== undefined && { displayName: way }),
    testMatch: only.map((folder) => `<rootDir>/${folder}**/*.test.ts`),
    // The files of an invented family are tested in a copy of the tree.
    testPathIgnorePatterns: [
      "/node_modules/",
      "/test/matrix/new-family/",
      ...without.map((folder) => `<rootDir>/${folder}`),
    ],
    testEnvironmentOptions: { way },
  })),
  // It only guards against hanging: a slow machine is no failure.
  testTimeout: 600_000,
};
