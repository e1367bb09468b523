import { type FileObject, isFileObject } from "../../base/file-object.ts";
import { isJsonObject, type Json, toJson } from "../../base/json/json.ts";
import { hasReadableType } from "../../http/body/body-type.ts";
import type { Call } from "../../http/call.ts";
import type { DataService, FieldParts } from "../../http/contract.ts";
import { expectMatch } from "../../http/response/headers.ts";
import type { Reply } from "../../http/response/reply.ts";
import { handlerFor } from "../../http/router.ts";
import { asApplied, carryOut, writePreferences } from "../../http/routes/carry-out.ts";
import type { Write } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { givenName } from "./file-routes.ts";
import { filesOfForm } from "./form.ts";
import { PRIVATE, serveFile } from "./serve-file.ts";
import { isForm, notHere, type Uploads } from "./uploads.ts";

/** `/products/7/photo`: reads, replaces and removes the file in a field. */
export async function respondByField(
  call: Call,
  service: DataService,
  { parts, uploads }: { readonly parts: FieldParts; readonly uploads: Uploads },
): Promise<Reply> {
  const { collection, id, field, notFound } = parts;
  const record = (await service.store.get(collection, id))?.value ?? null;
  if (!isJsonObject(record) || field === service.store.idKeyOf(collection)) throw notFound();
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  const file: FileObject | undefined = isFileObject(value) ? value : undefined;
  const isRelation = [`${field}Id`, `${field}_id`].some((key) => Object.hasOwn(record, key));
  if (isRelation || (call.method !== "PUT" && call.method !== "OPTIONS" && !file)) throw notFound();
  if (!call.stream()) throw notHere("A batch reads and writes no files. Use a request of its own.");
  return handlerFor(
    {
      ...(file && { GET: () => serveFile(call, uploads, { ...file, cache: PRIVATE }) }),
      PUT: async () => setField(call, service, { ...parts, value: toJson(await sentFile(call, uploads)) }),
      DELETE: () => setField(call, service, { ...parts, value: null }),
    },
    call,
  )(call, service, {});
}

async function sentFile(call: Call, uploads: Uploads): Promise<FileObject> {
  if (isForm(call)) {
    const [file] = filesOfForm(await uploads.readParts(call));
    if (isFileObject(file)) return file;
    throw notHere("The form has no file. Send the file in a part with a file name, or alone as the body.");
  }
  if (hasReadableType(call.headers)) {
    throw notHere("This path takes a file. Send its bytes with their type, such as Content-Type: image/png.");
  }
  return uploads.receive(call, { name: givenName(call), type: call.headers["content-type"] });
}

async function setField(
  call: Call,
  service: DataService,
  { collection, id, field, value }: FieldParts & { readonly value: Json },
): Promise<Reply> {
  const expect = expectMatch(service.store, call.headers["if-match"]);
  const write: Write = { kind: "patch", collection, id, body: { [field]: value }, expect };
  return carryOut(call, service, write, ({ edits }) => {
    const after = edits[0]?.after as StoredRecord;
    return asApplied({ status: 200, json: after.text, etag: after.tag(service.store) }, writePreferences(call));
  });
}
