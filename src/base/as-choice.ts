/** The words as a choice: `api-key, bearer or latency`. */
export function asChoice(words: readonly string[]): string {
  return words.join(", ").replace(/, (?=[^,]*$)/, " or ");
}
