import picocolors from "picocolors";
import { type Context } from "./context";

type Stream = Context["stdout"];

const DEFAULT_WIDTH = 80;

/** Whether a stream gets colours: `NO_COLOR` and `FORCE_COLOR` decide, then whether it is a terminal. */
export function hasColours({ environment }: Context, stream: Stream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  // Without a terminal it is undefined.
  return Boolean(stream.isTTY) && TERM !== "dumb";
}

/** Functions that colour text for a stream, or leave it as it is. */
export const coloursFor = (context: Context, stream: Stream) =>
  picocolors.createColors(hasColours(context, stream));

/** The colours of a result: those of the terminal, or none in a file. */
export const coloursOfResult = (context: Context, file: string | undefined) =>
  file === undefined ? coloursFor(context, context.stdout) : picocolors.createColors(false);

/** The width of a terminal in columns. Undefined if the stream is none, so that nothing is wrapped or cut. */
export const widthOf = (stream: Stream): number | undefined =>
  stream.isTTY ? stream.columns || DEFAULT_WIDTH : undefined;

/** Whether a person sees what happens while it happens. */
export const isInteractive = ({ stderr, environment }: Context): boolean =>
  stderr.isTTY && environment["CI"] === undefined && environment["TERM"] !== "dumb";

/** Asks a question that is answered by yes or no. Without a person at a terminal, the answer is yes. */
export async function isConfirmed(context: Context, message: string): Promise<boolean> {
  const { stdin, stderr, signal } = context;
  if (!isInteractive(context) || !stdin.isTTY) return true;
  const { confirm } = await import("@clack/prompts");
  // Ctrl-C is an answer too: a symbol.
  return (await confirm({ message, input: stdin, output: stderr, signal, withGuide: false })) === true;
}
