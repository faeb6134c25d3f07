import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** This checkout. */
export const ROOT = resolve(__dirname, "../..");

/** A temporary folder with a program, which finds this package and the SDK as an installed program does. */
export interface ProgramFolder {
  readonly path: string;
  /** Writes or overwrites a file of the program. */
  write(file: string, content: string | Uint8Array): void;
  remove(): void;
}

/** Makes a program folder with these files. `installed` is a folder with this package and an SDK in its `node_modules`, by default this checkout. */
export function programFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  installed: string | undefined = process.env["NODECLOUD_INSTALLED"],
): ProgramFolder {
  // The real path, because the messages of the engine and of Node show it.
  const path = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-program-")));
  const link = (target: string, name: string) => {
    const place = join(path, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place, "junction");
  };
  if (installed === undefined) {
    link(ROOT, "pulumi-nodecloud");
    link(join(ROOT, "node_modules/@pulumi/pulumi"), "@pulumi/pulumi");
    writePlugin(join(path, "node_modules/.bin"));
  } else {
    symlinkSync(join(installed, "node_modules"), join(path, "node_modules"), "junction");
  }
  const folder: ProgramFolder = {
    path,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
  for (const [file, content] of Object.entries(files)) folder.write(file, content);
  return folder;
}

/** Writes the executable of this checkout's plugin into a folder, as an installation does. */
function writePlugin(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "pulumi-resource-nodecloud");
  const target = join(ROOT, "dist/bin/pulumi-resource-nodecloud.js");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${target}" "$@"\n`, { mode: 0o755 });
}

/** Calls `look` until it returns something, and fails with `what` after ten minutes. */
export async function eventually<Found>(
  what: string,
  look: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`It never came to this: ${what}.`);
    await new Promise((next) => setTimeout(next, 10));
  }
}
