import { isJsonPatchType } from "../check/media-types.ts";
import type { MediaContent, Operation } from "../read/api-document.ts";
import type { Action, BoundOperation, BoundParameter, EnvelopeField } from "./binding.ts";
import { formContent, isBytes, jsonContent, patchContentIn, successOf } from "./bodies.ts";
import { bodySpots, spotsOf } from "./body-spots.ts";
import type { Candidate } from "./candidate.ts";
import { isEnding } from "./ending.ts";
import { envelopeOf, headerRoles } from "./envelope-roles.ts";
import { operationOf } from "./groups.ts";
import { parameterRoles } from "./parameter-roles.ts";
import { ALIKE, likeness, type RecordSpot, SURELY_ALIKE, sentLikeness } from "./record-spots.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike } from "./words.ts";

/** A bound operation whose parents are not known yet. */
export type Draft = Omit<BoundOperation, "parents">;
export type BindingOutcome = { readonly draft: Draft } | { readonly operation: Operation; readonly why: string };

/** Binds each operation of a collection's two paths to an action on its records. */
export function bindOperations(shapes: Shapes, candidate: Candidate): BindingOutcome[] {
  const { list, item, firstSpot } = candidate;
  const onLists = (list?.operations ?? []).map((operation) => onList(shapes, candidate, operation));
  const onItems = (item?.operations ?? []).map((operation) => onItem(shapes, candidate, operation));
  // The first read of a collection is that of any record.
  return firstSpot ? [...onItems, ...onLists] : [...onLists, ...onItems];
}

function onList(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  switch (operation.method) {
    case "GET":
      if (candidate.firstSpot) return { draft: firstRead(shapes, candidate, operation) };
      return listed(shapes, candidate, { operation, spot: candidate.listSpot });
    case "POST":
      return created(shapes, candidate, operation);
    case "PUT":
    case "PATCH":
      return updatedByBody(shapes, candidate, operation);
    case "DELETE":
      return { operation, why: "removes several records at once" };
    default:
      return { operation, why: `${operation.method} is not bound` };
  }
}

function onItem(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  switch (operation.method) {
    case "GET":
      return readOf(shapes, candidate, operation);
    case "PUT":
    case "PATCH":
      return updated(shapes, candidate, operation);
    case "POST":
      if (operationOf(candidate.item, "PUT") || operationOf(candidate.item, "PATCH")) {
        return { operation, why: "an action: records are updated by another method" };
      }
      return updated(shapes, candidate, operation);
    case "DELETE":
      return { draft: removed(shapes, candidate, operation) };
    default:
      return { operation, why: `${operation.method} is not bound` };
  }
}

function removed(shapes: Shapes, candidate: Candidate, operation: Operation): Draft {
  const { record } = candidate;
  const found = responseSpot(shapes, candidate, operation);
  // An object without fields is empty, and not the record that is gone.
  const spot = found && found.shape.properties.size > 0 ? found : undefined;
  const isEnd = spot !== undefined && isSameRecord(spot.shape, record) && isEnding(shapes, operation, record);
  return draft(shapes, candidate, { operation, action: isEnd ? "end" : "remove", spot });
}

function readOf(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const { readSpot: spot } = candidate;
  const success = successOf(operation);
  if (!success) return { operation, why: "it has no successful response" };
  const file = spot || success.contents.length === 0 ? undefined : downloaded(shapes, candidate, operation);
  return file && "draft" in file ? file : { draft: draft(shapes, candidate, { operation, action: "read", spot }) };
}

/** The path of a list that sends one record: the first. */
function firstRead(shapes: Shapes, candidate: Candidate, operation: Operation): Draft {
  const drafted = draft(shapes, candidate, { operation, action: "read", spot: candidate.firstSpot });
  return { ...drafted, idParameter: undefined, keys: [], why: "the first record" };
}

export function listed(
  shapes: Shapes,
  candidate: Candidate,
  { operation, spot }: Pick<Reading, "operation" | "spot">,
): BindingOutcome {
  if (!spot) return { operation, why: "its response has no list of these records" };
  return { draft: draft(shapes, candidate, { operation, action: "list", spot }) };
}

