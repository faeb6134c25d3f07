import { PassThrough } from "node:stream";
import { type CliCommand } from "../../src/cli/cli-command";
import { type Context } from "../../src/cli/context";
import { main } from "../../src/cli/main";

interface Options {
  readonly directory?: string;
  readonly environment?: Context["environment"];
  readonly signal?: AbortSignal;
  /** The text on stdin. */
  readonly input?: string;
  /** The width of the terminal. Without it, the streams are no terminals. */
  readonly columns?: number;
  readonly commands?: readonly CliCommand[];
}

/** What a command printed, and its exit code. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The context of a command, with streams that nobody reads. */
export function contextIn({ directory, environment = {}, signal }: Options): Context {
  const stream = () => new PassThrough().resume();
  return {
    stdin: stream() as unknown as Context["stdin"],
    stdout: stream() as unknown as Context["stdout"],
    stderr: stream() as unknown as Context["stderr"],
    environment,
    directory: directory ?? process.cwd(),
    signal: signal ?? new AbortController().signal,
  };
}

/** Runs `nodecloud` in this process. */
export async function nodecloud(args: readonly string[], options: Options = {}): Promise<Printed> {
  const { directory = process.cwd(), environment = {}, input = "", columns, commands } = options;
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const output = () => {
    let text = "";
    const stream = Object.assign(new PassThrough(), terminal);
    stream.setEncoding("utf8").on("data", (part: string) => (text += part));
    return { stream: stream as unknown as Context["stdout"], text: () => text };
  };
  const [stdout, stderr] = [output(), output()];
  const stdin = Object.assign(new PassThrough(), terminal);
  stdin.end(input);
  const context: Context = {
    stdin: stdin as unknown as Context["stdin"],
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment,
    directory,
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await main(args, context, commands);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
