/** Longer bodies are compared letter by letter: a request must not be able to keep the server busy. */
const MAX_PARSED = 100_000;

/** A body made ready for comparison: the order of keys and white space do not count in JSON, nor does the order of a form. */
export function canonicalBody(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PARSED) return trimmed;
  try {
    return JSON.stringify(JSON.parse(trimmed, sortKeys));
  } catch {
    // A form, or a text as it stands.
    return /^[^\s=&]+=[^\s]*$/.test(trimmed) ? trimmed.split("&").sort().join("&") : trimmed;
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
