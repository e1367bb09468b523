import { isJsonObject, type Json } from "../../base/json/json.ts";
import { maskText } from "../../base/secrets/mask-text.ts";
import { isSecretName } from "../../base/secrets/secret-name.ts";
import type { Template } from "./request-book.ts";

/** Variables that mean something else. */
const RESERVED = new Set(["tx", "baseUrl"]);

/** The variable for a secret of this name: `X-API-Key` becomes `xApiKey`. */
export function variableFor(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? ["secret"];
  const joined = words
    .map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join("");
  return /^\d/.test(joined) || RESERVED.has(joined)
    ? `secret${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
    : joined;
}

/** A text that no secret is in. */
export function isOpen(text: string): boolean {
  return maskText(text) === text;
}

/** JSON as the body of a request: variables in place of values with secret names, and no secret in other texts. */
export function bodyTemplate(value: Json): Template {
  const plain = JSON.stringify(value);
  let mark = "secret:";
  while (plain.includes(mark)) mark = `=${mark}`;
  const text = JSON.stringify(hidden(value, mark), null, 2);
  // Every second piece is the name of a variable; its quotes belong to the text.
  return text.split(new RegExp(`"${mark}(\\w+)"`)).flatMap((piece, at) => {
    if (at % 2 === 0) return [piece];
    return ['"', { variable: piece }, '"'];
  });
}

/** `secret` is the name of a value that must not be shown; everything within such a value is as secret. */
function hidden(value: Json, mark: string, secret?: string): Json {
  const isText = typeof value === "string";
  if (secret !== undefined && (isText || typeof value === "number")) return `${mark}${variableFor(secret)}`;
  if (isText) return maskText(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, mark, secret));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]): [string, Json] => {
    const isSecret = secret !== undefined || isSecretName(name);
    return [name, hidden(one, mark, isSecret ? name : undefined)];
  });
  return Object.fromEntries(entries);
}
