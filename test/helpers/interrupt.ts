import { eventually } from "./programs";
import { type Commands } from "./stack";

type Running = ReturnType<Commands["start"]>;

/** Presses ctrl-C, and waits until the engine has noticed it: a second one at the same moment would be lost. */
export async function interrupt({ process }: Running): Promise<void> {
  let printed = "";
  process.stdout?.on("data", (text: string) => (printed += text));
  process.kill("SIGINT");
  await eventually("the engine takes the interrupt", () =>
    printed.includes("^C received") ? true : undefined,
  );
}

/** Presses ctrl-C twice, which ends the run at once. */
export async function endAtOnce(running: Running): ReturnType<Commands["pulumi"]> {
  await interrupt(running);
  running.process.kill("SIGINT");
  return running.ended;
}
