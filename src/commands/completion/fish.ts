import { type CompletedCommand, type CompletedFlag, namesOf } from "./completed-commands.ts";

/** The script for fish. Files are completed as well, except as values that are limited to some. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const { double, single } = namesOf(commands);
  return `# Completion of standin for fish, by: standin completion fish
function __standin_is
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ""
    switch "$words[1..2]"
        case ${double.map(quoted).join(" ")}
            set command "$words[1..2]"
        case '*'
            if contains -- "$words[1]" ${single.map(quoted).join(" ")}
                set command "$words[1]"
            end
    end
    test "$command" = "$argv[1]"
end
${commands.flatMap(lines).join("\n")}`;
}

function lines({ name, words, flags }: CompletedCommand): string[] {
  const condition = `__standin_is ${quoted(name)}`;
  const before = 1 + name.split(" ").filter((word) => word !== "").length;
  const wordsCondition = `${condition}; and test (count (commandline -opc)) -eq ${before}`;
  return [
    ...[...words].map(([word, meaning]) => line(wordsCondition, `-a ${quoted(word)}`, meaning)),
    ...flags.map((flag) => line(condition, flagWords(flag), flag.help)),
  ];
}

function line(condition: string, what: string, meaning: string): string {
  const description = meaning === "" ? "" : ` -d ${quoted(meaning)}`;
  return `complete -c standin -n ${quoted(condition)} ${what}${description}`;
}

function flagWords({ name, letter, hasValue, choices }: CompletedFlag): string {
  const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : hasValue ? " -r" : "";
  return `-l ${name.slice(2)}${letter === undefined ? "" : ` -s ${letter}`}${value}`;
}

/** Inside single quotes, fish has escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
