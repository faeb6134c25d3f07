/** The parts of its process that a command of `nodecloud` may use. Tests give their own. */
export interface Context {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly directory: string;
  /** Aborted by ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}
