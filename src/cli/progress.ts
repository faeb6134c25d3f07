import { printableLine } from "../api/text";
import { type Context } from "./context";
import { isInteractive, widthOf } from "./terminal";

/** Shows on stderr what a command is doing. */
export interface Progress {
  /** Replaces the text. */
  show(text: string): void;
  /** Prints a line that stays. */
  note(line: string): void;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;

const CLEAR_LINE = "\r\u001b[K";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/** Shows progress while `work` runs: a line that changes in a terminal, and otherwise only the lines that stay. */
export async function withProgress<Result>(
  context: Context,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { stderr, signal } = context;
  const print = (line: string) => void stderr.write(`${line}\n`);
  if (!isInteractive(context)) return work({ show: () => undefined, note: print });
  const line = changingLine(stderr);
  // The libraries for this read the keyboard, and then ctrl-C is no signal any more.
  signal.addEventListener("abort", line.end, { once: true });
  try {
    return await work({
      show: line.show,
      note: (text) => print(CLEAR_LINE + text),
    });
  } finally {
    line.end();
    signal.removeEventListener("abort", line.end);
  }
}

/** A line at the end of a terminal that shows what happens now. */
function changingLine(stream: Context["stderr"]) {
  let shown = "";
  let frame = 0;
  let hasEnded = false;
  const draw = () => {
    // A line that wraps could not be cleared as one line.
    const width = Math.max((widthOf(stream) ?? 0) - 3, 0);
    const text = [...printableLine(shown)].slice(0, width).join("");
    if (text !== "") stream.write(`${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length] ?? ""} ${text}`);
  };
  stream.write(HIDE_CURSOR);
  const timer = setInterval(draw, FRAME_MS).unref();
  return {
    show: (text: string) => void (shown = text),
    end: () => {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(timer);
      stream.write(`${CLEAR_LINE}${SHOW_CURSOR}`);
    },
  };
}
