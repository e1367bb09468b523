import type { Eventually } from "../../base/eventually.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { readAnyBody } from "../../http/body/any-body.ts";
import { hasReadableType } from "../../http/body/body-type.ts";
import type { Call } from "../../http/call.ts";
import type { Handler, PathParts, Service } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { recordRoute } from "../../http/routes/record.ts";
import type { RecordShape } from "../../http/routes/record-shape.ts";
import type { BoundCollection, BoundOperation } from "../../openapi/bind/binding.ts";
import { valueAtPointer } from "../../schema/pointer.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { createAction } from "./actions/action.ts";
import { createAlignment } from "./embedded/embedded-records.ts";
import { createSingleId, createSingleRead } from "./only-record.ts";
import type { OperationContext } from "./operation-context.ts";
import { createExpectParents, type ExpectParents } from "./parents/expect-parents.ts";
import { idByKeys } from "./parents/field-lookup.ts";
import { withoutUnknownParents } from "./parents/parent-fields.ts";
import { isOfParents } from "./parents/parents.ts";
import { asFileField, fileFieldOf } from "./responses/download.ts";
import { createPresentation, type Presentation } from "./responses/presentation.ts";
import type { NewRecordShape } from "./writes/create-planned.ts";
import { createNewKeys } from "./writes/new-keys.ts";
import { createQueryFields } from "./writes/query-fields.ts";
import { createRecordChange } from "./writes/record-change.ts";
import { createRecordMapping, type RecordMapping, settableFields } from "./writes/record-mapping.ts";
import { typedBody } from "./writes/sent-body.ts";
import { sentFiles, withUpload } from "./writes/upload.ts";

const METHODS = {
  read: "GET",
  replace: "PUT",
  patch: "PATCH",
  remove: "DELETE",
  act: "PATCH",
  end: "PATCH",
  upload: "PATCH",
} as const;

/** Responds with one record of a bound collection. Hot path: no promise where the store needs none. */
export function createBoundRead(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { operation, parents, keys, idParameter = "" } = bound;
  const isFound = keys.length > 0 || bound.idParameter === undefined;
  const shape = createRecordShape(createPresentation(tools, collection, bound));
  const { name, isSingle } = collection;
  const expectParents = createExpectParents(tools, bound);
  const read = recordRoute.GET!;
  if (isSingle) return createSingleRead(tools, { collection, bound, shape });
  return (call, service, parts): Eventually<Reply> => {
    tools.guard.check({ operation, call, parts, service });
    if (isFound) {
      return idByKeys(service, { collection: name, bound, parts }).then((id) =>
        read(call, service, { collection: name, id, shape }),
      );
    }
    const id = parts[idParameter]!;
    if (parents.length === 0) return read(call, service, { collection: name, id, shape });
    return expectOwn(service, { collection: name, bound, parts, id, expectParents }).then(() =>
      read(call, service, { collection: name, id, shape }),
    );
  };
}

/** Replaces, patches or removes a record, or acts on it. */
export function createBoundWrite(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { parents, idParameter, keys, action } = bound;
  const { name, idKey, isSingle } = collection;
  const singleId = createSingleId(tools, collection, bound);
  const expectParents = createExpectParents(tools, bound);
  const shape = createRecordShape(createPresentation(tools, collection, bound));
  const write = recordRoute[METHODS[action as keyof typeof METHODS]]!;
  const mapping = createRecordMapping(tools, collection, bound);
  const own = settableFields(tools.document.references, collection, bound);
  const queried = createQueryFields(tools.document.references, collection, bound);
  const changesOf = action === "act" || action === "end" ? createAction(tools, collection, bound) : undefined;
  const isGone = action === "remove";
  const newKeys = createNewKeys(tools, collection, bound);
  const change = isGone ? undefined : createRecordChange(tools, collection, bound);
  const align = createAlignment(tools, name);
  return async (call, service, parts) => {
    const body = await readRecord(tools, { collection, bound, mapping, own, queried }, { call, service, parts });
    const id = isSingle
      ? await singleId(service, parts)
      : keys.length > 0
        ? await idByKeys(service, { collection: name, bound, parts })
        : idParameter === undefined
          ? String(isJsonObject(body) ? body[idKey] : "")
          : parts[idParameter]!;
    if (parents.length > 0 && !isSingle)
      await expectOwn(service, { collection: name, bound, parts, id, expectParents });
    if (parents.length > 0) {
      call.giveBody(
        await withoutUnknownParents(service.store, bound, {
          collections: tools.collections,
          parts,
          sent: await call.body(),
        }),
      );
    }
    if (newKeys) call.giveBody(await newKeys.renamed(service.store, { sent: await call.body(), parts, own: id }));
    if (changesOf) call.giveBody(changesOf(await call.body()));
    if (!align) return write(call, service, { collection: name, id, shape, change });
    let written: StoredRecord | undefined;
    const respond: RecordShape["respond"] = (reply, record, asked) => {
      written = record;
      return shape.respond(reply, record, asked);
    };
    const reply = await write(call, service, { collection: name, id, shape: { ...shape, respond }, change });
    if (written) await align(call, service, { record: written.value, isGone, sent: sentNames(await call.body()) });
    return reply;
  };
}