export function created(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const request = requestSpot(shapes, candidate, operation);
  if (request === "list") return { operation, why: "takes a list of records" };
  const spots = spotsOf(shapes, operation, candidate.segment);
  const response = typeof spots === "string" || !spots ? undefined : best(spots, candidate, true);
  const isOne = response === undefined || !response.isList || candidate.readSpot?.isList === true;
  if (!isOne) return { operation, why: "sends a list: a search, or several at once" };
  const isSure = request !== undefined && request.share >= ALIKE;
  const isOfNew = successOf(operation)?.status === 201 || soundsLikeCreate(operation) || sendsFile(shapes, operation);
  if (!isSure && !(response && isOfNew)) {
    return { operation, why: "an action: its body is not one of these records" };
  }
  return { draft: draft(shapes, candidate, { operation, action: "create", spot: response, request }) };
}

/** `PUT /pets` with the id in the body. */
function updatedByBody(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const { method } = operation;
  const request = requestSpot(shapes, candidate, operation);
  if (request === "list" || !request || request.share < ALIKE) return { operation, why: `${method} on the whole list` };
  if (!request.spot.shape.properties.has(candidate.idKey)) {
    return { operation, why: `${method} on the whole list: its body has no ${candidate.idKey}` };
  }
  const spot = responseSpot(shapes, candidate, operation);
  const action = method === "PUT" ? "replace" : "patch";
  return { draft: { ...draft(shapes, candidate, { operation, action, spot, request }), idParameter: undefined } };
}

function updated(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const spot = responseSpot(shapes, candidate, operation);
  const action = operation.method === "PUT" ? "replace" : "patch";
  const patch = operation.method === "PATCH" ? patchContentIn(operation.requestBody?.contents) : undefined;
  if (patch && !jsonContent(operation.requestBody?.contents) && !recordAsPatch(shapes, [patch])) {
    return { draft: { ...draft(shapes, candidate, { operation, action, spot }), requestContent: patch } };
  }
  const request = requestSpot(shapes, candidate, operation);
  const isSame = spot !== undefined && isSameRecord(spot.shape, candidate.record);
  if (isSame && isSentInQuery(candidate, operation)) {
    return { draft: draft(shapes, candidate, { operation, action: "patch", spot }) };
  }
  if (!request || request === "list" || (!isSame && request.share < (spot ? 0.3 : ALIKE))) {
    if (request && request !== "list" && isSilentChange(shapes, candidate, operation)) {
      return { draft: draft(shapes, candidate, { operation, action: "patch", spot, request }) };
    }
    return { operation, why: "an action: its body is not one of these records" };
  }
  return { draft: draft(shapes, candidate, { operation, action, spot, request }) };
}

/** `POST /tokens/{id}` with `{ "action": "revoke" }` and no body in its response: it changes the token somehow. */
function isSilentChange(shapes: Shapes, { list, item }: Candidate, operation: Operation): boolean {
  const success = successOf(operation);
  if (!success || success.contents.length > 0 || !operation.requestBody || sendsFile(shapes, operation)) return false;
  // A PUT may make the record, unless something else does or nothing removes it.
  return operation.method !== "PUT" || operationOf(list, "POST") !== undefined || !operationOf(item, "DELETE");
}

/** `PUT /boards/{id}?name=Plans`: a request without a body whose parameters are fields. */
function isSentInQuery({ record, idKey }: Candidate, { requestBody, parameters }: Operation): boolean {
  const isField = (name: string): boolean => name !== idKey && findAlike(record.properties.keys(), name) !== undefined;
  return !requestBody && parameters.some(({ in: at, name }) => at === "query" && isField(name));
}

/** `POST /orders/{id}/cancel`: an action on the record that it sends. */
export function acted(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const spot = responseSpot(shapes, candidate, operation);
  const isNew = /^(?:clone|copy|duplicate|fork|remix)/i.test(
    operation.path.text.slice(operation.path.text.lastIndexOf("/") + 1),
  );
  if (isNew) return { operation, why: "makes another record" };
  if (!spot || !isSameRecord(spot.shape, candidate.record)) {
    return { operation, why: "an action that sends something else than its record" };
  }
  const found = requestSpot(shapes, candidate, operation);
  const request = found === "list" || !found || found.share < ALIKE ? undefined : found;
  const contents = operation.requestBody?.contents;
  const drafted = draft(shapes, candidate, { operation, action: "act", spot, request });
  return { draft: { ...drafted, requestContent: jsonContent(contents) ?? formContent(contents) } };
}

