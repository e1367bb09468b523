import type { Operation } from "../read/api-document.ts";
import { fixedQuery } from "../read/path-query.ts";
import { downloaded } from "./bind-below.ts";
import { jsonContent, patchContentIn, successOf } from "./bodies/bodies.ts";
import { bodySpots, spotsOf } from "./bodies/body-spots.ts";
import { isBareList } from "./bodies/lists-of-ids.ts";
import { bestSpot, isSameRecord, recordAsPatch, requestSpot, responseSpot } from "./bodies/operation-spots.ts";
import { ALIKE, type RecordSpot } from "./bodies/record-spots.ts";
import { sendsFile } from "./bodies/sent-files.ts";
import type { Candidate } from "./candidate.ts";
import { created, isSentInQuery, saysChange, saysCreate, soundsLikeCreate, textSaysCreate } from "./creates.ts";
import { type BindingOutcome, type Draft, draft, type Reading } from "./draft.ts";
import { isEnding } from "./ending.ts";
import { idParameterOf, operationOf } from "./groups.ts";
import { isIdLike, type Naming } from "./ids/id-key.ts";
import { isIdOfOther } from "./ids/id-of-other.ts";
import { shapesResponse } from "./query/query-names.ts";
import type { Shapes } from "./schema-shape.ts";
import { tellsSeveral } from "./told-several.ts";
import { findAlike, wordsIn } from "./words.ts";

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
      if (isOtherList(candidate, operation)) {
        return { operation, why: "another list of this path, which its query tells apart" };
      }
      return listed(shapes, candidate, { operation, spot: candidate.listSpot });
    case "POST":
      return isUpdateBesideCreate(candidate)
        ? updatedByBody(shapes, candidate, operation)
        : created(shapes, candidate, operation);
    case "PUT":
    case "PATCH":
      return updatedByBody(shapes, candidate, operation);
    case "DELETE":
      return { operation, why: "removes several records at once" };
    default:
      return { operation, why: `${operation.method} is not bound` };
  }
}

/** Whether a list's POST updates what its PUT creates, as both say. */
function isUpdateBesideCreate({ list }: Candidate): boolean {
  const [posts, puts] = ["POST", "PUT"].map((method) => operationOf(list, method));
  return posts !== undefined && puts !== undefined && saysChange(posts) && saysCreate(puts);
}

/** `/pets?deep=1` beside `/pets`: what one sends says nothing of the other. */
function isOtherList({ list }: Candidate, operation: Operation): boolean {
  const lister = operationOf(list, "GET");
  return lister !== operation && [lister, operation].some((one) => one && fixedQuery(one).length > 0);
}

function onItem(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  switch (operation.method) {
    case "GET":
      return readOf(shapes, candidate, operation);
    case "PUT":
    case "PATCH":
      return updated(shapes, candidate, operation);
    case "POST":
      if (saysCreate(operation) && isParentNamed(candidate, operation)) return created(shapes, candidate, operation);
      if (operationOf(candidate.item, "PUT") || operationOf(candidate.item, "PATCH")) {
        if (saysCreate(operation) && candidate.form !== undefined) return updated(shapes, candidate, operation);
        if (
          saysCreate(operation) &&
          (!operationOf(candidate.list, "POST") || sendsRecord(shapes, candidate, operation))
        ) {
          return madeAt(shapes, candidate, operation);
        }
        return { operation, why: "an action: records are updated by another method" };
      }
      return updated(shapes, candidate, operation);
    case "DELETE":
      return { draft: removed(shapes, candidate, operation) };
    default:
      return { operation, why: `${operation.method} is not bound` };
  }
}

/** `POST /risks/{projectId}` beside `/risks/{riskId}`, where risks have a `projectId`: it names the project of a new one. */
function isParentNamed({ record, segment, item }: Candidate, { path }: Operation): boolean {
  const last = path.names.at(-1) ?? "";
  const isOther = (name: string): boolean => isIdOfOther(name, segment);
  const others = item?.operations.flatMap((one) => one.path.names.at(-1) ?? []) ?? [];
  return isOther(last) && record.properties.has(last) && others.some((name) => !isOther(name));
}

