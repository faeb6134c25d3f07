import { type CliCommand, helpEnd } from "../cli-command";
import { SuggestedArgument } from "../list-option";
import { CODES, shortCode } from "../../provider/base/codes";
import type * as run from "./run";

const END = helpEnd({
  examples: [
    ["nodecloud explain NC1301", "Print the page of the code at the end of a message"],
    ["nodecloud explain", "List all codes"],
  ],
  notes: ["It needs no network: the pages are in the package, below docs/errors."],
  codes: "0 printed, 1 there is no such code",
});

/** `nodecloud explain` */
export const explain: CliCommand = {
  name: "explain",
  declare: (command, context, exit) =>
    command
      .description("Explain the code at the end of an error or a warning, and say what to do")
      .addArgument(
        new SuggestedArgument("[code]", "Code such as NC1301 (default: list all)", () =>
          CODES.map(shortCode),
        ),
      )
      .addHelpText("after", END)
      .action((code: string | undefined) => exit(() => load().runExplain(context, code))),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
