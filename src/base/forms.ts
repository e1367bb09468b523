/** Reads a form as 0.17 does: a repeated name makes a list, and what cannot be decoded stays, with replacement characters. */
export function parseForm(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decoded(pair.slice(equals + 1));
    const earlier = fields[name];
    if (Array.isArray(earlier)) earlier.push(value);
    else fields[name] = earlier === undefined ? value : [earlier, value];
  }
  return fields;
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? spaced;
  }
}
