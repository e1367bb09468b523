import type { MediaContent } from "../../api-document/api-document.ts";
import { bareType, isJson } from "../../api-document/check/media-types.ts";
import { readMultipart } from "../../api-document/check/multipart.ts";
import { readForm } from "../../api-document/check/read-text.ts";
import { shapeOf } from "../../api-document/check/shape.ts";
import type { References } from "../../api-document/references.ts";
import { isJsonObject, type Json } from "../../json.ts";

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