function removed(shapes: Shapes, candidate: Candidate, operation: Operation): Draft {
  const { record } = candidate;
  const found = responseSpot(shapes, candidate, operation);
  // An object without fields is empty, and not the record that is gone.
  const spot = found && found.shape.properties.size > 0 ? found : noticeSpot(shapes, candidate, operation);
  const isSent = !spot || isSameRecord(spot.shape, record);
  const isEnd = isSent && isEnding(shapes, operation, record);
  return draft(shapes, candidate, { operation, action: isEnd ? "end" : "remove", spot });
}

/** `{ "pet": { "id": 7 } }` names the pet that is gone. */
function noticeSpot(shapes: Shapes, { segment, idKey, record }: Candidate, operation: Operation) {
  const spots = spotsOf(shapes, operation, segment);
  if (typeof spots === "string") return undefined;
  return spots?.find(({ at, isList, isNamed, shape: { properties } }) => {
    const isKnown = (name: string): boolean => record.properties.has(name) || isIdLike(wordsIn(name));
    return at.length > 0 && !isList && isNamed && properties.has(idKey) && [...properties.keys()].every(isKnown);
  });
}

function readOf(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const { readSpot: spot } = candidate;
  if (spot?.isList && candidate.hidesId && tellsSeveral(namingOf(candidate), candidate.item)) {
    return listed(shapes, candidate, { operation, spot });
  }
  const success = successOf(operation);
  if (!success && !candidate.assumed?.has(operation)) return { operation, why: "it has no successful response" };
  const isNone = spot || !success?.contents.length || isBareList(candidate.listSpot);
  const file = isNone ? undefined : downloaded(shapes, candidate, operation);
  return file && "draft" in file ? file : { draft: draft(shapes, candidate, { operation, action: "read", spot }) };
}

