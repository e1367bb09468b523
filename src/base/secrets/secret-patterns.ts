/** Secrets that are known by their look, wherever they stand. */
export const SECRET_PATTERNS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: "private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g },
  { name: "JWT", pattern: /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g },
  {
    name: "token",
    pattern:
      /\b(?:[sr]k_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[\dA-Z]{16}|AIza[\w-]{30,})/g,
  },
];

const BEGINNINGS = /eyJ|[sr]k_|gh[pousr]_|github_pat_|glpat-|xox|AKIA|AIza|PRIVATE/;

/** A quick check that excludes most texts. */
export function mayBeSecret(text: string): boolean {
  return BEGINNINGS.test(text);
}

export const EMAIL_PATTERN = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Numbers that may be those of cards: of the length and with the beginning that issuers use. */
export const CARD_PATTERN =
  /(?<![\d.-])(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6(?:011|5\d\d)|35\d\d)(?:[ -]?\d{4}){3}(?![\d.-])|(?<![\d.-])3[47]\d\d[ -]?\d{6}[ -]?\d{5}(?![\d.-])/g;

/** The check digit of card numbers (Luhn). */
export function hasCheckDigit(number: string): boolean {
  let sum = 0;
  const digits = number.replace(/\D/g, "");
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Whether a text looks drawn at random, as tokens are: long, of letters and digits, without a space. */
export function looksRandom(text: string): boolean {
  return text.length >= 16 && /^[\w.~+/=-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text);
}
