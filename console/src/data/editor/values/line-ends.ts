/** A control has line feeds alone. A text whose lines all end as on Windows keeps them so. */
export function withLineEnds(typed: string, before: string): string {
  return before.includes("\r\n") && !/(?<!\r)\n/.test(before) ? typed.replace(/\r?\n/g, "\r\n") : typed;
}
