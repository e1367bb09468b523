/** The preferences of a request by name in lower case; one without a value has an empty one. */
export type Preferences = ReadonlyMap<string, string>;

/** One preference and everything up to the next, so that no character is read twice. */
const PREFERENCE = /\s*([\w-]*)\s*(?:=\s*(?:"([^"]*)"|([^\s,;"]*)))?[^,;]*(?:[,;]|$)/g;

/**
 * Parses the header `Prefer` (RFC 7240). The first of several preferences with one name counts.
 *
 * @example
 * parsePreferences('code=404, example="not found"').get("example"); // "not found"
 */
export function parsePreferences(header: string | readonly string[]): Preferences {
  const preferences = new Map<string, string>();
  for (const [, name = "", quoted, bare] of String(header).matchAll(PREFERENCE)) {
    const key = name.toLowerCase();
    if (key !== "" && !preferences.has(key)) preferences.set(key, quoted ?? bare ?? "");
  }
  return preferences;
}
