import { StandinError } from "../../base/errors.ts";
import type { Json } from "../../base/json/json.ts";

/** As in 0.17. */
const MAX_FORM_FIELDS = 1000;
export const MAX_FORM_BYTES = 100 * 1024;

/** Form fields are texts; a repeated one is an array of them, as in 0.17. */
export function parseFormBody(text: string): Json {
  if (/^\s*[{[]/.test(text)) {
    throw new StandinError(
      "BODY_MALFORMED",
      "The body looks like JSON but was sent as a form. Add the header Content-Type: application/json " +
        "(curl: -H 'Content-Type: application/json').",
    );
  }
  if (text.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new StandinError("BODY_TOO_LARGE", `A form may have at most ${MAX_FORM_FIELDS} fields.`);
  }
  return { ...(parseForm(text) as Record<string, string | string[]>) };
}

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
