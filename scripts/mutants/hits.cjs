/** Writes which marked places of `src` the tests of a file reach: a line of JSON for each file, to MUTANTS_HITS. */
const { appendFileSync } = require("node:fs");
const { afterAll, expect } = require("@jest/globals");

/** @type {Set<string>} */
const hits = new Set();
Object.assign(globalThis, { mutantsHit: (/** @type {string} */ place) => hits.add(place) });

afterAll(() => {
  const { testPath } = expect.getState();
  appendFileSync(
    process.env["MUTANTS_HITS"] ?? "",
    `${JSON.stringify({ path: testPath, hits: [...hits] })}\n`,
  );
});
