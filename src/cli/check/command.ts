import { type CliCommand, helpEnd } from "../cli-command";
import { formatOption } from "../list-option";
import { type CheckFormat } from "./formats";
import type * as run from "./run";

const END = helpEnd({
  examples: [
    ["nodecloud check", "Check the program in this folder, with the selected stack"],
    ["nodecloud check infra --stack prod", "Check the program in a folder, with a stack of its project"],
    ["nodecloud check --format annotations", "Mark the lines of a pull request, in a workflow of GitHub"],
    ["nodecloud check --format sarif --out check.sarif", "Write a file for code scanning"],
  ],
  notes: [
    "It changes nothing.",
    "Without a token, or with nodecloud:validate=false, nothing is compared with the account.",
  ],
  codes: "0 no errors, 2 errors, 1 the program cannot be checked",
});

/** `nodecloud check` */
export const check: CliCommand = {
  name: "check",
  declare: (command, context, exit) =>
    command
      .description("Run the program without the engine, and list every mistake in its resources")
      .argument("[directory]", "The folder of the project", ".")
      .option(
        "--stack <name>",
        "Give the program the configuration of this stack (default: the selected one)",
      )
      .addOption(formatOption(["text", "json", "sarif", "annotations"] satisfies CheckFormat[]))
      .option("--out <file>", "Write to a file instead of standard output")
      .addHelpText("after", END)
      .action((directory: string, options: run.CheckOptions) =>
        exit(() => load().runCheck(context, directory, options)),
      ),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
