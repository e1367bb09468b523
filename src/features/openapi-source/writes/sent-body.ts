import type { Json } from "../../../base/json/json.ts";
import { readFormBody } from "../../../openapi/check/form-body.ts";
import { bareType, isJsonType } from "../../../openapi/check/media-types.ts";
import type { MediaContent } from "../../../openapi/read/api-document.ts";
import type { References } from "../../../schema/references.ts";

/** The value of a body whose fields are texts, in the types of its schema; JSON as it is. */
export function typedBody(
  references: References,
  body: Json | undefined,
  { content, contentType }: { readonly content: MediaContent | undefined; readonly contentType: string | undefined },
): Json | undefined {
  if (body === undefined || isJsonType(bareType(contentType ?? content?.type))) return body;
  return readFormBody({ body, contentType, content }, references) ?? body;
}
