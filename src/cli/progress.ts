import { type Context } from "./context";
import { isInteractive } from "./terminal";

/** Shows on stderr what a command is doing. */
export interface Progress {
  /** Replaces the text. */
  show(text: string): void;
  /** Prints a line that stays. */
  note(line: string): void;
}

/** Shows progress while `work` runs: a line that changes in a terminal, and otherwise only the lines that stay. */
export async function withProgress<Result>(
  context: Context,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { stderr, signal } = context;
  const print = (line: string) => void stderr.write(`${line}\n`);
  if (!isInteractive(context)) return work({ show: () => undefined, note: print });
  const { spinner } = await import("@clack/prompts");
  const shown = spinner({ output: stderr, signal, withGuide: false });
  shown.start();
  try {
    return await work({
      show: (text) => shown.message(text),
      note: (line) => {
        shown.clear();
        print(line);
        shown.start();
      },
    });
  } finally {
    shown.clear();
  }
}
