/** Messages for the person at the terminal. Only commands print; everything else is given a reporter. */
export interface Reporter {
  /** Something happened that needs no action. */
  note(text: string): void;
  /** Something worked that the person has just caused, such as a reload. */
  done(text: string): void;
  warn(text: string): void;
  /** A bug or a failure on our side. The stack of `thrown` is for the terminal only. */
  fault(text: string, thrown: unknown): void;
  /** Called after each response; undefined while requests are not logged, so that nothing is measured for them. */
  readonly request: ((entry: AccessEntry) => void) | undefined;
}

export interface AccessEntry {
  method: string;
  /** The address as the client sent it, with secrets masked. */
  url: string;
  status: number;
  durationMs: number;
  bytes: number;
  /** The name of the sandbox it was for. */
  sandbox?: string | undefined;
  /** Whether a fault was made on purpose. */
  hasFault?: boolean;
  /** Why it was refused, where the response may not say that. */
  refusal?: string | undefined;
}

/** Discards every message. */
export const silentReporter: Reporter = { note() {}, done() {}, warn() {}, fault() {}, request: undefined };

/** Control characters and marks that turn the direction of text, but no line feeds and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be found
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Shows characters that a terminal would take as commands as their escapes, such as `\u001b`. */
export function terminalSafe(text: string): string {
  return text.replace(UNSAFE, (character, at: number) =>
    character === "\r" && text[at + 1] === "\n"
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
