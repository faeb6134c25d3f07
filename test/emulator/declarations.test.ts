import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The external modules that a declaration file and its imports name, each with the file that names it. */
function modulesNamedFrom(entry: string): ReadonlyMap<string, string> {
  const seen = new Set<string>();
  const named = new Map<string, string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
      if (!name.startsWith(".")) {
        named.set(name, file);
        continue;
      }
      const path = join(dirname(file), name);
      waiting.push(existsSync(`${path}.d.ts`) ? `${path}.d.ts` : join(path, "index.d.ts"));
    }
  }
  return named;
}

test("the declarations of pulumi-nodecloud/emulator import no types but Node's", () => {
  const named = modulesNamedFrom(join(root, "dist/emulator/index.d.ts"));
  expect([...named].filter(([name]) => !name.startsWith("node:"))).toEqual([]);
});
