/**
 * How well a text fits what was typed: 0 for not at all. Every word must occur, best at the start of the text, then at the
 * start of a word, then inside; a single word may also be scattered over it from its first letter, as `prd` is over `products`.
 */
export function fitOf(text: string, typed: string): number {
  const words = wordsOf(typed);
  const isLoose = words.length === 1 && isScattered(text.toLowerCase(), words[0] as string);
  return fitOfWords(text, typed) || (isLoose ? 0.2 : 0);
}

/** The same, without scattered letters: they occur in any long text. */
export function fitOfWords(text: string, typed: string): number {
  const words = wordsOf(typed);
  if (words.length === 0) return 1;
  const lower = text.toLowerCase();
  const fits = words.map((word) => wordFit(lower, word));
  return fits.every((fit) => fit > 0) ? fits.reduce((sum, fit) => sum + fit) / fits.length : 0;
}

function wordsOf(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

function wordFit(text: string, word: string): number {
  if (text === word) return 4;
  const at = text.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return 3;
  return /[\s/_.-]/.test(text.charAt(at - 1)) ? 2 : 1;
}

function isScattered(text: string, letters: string): boolean {
  if (text.charAt(0) !== letters.charAt(0)) return false;
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return letters.length > 1;
}
