/** The operators between two commands. */
const SEPARATORS = /^(?:&&|\|\||[;|&\n])/;

/**
 * Splits a script into commands and their words. Quoted words with a space are commands, too, as concurrently and
 * start-server-and-test use them.
 */
export function commandsIn(script: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = "";
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)!.push(word);
    word = undefined;
  };
  for (let at = 0; at < script.length; at++) {
    const letter = script[at]!;
    const separator = quote === "" ? SEPARATORS.exec(script.slice(at))?.[0] : undefined;
    if (letter === "\\" && quote !== "'" && at + 1 < script.length) word = `${word ?? ""}${script[++at]}`;
    else if (quote !== "") {
      if (letter === quote) quote = "";
      else word = `${word ?? ""}${letter}`;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= "";
    } else if (separator !== undefined) {
      endWord();
      commands.push([]);
      at += separator.length - 1;
    } else if (/\s/.test(letter)) endWord();
    else word = `${word ?? ""}${letter}`;
  }
  endWord();
  const found = commands.filter((words) => words.length > 0);
  return found.flatMap((words) => [words, ...words.filter((one) => /\S\s+\S/.test(one)).flatMap(commandsIn)]);
}
