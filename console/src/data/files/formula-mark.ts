/**
 * Spreadsheets run cells that begin with one of these as formulas, which can send data elsewhere. In files for people such
 * texts get an apostrophe in front, and lose it again when they are imported. Texts that look marked already get another
 * one, so that every text comes back as it was.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
const MARKED = /^'+[=+\-@\t\r]/;

export function markFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function unmarkFormula(text: string): string {
  return MARKED.test(text) ? text.slice(1) : text;
}
