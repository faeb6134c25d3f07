/** Runs cells of the matrix in a process with faster time. The parent process sends their names and receives each result. */
import { runCells } from "../cells";
import { MATRIX, nameOfCell, runMatrixCell } from "./cell";
import { sessionPlugin } from "./session-plugin";

export interface Handed {
  readonly names: readonly string[];
  readonly atOnce: number;
}

export interface Told {
  readonly name: string;
  readonly problems: readonly string[];
}

process.once("message", ({ names, atOnce }: Handed) => {
  const cells = MATRIX.filter((cell) => names.includes(nameOfCell(cell))).map((cell) => ({
    name: nameOfCell(cell),
    run: () => runMatrixCell(cell, sessionPlugin),
  }));
  const tell = ({ name, problems }: Told) => process.send?.({ name, problems } satisfies Told);
  void runCells(cells, atOnce, ({ cell, problems }) => tell({ name: cell.name, problems })).then(() =>
    process.disconnect(),
  );
});
