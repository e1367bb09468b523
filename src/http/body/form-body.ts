import { StandinError } from "../../base/errors.ts";
import { parseForm } from "../../base/forms.ts";
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
