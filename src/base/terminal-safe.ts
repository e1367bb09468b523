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