/** `GET /files/{id}/content`: a text or bytes, below a record that was made of a file. */
export function downloaded(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const contents = successOf(operation)?.contents ?? [];
  const schema = jsonContent(contents)?.schema;
  const isFile = schema ? shapes.of(schema).types.has("string") : contents.length > 0;
  if (!isFile) return { operation, why: "a part of a record" };
  const drafted = draft(shapes, candidate, { operation, action: "download", spot: undefined });
  return { draft: { ...drafted, why: "the file that was sent" } };
}

/** `PUT /pets/{id}/photo`: a body that is one file. */
export function uploaded(shapes: Shapes, candidate: Candidate, operation: Operation): Draft {
  const found = responseSpot(shapes, candidate, operation);
  const spot = found && isSameRecord(found.shape, candidate.record) ? found : undefined;
  return { ...draft(shapes, candidate, { operation, action: "upload", spot }), why: "a file of the record" };
}

/** Schemas with names are alike only if they are one. */
function isSameRecord(one: SchemaShape, other: SchemaShape): boolean {
  const areNamed = one.name !== undefined && other.name !== undefined;
  return likeness(one, other) >= (areNamed ? 1 : SURELY_ALIKE) && (!areNamed || one.name === other.name);
}

interface Request {
  readonly content: MediaContent;
  readonly spot: RecordSpot;
  /** The share of its properties that the record has too. */
  readonly share: number;
}

/** The content of a JSON Patch that is described as a record. */
function recordAsPatch(shapes: Shapes, contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  const patch = patchContentIn(contents);
  const isRecord = patch?.schema && isJsonPatchType(patch.type) && shapes.of(patch.schema).kind === "object";
  return isRecord ? patch : undefined;
}

function requestSpot(shapes: Shapes, candidate: Candidate, operation: Operation): Request | "list" | undefined {
  const contents = operation.requestBody?.contents;
  const content = jsonContent(contents) ?? formContent(contents) ?? recordAsPatch(shapes, contents);
  const spots = content && bodySpots(shapes, content, candidate.segment);
  if (!spots || spots.length === 0) return undefined;
  if (spots.every(({ isList }) => isList)) return "list";
  const ranked = spots
    .filter(({ isList, isNamed }) => !isList && isNamed)
    .map((spot) => ({ content, spot, share: sentLikeness(spot.shape, candidate.record) }))
    .sort((a, b) => b.share * 10 + b.spot.rank - (a.share * 10 + a.spot.rank));
  return ranked[0];
}

function responseSpot(shapes: Shapes, candidate: Candidate, operation: Operation): RecordSpot | undefined {
  const spots = spotsOf(shapes, operation, candidate.segment);
  return typeof spots === "string" || !spots ? undefined : best(spots, candidate, candidate.readSpot?.isList === true);
}

/** The record in a response; it is not enough to share a few common properties. */
function best(
  spots: readonly RecordSpot[],
  { record, idKey }: Candidate,
  isListAllowed: boolean,
): RecordSpot | undefined {
  let found: { spot: RecordSpot; score: number } | undefined;
  for (const spot of spots) {
    if (spot.isList && !isListAllowed) continue;
    const alike = likeness(spot.shape, record);
    const isRecord =
      alike >= ALIKE && (spot.shape.properties.size === 0 || spot.shape.properties.has(idKey) || alike > 0.7);
    const score = alike * 10 + spot.rank - (spot.isList ? 6 : 0);
    if (isRecord && (!found || score > found.score)) found = { spot, score };
  }
  return found?.spot;
}

interface Reading {
  readonly operation: Operation;
  readonly action: Action;
  readonly spot: RecordSpot | undefined;
  readonly request?: Request | undefined;
}

