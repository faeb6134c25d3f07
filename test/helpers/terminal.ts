import { spawn } from "node:child_process";
import { type TestStack } from "./stack";

/** What a command of the real CLI printed to a terminal so far, as lines of text. */
export interface Terminal {
  lines(): readonly string[];
  /** All that it printed, with what moves the cursor and colours text. */
  printed(): string;
  readonly ended: Promise<void>;
}

// eslint-disable-next-line no-control-regex -- what moves the cursor and colours text begins with a control character
const CONTROLS = /\u001b(\[[0-?]*[ -/]*[@-~]|[=>])/g;

/** Runs a command of the CLI as on a terminal of so many columns, by the program `script` at this path. */
export function onTerminal(
  script: string,
  { folder, env }: TestStack,
  columns: number,
  command: string,
): Terminal {
  const line = `stty cols ${columns} rows 40 && exec ${command}`;
  const child = spawn(script, ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    cwd: folder.path,
    // Where tests run may be CI, and there the CLI would not use the terminal.
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
