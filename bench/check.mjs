/** Measures `nodecloud check` against the preview of the same program without its mistakes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurns, median, ratioOf, withStack } from "./measure.mjs";

/** @typedef {{ mistakes: number; preview: number; check: number; ratio: number }} Check Seconds, and the median of the ratios of all rounds. */

const cli = fileURLToPath(new URL("../dist/bin/nodecloud.js", import.meta.url));
const report = "check.json";

/** @param {number} count @param {number} domainId @param {string} target */
const program = (count, domainId, target) => `import * as nodecloud from "pulumi-nodecloud";
for (let index = 0; index < ${count}; index++)
  new nodecloud.DomainRecord("record-" + index, { domainId: ${domainId}, type: "A", name: "host-" + index, target: ${target} });
`;

/** @param {number} mistakes @param {number} rounds @param {import("./measure.mjs").Setting} setting @returns {Promise<Check>} */
export function measureCheck(mistakes, rounds, setting) {
  return withStack(setting, async ({ stack, domainId }) => {
    stack.write("package.json", JSON.stringify({ name: "bench", main: "index.ts" }));
    const preview = async () => {
      stack.write("index.ts", program(mistakes, domainId, '"192.0.2." + index'));
      return (await stack.pulumi(["preview"])).seconds;
    };
    const check = async () => {
      stack.write("index.ts", program(mistakes, domainId, '"web"'));
      const command = [process.execPath, cli, "check", "--format", "json", "--out", report];
      const { seconds } = await stack.run(command, { role: "program", exitCode: 2 });
      const { counts } = JSON.parse(readFileSync(join(stack.folder, report), "utf8"));
      if (counts.errors !== mistakes)
        throw new Error(`nodecloud check found ${counts.errors} of ${mistakes} mistakes.`);
      return seconds;
    };
    const run = (/** @type {"preview" | "check"} */ name) => (name === "preview" ? preview() : check());
    const found = await inTurns(/** @type {const} */ (["preview", "check"]), rounds, run, setting.tell);
    return {
      mistakes,
      preview: median(found.preview),
      check: median(found.check),
      ratio: ratioOf(found.check, found.preview),
    };
  });
}
