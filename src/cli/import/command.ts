import { Option } from "commander";
import { outlines } from "../../sdk/outlines";
import { type CliCommand, helpEnd } from "../cli-command";
import { ListOption } from "../list-option";
import type * as run from "./run";

const END = helpEnd({
  examples: [
    ["nodecloud import --out infra", "Write a new program that adopts the account of NODECLOUD_TOKEN"],
    [
      'nodecloud import --out dns --only Domain,DomainRecord --match "*.example.org,example.net"',
      "Write a new program for these domains and their records",
    ],
    ["nodecloud import infra", "Add what no stack manages to the program in infra"],
    [
      "nodecloud import --from-terraform ../terraform --out infra",
      "Write a new program for what a Terraform state has",
    ],
    [
      "nodecloud import infra dns --all --out rest",
      "Write a new program for what the stacks of two projects do not manage",
    ],
  ],
  notes: [
    "Patterns of --match are compared with labels, domains and ids, and after tag: with tags. What is below an",
    "object follows it, such as the records of a domain. .nodecloudignore is respected.",
    "It reads the account and writes files. Nothing in the account changes, also in the `pulumi up` that adopts.",
    "docs/import.md and docs/from-terraform.md describe the steps.",
  ],
  codes:
    "0 the program is written or there is nothing to adopt, 1 an error or an unreadable part of the account",
});

/** `nodecloud import` */
export const importAccount: CliCommand = {
  name: "import",
  declare: (command, context, exit) =>
    command
      .description("Write a TypeScript program that adopts the objects of an account")
      .argument("[directories...]", "Folders of projects whose stacks manage a part of the account")
      .addOption(
        new ListOption("--only <kinds>", "Write only these kinds").oneOf("kind", Object.keys(outlines)),
      )
      .addOption(new ListOption("--match <patterns>", "Write only objects whose label, domain or id matches"))
      .option("--out <folder>", "Write the program to this folder (default: the project's, or this one)")
      .addOption(
        new Option("--style <style>", "Write records as one set with a zone file, or each as a resource")
          .choices(["set", "single"])
          .default("set")
          .conflicts(["fromTerraform", "fromStack"]),
      )
      .option(
        "--from-terraform <file>",
        "Write what a Terraform state has: its file, that of show -json, or the folder of the configuration",
      )
      .addOption(
        new Option(
          "--from-stack <file>",
          "Write what a stack of the bridged provider has: the file of pulumi stack export, or the project's folder",
        ).conflicts("fromTerraform"),
      )
      .option("--yes", "Write without a question, also in a terminal")
      .option("--protect", "Give each resource the option protect")
      .option(
        "--plugin",
        "Write resources of the full plugin (default: as the program has them, or dynamic ones)",
      )
      .addOption(
        new ListOption("--stack <names>", "Leave out what these stacks manage (default: the selected ones)"),
      )
      .addOption(new Option("--all", "Leave out what all stacks of the projects manage").conflicts("stack"))
      .option("--ignore-file <file>", "Read this ignore file (default: .nodecloudignore, if it exists)")
      .addHelpText("after", END)
      .action((directories: string[], options: run.ImportOptions) =>
        exit(() => load().runImport(context, directories, options)),
      ),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the command runs
const load = () => require("./run") as typeof run;
