import { Argument } from "commander";
import { type CliCommand, helpEnd } from "../cli-command";
import { EXIT } from "../errors";
import { writeResult } from "../output";
import { bashScript } from "./bash";
import { completedBy } from "./completed";
import { fishScript } from "./fish";
import { zshScript } from "./zsh";

/** The shells that can complete `nodecloud`. The scripts of libraries start Node for each key; these do not. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

const END = helpEnd({
  examples: [
    [
      "nodecloud completion bash > ~/.nodecloud.bash && echo '. ~/.nodecloud.bash' >> ~/.bashrc",
      "Install it for bash",
    ],
    [
      "nodecloud completion zsh > ~/.nodecloud.zsh && echo '. ~/.nodecloud.zsh' >> ~/.zshrc",
      "Install it for zsh",
    ],
    ["nodecloud completion fish > ~/.config/fish/completions/nodecloud.fish", "Install it for fish"],
  ],
  notes: [
    "Install it once, and again after an upgrade of pulumi-nodecloud.",
    "A shell completes the command nodecloud if it is on the PATH. It does not complete npx nodecloud.",
  ],
  codes: "0 printed, 1 there is no such shell",
});

/** `nodecloud completion` */
export const completion: CliCommand = {
  name: "completion",
  declare: (command, context, exit) =>
    command
      .description("Print a script that completes commands, options and values in a shell")
      .addArgument(new Argument("<shell>", "The shell").choices(Object.keys(SCRIPTS)))
      .addHelpText("after", END)
      .action((shell: keyof typeof SCRIPTS) =>
        exit(async () => {
          await writeResult(context, SCRIPTS[shell](completedBy(command.parent ?? command)));
          return EXIT.none;
        }),
      ),
};