export function draft(
  shapes: Shapes,
  candidate: Candidate,
  { operation, action, spot: found, request }: Reading,
): Draft {
  const success = successOf(operation) ?? NOTHING;
  const assumed = candidate.assumed?.get(operation);
  const content = assumed ?? jsonContent(success.contents);
  const spot = found ?? (assumed && { ...WHOLE_BODY, shape: candidate.record });
  const parameters = action === "list" ? parameterRoles(shapes, operation, candidate) : [];
  return {
    operation,
    action,
    ...addressOf(candidate, action, operation),
    success,
    content,
    at: spot?.at,
    isListOfOne: action !== "list" && spot?.isList === true,
    wrapper: spot?.wrapper,
    view: spot?.ids ?? spot?.shape.schema,
    showsIds: spot?.ids !== undefined,
    requestContent: request?.content,
    requestAt: request?.spot.at ?? [],
    kept: request ? keptBy(shapes, candidate, request) : [],
    requires: request ? requiredBy(shapes, candidate, request) : [],
    envelope: action === "list" ? countedAlike(envelopeOf(shapes, content, spot?.at ?? []), parameters) : [],
    headers: action === "list" ? headerRoles(success.headers) : [],
    parameters,
    why: reasonFor(candidate, action, { spot, request }),
  };
}

/** An assumed body is nothing but the record. */
const WHOLE_BODY = { at: [], isList: false, isNamed: true, rank: 0 } as const;

/** Pages that requests count from 0 are counted so in responses. */
function countedAlike(
  fields: readonly EnvelopeField[],
  parameters: readonly BoundParameter[],
): readonly EnvelopeField[] {
  if (!parameters.some(({ role }) => role === "pageIndex")) return fields;
  return fields.map((field) => (field.role === "page" ? { ...field, role: "pageIndex" } : field));
}

/** The wildcard that names the record: the last one of its path, unless that is no id. */
function addressOf(
  { keyPath, form }: Candidate,
  action: Action,
  { path }: Operation,
): Pick<Draft, "idParameter" | "keys"> {
  const last = path.names.at(-1);
  const isNone = action === "list" || action === "create" || form === "single" || last === undefined;
  if (isNone) return { idParameter: undefined, keys: [] };
  return keyPath
    ? { idParameter: undefined, keys: [{ parameter: last, path: keyPath }] }
    : { idParameter: last, keys: [] };
}

/** For operations that have no successful response. */
const NOTHING = {
  code: "204",
  status: 204,
  range: undefined,
  headers: [],
  contents: [],
  place: "",
} satisfies BoundOperation["success"];

function keptBy(shapes: Shapes, { record, idKey }: Candidate, { spot }: Request): string[] {
  if (spot.shape.properties.size === 0) return [];
  return [...record.properties.keys()].filter((name) => {
    if (name === idKey) return false;
    return !spot.shape.properties.has(name) || shapes.property(record, name)?.isReadOnly === true;
  });
}

function requiredBy(shapes: Shapes, { record, idKey }: Candidate, { spot }: Request): string[] {
  return [...spot.shape.required].filter(
    (name) => name !== idKey && record.properties.has(name) && shapes.property(record, name)?.isReadOnly !== true,
  );
}

export function sendsBytes({ requestBody }: Operation): boolean {
  return requestBody?.contents.some(isBytes) === true;
}

/** Whether a request is a file, or its form has one in it. */
export function sendsFile(shapes: Shapes, operation: Operation): boolean {
  const { requestBody } = operation;
  if (sendsBytes(operation)) return true;
  const schema = requestBody?.contents.find(({ type }) => /^multipart\//i.test(type))?.schema;
  const properties = schema && shapes.of(schema).properties;
  return [...(properties?.values() ?? [])].some((one) => shapes.of(one).format === "binary");
}

function soundsLikeCreate({ operationId = "", summary = "" }: Operation): boolean {
  return (
    /^(?:create|add|new|register|insert|post)/i.test(operationId) ||
    /^(?:create|add|new|register|insert)/i.test(summary)
  );
}

function reasonFor(
  { idKey }: Candidate,
  action: Action,
  { spot, request }: { readonly spot: RecordSpot | undefined; readonly request: Request | undefined },
): string {
  const place = spot && (spot.at.length === 0 ? "is the body" : `in ${spot.at.join(".")}`);
  const wrapped = spot?.wrapper ? `, each record in ${spot.wrapper.at.join(".")}` : "";
  if (action === "list") return `list ${place}${wrapped}`;
  const parts = [
    ...(spot ? [`record ${place}${spot.isList ? `, as a list of one${wrapped}` : ""}`] : []),
    ...(request && request.spot.at.length > 0 ? [`sent in ${request.spot.at.join(".")}`] : []),
  ];
  return parts.join(", ") || (action === "create" ? "a new record" : `by ${idKey}`);
}
