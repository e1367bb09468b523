import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { References } from "../../schema/references.ts";
import type { MediaContent } from "../read/api-document.ts";
import { bareType, isUrlEncoded } from "./media-types.ts";
import { readMultipart } from "./multipart.ts";
import { DELIMITERS, pairTexts, readRawQuery } from "./parameter-values.ts";
import { shapeOf } from "./text-shape.ts";
import { readForm } from "./text-values.ts";

export interface SentForm {
  /** A text, or the fields with their texts. */
  readonly body: Json;
  readonly contentType: string | undefined;
  /** How the document describes it. */
  readonly content: Pick<MediaContent, "type" | "schema" | "encoding"> | undefined;
}

/** The value of a form, in the types of its schema; undefined for a body that is none. */
export function readFormBody({ body, contentType, content }: SentForm, references: References): JsonObject | undefined {
  const type = bareType(contentType ?? content?.type);
  const fields = textsIn(body, type, contentType);
  if (!fields) return undefined;
  for (const [name, encoding] of Object.entries(content?.encoding ?? {})) {
    const [text, ...more] = fields.get(name) ?? [];
    if (text === undefined || more.length > 0 || !isJsonObject(encoding) || encoding.explode !== false) continue;
    fields.set(name, text.split(DELIMITERS[String(encoding.style)] ?? ","));
  }
  return readForm(fields, shapeOf(content?.schema, references));
}

function textsIn(body: Json, type: string, contentType: string | undefined): Map<string, string[]> | undefined {
  if (isUrlEncoded(type)) return fieldTexts(body);
  if (type !== "multipart/form-data" || typeof body !== "string") return undefined;
  return readMultipart(body, contentType ?? type);
}

function fieldTexts(body: Json): Map<string, string[]> {
  if (typeof body === "string") return pairTexts(readRawQuery(body));
  const entries = isJsonObject(body) ? Object.entries(body) : [];
  return new Map(entries.map(([name, value]) => [name, [value].flat().map(String)]));
}
