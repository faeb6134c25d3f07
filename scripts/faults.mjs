/** Runs `test/faults/main.ts` with the engine on PATH: `npm run test:faults`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { manyStarts, run } from "./child.mjs";
import { EngineError, ensureEngine } from "./engine.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

try {
  const engine = await ensureEngine({ log: (line) => console.error(line) });
  const program = [
    "-r",
    "ts-node/register/transpile-only",
    join(root, "test/faults/main.ts"),
    ...process.argv.slice(2),
  ];
  const options = { TS_NODE_COMPILER_OPTIONS: JSON.stringify({ rootDir: root }) };
  const env = { ...manyStarts, ...process.env, ...engine.env, ...options };
  process.exitCode = (await run(process.execPath, program, { cwd: root, env, stdio: "inherit" })).code;
} catch (error) {
  console.error(error instanceof EngineError ? error.message : error);
  process.exitCode = 1;
}
