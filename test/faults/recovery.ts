import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestStack } from "../helpers/stack";

/** Does what docs/interrupted-runs.md tells a user to do after a kill, and returns the steps. */
export async function recover(stack: TestStack): Promise<string[]> {
  const done: string[] = [];
  for (const file of emptyAttributes(stack.folder.path)) {
    rmSync(file);
    done.push("removed an empty .attrs file");
  }
  const { code } = await stack.pulumi("cancel", "--yes");
  if (code === 0) done.push("pulumi cancel");
  return done;
}

/** The empty files that a `kill -9` of the command line can leave beside a state on a file backend. */
function emptyAttributes(folder: string): string[] {
  const kept = join(folder, ".state");
  return readdirSync(kept, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".attrs"))
    .map((file) => join(kept, file))
    .filter((file) => statSync(file).size === 0);
}

/** Continues as on another machine, which has only the state. */
export async function moveToAnotherMachine(stack: TestStack): Promise<void> {
  rmSync(String(stack.env["PULUMI_HOME"]), { recursive: true, force: true });
  await stack.pulumi("stack", "select", "test");
}
