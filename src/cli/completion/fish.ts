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
function __nodecloud_lists --description 'whether one of these options takes all words up to the next option'
    set -l given (string match -r -- '^-.*' (commandline -opc))
    set -q given[-1]; and contains -- $given[-1] $argv
end
${lines.join("\n")}
`;
}

function linesFor({ name, description, options, arguments: values }: CompletedCommand): string[] {
  const lists = options.filter(({ isList }) => isList).map((option) => option.name);
  const outside = lists.length === 0 ? "" : `; and not __nodecloud_lists ${lists.join(" ")}`;
  const condition = quoted(`__nodecloud_at ${name}${outside}`);
  return [
    `complete -c nodecloud -n __nodecloud_at -a ${quoted(name)} -d ${quoted(description)}`,
    ...(values === "any" ? [] : [`complete -c nodecloud -n ${condition} ${offered(values)}`]),
    ...options.map((option) => optionLine(quoted(`__nodecloud_at ${name}`), option)),
  ];
}

function optionLine(condition: string, { name, description, values }: CompletedOption): string {
  const value =
    values === undefined
      ? ""
      : values === "any"
        ? " -x"
        : ` ${values === "files" ? "-r" : "-x"} ${offered(values)}`;
  return `complete -c nodecloud -n ${condition} -l ${name.replace(/^--/, "")}${value} -d ${quoted(description)}`;
}

function offered(values: Exclude<Values, "any">): string {
  if (values === "files") return "-F";
  return `-a ${values === "folders" ? "'(__fish_complete_directories)'" : quoted(values.join(" "))}`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
