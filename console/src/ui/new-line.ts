/** The text to insert for the Enter key: a new line that is indented like this one, deeper behind an opening bracket. */
export function newLineAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return `\n${indent}${/[{[]\s*$/.test(line) ? "  " : ""}`;
}
