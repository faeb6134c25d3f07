import { spawn } from "node:child_process";
import { type TestStack } from "./stack";

/** A command of the real CLI on a terminal. */
export interface Terminal {
  /** The lines that it printed so far, without control sequences. */
  lines(): readonly string[];
  /** Everything that it printed so far, with control sequences. */
  printed(): string;
  readonly ended: Promise<void>;
}

// eslint-disable-next-line no-control-regex -- these sequences begin with a control character
const CONTROLS = /\u001b(\[[0-?]*[ -/]*[@-~]|[=>])/g;

/** Runs a command of the CLI on a terminal with this many columns. `script` is the path of the program that makes the terminal. */
export function onTerminal(
  script: string,
  { folder, env }: TestStack,
  columns: number,
  command: string,
): Terminal {
  const line = `stty cols ${columns} rows 40 && exec ${command}`;
  const child = spawn(script, ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    cwd: folder.path,
    // Tests may run in CI, where the CLI would not use the terminal.
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh", PULUMI_DISABLE_CI_DETECTION: "true" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    printed: () => printed,
    lines: () => printed.replace(CONTROLS, "").split(/[\r\n]+/),
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0 ? resolve() : reject(new Error(`${command} ended with exit code ${code}:\n${printed}`)),
      );
    }),
  };
}
