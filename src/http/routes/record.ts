import pluralize from "pluralize";
import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { isJsonObject, type Json, stringifyJson } from "../../base/json/json.ts";
import { didYouMean } from "../../base/nearest.ts";
import { createProjection, parseFields } from "../../query/fields.ts";
import type { HasPath } from "../../query/filter-reader.ts";
import { nameList, readByFields } from "../../query/parse-query.ts";
import type { FieldSelection } from "../../query/query.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { Transform, Write } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { transformFor } from "../body/patch-types.ts";
import type { Call } from "../call.ts";
import type { DataService, Handler, Route } from "../contract.ts";
import { foreignKey } from "../relations/foreign-keys.ts";
import { isCurrent, planRelations, simpleRelations } from "../relations/plan-relations.ts";
import { collectionsOf, readWishes } from "../relations/relation-wishes.ts";
import { renderWithRelations } from "../relations/render-relations.ts";
import { expectMatch, isFresh, shortHash, stampTag } from "../response/headers.ts";
import { jsonReply, notModified, type Reply } from "../response/reply.ts";
import { asApplied, asObject, carryOut, shownRecord, writePreferences } from "./carry-out.ts";
import type { RecordShape } from "./record-shape.ts";
import { judgeRecord, judgeRequest, type Told } from "./tell-mistakes.ts";

interface RecordParts {
  collection: string;
  id: string;
  shape?: RecordShape | undefined;
  /** Decides in place of the method how a body changes the record. */
  change?: ChangeFor | undefined;
}

/** The change that a body of a type describes; undefined for the usual one. */
export type ChangeFor = (body: Json | undefined, contentType: string | undefined) => Transform | undefined;

/** `/products/1`: read, replace, patch, remove. */
export const recordRoute: Route<RecordParts, DataService> = {
  GET: read,
  PUT: updateBy("replace"),
  PATCH: updateBy("patch"),
  DELETE: remove,
};

/** Hot path: the most frequent request. No allocation that it can do without, not even a promise. */
function read(call: Call, service: DataService, parts: RecordParts): Eventually<Reply> {
  if (call.hasParameters) return readInForm(call, service, parts);
  const record = service.store.get(parts.collection, parts.id);
  if (record instanceof Promise)
    return record.then((found) => recordReply(call, service, expectFound(found, service, parts), parts));
  return recordReply(call, service, expectFound(record, service, parts), parts);
}

function expectFound(
  record: StoredRecord | undefined,
  { store }: DataService,
  { collection, id }: RecordParts,
): StoredRecord {
  if (record) return record;
  throw recordNotFound(collection, store.idKeyOf(collection), id);
}

function recordReply(
  call: Call,
  { store }: DataService,
  record: StoredRecord,
  { shape }: RecordParts,
  project?: (value: Json) => Json,
): Reply {
  const tag = record.tag(store, shape?.mark);
  if (call.headers["if-none-match"] !== undefined && isFresh(call.headers, tag)) return notModified(tag);
  const reply = { status: 200, json: project ? stringifyJson(project(record.value)) : record.text, etag: tag };
  return shape ? shape.respond(reply, project ? undefined : record, call) : reply;
}

async function readInForm(call: Call, service: DataService, parts: RecordParts): Promise<Reply> {
  const { parameters, isStrict: strict } = call;
  const { store } = service;
  const { collection, id } = parts;
  const names = { embed: nameList(parameters, "_embed"), expand: nameList(parameters, "_expand") };
  const related = { collection, wishes: readWishes(service, names) };
  const selection = (has: HasPath): FieldSelection | undefined =>
    has("_fields") ? undefined : parseFields(nameList(parameters, "_fields"), has);
  const fields = parameters.has("_fields") ? await readByFields(store, collection, selection) : undefined;
  const told = await judgeRecord(service, { collection, ...names, fields, parameters }, strict);
  const project = fields && createProjection(fields);
  if (related.wishes.length === 0) {
    const record = await store.get(collection, id);
    const reply = recordReply(call, service, expectFound(record, service, parts), parts, project);
    return reply.status === 304 ? reply : withHeaders(reply, told);
  }
  const stampOf = collectionsOf(service, related.wishes);
  const plan = await planRelations(service, related);
  const found = await store.getWith(collection, id, { relations: simpleRelations(plan), stampOf });
  if (!found) throw recordNotFound(collection, store.idKeyOf(collection), id);
  const { record, stamp } = found;
  // Other records of the collection decide which of its fields are keys.
  const idKey = store.idKeyOf(collection);
  const keys = plan.flatMap(({ link }) => (link && link.from.field !== idKey ? link.from.field : []));
  const mark = keys.length > 0 ? `.${shortHash(keys.join())}` : "";
  const etag = stampTag(`${record.version}.${stamp}${mark}${parts.shape?.mark ?? ""}`);
  if (isFresh(call.headers, etag)) return notModified(etag);
  if (!(await isCurrent(plan, service, related))) return readInForm(call, service, parts);
  const [text] = await renderWithRelations(store, { plan, records: [record], related: found.related, project });
  const plain = jsonReply(text!, etag);
  const reply = parts.shape ? parts.shape.respond(plain, undefined, call) : plain;
  return withHeaders(reply, told);
}

