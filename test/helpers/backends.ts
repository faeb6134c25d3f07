import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { type TestS3 } from "./s3";

/** A backend of stacks, whose objects tests read and change. */
export type TestBackend = Omit<TestS3, "stop">;

/** A backend in a folder. */
export const folderBackend = (folder: string): TestBackend => ({
  env: { PULUMI_BACKEND_URL: `file://${folder}` },
  objects: () => Promise.resolve(filesBelow(folder)),
  put: (key, content) => {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), content);
    return Promise.resolve();
  },
  remove: (key) => Promise.resolve(rmSync(join(folder, key))),
  copying: (to) => `cp -r '${folder}/.' '${to}'`,
});

function filesBelow(folder: string): ReadonlyMap<string, string> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [relative(folder, file).split(sep).join("/"), readFileSync(file, "utf8")]),
  );
}

/** Gives a backend exactly these objects. */
export async function restore(backend: TestBackend, objects: ReadonlyMap<string, string>): Promise<void> {
  const now = await backend.objects();
  for (const key of now.keys()) if (!objects.has(key)) await backend.remove(key);
  for (const [key, content] of objects) if (now.get(key) !== content) await backend.put(key, content);
}
