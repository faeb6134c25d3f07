import { type Cell, runCells, type Verdict } from "./cells";
import { runFresh } from "./fresh-machine";
import { MATRIX, nameOfCell } from "./matrix/cell";
import { runMatrix } from "./matrix/run";
import { runModel } from "./model";
import { runOwners } from "./owners";
import { PLANTED_CELLS } from "./planted/scenarios";
import { nameOfBlow, PHASES, runRound } from "./random";
import { runReview } from "./review/run";
import { nameOfStep, RELATIONS, runTogether, STEPS } from "./together";
import { KILLS, nameOfKill, runKill } from "./targeted";

export interface Result {
  readonly name: string;
  /** Empty if the cell passed. */
  readonly problems: readonly string[];
  /** What happened in it, for tables. */
  readonly counts?: Readonly<Record<string, number>>;
}

export interface Options {
  readonly seed: number;
  /** The number of concurrent cells that need a processor each. */
  readonly jobs: number;
  /** The URL below which stacks of another machine keep their states. Undefined: in folders. */
  readonly backend?: string | undefined;
}

export interface Part {
  readonly title: string;
  /** The names of all its cells, grouped by what must run in sequence. */
  cells(options: Options): readonly (readonly string[])[];
  /** The number of groups in a sample. */
  readonly sample: number;
  run(names: readonly string[], options: Options, tell: (result: Result) => void): Promise<void>;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Each round has a kill in each of four phases. */
const ROUNDS = upTo(50);

/** The numbers of the command sequences. */
const SEQUENCES = upTo(20);
const MOST_COMMANDS = 14;

/** Chains of programs, and the pairs of each. */
const CHAINS = upTo(100);
const PAIRS = upTo(10);

const nameOfPair = (chain: number, pair: number): string => `pair ${(chain - 1) * PAIRS.length + pair}`;

/** The number of edits in a sequence of two stacks, each with its commands. */
const ROUNDS_OF_OWNERS = 10;

/** A part whose cells run in this process. */
const here = (
  part: Omit<Part, "run" | "cells"> & { readonly of: (options: Options) => readonly Cell[] },
): Part => ({
  ...part,
  cells: (options) => part.of(options).map(({ name }) => [name]),
  run: async (names, options, tell) => {
    const cells = part.of(options).filter(({ name }) => names.includes(name));
    await runCells(cells, options.jobs, ({ cell, problems }: Verdict) => tell({ name: cell.name, problems }));
  },
});

/** Cells that must run in sequence. */
interface Round {
  readonly names: readonly string[];
  run(): Promise<readonly Result[]>;
}

/** A part whose cells run in rounds. A round that ends early skips the rest of its cells. */
const rounds = ({
  of,
  ...part
}: Omit<Part, "run" | "cells"> & { readonly of: (options: Options) => readonly Round[] }): Part => ({
  ...part,
  cells: (options) => of(options).map(({ names }) => names),
  run: async (names, options, tell) => {
    const wanted = of(options).filter((round) => round.names.some((name) => names.includes(name)));
    const cells = wanted.map((round) => ({
      name: String(round.names),
      run: async () => {
        const results = await round.run();
        const missing = round.names.filter((name) => results.every((result) => result.name !== name));
        results.forEach(tell);
        for (const name of missing) tell({ name, problems: ["the round ended before this cell"] });
        return [];
      },
    }));
    await runCells(cells, options.jobs, ({ cell, problems }) => {
      if (problems.length > 0) tell({ name: cell.name, problems });
    });
  },
});

const reviews = (title: string, chains: readonly number[], isTroubled: boolean): Part =>
  rounds({
    title,
    sample: 2,
    of: ({ seed }) =>
      chains.map((chain) => ({
        names: PAIRS.map((pair) => nameOfPair(chain, pair)),
        run: async () => {
          const verdicts = await runReview(seed * 1_000 + chain, PAIRS.length, isTroubled);
          return verdicts.map((verdict, index) => ({ name: nameOfPair(chain, index + 1), ...verdict }));
        },
      })),
  });

const named = <Key>(judged: ReadonlyMap<Key, Result["problems"]>, nameOf: (key: Key) => string): Result[] =>
  [...judged].map(([key, problems]) => ({ name: nameOf(key), problems }));

export const PARTS: Readonly<Record<string, Part>> = {
  matrix: {
    title: "Fault matrix",
    cells: () => MATRIX.map((cell) => [nameOfCell(cell)]),
    sample: 200,
    run: (names, { jobs }, tell) => runMatrix(names, jobs, tell),
  },
  kills: here({
    title: "Targeted kills",
    sample: 12,
    of: () => KILLS.map((kill) => ({ name: nameOfKill(kill), run: () => runKill(kill) })),
  }),
  random: rounds({
    title: "Random kills",
    sample: 3,
    of: ({ seed }) =>
      ROUNDS.map((round) => ({
        names: PHASES.map((phase) => nameOfBlow(phase, round)),
        run: async () => named(await runRound(seed, round), (phase) => nameOfBlow(phase, round)),
      })),
  }),
  fresh: here({
    title: "Kills, and then a fresh machine",
    sample: 3,
    of: ({ seed, backend }) =>
      upTo(200).map((number) => {
        const isThere = backend !== undefined && number % 2 === 0;
        return {
          name: isThere ? `${backend.split(":", 1)[0]} backend ${number}` : `folder ${number}`,
          run: () => runFresh(seed * 1_000 + number, isThere ? backend : undefined),
        };
      }),
  }),
  together: rounds({
    title: "Two runs at once",
    sample: 2,
    of: () =>
      RELATIONS.map((relation) => ({
        names: STEPS.map((step) => nameOfStep(relation, step)),
        run: async () => named(await runTogether(relation), (step) => nameOfStep(relation, step)),
      })),
  }),
  model: here({
    title: "Programs against a model",
    sample: 3,
    of: ({ seed }) =>
      SEQUENCES.map((number) => ({
        name: `sequence ${number}`,
        run: () => runModel(seed * 1_000 + number, MOST_COMMANDS),
      })),
  }),
  owners: here({
    title: "Two stacks, two accounts",
    sample: 2,
    of: ({ seed }) =>
      upTo(50).map((number) => ({
        name: `accounts ${number}`,
        run: () => runOwners(seed * 1_000 + number, ROUNDS_OF_OWNERS),
      })),
  }),
  reviews: reviews("Reviews against accounts", CHAINS, false),
  troubled: reviews("Reviews, with troubled runs between", CHAINS.slice(0, 20), true),
  secrets: here({
    title: "Planted secrets",
    sample: 3,
    of: () => [...PLANTED_CELLS].map(([name, run]) => ({ name, run })),
  }),
};
