import { type CliCommand, helpEnd } from "../cli-command";
import { formatOption } from "../list-option";
import type * as run from "./run";

interface Options extends run.Examined {
  readonly format: "text" | "json";
}

const END = helpEnd({
  examples: [
    ["nodecloud doctor", "Check the machine, the selected stack, and its account"],
    ["nodecloud doctor --stack prod", "Check another stack"],
    ["NODECLOUD_BASE_URL=http://127.0.0.1:8080/v4 nodecloud doctor", "Check another address of the API"],
  ],
  notes: [
    "It changes nothing. With --check-lock it holds the lock of a stack in an object store for a moment.",
  ],
  codes: "0 no problem, 2 problems, 1 the command failed",
});

/** `nodecloud doctor` */
export const doctor: CliCommand = {
  name: "doctor",
  declare: (command, context, exit) =>
    command
      .description(
        "Check what a run needs: versions, settings, the network, the token, and what interrupted runs left",
      )
      .option("--stack <name>", "Check the settings and the state of this stack (default: the selected one)")
      .option("--check-lock", "Ask for the lock of a stack in an object store, which takes it for a moment")
      .addOption(formatOption(["text", "json"]))
      .addHelpText("after", END)
      .action(({ format, ...of }: Options) => exit(() => load().runDoctor(context, of, format))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
