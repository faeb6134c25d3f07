import { type Completed, type CompletedCommand, type CompletedOption, type Values } from "./completed";

/** The script that completes `nodecloud` in fish. */
export function fishScript({ commands, options }: Completed): string {
  const lines = [
    "complete -c nodecloud -f",
    ...options.map((option) => optionLine("__nodecloud_at", option)),
    ...commands.flatMap(linesFor),
  ];
  return `# Completes nodecloud in fish. \`nodecloud completion fish\` writes it.
function __nodecloud_at --description 'whether the words are of this command'
    set -l words (commandline -opc)
    if set -q argv[1]
        test (count $words) -gt 1; and test $words[2] = $argv[1]
    else
        test (count $words) -eq 1
    end
end
function __nodecloud_list --description 'the values of a list that can follow its commas'
    set -l begun (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -r '[^,]*$' '')
    for value in $argv
        string match -q -- "*,$value,*" ",$begun"; or echo "$begun$value"
    end
end
${lines.join("\n")}
`;
}

function linesFor({ name, description, options, arguments: values }: CompletedCommand): string[] {
  const condition = quoted(`__nodecloud_at ${name}`);
  return [
    `complete -c nodecloud -n __nodecloud_at -a ${quoted(name)} -d ${quoted(description)}`,
    ...(values === "any" ? [] : [`complete -c nodecloud -n ${condition} ${offered(values)}`]),
    ...options.map((option) => optionLine(condition, option)),
  ];
}

function optionLine(condition: string, { name, description, values, isList }: CompletedOption): string {
  const value =
    values === undefined
      ? ""
      : values === "any"
        ? " -x"
        : ` ${values === "files" ? "-r" : "-x"} ${offered(values, isList)}`;
  return `complete -c nodecloud -n ${condition} -l ${name.replace(/^--/, "")}${value} -d ${quoted(description)}`;
}

function offered(values: Exclude<Values, "any">, isList = false): string {
  if (values === "files") return "-F";
  if (values === "folders") return "-a '(__fish_complete_directories)'";
  return `-a ${quoted(isList ? `(__nodecloud_list ${values.join(" ")})` : values.join(" "))}`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
