import { Option } from "commander";
import { outlines } from "../../sdk/outlines";
import { type CliCommand, helpEnd } from "../cli-command";
import { formatOption, ListOption, repeatedOption } from "../list-option";
import { FORMATS } from "./formats";
import { KINDS } from "./report";
import type * as run from "./run";

const END = helpEnd({
  examples: [
    ["nodecloud drift", "Compare the selected stack of the project in this folder"],
    ["nodecloud drift infra dns --all", "Compare all stacks of two projects"],
    ["nodecloud drift infra --stack staging,prod", "Compare two stacks of a project"],
    ["nodecloud drift --fail-on changed,deleted", "Show unmanaged objects, and do not fail for them"],
    ["nodecloud drift --all --fail-on shared", "Fail only for objects that several resources manage"],
    ["nodecloud drift --only Domain,DomainRecord", "Compare only these kinds, with fewer requests"],
    ["nodecloud drift --all --format html --out drift.html", "Write a page with filters"],
    ["nodecloud drift --format sarif --out drift.sarif", "Write a file for code scanning"],
    [
      "nodecloud drift --states backup/.pulumi",
      "Compare the states in a copy of a backend, without the engine",
    ],
    [
      "nodecloud drift --states copy --sync 'aws s3 sync --delete s3://states/.pulumi/stacks copy'",
      "Copy them from a bucket, also again if there are findings",
    ],
    [
      "nodecloud drift --all --shard 2/4 --out part-2.json",
      "Compare the second of four parts, for several machines",
    ],
    ["nodecloud drift --merge part-*.json", "Report all parts"],
  ],
  notes: [
    "It changes nothing.",
    ".nodecloudignore lists the unmanaged objects that are known to be elsewhere: docs/drift.md describes it.",
  ],
  codes: "0 no findings, 2 findings, 1 an error or an incomplete comparison",
});

/** `nodecloud drift`. Tests replace what it uses. */
export const driftCommand = (uses?: Partial<run.Uses>): CliCommand => ({
  name: "drift",
  declare: (command, context, exit) =>
    command
      .description(
        "List what was changed or deleted outside Pulumi, what several resources manage, and what no stack manages",
      )
      .argument(
        "[directories...]",
        "Folders of projects, or folders that contain projects (default: this one), or files to merge",
      )
      .addOption(
        new ListOption(
          "--stack <names>",
          "Compare these stacks (default: the selected stack of each project)",
        ),
      )
      .addOption(new Option("--all", "Compare all stacks of the projects").conflicts("stack"))
      .addOption(
        repeatedOption(
          "--states <path>",
          "Compare the states in this file or folder, such as a copy of a bucket",
        ).conflicts(["stack", "all"]),
      )
      .option(
        "--sync <command>",
        "Run this command before the files of --states are read, and before they are read again",
      )
      .addOption(
        new Option(
          "--shard <number>",
          "Compare a part of the stacks, such as 2/4, and write it for --merge",
        ).conflicts(["format", "failOn", "ignoreFile", "merge"]),
      )
      .addOption(
        new Option(
          "--merge",
          "Report the parts in these files, which runs with --shard have written",
        ).conflicts(["stack", "all", "states", "only"]),
      )
      .addOption(
        new ListOption("--only <kinds>", "Compare only these kinds, and read no others").oneOf(
          "kind",
          Object.keys(outlines),
        ),
      )
      .addOption(formatOption(Object.keys(FORMATS)))
      .addOption(
        new ListOption(
          "--fail-on <kinds>",
          "Exit with 2 only for these kinds of findings (default: all)",
        ).oneOf("kind", KINDS),
      )
      .option("--ignore-file <file>", "Read this ignore file (default: .nodecloudignore, if it exists)")
      .option("--out <file>", "Write to a file instead of standard output")
      .addHelpText("after", END)
      .action((directories: string[], options: run.DriftOptions) =>
        exit(() => load().runDrift(context, directories, options, uses)),
      ),
});

/** `nodecloud drift` */
export const drift: CliCommand = driftCommand();

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
