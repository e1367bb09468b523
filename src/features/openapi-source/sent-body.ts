import { isJsonObject, type Json } from "../../base/json/json.ts";
import { bareType, isJsonType } from "../../openapi/check/media-types.ts";
import { readMultipart } from "../../openapi/check/multipart.ts";
import { shapeOf } from "../../openapi/check/text-shape.ts";
import { readForm } from "../../openapi/check/text-values.ts";
import type { MediaContent } from "../../openapi/read/api-document.ts";
import type { References } from "../../schema/references.ts";

/** The value of a body whose fields are texts, in the types of its schema; JSON as it is. */
export function typedBody(
  references: References,
  body: Json | undefined,
  { content, contentType }: { readonly content: MediaContent | undefined; readonly contentType: string | undefined },
): Json | undefined {
  const type = bareType(contentType ?? content?.type);
  if (body === undefined || isJsonType(type)) return body;
  const fields =
    typeof body === "string" && contentType !== undefined && type.startsWith("multipart/")
      ? readMultipart(body, contentType)
      : isJsonObject(body)
        ? new Map(Object.entries(body).map(([name, value]) => [name, [value].flat().map(String)]))
        : undefined;
  return fields ? readForm(fields, shapeOf(content?.schema, references)) : body;
}
