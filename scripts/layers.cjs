/** The layers of `src`: `eslint.config.mjs` and `test/consistency.test.ts` read them here, and CONTRIBUTING.md draws them. */

/**
 * For each part of `src`, a folder or a file, the parts that it may import from.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
exports.mayImport = {
  api: [],
  provider: ["api"],
  descriptions: ["api", "provider"],
  resources: ["provider", "descriptions"],
  functions: ["api", "provider"],
  emulator: ["api"],
  bin: ["emulator"],
  "serve.ts": ["provider", "descriptions", "resources"],
  "runtime.ts": ["api", "provider", "descriptions", "resources", "serve.ts"],
  "index.ts": ["provider", "resources", "functions"],
};

/** The modules of `src/api` that run requests, or export one that does. The emulator imports none of them. */
exports.runsRequests = ["client", "connection", "index", "paginate", "retry", "transport", "upload"];
