/** The operators between two commands, and the brackets of a subshell. */
const SEPARATORS = /^(?:&&|\|\||[;|&\n()])/;

/** A command of a script. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** The operator or bracket behind it; empty at the end. */
  readonly separator: string;
}

/** Splits a script into commands and their words. Between two separators there may be a command without words. */
export function commandsIn(script: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote = "";
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (separator: string): void => {
    endWord();
    commands.push({ words, separator });
    words = [];
  };
  for (let at = 0; at < script.length; at++) {
    const letter = script[at]!;
    const separator = isSplit(script, at, quote) ? SEPARATORS.exec(script.slice(at))?.[0] : undefined;
    if (letter === "\\" && quote !== "'" && at + 1 < script.length) word = `${word ?? ""}${script[++at]}`;
    else if (quote !== "") {
      if (letter === quote) quote = "";
      else word = `${word ?? ""}${letter}`;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= "";
    } else if (separator !== undefined) {
      endCommand(separator);
      at += separator.length - 1;
    } else if (/\s/.test(letter)) endWord();
    else word = `${word ?? ""}${letter}`;
  }
  endCommand("");
  return commands;
}

/** Whether a separator can begin here: not in quotes, and neither `$(` nor the `&` of `2>&1`. */
function isSplit(script: string, at: number, quote: string): boolean {
  const before = script[at - 1];
  if (quote !== "" || before === ">") return false;
  return script[at] !== "(" || before !== "$";
}
