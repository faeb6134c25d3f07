import { eventually } from "./programs";
import { type Commands, type TestStack } from "./stack";
import { recover } from "../faults/recovery";

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

/** Presses ctrl-C twice, which ends the run at once, and does what the docs say to do after such an end. */
export async function endAtOnce(stack: TestStack, running: Running): ReturnType<Commands["pulumi"]> {
  await interrupt(running);
  running.process.kill("SIGINT");
  const outcome = await running.ended;
  await recover(stack);
  return outcome;
}
