import { isJsonObject, type Json, stringifyJson } from "../../../base/json/json.ts";
import { readAnyBody } from "../../../http/body/any-body.ts";
import { hasReadableType } from "../../../http/body/body-type.ts";
import type { Call } from "../../../http/call.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import { recordRoute } from "../../../http/routes/record.ts";
import type { RecordShape } from "../../../http/routes/record-shape.ts";
import type { BoundCollection, BoundOperation, ElementList } from "../../../openapi/bind/binding.ts";
import { findAlike } from "../../../openapi/bind/words.ts";
import type { Placed } from "../../../schema/references.ts";
import { RecordNotFound, recordNotFound } from "../../../store/record-not-found.ts";
import type { Store } from "../../../store/store.ts";
import type { StoredRecord } from "../../../store/stored-record.ts";
import { expectOwn } from "../bound-record.ts";
import { createAlignment } from "../embedded/embedded-records.ts";
import type { RoleValue } from "../lists/role-value.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectParents } from "../parents/expect-parents.ts";
import { idByKeys, recordNamed } from "../parents/field-lookup.ts";
import { deepestParents, ofParent } from "../parents/parents.ts";
import { createPresentation, hiddenFields } from "../responses/presentation.ts";
import { fitValue } from "../writes/fit-value.ts";
import { typedBody } from "../writes/sent-body.ts";

/** For operations of other kinds, which none of this is made for. */
const NO_LIST: ElementList = { field: "", key: undefined, parameter: undefined };
const NOTHING: Placed = { value: {}, place: "" };

/** Shows and changes a list in a record: GET sends it, POST adds to it, PUT sets it, DELETE takes one or all out. */
export function createElements(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { operation, parents, keys, idParameter = "", requestContent: content } = bound;
  const { name } = collection;
  const { elements: list = NO_LIST } = bound;
  const { method } = operation;
  const expectParents = createExpectParents(tools, bound);
  const shape = createShape(tools, collection, bound);
  const find = createFindElement(tools, bound);
  const align = createAlignment(tools, name);
  const { references } = tools.document;
  return async (call, service, parts) => {
    const request = { operation, call, parts, service };
    const isRead = method === "GET";
    const body = isRead ? undefined : await (hasReadableType(call.headers) ? call.body() : readAnyBody(call));
    if (isRead) tools.guard.check(request);
    else await tools.guard.checkBody({ ...request, body });
    const id =
      keys.length > 0 ? await idByKeys(service, { collection: name, bound, parts }) : (parts[idParameter] ?? "");
    if (parents.length > 0) await expectOwn(service, { collection: name, bound, parts, id, expectParents });
    if (isRead) return recordRoute.GET!(call, service, { collection: name, id, shape });
    const sent = typedBody(references, body, { content, contentType: call.headers["content-type"] });
    const given = await Promise.all(sentElements(sent, list).map((one) => find(one, service.store, parts)));
    const named = list.parameter === undefined ? undefined : parts[list.parameter];
    if (named !== undefined) await expectElement(service.store, { collection: name, id, list, named });
    call.giveBody({});
    let written: StoredRecord | undefined;
    const respond: RecordShape["respond"] = (reply, record, asked) => {
      written = record;
      return shape.respond(reply, record, asked);
    };
    const change = () => (current: Json) => {
      if (!isJsonObject(current)) return current;
      return { ...current, [list.field]: changed(elementsIn(current, list), { method, given, named, list }) };
    };
    const reply = await recordRoute.PATCH!(call, service, {
      collection: name,
      id,
      shape: { ...shape, respond },
      change,
    });
    if (align && written) await align(call, service, { record: written.value, sent: [list.field] });
    return reply;
  };
}

