import type { Operation } from "../read/api-document.ts";
import { jsonContent, successOf } from "./bodies/bodies.ts";
import { bodySpots, spotsOf } from "./bodies/body-spots.ts";
import { bestSpot, isSameRecord, requestSpot } from "./bodies/operation-spots.ts";
import { ALIKE, type RecordSpot, SURELY_ALIKE, sentLikeness } from "./bodies/record-spots.ts";
import { sendsFile } from "./bodies/sent-files.ts";
import type { Candidate } from "./candidate.ts";
import { type BindingOutcome, draft } from "./draft.ts";
import type { Shapes } from "./schema-shape.ts";
import { findAlike, isSameNoun, wordsIn } from "./words.ts";

/** Binds a POST on the path of a list. */
export function created(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const request = requestSpot(shapes, candidate, operation);
  const several =
    request === "list" || (request && (request.share < ALIKE || isAroundNew(shapes, candidate, { operation, request })))
      ? createdTogether(shapes, candidate, operation)
      : undefined;
  if (several) return several;
  if (request === "list") return { operation, why: "takes a list of records" };
  const spots = spotsOf(shapes, operation, candidate.segment);
  const response = typeof spots === "string" || !spots ? undefined : bestSpot(spots, candidate, true);
  const isCreated = successOf(operation)?.status === 201;
  const isTold = saysCreate(operation);
  const isAdded = request !== undefined && addsToList(candidate, operation, { sent: request.spot, response });
  const isNew = isAdded || (request !== undefined && (isTold || (isCreated && soundsLikeCreate(operation))));
  const isOne = response === undefined || !response.isList || candidate.readSpot?.isList === true || isNew;
  if (!isOne) return { operation, why: "sends a list: a search, or several at once" };
  const isSure = request !== undefined && request.share >= ALIKE;
  const isOfNew = isCreated || soundsLikeCreate(operation) || sendsFile(shapes, operation);
  const isToldOnly = (isNew && (isTold || !sendsJson(operation))) || (isTold && isUndescribed(operation));
  const isSame = response !== undefined && isSameRecord(response.shape, candidate.record) && !isSearch(operation);
  const isAccepted = successOf(operation)?.status === 202 && !isSearch(operation);
  const isIdTold = ((isCreated && response === undefined) || isAccepted) && sendsId(shapes, candidate, operation);
  // `POST /comments?text=Hi`
  const isInQuery = isSentInQuery(candidate, operation) && soundsLikeCreate(operation);
  if (saysChange(operation) && !isCreated && !/\bcreat/i.test(operation.summary || operation.description || ""))
    return { operation, why: "an action: it changes what is there" };
  if (!isSure && !(response && isOfNew) && !isToldOnly && !isInQuery && !isSame && !isIdTold) {
    return { operation, why: "an action: its body is not one of these records" };
  }
  return { draft: draft(shapes, candidate, { operation, action: "create", spot: response, request }) };
}

/** `{ "price_list_id": 7, "price_list_rows": [{ ... }] }`, whose list is no field of the records. */
function isAroundNew(
  shapes: Shapes,
  { segment, record }: Candidate,
  { operation, request }: { readonly operation: Operation; readonly request: { readonly spot: RecordSpot } },
): boolean {
  if (request.spot.at.length > 0) return false;
  const spots = bodySpots(shapes, jsonContent(operation.requestBody?.contents), segment) ?? [];
  return spots.some(
    ({ at: [name = "", ...more], isList, isNamed }) =>
      isList && isNamed && more.length === 0 && isSameNoun(name, segment) && !record.properties.has(name),
  );
}

/** "Adds a domain", with a field of it, whose response is the list. */
function addsToList(
  { record, listSpot }: Candidate,
  { summary, description = "" }: Operation,
  { sent, response }: { readonly sent: RecordSpot; readonly response: RecordSpot | undefined },
): boolean {
  const isField = (name: string): boolean => findAlike(record.properties.keys(), name) !== undefined;
  return (
    response !== undefined &&
    response.shape.schema.place === listSpot?.shape.schema.place &&
    [...sent.shape.properties.keys()].some(isField) &&
    /^(?:add|create)s?\b/i.test((summary || description).trim())
  );
}