function namingOf({ item, segment }: Candidate): Naming {
  return { parameter: idParameterOf(item), segment };
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

/** `PUT /pets` with the id in the body. */
function updatedByBody(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const { method } = operation;
  const isOfNew = soundsLikeCreate(operation) || successOf(operation)?.status === 201;
  if (method === "PUT" && isOfNew && (!operationOf(candidate.list, "POST") || isUpdateBesideCreate(candidate))) {
    return created(shapes, candidate, operation);
  }
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
  const listed = patchList(shapes, candidate, operation);
  if (listed) return { draft: listed };
  const patch = operation.method === "PATCH" ? patchContentIn(operation.requestBody?.contents) : undefined;
  if (patch && !jsonContent(operation.requestBody?.contents) && !recordAsPatch(shapes, [patch])) {
    return { draft: { ...draft(shapes, candidate, { operation, action, spot }), requestContent: patch } };
  }
  const request = requestSpot(shapes, candidate, operation);
  const isSame = spot !== undefined && isSameRecord(spot.shape, candidate.record);
  if ((isSame || (saysChange(operation) && spot === undefined)) && isSentInQuery(candidate, operation)) {
    return { draft: draft(shapes, candidate, { operation, action: "patch", spot }) };
  }
  if (isAddition(candidate, operation)) return madeAt(shapes, candidate, operation);
  if (isBareList(candidate.listSpot)) return { operation, why: "an action: its records are nothing but their ids" };
  if (isUndescribedChange(operation) && (isSame || !jsonContent(successOf(operation)?.contents))) {
    return { draft: draft(shapes, candidate, { operation, action: "patch", spot }) };
  }
  if (request && request !== "list" && !isSame && isOfPart(candidate, operation, request.spot)) {
    return { operation, why: "an action: its body is something else than one of these records" };
  }
  if (!request || request === "list" || (!isSame && request.share < (spot ? 0.3 : ALIKE))) {
    if (request && request !== "list" && isSilentChange(shapes, candidate, operation)) {
      return { draft: draft(shapes, candidate, { operation, action: "patch", spot, request }) };
    }
    return { operation, why: "an action: its body is not one of these records" };
  }
  return { draft: draft(shapes, candidate, { operation, action, spot, request }) };
}

/** `POST /invoices/{id}` with an `InvoiceItem`: a body that must have what the record has not. */
function isOfPart({ record }: Candidate, { method }: Operation, { shape }: RecordSpot): boolean {
  const isOther = shape.name !== undefined && record.name !== undefined && shape.name !== record.name;
  const isUnknown = (name: string): boolean => findAlike(record.properties.keys(), name) === undefined;
  return method === "POST" && isOther && [...shape.required].some((name) => isIdLike(wordsIn(name)) && isUnknown(name));
}

/** `POST /baskets/{name}` beside a PUT: makes the basket of that name. */
function madeAt(shapes: Shapes, candidate: Candidate, operation: Operation): BindingOutcome {
  const sent = requestSpot(shapes, candidate, operation);
  const [spot, request] = [responseSpot(shapes, candidate, operation), sent === "list" ? undefined : sent];
  return { draft: draft(shapes, candidate, { operation, action: "add", spot, request }) };
}

/** Whether both a request and its response have such a record. */
function sendsRecord(shapes: Shapes, candidate: Candidate, operation: Operation): boolean {
  const [spot, request] = [responseSpot(shapes, candidate, operation), requestSpot(shapes, candidate, operation)];
  const isSame = spot !== undefined && isSameRecord(spot.shape, candidate.record);
  return isSame && request !== undefined && request !== "list" && request.share >= ALIKE;
}

/** A JSON Patch by its form, whatever its type is called: a list of objects with `op` and `path`. */
function patchList(shapes: Shapes, candidate: Candidate, operation: Operation): Draft | undefined {
  if (operation.method !== "PATCH") return undefined;
  const contents = operation.requestBody?.contents;
  const content = jsonContent(contents) ?? patchContentIn(contents);
  const list = bodySpots(shapes, content, candidate.segment)?.find(
    ({ isList, shape: { properties } }) => isList && properties.has("op") && properties.has("path"),
  );
  if (!content || !list) return undefined;
  const spots = spotsOf(shapes, operation, candidate.segment);
  const spot = typeof spots === "string" || !spots ? undefined : bestSpot(spots, candidate, true);
  return {
    ...draft(shapes, candidate, { operation, action: "patch", spot }),
    requestContent: content,
    requestAt: list.at,
  };
}

/** "Update a patient", whose body the document forgets. */
function isUndescribedChange(operation: Operation): boolean {
  const { method, requestBody, parameters } = operation;
  const sends = parameters.some(({ in: at, name }) => at === "query" && !shapesResponse(name) && name !== "fields");
  if (method === "POST" || requestBody || sends) return false;
  return saysChange(operation);
}

const CREATES = ["create", "creates", "add", "adds", "upsert", "set", "sets"];

/**
 * A PUT that sends nothing or says that it creates, on a path whose DELETE takes the record out of a list that nothing
 * else adds to.
 */
function isAddition({ list, item, keyPath, listSpot }: Candidate, operation: Operation): boolean {
  const { method, requestBody, operationId = "", summary = "" } = operation;
  // `PUT /topics/{topic}` of a list of names has nothing to change.
  if (isBareList(listSpot)) return method === "PUT" || operationOf(item, "DELETE") !== undefined;
  const isTold = !requestBody || wordsIn(`${operationId} ${summary}`).some((word) => CREATES.includes(word));
  if (method !== "PUT" || !isTold || keyPath) return false;
  const isOnlyWay = operationOf(list, "GET") !== undefined && operationOf(list, "POST") === undefined;
  // "Create a version, or update a draft", which is 200 or 201
  const isEither = textSaysCreate(operation) && operation.responses.some(({ code }) => code === "201");
  return isOnlyWay && (isEither || operationOf(item, "DELETE") !== undefined);
}

/** `POST /tokens/{id}` with `{ "action": "revoke" }` and no body in its response: it changes the token somehow. */
function isSilentChange(shapes: Shapes, { list, item }: Candidate, operation: Operation): boolean {
  const success = successOf(operation);
  if (!success || success.contents.length > 0 || !operation.requestBody || sendsFile(shapes, operation)) return false;
  // A PUT may make the record, unless something else does or nothing removes it.
  return operation.method !== "PUT" || operationOf(list, "POST") !== undefined || !operationOf(item, "DELETE");
}
