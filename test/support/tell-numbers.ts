/** One line of what a long run has done; the short runs of `npm test` say nothing. */
export function tellNumbers(text: string): void {
  if (process.env.STANDIN_SOAK) console.log(text);
}
