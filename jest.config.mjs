/** Dependencies that are published as ES modules only: compiled for jest's CommonJS loader. */
const esmOnly = ["p-retry", "is-network-error", "@actions/expressions", "@actions/workflow-parser"];

/** @type {import("jest").Config} */
export default {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testSequencer: "<rootDir>/test/longest-first.mjs",
  // The files of an invented family, which are tested in a copy of the tree.
  testPathIgnorePatterns: ["/node_modules/", "/test/matrix/new-family/"],
  transform: {
    "^.+\\.(t|j|m)sx?$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // Their manifests have no entry for CommonJS.
  moduleNameMapper: {
    "^@actions/(expressions|workflow-parser)$": "<rootDir>/node_modules/@actions/$1/dist/index.js",
    "^@actions/(expressions|workflow-parser)/(?!dist/)(.*?)(\\.js)?$":
      "<rootDir>/node_modules/@actions/$1/dist/$2.js",
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join("|")})/)`],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/node_modules/pulumi-nodecloud/"],
  // It only guards against hanging: a slow machine is no failure.
  testTimeout: 600_000,
};
