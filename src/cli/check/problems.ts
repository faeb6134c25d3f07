import { splitCode } from "../../provider/base/codes";
import { isAbsolute, join, relative, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { fileURLToPath } from "node:url";
import { type SourcePosition } from "../stacks/names-and-gaps";

/** A problem in a program. */
export interface ProgramProblem {
  readonly severity: "error" | "warning";
  /** The class of the resource, or the type token of a resource that has none. Undefined: the program itself. */
  readonly type?: string | undefined;
  /** The name of the resource in the program. */
  readonly name?: string | undefined;
  /** The input, in the program's spelling. Undefined if the whole resource is concerned. */
  readonly property?: string | undefined;
  readonly message: string;
  /** The code of the problem, unless it is one of the program's own. */
  readonly code?: string | undefined;
  /** Where the program creates the resource, or where it failed. */
  readonly source?: SourcePosition | undefined;
}

/** An error of a program. It ended the program, or `nodecloud check` has let the program go on. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** The folders by which places are named. */
export interface Places {
  /** The folder of the project. */
  readonly project: string;
  /** The folder in which the program runs. */
  readonly program: string;
  /** The working directory, to which the paths are relative. */
  readonly directory: string;
}

/** The problems in the order of the program, each once. */
export const inOrder = (problems: readonly ProgramProblem[]): ProgramProblem[] =>
  [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()].sort(
    ({ source: one }, { source: other }) => {
      if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? 1 : -1;
      return one.file === other.file ? one.line - other.line : one.file < other.file ? -1 : 1;
    },
  );

const DIAGNOSTIC =
  /^(?<file>[^\s(:][^(:]*)(?:\((?<l>\d+),(?<c>\d+)\)|:(?<line>\d+):(?<column>\d+))(?:: | - )error (?<text>TS\d+: .*)$/;

/** Whether a line names a mistake that the compiler has found. */
export const isOfCompiler = (line: string): boolean => DIAGNOSTIC.test(stripVTControlCharacters(line));

/** The problems in an error of the program: one, or one for each mistake that the compiler has found. */
export function problemsOf(thrown: Thrown, places: Places): ProgramProblem[] {
  const text = stripVTControlCharacters(thrown.message);
  const found = text.split("\n").flatMap((line): ProgramProblem[] => {
    const { file, l, c, line: at = l, column = c, text: message } = DIAGNOSTIC.exec(line)?.groups ?? {};
    if (file === undefined || message === undefined) return [];
    return [{ severity: "error", message, source: positionOf(file, Number(at), Number(column), places) }];
  });
  if (found.length > 0) return found;
  const name = ["Error", "RunError", "ResourceError"].includes(thrown.name) ? "" : `${thrown.name}: `;
  const { message, code } = splitCode(text);
  return [{ severity: "error", message: `${name}${message}`, code, source: placeIn(thrown.stack, places) }];
}

const FRAME =
  /(?:^|\(|at )(?<file>(?:file:\/\/|[\\/]|[A-Za-z]:[\\/])[^()\n]*?):(?<line>\d+)(?::(?<column>\d+))?\)?$/;

/** The first line of the program in a stack. */
function placeIn(stack: string, places: Places): SourcePosition | undefined {
  return stripVTControlCharacters(stack)
    .split("\n")
    .flatMap((frame) => {
      const { file, line, column } = FRAME.exec(frame)?.groups ?? {};
      if (file === undefined) return [];
      const path = file.startsWith("file:") ? fileURLToPath(file) : file;
      const isOwn = path.startsWith(`${places.project}${sep}`) || path.startsWith(`${places.program}${sep}`);
      if (!isOwn || path.includes(`${sep}node_modules${sep}`)) return [];
      return [positionOf(path, Number(line), column === undefined ? undefined : Number(column), places)];
    })[0];
}

const positionOf = (file: string, line: number, column: number | undefined, places: Places) => ({
  file: relative(places.directory, isAbsolute(file) ? file : join(places.program, file)),
  line,
  ...(column === undefined ? {} : { column }),
});
