/** The most entries that a `Warning` names. */
const MAX_NAMED = 10;
const MAX_LETTERS = 1000;

/** The value of a `Warning` header (RFC 7234 section 5.5): words, and then a list of entries. */
export function warningOf(words: string, entries: readonly string[]): string {
  const named = entries.slice(0, MAX_NAMED).map(asciiOf);
  const more = entries.length > MAX_NAMED ? `; ${entries.length - MAX_NAMED} more` : "";
  return `199 standin "${words}: ${named.join("; ").slice(0, MAX_LETTERS)}${more}"`;
}

/** Percent-encodes the characters that a quoted string in a header cannot have. */
function asciiOf(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\%]/gu, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? "?" : character),
  );
}
