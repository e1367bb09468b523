import { posix } from "node:path";

/** The operators between two commands, and the brackets of a subshell. */
const SEPARATORS = /^(?:&&|\|\||[;|&\n()])/;

/** A command of a script. */
interface ShellCommand {
  readonly words: readonly string[];
  /** The operator or bracket behind it; empty at the end. */
  readonly separator: string;
}

/** A command that starts json-server. */
export interface Invocation {
  readonly program: "json-server" | "json-server-auth";
  /** As in `npx json-server@0.17.4`. */
  readonly version: string | undefined;
  readonly args: readonly string[];
  /** The folder that `cd` led to, relative to the project; undefined when a variable decides it. */
  readonly folder: string | undefined;
}

/** Programs that run another one, and their subcommands. */
const RUNNERS = new Set(
  "npx npm pnpm yarn bun bunx pnpx node nodemon exec dlx run cross-env dotenv env x start nice time".split(" "),
);
const NAMED = /(?:^|\/)(json-server(?:-auth)?)(?:@([^/]+))?(?:\.cmd)?$/;
const BY_FILE = /node_modules\/(json-server(?:-auth)?)\/(?:lib|bin|dist)\/.*\.js$/;
const REDIRECTION = /^\d*(?:>>?|<)/;

/** All starts of json-server in a script of package.json, a shell script or a line of a Dockerfile. */
export function invocationsIn(script: string): Invocation[] {
  return invocationsBelow(script, "");
}

function invocationsBelow(script: string, folder: string | undefined): Invocation[] {
  const found: Invocation[] = [];
  let current = folder;
  /** Where the current list of commands began, in each open subshell. */
  const began = [folder];
  for (const { words, separator } of commandsIn(script)) {
    const invocation = invocationOf(words, current);
    if (invocation) found.push(invocation);
    // Quoted commands, as concurrently and start-server-and-test take them.
    for (const word of words) if (/\S\s+\S/.test(word)) found.push(...invocationsBelow(word, current));
    if (/^(?:cd|pushd)$/.test(words[0] ?? "")) current = folderBelow(current, words.slice(1));
    if (separator === "(") began.push(current);
    // A background command and a subshell leave the working directory as it was.
    else if (separator === "&") current = began.at(-1);
    else if (separator === ")") {
      current = began.at(-1);
      if (began.length > 1) began.pop();
    } else if (separator === ";" || separator === "\n") began[began.length - 1] = current;
  }
  return found;
}

/** Whether a script runs json-server in a way that `invocationsIn` cannot read. */
export function hasUnreadStart(script: string): boolean {
  return commandsIn(script).some(({ words }) => {
    const names = words.some((word) => NAMED.test(word) || BY_FILE.test(word));
    const isQuoted = words.some((word) => /\S\s+\S/.test(word) && hasUnreadStart(word));
    return isQuoted || (names && invocationOf(words, "") === undefined && !isHarmless(words));
  });
}

/** Whether a command only installs, prints or ends something of that name. */
function isHarmless([program = "", ...rest]: readonly string[]): boolean {
  if (/^(?:echo|printf|kill|pkill|killall|rm|which|FROM|LABEL)$/.test(program)) return true;
  const isManager = /^(?:npm|pnpm|yarn|bun)$/.test(program);
  return isManager && rest.some((word) => /^(?:i|install|add|ci|un|uninstall|remove|rm|up|upgrade|update)$/.test(word));
}

function invocationOf(words: readonly string[], folder: string | undefined): Invocation | undefined {
  for (const [position, word] of words.entries()) {
    const [, program, version] = NAMED.exec(word) ?? BY_FILE.exec(word) ?? [];
    if (program !== undefined) {
      const args = withoutRedirections(words.slice(position + 1));
      return { program: program as Invocation["program"], version, args, folder };
    }
    const isBeforeIt = RUNNERS.has(word) || /^-|^\w+=/.test(word);
    if (!isBeforeIt) return undefined;
  }
  return undefined;
}

/** Leaves out `> log.txt` and `2>&1`. */
function withoutRedirections(words: readonly string[]): string[] {
  return words.filter((word, at) => !REDIRECTION.test(word) && !/^\d*(?:>>?|<)$/.test(words[at - 1] ?? ""));
}

function folderBelow(folder: string | undefined, words: readonly string[]): string | undefined {
  const to = words.filter((word) => !word.startsWith("/d") && word !== "--").at(0);
  if (folder === undefined || to === undefined || /[$%~`]|^-$|^\//.test(to)) return undefined;
  const path = posix.join(folder, to.replaceAll("\\", "/"));
  return path === "." ? "" : path.replace(/\/$/, "");
}

/** Splits a script into commands and their words. Between two separators there may be a command without words. */
function commandsIn(script: string): ShellCommand[] {
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
    const letter = script.charAt(at);
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
