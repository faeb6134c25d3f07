import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a command is on PATH. */
export function isInstalled(command: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
