/** The layers of `src`, for `eslint.config.mjs` and `test/consistency.test.ts`. CONTRIBUTING.md shows them. */

/**
 * For each part of `src`, a folder or a file, the parts that it may import from.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
exports.mayImport = {
  api: [],
  provider: ["api"],
  resources: ["api", "provider"],
  sdk: ["provider", "resources"],
  components: ["sdk"],
  functions: ["api", "provider"],
  emulator: ["api"],
  cli: ["api", "provider", "resources", "sdk", "serve"],
  bin: ["emulator", "cli", "serve"],
  serve: ["api", "provider", "resources", "sdk", "functions"],
  "runtime.ts": ["api", "provider", "resources", "serve"],
  "index.ts": ["provider", "sdk", "functions", "components"],
  "plugin.ts": ["index.ts", "provider", "sdk", "components"],
};

/** The modules of `src/api` that send requests, or export such a module. The emulator imports none of them. */
exports.runsRequests = [
  "client",
  "connection",
  "index",
  "paginate",
  "retry",
  "throttle",
  "transport",
  "upload",
];

/**
 * The rooms of two parts, folders of `src`, from bottom to top. A room imports from those below it only. decisions/0017 says what each is about.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
exports.rooms = {
  provider: [
    ...["base", "probes", "describe", "state", "settings", "engine", "notes", "run", "matching", "kind"],
    ...["inputs", "object", "ownership", "creation", "hooks", "collection", "program"],
  ],
  emulator: [
    ...["base", "store", "kind", "kinds", "operations", "zones", "images", "nodes", "routes"],
    ...["control", "machines", "emulation", "data", "http", "page"],
  ],
};
