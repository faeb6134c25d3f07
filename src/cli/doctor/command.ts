import { Option } from "commander";
import { type CliCommand } from "../cli-command";
import type * as run from "./run";

interface Options {
  readonly stack?: string;
  readonly format: "text" | "json";
}

const EXAMPLES = `
Examples:
  nodecloud doctor                 check the machine, the selected stack, and its account
  nodecloud doctor --stack prod    the same for another stack
  NODECLOUD_BASE_URL=http://127.0.0.1:8080/v4 nodecloud doctor

Exit codes: 0 no problem, 2 problems, 1 the command failed. It changes nothing.`;

/** `nodecloud doctor` */
export const doctor: CliCommand = {
  name: "doctor",
  declare: (command, context, exit) =>
    command
      .description(
        "checks what a run needs: versions, settings, the network, the token, and what interrupted runs left",
      )
      .option("--stack <name>", "the stack whose settings and state are checked (default: the selected one)")
      .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("text"))
      .addHelpText("after", EXAMPLES)
      .action(({ stack, format }: Options) => exit(() => load().runDoctor(context, stack, format))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
