import type { FileObject } from "../../../base/file-object.ts";
import { type Json, type JsonObject, toJson } from "../../../base/json/json.ts";
import { Buffer } from "../../../base/platform/buffer.ts";
import type { Call } from "../../../http/call.ts";
import type { Service } from "../../../http/contract.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { isBytes } from "../../../openapi/bind/bodies/bodies.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import { bareType, contentOfType } from "../../../openapi/check/media-types.ts";
import { filesIn, type SentFile } from "../../../openapi/check/multipart.ts";
import type { Operation } from "../../../openapi/read/api-document.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { filesFeature } from "../../files/feature.ts";
import { asFileField, FILES_FIELD, keepsFiles } from "../responses/download.ts";
import { elementSchema, recordFieldsOf, typesOf } from "../schema-fields.ts";

/** Names of fields that tell about a file, the likeliest first. */
const FACTS: readonly (readonly [fact: (file: SentFile) => Json | undefined, names: readonly string[]])[] = [
  [({ name }) => name || undefined, ["filename", "originalFilename", "originalName", "name"]],
  [({ content }) => content.length, ["bytes", "size", "fileSize", "sizeInBytes", "contentLength"]],
  [({ type }) => type, ["contentType", "mimeType", "mediaType"]],
];

/** The files of a request: those of a form, or the body where the operation takes one file. */
export function sentFiles(
  { headers, keptBytes }: Call,
  { requestBody }: Operation,
  sent: Json | undefined,
): SentFile[] {
  const type = headers["content-type"] ?? "";
  if (typeof sent !== "string") return [];
  const content = keptBytes ?? Buffer.from(sent);
  if (/^multipart\/form-data\b/i.test(type)) return filesIn(content, type);
  const declared = contentOfType(requestBody?.contents ?? [], bareType(type));
  return declared && isBytes(declared) ? [{ field: "", name: "", type: bareType(type), content }] : [];
}

interface Upload {
  readonly call: Call;
  readonly service: Service;
  readonly body: JsonObject;
  readonly files: readonly SentFile[];
}

/**
 * The fields of a record that a file, or a form with files, gives: the files themselves, the name, size and type of the first, and its
 * content if it is sent back.
 */
export async function withUpload(
  references: References,
  collection: BoundCollection,
  { call, service, body, files }: Upload,
): Promise<JsonObject> {
  const [file] = files;
  const properties = recordFieldsOf(references, collection.record)?.properties;
  if (!file || !properties) return body;
  const value: JsonObject = keepsFiles(collection) ? { ...body, ...asFileField(file) } : { ...body };
  for (const field of new Set(files.map((one) => one.field))) {
    const property = properties.get(field);
    delete value[field];
    if (!property) continue;
    const own = files.filter((one) => one.field === field);
    Object.assign(value, await storedFiles(references, { field, property, files: own }, { call, service }));
  }
  for (const [fact, names] of FACTS) {
    // A name that was sent wins, although records have it under another one.
    const sent = names.flatMap((name) => findAlike(Object.keys(body), name, (key) => !properties.has(key)) ?? [])[0];
    const told = (sent !== undefined && Object.hasOwn(value, sent) ? value[sent] : undefined) ?? fact(file);
    const isOfType = (key: string): boolean =>
      typesOf(references, properties.get(key)!).some((type) => (type === "integer" ? "number" : type) === typeof told);
    const field = names.flatMap((name) => findAlike(properties.keys(), name, isOfType) ?? [])[0];
    if (told !== undefined && field !== undefined && !Object.hasOwn(value, field)) value[field] = told;
  }
  return value;
}

interface SentFiles {
  readonly field: string;
  readonly property: Placed;
  readonly files: readonly SentFile[];
}

/** Stores the files of a field: as objects where the document has objects there, else by their addresses. */
async function storedFiles(
  references: References,
  { field, property, files }: SentFiles,
  { call, service }: Pick<Upload, "call" | "service">,
): Promise<JsonObject> {
  const uploads = service.offer(filesFeature);
  if (!uploads) return {};
  const stored: FileObject[] = [];
  for (const file of files) stored.push(await uploads.receiveBytes(call, file.content, file));
  const element = elementSchema(references, property);
  const areObjects = typesOf(references, element ?? property).includes("object");
  const values = stored.map((file): Json => (areObjects ? toJson(file) : `${call.baseUrl}${file.url}`));
  const [first = null] = values;
  const shown = { [field]: element ? values : first };
  // An address alone would not keep the file.
  return areObjects ? shown : { ...shown, [FILES_FIELD]: toJson(stored) };
}
