import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { join } from "node:path";
import { cleanEnvironment } from "../../../scripts/environment.cjs";
import { ROOT } from "../../helpers/programs";
import { type Handed, type Told } from "./worker";

/** Cells mostly wait, so many can run at once. */
const AT_ONCE = 10;

/** Runs cells of the matrix in separate processes, and reports each result. */
export async function runMatrix(
  names: readonly string[],
  workers: number,
  tell: (told: Told) => void,
): Promise<void> {
  const shares = Array.from({ length: Math.min(workers, names.length, cpus().length) }, (_, index) =>
    names.filter((_, number) => number % workers === index),
  );
  await Promise.all(shares.map((share) => runShare(share, tell)));
}

async function runShare(names: readonly string[], tell: (told: Told) => void): Promise<void> {
  const worker = fork(join(__dirname, "worker.ts"), {
    execArgv: ["-r", "ts-node/register/transpile-only", "-r", join(__dirname, "fast-time.ts")],
    env: { ...cleanEnvironment(), TS_NODE_COMPILER_OPTIONS: JSON.stringify({ rootDir: ROOT }) },
  });
  const missing = new Set(names);
  worker.on("message", (told: Told) => {
    missing.delete(told.name);
    tell(told);
  });
  worker.send({ names, atOnce: AT_ONCE } satisfies Handed);
  const [code] = (await once(worker, "exit")) as [number | null];
  for (const name of missing) tell({ name, problems: [`the process of the cell exited with ${code}`] });
}
