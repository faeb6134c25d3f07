import { type Cell, runCells, type Verdict } from "./cells";
import { MATRIX, nameOfCell } from "./matrix/cell";
import { runMatrix } from "./matrix/run";
import { nameOfBlow, PHASES, runRound } from "./random";
import { KILLS, nameOfKill, runKill } from "./targeted";

export interface Result {
  readonly name: string;
  /** What is wrong; empty where nothing is. */
  readonly problems: readonly string[];
}

export interface Options {
  readonly seed: number;
  /** How many at a time, of those that need a processor each. */
  readonly jobs: number;
}

export interface Part {
  readonly title: string;
  /** All its cells. Those of chance are told apart by their number. */
  cells(options: Options): readonly string[];
  /** How many of them a bounded run takes. */
  readonly sample: number;
  run(names: readonly string[], options: Options, tell: (result: Result) => void): Promise<void>;
}

/** Each has a kill in each of four phases. */
const ROUNDS = Array.from({ length: 50 }, (_, index) => index + 1);

/** A part whose cells run in this process. */
const here = (
  part: Omit<Part, "run" | "cells"> & { readonly of: (options: Options) => readonly Cell[] },
): Part => ({
  ...part,
  cells: (options) => part.of(options).map(({ name }) => name),
  run: async (names, options, tell) => {
    const cells = part.of(options).filter(({ name }) => names.includes(name));
    await runCells(cells, options.jobs, ({ cell, problems }: Verdict) => tell({ name: cell.name, problems }));
  },
});

export const PARTS: Readonly<Record<string, Part>> = {
  matrix: {
    title: "Fault matrix",
    cells: () => MATRIX.map(nameOfCell),
    sample: 200,
    run: (names, { jobs }, tell) => runMatrix(names, jobs, tell),
  },
  kills: here({
    title: "Targeted kills",
    sample: 12,
    of: () => KILLS.map((kill) => ({ name: nameOfKill(kill), run: () => runKill(kill) })),
  }),
  random: {
    title: "Random kills",
    cells: () => ROUNDS.flatMap((round) => PHASES.map((phase) => nameOfBlow(phase, round))),
    sample: 12,
    run: async (names, { seed, jobs }, tell) => {
      const rounds = ROUNDS.filter((round) =>
        PHASES.some((phase) => names.includes(nameOfBlow(phase, round))),
      );
      await runCells(
        rounds.map((round) => ({
          name: String(round),
          run: async () => {
            const judged = await runRound(seed, round);
            for (const [phase, problems] of judged) tell({ name: nameOfBlow(phase, round), problems });
            return [];
          },
        })),
        jobs,
        () => undefined,
      );
    },
  },
};
