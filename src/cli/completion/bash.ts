import { caseOf, openingCase, quoted, valueCases } from "./cases";
import { type Completed, type Values } from "./completed";

/** The script that completes `nodecloud` in bash. */
export function bashScript(completed: Completed): string {
  const { commands, options } = completed;
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  return `# Completes nodecloud in bash. \`nodecloud completion bash\` writes it.
_nodecloud() {
  local IFS=$' \\t\\n' cur=\${COMP_WORDS[COMP_CWORD]} name=\${COMP_WORDS[1]} open="" word="" before="" i=0
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _nodecloud_words ${quoted([...names(commands), ...names(options)].join(" "))}
    return
  fi
  # The option whose value the word is. Bash splits --format=json into three words if COMP_WORDBREAKS has a =.
  for ((i = 2; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $open ]]; then open=""; continue; fi
    case "$name $word" in
${openingCase(completed)}    esac
  done
  if [[ $cur == "=" ]]; then cur=""; fi
  if [[ $cur == --*=* && -z $open ]]; then open=\${cur%%=*} before=\${cur%%=*}= cur=\${cur#*=}; fi
  if [[ $cur == -* && -z $open ]]; then
    case "$name" in
${commands.map((command) => caseOf([command.name], `_nodecloud_words ${quoted(names(command.options).join(" "))}`)).join("")}    esac
    return
  fi
  case "$name $open" in
${valueCases(completed, offered)}  esac
  if [[ -n $before ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$before}"); fi
}
_nodecloud_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
# The values of a list that can follow its commas. Upper and lower case do not matter.
_nodecloud_list() {
  local begun="" word="" case=""
  case=$(shopt -p nocasematch)
  shopt -s nocasematch
  if [[ $cur == *,* ]]; then begun=\${cur%,*},; fi
  for word in $1; do
    if [[ ,$begun != *,$word,* && $begun$word == "$cur"* ]]; then COMPREPLY+=("$begun$word"); fi
  done
  $case
}
_nodecloud_paths() {
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$cur")
}
complete -F _nodecloud nodecloud
`;
}

function offered(values: Exclude<Values, "any">, isList: boolean): string {
  if (values === "files") return "_nodecloud_paths -f";
  if (values === "folders") return "_nodecloud_paths -d";
  return `${isList ? "_nodecloud_list" : "_nodecloud_words"} ${quoted(values.join(" "))}`;
}
