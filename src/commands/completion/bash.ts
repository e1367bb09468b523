import { type CompletedCommand, namesOf, shellWord } from "./completed-commands.ts";

/** The script for bash, 3.2 of macOS included. Files are completed wherever the script has nothing to offer. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const { double, single } = namesOf(commands);
  return `# Completion of standin for bash, by: standin completion bash
_standin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") command="" words="" flags="" values=""
  # bash takes --flag=value apart.
  if [ "$current" = "=" ]; then current=""
  elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "\${before[*]:0:2}" in
    ${patterns(double, (name) => [name])}) command="\${before[*]:0:2}" ;;
    ${patterns(single, (name) => [name, `${name} *`])}) command="\${before[0]}" ;;
  esac
  case "$command" in
${commands.map(caseOf).join("\n")}
  esac
  case "$command $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ "\${current:0:1}" = "-" ]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ "\${before[*]}" = "$command" ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=(); fi
}
complete -o default -F _standin standin`;
}

/** Patterns of a case; the star stays outside of the quotes. */
function patterns(names: readonly string[], written: (name: string) => string[]): string {
  return names
    .flatMap(written)
    .map((name) => (name.endsWith("*") ? `${shellWord(name.slice(0, -1))}*` : shellWord(name)))
    .join("|");
}

function caseOf({ name, words, flags }: CompletedCommand): string {
  const listed = flags.map((flag) => flag.name).join(" ");
  return `    ${shellWord(name)}) words=${shellWord([...words.keys()].join(" "))} flags=${shellWord(listed)} ;;`;
}

function valueCases({ name, flags }: CompletedCommand): string[] {
  return flags
    .filter(({ choices }) => choices.length > 0)
    .map((flag) => `    ${shellWord(`${name} ${flag.name}`)}) values=${shellWord(flag.choices.join(" "))} ;;`);
}
