import { type Problems } from "./account";

/** One fault and its verdict. */
export interface Cell {
  readonly name: string;
  run(): Promise<Problems>;
}

export interface Verdict {
  readonly cell: Cell;
  readonly problems: Problems;
  readonly seconds: number;
}

/** Runs cells, some at a time, and reports each verdict. */
export async function runCells(
  cells: readonly Cell[],
  jobs: number,
  tell: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const queue = [...cells];
  const verdicts: Verdict[] = [];
  const worker = async () => {
    for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
      const started = Date.now();
      const problems = await cell.run().catch((error: unknown) => [`the cell broke: ${messageOf(error)}`]);
      const verdict = { cell, problems, seconds: (Date.now() - started) / 1000 };
      verdicts.push(verdict);
      tell(verdict);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return verdicts;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
