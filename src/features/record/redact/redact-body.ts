import { parseJson } from "../../../base/json/json.ts";
import { maskJson } from "../../../base/secrets/mask-body.ts";
import { maskSearch } from "../../../base/secrets/mask-text.ts";
import { maskingFor } from "../../../base/secrets/masking.ts";
import { findSecretWord } from "../../../base/secrets/secret-name.ts";
import type { Redactor } from "./redactor.ts";

const JSON_TYPE = /[/+]json$/;
const LINES_TYPE = /^application\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/;
const FORM_TYPE = "application/x-www-form-urlencoded";
const TEXT_TYPE = /^text\/|[/+]xml$|^application\/(?:graphql|javascript|yaml|x-yaml|toml)$/;

/** A body to redact. */
interface Body {
  readonly text: string;
  readonly mediaType: string;
  /** Of the request. */
  readonly url: string;
}

/** Replaces the secrets in a body; undefined where the body cannot be read, so that it must not be kept. */
export function redactBody({ text, mediaType, url }: Body, redactor: Redactor): string | undefined {
  if (text.trim() === "") return "";
  const masking = maskingFor(url, redactor.masking);
  const isLines = LINES_TYPE.test(mediaType);
  if (isLines || JSON_TYPE.test(mediaType) || (mediaType === "" && /^\s*[[{]/.test(text))) {
    try {
      for (const json of isLines ? text.split(/[\r\n]+/) : [text]) if (json.trim() !== "") parseJson(json);
    } catch {
      return undefined;
    }
    return maskJson(text, masking);
  }
  if (mediaType === FORM_TYPE) return maskSearch(text, masking);
  // Where the value of a secret name ends in other texts is not known.
  if (!TEXT_TYPE.test(mediaType) || findSecretWord(text) !== -1) return undefined;
  return redactor.text(text);
}