function withHeaders(reply: Reply, headers: Told): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function updateBy(kind: "replace" | "patch"): Handler<RecordParts, DataService> {
  return async (call, service, { collection, id, shape, change }) => {
    const { store } = service;
    const body = await call.body();
    const preferences = writePreferences(call);
    const { "if-match": match, "content-type": type } = call.headers;
    const expect = match === undefined ? undefined : expectMatch(store, match);
    const isPatch = kind === "patch" && type?.includes("patch");
    const transform = change ? change(body, type) : isPatch ? transformFor(type, body) : undefined;
    if (!change && !shape) sayWhatIsIgnored(call, service, { kind, collection, id, body });
    const write: Write = transform
      ? { kind: "transform", collection, id, transform, expect }
      : { kind, collection, id, body: asObject(body), expect };
    return await carryOut(call, service, write, ({ edits }) => {
      const after = edits[0]?.after as StoredRecord;
      const plain: Reply = { status: 200, json: after.text, etag: after.tag(store, shape?.mark) };
      const whole = shape ? shape.respond(plain, after, call) : plain;
      const reply = kind === "patch" ? shownRecord(call, whole) : whole;
      return preferences ? asApplied(reply, preferences) : reply;
    });
  };
}

interface Update {
  readonly kind: "replace" | "patch";
  readonly collection: string;
  readonly id: string;
  readonly body: Json | undefined;
}

/** 0.17.4: a PUT without a body empties the record, and no body changes an id. */
function sayWhatIsIgnored(call: Call, service: DataService, { kind, collection, id, body }: Update): void {
  if (kind === "replace" && body === undefined) sayNoBody(call, service);
  const idKey = service.store.idKeyOf(collection);
  const given = isJsonObject(body) ? body[idKey] : undefined;
  if (given === undefined || given === null || given === "" || String(given) === id) return;
  const line = `${idKey}: the id of a record cannot be changed, so ${stringifyJson(given)} was ignored.`;
  judgeRequest(call, service, { code: "ID_INVALID", line });
}

/** Says that a PUT has no body, which leaves nothing of what it replaces. */
export function sayNoBody(call: Call, service: DataService): void {
  const line = "PUT without a body: a record is replaced by what is sent, so no field is left. PATCH keeps the others.";
  judgeRequest(call, service, { code: "BODY_NOT_OBJECT", line });
}

async function remove(call: Call, service: DataService, { collection, id, shape }: RecordParts): Promise<Reply> {
  const { store } = service;
  await call.body();
  const dependents = await dependentsOf(call, service, collection);
  const preferences = writePreferences(call);
  const isMatch = expectMatch(store, call.headers["if-match"]);
  let removed: StoredRecord | undefined;
  const expect = (current: StoredRecord): void => {
    isMatch?.(current);
    removed = current;
  };
  const write: Write = { kind: "remove", collection, id, dependents, expect };
  return carryOut(call, service, write, () => {
    const plain = jsonReply("{}");
    const reply = shape ? shownRecord(call, shape.respond(plain, removed, call)) : plain;
    return asApplied(reply, preferences);
  });
}

/** `_dependent=products`: which children go with the record. Only those named; a name that is no collection is refused. */
async function dependentsOf({ parameters }: Call, service: DataService, collection: string) {
  const { store } = service;
  const children = nameList(parameters, "_dependent");
  const unknown = children.find((child) => store.kindOf(child) !== "collection");
  if (unknown !== undefined) {
    const names = store.members().map((member) => member.name);
    throw new StandinError(
      "QUERY_INVALID",
      `_dependent=${unknown}: there is no collection "${unknown}".${didYouMean(unknown, names)}`,
    );
  }
  if (children.length === 0) return [];
  await store.refresh();
  const parent = pluralize.singular(collection);
  return Promise.all(
    children.map(async (child) => ({ collection: child, key: await foreignKey(service, child, parent) })),
  );
}
