import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { Buffer } from "../../../base/platform/buffer.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import type { Content } from "../../../http/response/reply.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import type { SentFile } from "../../../openapi/check/multipart.ts";
import { recordNotFound } from "../../../store/record-not-found.ts";
import type { OperationContext } from "../operation-context.ts";
import { idByKeys } from "../parents/field-lookup.ts";
import { isOfParents } from "../parents/parents.ts";

/** The field of a stored record that has the file it was made of, as a `data:` address. No response shows it. */
export const FILE_FIELD = "$file";

/** The field of a stored record that names the files whose addresses it has. No response shows it. */
export const FILES_FIELD = "$files";

/** Pages of this origin must not run what was sent. */
const HEADERS = { "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff" };

/** Whether something sends the files that records are made of back. Others are not kept. */
export function keepsFiles(collection: BoundCollection): boolean {
  return fileFields(collection).includes(FILE_FIELD);
}

/** The fields that have files. */
export function fileFields(collection: BoundCollection): string[] {
  return collection.operations.flatMap((bound) =>
    bound.action === "download" || bound.action === "upload" ? fileFieldOf(collection, bound) : [],
  );
}

/** The field for the file at a path: one of its own where the path takes files as well. */
export function fileFieldOf({ operations }: BoundCollection, { operation: { path } }: BoundOperation): string {
  const isSet = operations.some((one) => one.action === "upload" && one.operation.path.text === path.text);
  return isSet ? `${FILE_FIELD}/${path.text.slice(path.text.lastIndexOf("/") + 1)}` : FILE_FIELD;
}

/** Whether forms give files to the records of a collection. */
export function takesForms({ operations }: BoundCollection): boolean {
  return operations.some(({ operation }) =>
    operation.requestBody?.contents.some(({ type }) => /^multipart\//i.test(type)),
  );
}

export function asFileField(
  { type = "application/octet-stream", content }: Pick<SentFile, "type" | "content">,
  field = FILE_FIELD,
): JsonObject {
  return { [field]: `data:${type};base64,${content.toString("base64")}` };
}

/** Sends the file that a record was made of. Records without one respond from the document. */
export function createDownload(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { name } = collection;
  const field = fileFieldOf(collection, bound);
  const { operation, keys, idParameter = "", success } = bound;
  return async (call, service, parts) => {
    const request = { operation, call, parts, service };
    tools.guard.check(request);
    const id = keys.length > 0 ? await idByKeys(service, { collection: name, bound, parts }) : parts[idParameter]!;
    const { store } = service;
    const record = await store.get(name, id);
    if (!record || !isOfParents(bound, parts, record.value)) throw recordNotFound(name, store.idKeyOf(name), id);
    const content = fileIn(record.value, field);
    if (!content) return tools.respondFromExamples(request);
    return { status: success.status, content, headers: HEADERS };
  };
}

function fileIn(record: Json, field: string): Content | undefined {
  const held = isJsonObject(record) ? record[field] : undefined;
  const [, type, base64] = /^data:([^;,\s]+);base64,(.*)$/s.exec(typeof held === "string" ? held : "") ?? [];
  return type === undefined || base64 === undefined ? undefined : { type, body: Buffer.from(base64, "base64") };
}
