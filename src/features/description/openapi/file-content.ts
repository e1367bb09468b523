import type { JsonObject } from "../../../base/json/json.ts";
import { listContent, reference } from "../../../openapi/write/parts.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import { FILE_TYPE_NAME, fileFieldsOf } from "../../../schema/inference/file-shape.ts";
import type { DocumentFacts } from "./api-facts.ts";

/** The object that stands for a stored file in records. */
export const FILE_REFERENCE: JsonObject = reference("schemas", FILE_TYPE_NAME);

/** Both versions of OpenAPI that standin writes, and every generator, know this form. */
const BINARY: JsonObject = { type: "string", format: "binary" };

/** The content of a file, of any type. */
export const FILE_CONTENT: JsonObject = { content: { "application/octet-stream": { schema: BINARY } } };

/** Adds to a body of JSON the form that sends files beside the other fields, where records hold files. */
export function withForm(
  { content }: { readonly content: JsonObject },
  { shape }: DescribedMember,
  { schemas }: DocumentFacts,
): JsonObject {
  const files = fileFieldsOf(shape);
  if (files.length === 0) return { content };
  const { schema } = content["application/json"] as { schema: { $ref: string } };
  const fields = schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] as JsonObject;
  const parts = files.map(({ name, isList }) => [name, isList ? listContent(BINARY) : BINARY]);
  const form = {
    ...fields,
    properties: { ...(fields.properties as JsonObject | undefined), ...Object.fromEntries(parts) },
  };
  return { content: { ...content, "multipart/form-data": { schema: form } } };
}
