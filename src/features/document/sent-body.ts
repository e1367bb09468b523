import type { IncomingMessage } from "node:http";
import type { MediaContent } from "../../api-document/api-document.ts";
import { bareType, isJson } from "../../api-document/check/media-types.ts";
import { readMultipart } from "../../api-document/check/multipart.ts";
import { readForm } from "../../api-document/check/read-text.ts";
import { shapeOf } from "../../api-document/check/shape.ts";
import type { References } from "../../api-document/references.ts";
import { hasReadableType, keepBody, readBody, readBodyText } from "../../http/body/body.ts";
import { isJsonObject, type Json } from "../../json.ts";

/** Reads a body of any type, and leaves it for others: JSON as a value, a form as an object of texts, else as a text. */
export async function readSentBody(req: IncomingMessage, maxBytes: number): Promise<Json | undefined> {
  const { "content-length": length, "transfer-encoding": transfer } = req.headers;
  if ((length === undefined || length === "0") && transfer === undefined) return undefined;
  await keepBody(req, maxBytes);
  return hasReadableType(req) ? readBody(req, maxBytes) : readBodyText(req, maxBytes);
}

/** The value of a body whose fields are texts, in the types of its schema; JSON as it is. */
export function typedBody(
  references: References,
  body: Json | undefined,
  { content, contentType }: { readonly content: MediaContent | undefined; readonly contentType: string | undefined },
): Json | undefined {
  const type = bareType(contentType ?? content?.type);
  if (body === undefined || isJson(type)) return body;
  const fields =
    typeof body === "string" && contentType !== undefined && type.startsWith("multipart/")
      ? readMultipart(body, contentType)
      : isJsonObject(body)
        ? new Map(Object.entries(body).map(([name, value]) => [name, [value].flat().map(String)]))
        : undefined;
  return fields ? readForm(fields, shapeOf(content?.schema, references)) : body;
}
