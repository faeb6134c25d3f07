/** The layers of `src`: `eslint.config.mjs` and `test/consistency.test.ts` read them here, and CONTRIBUTING.md draws them. */

/**
 * For each part of `src`, a folder or a file, the parts that it may import from.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
exports.mayImport = {
  api: [],
  provider: ["api"],
  resources: ["api", "provider"],
  sdk: ["provider", "resources"],
  functions: ["api", "provider"],
  emulator: ["api"],
  bin: ["emulator"],
  "serve.ts": ["provider", "resources", "sdk"],
  "runtime.ts": ["api", "provider", "resources", "sdk", "serve.ts"],
  "index.ts": ["provider", "sdk", "functions"],
};

/** The modules of `src/api` that run requests, or export one that does. The emulator imports none of them. */
exports.runsRequests = [
  "client",
  "connection",
  "index",
  "limiter",
  "paginate",
  "retry",
  "transport",
  "upload",
];
