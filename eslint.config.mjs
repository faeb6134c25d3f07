import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { mayImport, runsRequests } from "./scripts/layers.cjs";

/** How many folders deep a layer of `src` may be. */
const depths = [1, 2, 3];

/** @type {import("typescript-eslint").ConfigArray} */
const layerRules = Object.keys(mayImport).flatMap((part) =>
  part.endsWith(".ts")
    ? [layerRule(part, `src/${part}`, "./")]
    : depths.map((depth) =>
        layerRule(part, `src/${part}/${"*/".repeat(depth - 1)}*.ts`, "../".repeat(depth)),
      ),
);

/**
 * Forbids the imports from other layers in some files of a layer.
 * @param {string} part
 * @param {string} files
 * @param {string} up the path from these files to `src`.
 */
function layerRule(part, files, up) {
  const forbidden = Object.keys(mayImport)
    .filter((other) => other !== part && !mayImport[part]?.includes(other))
    .map((other) => other.replace(/\.ts$/, ""));
  const patterns = [
    {
      regex: `^${up.replaceAll(".", "\\.")}(${forbidden.join("|")})(/|$)`,
      message: `src/${part} may not import from this layer (scripts/layers.cjs).`,
    },
  ];
  if (part === "emulator") {
    patterns.push({
      regex: `/api(/(${runsRequests.join("|")})(/.*)?)?$`,
      message: "The emulator shares the API's data, and nothing that runs a request.",
    });
  }
  /** @type {["error", { patterns: typeof patterns }]} */
  const rule = ["error", { patterns }];
  return { files: [files], rules: { "no-restricted-imports": rule } };
}

export default tseslint.config(
  {
    ignores: [
      ...["dist/", "node_modules/", "coverage/", ".cache/"],
      ...["test/consumers/fixtures/", "test/matrix/new-family/"],
    ],
  },
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
    files: ["src/**/*.{ts,js}", "scripts/**"],
    // Blank lines and comments count, as they are read too.
    rules: { "max-lines": ["error", 400], "max-lines-per-function": ["error", 80] },
  },
  {
    files: ["**/*.mjs", "**/*.cjs", "**/*.js"],
    ignores: ["src/**/browser/*"],
    languageOptions: {
      globals: {
        exports: "readonly",
        module: "readonly",
        require: "readonly",
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
    files: ["src/**/browser/*.js"],
    languageOptions: {
      globals: {
        AbortSignal: "readonly",
        DOMParser: "readonly",
        Element: "readonly",
        FormData: "readonly",
        HTMLElement: "readonly",
        clearTimeout: "readonly",
        document: "readonly",
        fetch: "readonly",
        location: "readonly",
        navigator: "readonly",
        performance: "readonly",
        sessionStorage: "readonly",
        setTimeout: "readonly",
        window: "readonly",
      },
    },
  },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
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
  {
    files: ["src/**/*.ts"],
    ignores: [
      "src/provider/state/hidden-names.ts",
      "src/provider/state/packed-members.ts",
      "src/sdk/outlines.ts",
    ],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "Literal[value='__']", message: "Ask isHidden whether a property is hidden." },
        // The SDK's own names begin so too.
        {
          selector: "Literal[value=/^__(?!pulumi)[a-z]+$/i]",
          message: "Hidden properties are named in state/hidden-names.",
        },
      ],
    },
  },
  ...layerRules,
);
