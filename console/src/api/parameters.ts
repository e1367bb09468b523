/** The name and the value of a parameter or a header. */
export type Pair = readonly [name: string, value: string];

/** Name and value pairs as a query string that stays readable: only what must be encoded is. */
export function formatParameters(parameters: readonly Pair[]): string {
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value).replaceAll("%3D", "=")}`).join("&");
}

function encode(text: string): string {
  // Half a surrogate pair has no encoding.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/%(2C|2F|3A|40|24)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
}
