import { caseOf, openingCase, quoted, valueCases } from "./cases";
import { type Completed, type CompletedCommand, type Values } from "./completed";

/** The script that completes `nodecloud` in zsh. */
export function zshScript(completed: Completed): string {
  const { commands, options } = completed;
  return `#compdef nodecloud
# Completes nodecloud in zsh. \`nodecloud completion zsh\` writes it.
_nodecloud() {
  local name=\${words[2]} cur=\${words[CURRENT]} open= word=
  local -i i
  local -a found
  if (( CURRENT == 2 )); then
    found=(${listed(commands)})
    if [[ $cur == -* ]]; then found=(${listed(options)}); fi
    _describe command found
    return
  fi
  # The option whose value the word is.
  for (( i = 3; i < CURRENT; i++ )); do
    word=\${words[i]}
    if [[ -n $open ]]; then open=; continue; fi
    case "$name $word" in
${openingCase(completed)}    esac
  done
  if [[ $cur == --*=* && -z $open ]]; then
    open=\${cur%%=*} cur=\${cur#*=}
    compset -P '*='
  elif [[ $cur == -* && -z $open ]]; then
    case "$name" in
${commands.map(({ name, options: own }) => caseOf([name], `found=(${listed(own)})`)).join("")}    esac
    _describe -o option found
    return
  fi
  case "$name $open" in
${valueCases(completed, offered)}  esac
}
# The values of a list that can follow its commas. Upper and lower case do not matter.
_nodecloud_list() {
  local -a begun
  if [[ $cur == *,* ]]; then begun=(\${(s:,:)\${cur%,*}}); fi
  compset -P '*,'
  compadd -M 'm:{[:lower:]}={[:upper:]}' -F begun -- "$@"
}
if [[ $funcstack[1] == _nodecloud ]]; then
  _nodecloud "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _nodecloud nodecloud
fi
`;
}

/** A colon ends the name. */
const listed = (all: readonly Pick<CompletedCommand, "name" | "description">[]): string =>
  all.map(({ name, description }) => quoted(`${name.replaceAll(":", "\\:")}:${description}`)).join(" ");

function offered(values: Exclude<Values, "any">, isList: boolean): string {
  if (values === "files") return "_files";
  if (values === "folders") return "_files -/";
  return `${isList ? "_nodecloud_list" : "compadd --"} ${values.map(quoted).join(" ")}`;
}
