import { Argument } from "commander";
import { type CliCommand } from "../cli-command";
import type * as run from "./run";
import { type Shell, SHELLS } from "./shells";

const INSTALL = `
Install it once, and again after an upgrade of pulumi-nodecloud:
  nodecloud completion bash > ~/.nodecloud.bash && echo '. ~/.nodecloud.bash' >> ~/.bashrc
  nodecloud completion zsh > ~/.nodecloud.zsh && echo '. ~/.nodecloud.zsh' >> ~/.zshrc
  nodecloud completion fish > ~/.config/fish/completions/nodecloud.fish

A shell completes the command nodecloud if it is on the PATH. It does not complete npx nodecloud.`;

/** `nodecloud completion` */
export const completion: CliCommand = {
  name: "completion",
  declare: (command, context, exit) =>
    command
      .description("prints a script that completes commands, options and values in a shell")
      .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
      .addHelpText("after", INSTALL)
      .action((shell: Shell) => exit(() => load().runCompletion(context, command.parent ?? command, shell))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
