import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../provider/base/clock";
import { quietly } from "../../api/quietly";
import { objectsIn } from "../../provider/base/values";
import { backendOf, folderOf, hasOrganizations } from "../../provider/engine/backend";
import { type Context } from "../context";
import { calledLock, verdictOn } from "../stacks/locks";
import { type Project } from "../stacks/projects";
import { withoutCredentials, type Workspaces } from "../stacks/workspaces";
import { type Check, outcomesOf } from "./check";

const ADVICE = "wait for that run. If it was killed, run `nodecloud recover`";
/** Where only the age of a lock tells that its run is over. */
const BY_AGE = `${ADVICE}, with --lock-older-than and a time that no run takes`;

/** Says which backend keeps the stack, and without the credentials in its URL. */
export const checkBackend = ({ environment, directory }: Context): Check =>
  outcomesOf("backend").ok(withoutCredentials(backendOf(environment, directory)));

interface Locked {
  readonly project: Project;
  readonly stack: string;
  readonly deployment: unknown;
  /** Whether to ask an object store for the lock, which takes it for a moment. */
  readonly takesLock: boolean;
}

/** Says whether a run holds the stack, or has left its lock. */
export async function checkLock(
  { environment, directory }: Context,
  workspaces: Workspaces,
  { project, stack, deployment, takesLock }: Locked,
): Promise<Check> {
  const { ok, warning, unknown } = outcomesOf("lock");
  const backend = backendOf(environment, directory);
  if (hasOrganizations(backend)) {
    const { stacks } = await workspaces.stacksOf(project);
    const isBusy = stacks.some((one) => one.isInProgress === true && `/${one.name}`.endsWith(`/${stack}`));
    return isBusy ? warning("another run is in progress", ADVICE) : ok("none");
  }
  // Without a lock, asking for it takes one for a moment, so another run could fail.
  const folder = folderOf(backend);
  if (folder !== undefined && !hasFiles(join(folder, ".pulumi", "locks"))) return ok("none");
  if (folder === undefined && !takesLock && objectsIn(deployment, "pending_operations").length === 0)
    return unknown(
      "an object store shows a lock only to a command that takes it",
      "`nodecloud doctor --check-lock` does, for a moment",
    );
  const now = systemClock.now();
  const locks = await workspaces.locksOf(project, stack);
  if (locks.length === 0) return ok("none");
  const judged = locks.map((lock) => ({ lock, ...verdictOn(lock, { now, limit: undefined, environment }) }));
  const found = judged.map(({ lock, why }) => `${calledLock(lock, now)}: ${why}`);
  const advice = judged.every(({ isOver }) => isOver) ? ADVICE : BY_AGE;
  return warning(`the stack is locked: ${found.join("; ")}`, advice);
}

const hasFiles = (folder: string): boolean =>
  existsSync(folder) &&
  (quietly(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? []).some((name) =>
    name.endsWith(".json"),
  );
