/** Characters that are plain in a query, and easier to read. */
const READABLE: Readonly<Record<string, string>> = { "%3A": ":", "%2C": ",", "%2F": "/", "%40": "@", "%24": "$" };

/** A name or value of a query. Braces are encoded, so that tools see no variables in them. */
export function encodeQuery(text: string): string {
  return encode(text).replace(/%(?:3A|2C|2F|40|24)/g, (code) => READABLE[code] ?? code);
}

/** A path of segments, each of which may hold any character. */
export function encodePath(...segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${encode(String(segment))}`).join("");
}

/** Half of a surrogate pair has no form in UTF-8. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}
