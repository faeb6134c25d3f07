import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";

/** What somebody types on a terminal as soon as a text is there. */
interface Typing {
  readonly after: string;
  readonly keys: string;
}

/** Runs `nodecloud` on a terminal. `script` is the path of the program that makes the terminal. */
export async function nodecloudOnTerminal(
  script: string,
  args: readonly string[],
  { directory, env, after, keys }: Typing & { readonly directory: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const command = [process.execPath, resolve("dist/bin/nodecloud.js"), ...args].join(" ");
  const line = `stty cols 100 rows 40 && exec ${command}`;
  const child = spawn(script, ["--quiet", "--flush", "--return", "--command", line, "/dev/null"], {
    cwd: directory,
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      ...{ TERM: "xterm", SHELL: "/bin/sh", HOME: directory, NO_COLOR: "1" },
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasThere = printed.includes(after);
    printed += text;
    if (!wasThere && printed.includes(after)) child.stdin.write(keys);
  });
  const code = await new Promise<number | null>((ended, failed) =>
    child.on("error", failed).on("close", ended),
  );
  return { code, printed };
}
