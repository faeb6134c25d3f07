import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** The layers of `src`, lowest first: a layer may import only from those before it (CONTRIBUTING.md draws the arrows). */
const mayNotImport = {
  api: ["provider", "descriptions", "resources", "functions", "emulator", "bin", "runtime", "index"],
  provider: ["descriptions", "resources", "functions", "emulator", "bin", "runtime"],
  descriptions: ["resources", "functions", "emulator", "bin", "runtime"],
  resources: ["api", "functions", "emulator", "bin", "runtime"],
  functions: ["descriptions", "resources", "emulator", "bin", "runtime"],
  emulator: ["provider", "descriptions", "resources", "functions", "runtime"],
};

/** @type {import("typescript-eslint").ConfigArray} */
const layerRules = Object.entries(mayNotImport).map(([layer, forbidden]) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: forbidden.flatMap((name) => [`**/../${name}`, `**/../${name}/**`]),
            message: `src/${layer} stands below these layers.`,
          },
          ...(layer === "emulator"
            ? [
                {
                  group: ["**/api/client", "**/api/transport", "**/api/retry", "**/api/paginate"],
                  message: "The emulator shares the API's data, and nothing that runs a request.",
                },
              ]
            : []),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "coverage/", "test/consumers/fixtures/"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      eqeqeq: ["error", "always", { null: "ignore" }],
    },
  },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ["**/*.mjs", "**/*.js"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
        AbortSignal: "readonly",
        AbortController: "readonly",
        Buffer: "readonly",
      },
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression:not([callee.name=/^set(Timeout|Interval)$/]) > :function + Literal[raw=/^\\d[\\d_]{3,}$/], " +
            "CallExpression[callee.object.name='jest'][callee.property.name='setTimeout']",
          message:
            "Limits guard against hanging only: the one of jest.config.mjs, ten minutes, is for all tests.",
        },
      ],
    },
  },
  ...layerRules,
);
