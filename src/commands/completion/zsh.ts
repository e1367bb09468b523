import { type CompletedCommand, namesOf, shellWord } from "./completed-commands.ts";

/** The script for zsh: to be sourced, or a file `_standin` in a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const { double, single } = namesOf(commands);
  return `#compdef standin
# Completion of standin for zsh, by: standin completion zsh
_standin() {
  local command="" flag="\${words[CURRENT-1]}"
  local -a before listed options values
  before=("\${(@)words[2,CURRENT-1]}")
  case "\${(j: :)before[1,2]}" in
    (${double.map(shellWord).join("|")}) command="\${(j: :)before[1,2]}" ;;
    (${single.map((name) => `${shellWord(name)}|${shellWord(`${name} `)}*`).join("|")}) command="\${before[1]}" ;;
  esac
  case "$command" in
${commands.map(caseOf).join("\n")}
  esac
  if [[ "$PREFIX" == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "$command $flag" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if (( \${#values} )); then
    compadd -- "\${values[@]}"
  elif [[ "$PREFIX" == -* ]]; then
    _describe -o 'option' options
  else
    if [[ "\${(j: :)before}" == "$command" ]] && (( \${#listed} )); then _describe 'word' listed; fi
    _files
  fi
}
if [[ "\${funcstack[1]}" == _standin ]]; then _standin "$@"; else compdef _standin standin; fi`;
}

function caseOf({ name, words, flags }: CompletedCommand): string {
  const listed = [...words].map(([word, meaning]) => described(word, meaning));
  const options = flags.map((flag) => described(flag.name, flag.help));
  return `    (${shellWord(name)}) listed=(${listed.join(" ")}) options=(${options.join(" ")}) ;;`;
}

/** A word and its meaning, divided by a colon. */
function described(word: string, meaning: string): string {
  const name = word.replaceAll(":", "\\:");
  return shellWord(meaning === "" ? name : `${name}:${meaning}`);
}

function valueCases({ name, flags }: CompletedCommand): string[] {
  return flags
    .filter(({ choices }) => choices.length > 0)
    .map((flag) => `    (${shellWord(`${name} ${flag.name}`)}) values=(${flag.choices.map(shellWord).join(" ")}) ;;`);
}