/** `POST /pets` with several pets: a list, or an object that has nothing else of a pet. */
function createdTogether(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome | undefined {
  const content = jsonContent(operation.requestBody?.contents);
  const found = bodySpots(shapes, content, candidate.segment) ?? [];
  const shares = found
    .filter(({ isList, isNamed }) => isList && isNamed)
    .map((spot) => ({ spot, share: sentLikeness(spot.shape, candidate.record) }));
  const [best] = shares.sort((a, b) => b.share - a.share);
  const least = best?.spot.at.length === 0 ? ALIKE : SURELY_ALIKE;
  if (!content || !best || best.spot.wrapper || best.share < least || isSearch(operation)) return undefined;
  const spots = spotsOf(shapes, operation, candidate.segment);
  const spot = typeof spots === "string" || !spots ? undefined : bestSpot(spots, candidate, true);
  const request = { content, ...best };
  const drafted = draft(shapes, candidate, { operation, action: "create", spot, request });
  return { draft: { ...drafted, takesList: true } };
}

/** `PUT /boards/{id}?name=Plans`: a request without a body whose parameters are fields. */
export function isSentInQuery({ record, idKey }: Candidate, { requestBody, parameters }: Operation): boolean {
  const isField = (name: string): boolean => name !== idKey && findAlike(record.properties.keys(), name) !== undefined;
  return !requestBody && parameters.some(({ in: at, name }) => at === "query" && isField(name));
}

export function soundsLikeCreate(operation: Operation): boolean {
  const { operationId = "", summary = "" } = operation;
  return (
    /^(?:create|add|new|register|insert|post|generate)/i.test(operationId) ||
    /^(?:create|add|new|register|insert|generate)/i.test(summary) ||
    saysCreate(operation)
  );
}

/** Whether the text leaves no doubt: "Create a card", "Creates a new key.", `users_create`. */
export function saysCreate(operation: Operation): boolean {
  return textSaysCreate(operation) || wordsIn(operation.operationId ?? "").some((word) => word === "create");
}

export function textSaysCreate({ summary, description = "" }: Operation): boolean {
  return /^(?:(?:creates?|register|insert)\b|adds? (?:an?|new)\b)/i.test((summary || description).trim());
}

const SEARCHES =
  /^(?:search|find|query|list|get|fetch|look ?up|validate|verify|check|test|preview|estimate|calculate|count|export|update|modify|edit|change|delete|remove|bulk ?(?:delete|remove))/i;

/** Whether the text says that the operation changes a record: "Updates a pet", "Moves a task into a bucket". */
export function saysChange({ operationId = "", summary, description = "" }: Operation): boolean {
  const text = (summary || description).trim();
  return /^(?:partial(?:ly)? )?(?:update|edit|modif|change|replace|move)/i.test(text) || /_update$/.test(operationId);
}

function isSearch({ operationId = "", summary = "" }: Operation): boolean {
  return SEARCHES.test(summary) || SEARCHES.test(operationId);
}

function sendsJson(operation: Operation): boolean {
  return jsonContent(successOf(operation)?.contents) !== undefined;
}

/** Whether neither a body nor a query of the request is described. */
function isUndescribed({ requestBody, parameters }: Operation): boolean {
  return !requestBody && !parameters.some(({ in: at }) => at === "query");
}

/** `{ "authorisationId": "..." }` where `{authorisationId}` names single records. */
function sendsId(shapes: Shapes, { item, segment }: Candidate, operation: Operation): boolean {
  const last = item?.steps.at(-1);
  const spots = spotsOf(shapes, operation, segment);
  const body: RecordSpot | undefined = typeof spots === "string" ? undefined : spots?.find(({ at }) => at.length === 0);
  if (last?.kind !== "wildcard" || !body || body.isList) return false;
  return findAlike(body.shape.properties.keys(), last.name) !== undefined;
}