export function sentNames(sent: Json | undefined): string[] {
  return isJsonObject(sent) ? Object.keys(sent) : [];
}

interface Target {
  readonly collection: BoundCollection;
  readonly bound: BoundOperation;
  readonly mapping: RecordMapping;
  readonly own: ReadonlySet<string>;
  /** Reads the record from the query, where that names its fields. */
  readonly queried: ReturnType<typeof createQueryFields>;
}

interface Reading {
  readonly call: Call;
  readonly service: Service;
  readonly parts: PathParts;
}

/** Reads and checks the body of a request, and leaves the record in it for the route. */
export async function readRecord(
  tools: OperationContext,
  { collection, bound, mapping, own: settable, queried }: Target,
  { call, service, parts }: Reading,
): Promise<Json | undefined> {
  const { operation, requestAt, requestContent: content, action } = bound;
  const sent = hasReadableType(call.headers) ? await call.body() : await readAnyBody(call);
  await tools.guard.checkBody({ operation, call, parts, service, body: sent });
  if (action === "remove") {
    call.giveBody(sent);
    return sent;
  }
  const files = sentFiles(call, operation, sent);
  if (action === "upload") {
    const [file] = files;
    const held = file ? asFileField(file, fileFieldOf(collection, bound)) : {};
    call.giveBody(held);
    return held;
  }
  const isFile = files[0]?.field === "";
  // A text or number says what a record is made of, and is no record.
  const isAllowed = (value: Json): boolean =>
    !content || (content.schema !== undefined && tools.passes(content.schema, value));
  const isOther = sent !== undefined && typeof sent !== "object" && isAllowed(sent);
  const { valueField } = bound;
  const body =
    valueField !== undefined && sent !== undefined
      ? { [valueField]: sent }
      : isFile || isOther
        ? {}
        : queried
          ? queried(call)
          : typedBody(tools.document.references, sent, { content, contentType: call.headers["content-type"] });
  const inner = body === undefined ? undefined : valueAtPointer(body, requestAt);
  const found = requestAt.length > 0 && !isJsonObject(inner) && !Array.isArray(inner) ? body : inner;
  const { name } = collection;
  const own = isJsonObject(found)
    ? await withUpload(tools.document.references, collection, {
        ...{ call, service, files },
        body: tools.writable(name, found, settable),
      })
    : found;
  // A patch in a format of its own says what to change, and is no record.
  const isPatch = call.headers["content-type"]?.includes("patch+json") === true;
  const record = isJsonObject(own) && !isPatch ? await mapping(own, service.store) : own;
  call.giveBody(record);
  return found;
}

interface Own {
  readonly collection: string;
  readonly bound: BoundOperation;
  readonly parts: PathParts;
  readonly id: string;
  readonly expectParents: ExpectParents;
}

/** Throws where the record is not below the parents that the path names. */
export async function expectOwn(service: Service, { collection, bound, parts, id, expectParents }: Own): Promise<void> {
  await expectParents(service, parts);
  const { store } = service;
  const record = await store.get(collection, id);
  if (record && !isOfParents(bound, parts, record.value))
    throw recordNotFound(collection, store.idKeyOf(collection), id);
}

/** Responds with a record as the document presents it. */
export function createRecordShape(
  presentation: Presentation,
  locationOf?: (record: StoredRecord) => string | undefined,
): NewRecordShape {
  const { status, type, hasBody, envelope, fixed, noticeOfNew, mark, headers: always } = presentation;
  const respond: RecordShape["respond"] = (reply, record, { baseUrl, client }) => {
    const location = record && locationOf?.(record);
    const own = { ...always, ...reply.headers };
    const headers = location === undefined ? own : { ...own, Location: location };
    if (!hasBody) return { status, etag: reply.etag, headers };
    if (fixed !== undefined) {
      const address = locationOf ? location : `${baseUrl}${client.path}`;
      return { status, json: noticeOfNew && record ? noticeOfNew(record.value, address) : fixed, type, headers };
    }
    if (record) presentation.watch([record]);
    const text = record ? presentation.textOf(record) : reply.json!;
    const json = presentation.placed(envelope ? presentation.checked(envelope(text, noValue)) : text, baseUrl);
    return { status, json, type, etag: reply.etag, headers };
  };
  const respondAll: NewRecordShape["respondAll"] = (records, { baseUrl }) => {
    if (!hasBody) return { status, headers: always };
    if (fixed !== undefined) return { status, json: fixed, type, headers: always };
    presentation.watch(records);
    const texts = records.map((record) => presentation.textOf(record));
    const text = presentation.isListOfOne && !presentation.element ? texts.join(",") : (texts[0] ?? "{}");
    const json = envelope ? presentation.checked(envelope(text, noValue)) : text;
    return { status, json: presentation.placed(json, baseUrl), type, headers: always };
  };
  return { mark, respond, respondAll };
}

/** A single record has no pages. */
function noValue(): undefined {
  return undefined;
}
