import type { PackageScript } from "./check-package.ts";
import type { Finding } from "./finding.ts";

/** A command that starts json-server. */
export interface Start {
  readonly script: PackageScript;
  readonly program: string;
  readonly args: readonly string[];
}

/** Words that may stand in front of the program: runners, their flags, and variables. */
const BEFORE = /^(?:npx|pnpm|yarn|bunx?|exec|dlx|run|cross-env|node|-.*|\w+=.*)$/;
const PROGRAM = /(?:^|\/)(json-server(?:-auth)?)(?:@[\w.^~-]+|\.cmd)?$/;
/** Of a command that installs, prints or ends something of that name. */
const HARMLESS =
  /^(?:echo|kill|pkill|killall|rm|which|(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|un|uninstall|remove|rm)) /;
/** Variables, other folders, redirections: only the shell knows their meaning. */
const UNKNOWN = /[$`%<>()]|(?:^|\s)(?:cd|pushd)\s/;

/** The starts in a script, or that it was not understood. Nothing is guessed. */
export function readStarts(script: PackageScript): Start[] | Finding {
  const text = script.text.replace(/(["'])(.*?)\1/g, (all, _quote, inner: string) =>
    // Quoted commands, as concurrently and start-server-and-test take them; a quoted word keeps its spaces.
    /\bjson-server\b.*\s/.test(inner) ? `; ${inner} ;` : all.slice(1, -1).replace(/\s/g, "\0"),
  );
  const commands = text.split(/\|\||[;&|\n]+/).map((one) => one.trim());
  const named = commands.filter((one) => one.includes("json-server") && !HARMLESS.test(one));
  const starts = named.flatMap((command): Start[] => {
    const words = command.split(/\s+/).map((word) => word.replaceAll("\0", " "));
    const at = words.findIndex((word) => !BEFORE.test(word));
    const [, program] = PROGRAM.exec(words[at] ?? "") ?? [];
    return program === undefined ? [] : [{ script, program, args: words.slice(at + 1) }];
  });
  if (starts.length === named.length && (named.length === 0 || !UNKNOWN.test(script.text))) return starts;
  return {
    ...script.place,
    level: "check",
    message: "standin doctor does not understand this line. It was not checked.",
    fix: "Check its flags and its files yourself.",
  };
}
