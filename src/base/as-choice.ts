/** The words as a choice: `http, bruno or k6`. */
export function asChoice(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
