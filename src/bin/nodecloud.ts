#!/usr/bin/env node
import { EXIT } from "../cli/errors";
import { main } from "../cli/main";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // It stays: a library of the Automation API ends the process at once if no other listener is left.
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort(new Error(`stopped by ${signal}`));
  });
}

const { stdin, stdout, stderr, env } = process;
// A reader that has seen enough, such as `head`, closes the pipe.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

void main(process.argv.slice(2), {
  ...{ stdin, stdout, stderr },
  environment: env,
  directory: process.cwd(),
  signal: stopping.signal,
}).then((code) => {
  process.exitCode = code;
  // A command of Pulumi that still runs must not keep the user waiting: it only reads.
  if (code === EXIT.interrupted) process.exit();
});
