import { ExactNumber } from "../../../base/json/exact/exact-number.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseExact,
  setField,
  stringifyJson,
} from "../../../base/json/json.ts";
import { findSecretWord } from "../../../base/secrets/secret-name.ts";
import { hasCheckDigit, looksRandom } from "../../../base/secrets/secret-patterns.ts";
import type { Redactor } from "./redactor.ts";

const JSON_TYPE = /[/+]json$/;
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/;
const FORM_TYPE = "application/x-www-form-urlencoded";
const TEXT_TYPE = /^text\/|[/+]xml$|^application\/(?:graphql|javascript|yaml|x-yaml|toml)$/;
const CARD_DIGITS = /^(?:4\d|5[1-5]|2[2-7]|6[05]|35)\d{14}$|^3[47]\d{13}$/;

/** How much of a value is secret: what the names in it say, all that looks drawn at random, or everything. */
type Secrecy = "named" | "random" | "whole";

interface Place {
  readonly name: string;
  readonly secrecy: Secrecy;
}

/** A body to redact. */
interface Body {
  readonly text: string;
  readonly mediaType: string;
  /** Of a token endpoint: everything that looks drawn at random is secret. */
  readonly isCredential: boolean;
}

/** Replaces the secrets in a body; undefined where the body cannot be read, so that it must not be kept. */
export function redactBody(body: Body, redactor: Redactor): string | undefined {
  const { text, mediaType, isCredential } = body;
  const place: Place = { name: "", secrecy: isCredential ? "random" : "named" };
  const json = (part: string): string => stringifyJson(redactValue(parseExact(part), place, redactor));
  try {
    if (text.trim() === "") return "";
    if (LINES_TYPE.test(mediaType)) {
      return text.replace(/[^\r\n]+/g, (line) => (line.trim() === "" ? line : json(line)));
    }
    if (JSON_TYPE.test(mediaType) || (mediaType === "" && /^\s*[[{]/.test(text))) return json(text);
  } catch {
    return undefined;
  }
  if (mediaType === FORM_TYPE) return redactor.search(text);
  // Where the value of a secret name ends in other texts is not known.
  if (!TEXT_TYPE.test(mediaType) || findSecretWord(text) !== -1) return undefined;
  return redactor.text(text);
}

function redactValue(value: Json, place: Place, redactor: Redactor): Json {
  if (typeof value === "string") return redactString(value, place, redactor);
  if (typeof value === "number" || value instanceof ExactNumber) return redactNumber(value, place, redactor);
  if (Array.isArray(value)) {
    // A list of objects is a list of records, such as the sessions of a conference: not all of it is secret.
    const inner =
      place.secrecy === "whole" && value.some(isJsonObject) ? { ...place, secrecy: "random" as const } : place;
    return value.map((element) => redactValue(element, inner, redactor));
  }
  return isJsonObject(value) ? redactObject(value, place, redactor) : value;
}

function redactObject(object: JsonObject, { secrecy }: Place, redactor: Redactor): JsonObject {
  const redacted: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const place: Place = { name, secrecy: redactor.isSecret(name) ? "whole" : secrecy };
    setField(redacted, redactor.text(name), redactValue(value, place, redactor));
  }
  return redacted;
}

function redactString(text: string, { name, secrecy }: Place, redactor: Redactor): string {
  const isSecret = secrecy === "whole" || (secrecy === "random" && looksRandom(text));
  return isSecret
    ? redactor.take(text, name)
    : /^https?:\/\//.test(text)
      ? redactor.address(text)
      : redactor.text(text);
}

function redactNumber(number: number | ExactNumber, { name, secrecy }: Place, redactor: Redactor): Json {
  const digits = String(number);
  const isCard = CARD_DIGITS.test(digits) && hasCheckDigit(digits);
  if (secrecy !== "whole" && !isCard) return number;
  return redactor.count(isCard ? "card number" : name, redactor.pseudonyms.number(number));
}
