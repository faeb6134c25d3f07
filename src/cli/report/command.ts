import { type Command, InvalidArgumentError, Option } from "commander";
import { type CliCommand, helpEnd } from "../cli-command";
import { formatOption, ListOption, repeatedOption } from "../list-option";
import type * as policy from "../../provider/settings/policy";
import type * as run from "./run-report";
import { type ReportFormat, type ReportOptions } from "./run-report";

/** The limits of comments. GitHub and GitLab count characters, and a text never has more characters than bytes. */
const LIMITS = { github: 65_536, gitlab: 1_000_000 };

interface Options extends Omit<ReportOptions, "maxBytes" | "marker"> {
  readonly host: keyof typeof LIMITS;
  readonly maxBytes?: number;
  readonly marker?: string;
}

const END = helpEnd({
  examples: [
    ["pulumi preview --json > preview.json", "Save a preview"],
    ["nodecloud report preview.json > comment.md", "Write a comment for a pull request"],
    ["pulumi preview --json | nodecloud report --format text", "Print a report of standard input"],
    [
      'nodecloud report prod.json staging.json --title "Preview" --out comment.md',
      "Write one comment about two stacks",
    ],
    ["nodecloud report preview.json --format html --out report.html", "Write a page with filters"],
    [
      "nodecloud report preview.json --deny data-loss,replacement:MysqlDatabase",
      "Fail if the preview loses data, or replaces such a database",
    ],
    [
      "nodecloud report preview.json --deny data-loss --allow data-loss:MysqlDatabase:db",
      "Allow it for one resource",
    ],
    [
      "nodecloud report preview.json --states backend --deny shared",
      "Fail if other stacks manage an object that the preview takes or deletes",
    ],
  ],
  notes: [
    "Rules: data-loss, interruption, replacement, deletion, shared, each for all types or for one: deletion:Node.",
    "A comment allows one change with a line such as: /nodecloud allow data-loss MysqlDatabase db",
  ],
  codes: "0 no denied change, 2 a rule denies a change, 1 an error or, with rules, an incomplete preview",
});

/** `nodecloud report`. */
export const report: CliCommand = {
  name: "report",
  declare: (command, context, exit) =>
    declareOptions(command).action((files: string[], { host, ...options }: Options) =>
      exit(() =>
        load().runReport(context, files, { maxBytes: LIMITS[host], marker: options.title, ...options }),
      ),
    ),
};

function declareOptions(command: Command): Command {
  return command
    .description("Turn the output of `pulumi preview --json` into a comment for a pull request")
    .argument(
      "[files...]",
      "Outputs of `pulumi preview --json`, or event logs (default: standard input, also as -)",
    )
    .addOption(formatOption(["markdown", "html", "json", "text"] satisfies ReportFormat[]))
    .option("--out, --output <file>", "Write to a file instead of standard output")
    .option("--title <text>", "Give the comment this title", "Pulumi preview")
    .option(
      "--marker <text>",
      "Mark the comment with this text, by which the next run finds it (default: from the title)",
    )
    .addOption(
      new Option("--host <host>", "Keep the limit of this host for comments")
        .choices(Object.keys(LIMITS))
        .default("github"),
    )
    .option("--max-bytes <number>", "Keep another limit for comments, in bytes", numberOf)
    .addOption(
      repeatedOption(
        "--states <file>",
        "Compare with the states of other stacks in this file or folder, such as that of a backend",
      ),
    )
    .addOption(new ListOption("--deny <rules>", "Fail if one of these rules denies a change").suggest(rules))
    .option("--policy <file>", "Read the lists `deny` and `allow` from this YAML file")
    .addOption(
      repeatedOption("--allow <rule:type:name>", "Allow a rule for one resource, by its name or URN"),
    )
    .addOption(
      repeatedOption(
        "--allow-from <file>",
        "Allow what these comments of the pull request allow, as text or JSON of GitHub's API",
      ),
    )
    .addHelpText("after", END);
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1000) {
    throw new InvalidArgumentError("It must be a whole number of at least 1000.");
  }
  return number;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded for the completion
const rules = () => (require("../../provider/settings/policy") as typeof policy).DENIABLE;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run-report") as typeof run;