function elementsIn(record: Json, { field }: ElementList): Json[] {
  const found = isJsonObject(record) ? record[field] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The value that tells an element from others. */
function keyOf(element: Json, { key }: ElementList): string {
  const own = isJsonObject(element) ? (key === undefined ? undefined : element[key]) : element;
  return own === undefined ? stringifyJson(element) : String(own);
}

interface ElementChange {
  readonly method: string;
  readonly given: readonly Json[];
  readonly named: string | undefined;
  readonly list: ElementList;
}

function changed(held: readonly Json[], { method, given, named, list }: ElementChange): Json[] {
  if (method === "DELETE") return named === undefined ? [] : held.filter((one) => keyOf(one, list) !== named);
  const all = method === "PUT" ? given : [...held, ...given];
  return [...new Map(all.map((one) => [keyOf(one, list), one])).values()];
}

/** The elements in a body: the body itself, or its property of that name. */
function sentElements(body: Json | undefined, { field }: ElementList): Json[] {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return body === undefined || body === null ? [] : [body];
  const name = findAlike(Object.keys(body), field);
  const inner = name === undefined ? body : (body[name] ?? []);
  return [inner].flat();
}

async function expectElement(
  store: Store,
  {
    collection,
    id,
    list,
    named,
  }: { readonly collection: string; readonly id: string; readonly list: ElementList; readonly named: string },
): Promise<void> {
  const record = await store.get(collection, id);
  if (!record) throw recordNotFound(collection, store.idKeyOf(collection), id);
  const has = elementsIn(record.value, list).some((one) => keyOf(one, list) === named);
  if (!has)
    throw new RecordNotFound(list.field, `${list.field} has no element with ${list.key ?? "value"} "${named}".`);
}

/** An element as it is stored: the record of its name where a collection has one, otherwise a whole one made of it. */
function createFindElement(
  tools: OperationContext,
  bound: BoundOperation,
): (sent: Json, store: Store, parts: PathParts) => Promise<Json> {
  const { references } = tools.document;
  const { view = NOTHING, elements: list = NO_LIST } = bound;
  const place = references.follow(view).place;
  const of = tools.collections.find(
    ({ record, idKey }) => idKey === list.key && references.follow(record).place === place,
  );
  const hidden = of ? hiddenFields(of) : [];
  // A label of the same repository.
  const parents = (of ? deepestParents(of) : []).flatMap((own) => {
    const same = bound.parents.find(({ parameter }) => parameter === own.parameter);
    return same ? [{ ...own, isTold: same.isTold }] : [];
  });
  return async (sent, store, parts) => {
    const among = parents.map((parent) => ofParent(parent, parts[parent.parameter] ?? ""));
    const found = of && (await recordNamed(store, of, { key: keyOf(sent, list), among }));
    if (!found || !isJsonObject(found.value)) return whole(tools, bound, sent);
    return Object.fromEntries(Object.entries(found.value).filter(([name]) => !hidden.includes(name)));
  };
}

function whole({ document, sample, passes }: OperationContext, { view, elements }: BoundOperation, value: Json): Json {
  const { references } = document;
  const key = elements?.key;
  const named = isJsonObject(value) || key === undefined ? value : { [key]: value };
  return fitValue(view ?? NOTHING, named, { references, sample, passes }) ?? value;
}

function createShape(tools: OperationContext, collection: BoundCollection, bound: BoundOperation): RecordShape {
  const {
    status,
    type,
    hasBody,
    envelope,
    fixed,
    mark,
    headers: always,
    checked,
  } = createPresentation(tools, collection, bound);
  const { elements: list = NO_LIST } = bound;
  return {
    mark,
    respond: (reply, record, call) => {
      const headers = { ...always, ...reply.headers };
      if (!hasBody) return { status, etag: reply.etag, headers };
      if (fixed !== undefined) return { status, json: fixed, type, headers };
      const all = elementsIn(record?.value ?? null, list);
      const page = pageOf(all, bound, call);
      const text = stringifyJson(page.map((one) => whole(tools, bound, one)));
      const roleValue: RoleValue = (role) =>
        role === "total" ? all.length : role === "count" ? page.length : undefined;
      return { status, json: checked(envelope ? envelope(text, roleValue) : text), type, etag: reply.etag, headers };
    },
  };
}

function pageOf(all: readonly Json[], { parameters }: BoundOperation, call: Call): readonly Json[] {
  if (!call.hasParameters || parameters.length === 0) return all;
  const given = (role: string): number | undefined => {
    const name = parameters.find((one) => one.role === role)?.name;
    const text = name === undefined ? undefined : call.parameters.get(name)?.[0];
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const limit = given("limit") ?? (given("page") === undefined ? all.length : DEFAULT_PAGE);
  const page = given("pageIndex") ?? (given("page") ?? 1) - 1;
  const position = given("position");
  const start = position !== undefined ? Math.max(0, position - 1) : (given("offset") ?? Math.max(0, page) * limit);
  return all.slice(start, start + limit);
}

const DEFAULT_PAGE = 30;
