import type { Json, JsonObject } from "../../base/json/json.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import type { Call } from "../../http/call.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import { findAlike } from "../../openapi/bind/words.ts";
import { filesIn, type SentFile } from "../../openapi/check/multipart.ts";
import type { References } from "../../schema/references.ts";
import { asFileField, keepsFiles } from "./download.ts";
import { recordFieldsOf, typesOf } from "./schema-fields.ts";

/** Names of fields that tell about a file, the likeliest first. */
const FACTS: readonly (readonly [fact: (file: SentFile) => Json | undefined, names: readonly string[]])[] = [
  [({ name }) => name, ["filename", "originalFilename", "originalName", "name"]],
  [({ content }) => content.length, ["bytes", "size", "fileSize", "sizeInBytes", "contentLength"]],
  [({ type }) => type, ["contentType", "mimeType", "mediaType"]],
];

/** The fields of a record that a form with a file gives: the name, size and type of the file, and its content if it is kept. */
export function withUpload(
  references: References,
  collection: BoundCollection,
  { call, body, sent }: { readonly call: Call; readonly body: JsonObject; readonly sent: Json | undefined },
): JsonObject {
  const contentType = call.headers["content-type"] ?? "";
  if (typeof sent !== "string" || !/^multipart\/form-data\b/i.test(contentType)) return body;
  const files = filesIn(call.keptBytes ?? Buffer.from(sent), contentType);
  const [file] = files;
  const properties = recordFieldsOf(references, collection.record)?.properties;
  if (!file || !properties) return body;
  const value: JsonObject = keepsFiles(collection) ? { ...body, ...asFileField(file) } : { ...body };
  for (const { field } of files) if (!properties.has(field)) delete value[field];
  for (const [fact, names] of FACTS) {
    const told = fact(file);
    const isOfType = (key: string): boolean =>
      typesOf(references, properties.get(key)!).some((type) => (type === "integer" ? "number" : type) === typeof told);
    const field = names.flatMap((name) => findAlike(properties.keys(), name, isOfType) ?? [])[0];
    if (told !== undefined && field !== undefined && !Object.hasOwn(value, field)) value[field] = told;
  }
  return value;
}
