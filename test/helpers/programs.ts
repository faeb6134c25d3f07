import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** This checkout. */
export const ROOT = resolve(__dirname, "../..");

/** A temporary folder with a program in it, which finds this package and the SDK as an installed program would. */
export interface ProgramFolder {
  readonly path: string;
  /** Writes a file of the program, in place of an older one of that name. */
  write(file: string, content: string | Uint8Array): void;
  remove(): void;
}

/** Makes a program folder with these files. `installed` has a `node_modules` with this package and an SDK, else they are those of this checkout. */
export function programFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  installed: string | undefined = process.env["NODECLOUD_INSTALLED"],
): ProgramFolder {
  // The real path: the engine and Node name it so in messages.
  const path = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-program-")));
  const link = (target: string, name: string) => {
    const place = join(path, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place, "junction");
  };
  if (installed === undefined) {
    link(ROOT, "pulumi-nodecloud");
    link(join(ROOT, "node_modules/@pulumi/pulumi"), "@pulumi/pulumi");
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

/** Looks again and again until `look` gives something, without a fixed wait; fails with `what` after ten minutes. */
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
