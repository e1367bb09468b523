import { isJsonObject } from "../../../base/json/json.ts";
import type { Operation } from "../../read/api-document.ts";
import { bodySchema, jsonContent, successOf } from "../bodies/bodies.ts";
import { spotsOf } from "../bodies/body-spots.ts";
import { ALIKE, isSameSchema, likeness, type RecordSpot } from "../bodies/record-spots.ts";
import { type Group, type Groups, operationOf } from "../groups.ts";
import { findIdKey, idNameFor, isIdLike } from "../ids/id-key.ts";
import { findLooseKey } from "../ids/loose-keys.ts";
import { pathKey } from "../path-shape.ts";
import type { Shapes } from "../schema-shape.ts";
import { wordsIn } from "../words.ts";

/** Whether a path that looks like that of a record lists others: `/orders/{type}` those of `/orders/{type}/{number}`. */
export function isListAtWildcard(shapes: Shapes, groups: Groups, group: Group): boolean {
  const { steps, key } = group;
  const last = steps.at(-1);
  const below = last?.kind === "wildcard" ? groups.itemBelow(key) : undefined;
  if (last?.kind !== "wildcard" || !below) return false;
  const isTop = operationOf(groups.at(pathKey(steps.slice(0, -1))), "GET") === undefined;
  if (isTop && hasOnlyChanges(shapes, group, below)) return true;
  if (isSameList(shapes, group, below)) return !isSameList(shapes, groups.at(pathKey(steps.slice(0, -1))), group);
  const segment = segmentOf(steps);
  const [listed, read] = [spotsAt(shapes, group, segment), spotsAt(shapes, below, segment)];
  const records = read.filter(({ isList, isNamed }) => !isList && isNamed);
  const isListed = listed
    .filter(({ isList, isNamed, at }) => isList && isNamed && at.length <= 1)
    .some((list) => records.some(({ shape }) => likeness(list.shape, shape) >= ALIKE));
  // A record may have a list of its parts.
  const body = listed.find(({ at, isList }) => at.length === 0 && !isList);
  return isListed && !(body && findIdKey(shapes, [body.shape], { parameter: last.name, segment }) !== undefined);
}

const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Whether a path sends a list of what another one below it changes, without sending it: `/hooks/{system}` with `PUT
 * /hooks/{system}/{name}`. Where no response is described, the requests tell.
 */
function hasOnlyChanges(shapes: Shapes, list: Group, { steps, operations }: Group): boolean {
  const [lister, reader] = [list, { operations }].map((one) => one.operations.find(({ method }) => method === "GET"));
  const changes = operations.filter(({ method }) => CHANGES.includes(method));
  if (!lister || changes.length === 0 || list.operations.length > 1 || !isSilent(reader)) return false;
  if (isSilent(lister)) {
    const takesRecord = ({ method, requestBody }: Operation): boolean =>
      method === "PUT" && bodySchema(jsonContent(requestBody?.contents)) !== undefined;
    return reader !== undefined && changes.length > 1 && changes.some(takesRecord);
  }
  const listed = listIn(shapes, lister, segmentOf(steps));
  const last = steps.at(-1);
  const naming = { parameter: last?.kind === "wildcard" ? last.name : undefined, segment: segmentOf(steps) };
  return listed !== undefined && findIdKey(shapes, [listed.shape], naming) !== undefined;
}

/** Whether nothing tells what an operation sends, if it is there at all. */
function isSilent(operation: Operation | undefined): boolean {
  return operation === undefined || successOf(operation)?.contents.length === 0;
}

/** The paths below a list that send a part of it: `/reports/{kind}` and `/reports/{kind}/{year}` of `/reports`. */
export function filteredBelow(shapes: Shapes, groups: Groups, list: Group | undefined): readonly Group[] {
  const below = list && groups.itemBelow(list.key);
  return below && isSameList(shapes, list, below) ? [below, ...filteredBelow(shapes, groups, below)] : [];
}

/** Whether a path below a list does nothing but send it for one value of its wildcard, which names no record. */
function isSameList(shapes: Shapes, list: Group | undefined, { steps, operations }: Group): boolean {
  const last = steps.at(-1);
  const [one, ...others] = operations;
  const all = operationOf(list, "GET");
  if (last?.kind !== "wildcard" || one?.method !== "GET" || others.length > 0 || !all) return false;
  const naming = { parameter: last.name, segment: segmentOf(steps) };
  const [body, whole] = [one, all].map((operation) => bodySchema(jsonContent(successOf(operation)?.contents)));
  // `/lists/{filter}` of `/lists?filter=open`, where neither says what it sends.
  const isInQuery = all.parameters.some(({ in: at, name }) => at === "query" && name === last.name);
  if (isInQuery && !body && !whole && idNameFor(naming) === undefined) return true;
  if (hasFewValues(shapes, one, last.name)) {
    return body !== undefined && whole !== undefined && shapes.of(body).schema.place === shapes.of(whole).schema.place;
  }
  const [some, every] = [one, all].map((operation) => listIn(shapes, operation, naming.segment));
  if (!some || !every || some.at.join() !== every.at.join() || !isSameSchema(some.shape, every.shape)) return false;
  if (idNameFor(naming) === undefined) return true;
  if (findIdKey(shapes, [some.shape], naming) !== undefined) return false;
  return !isIdLike(wordsIn(last.name)) || findLooseKey(shapes, [some.shape], { naming, isSure: true }) === undefined;
}

function hasFewValues(shapes: Shapes, { parameters }: Operation, wildcard: string): boolean {
  const schema = parameters.find(({ name, in: at }) => at === "path" && name === wildcard)?.schema;
  const value = schema && shapes.of(schema).schema.value;
  return isJsonObject(value) && Array.isArray(value.enum);
}

function listIn(shapes: Shapes, operation: Operation, segment: string): RecordSpot | undefined {
  const spots = spotsOf(shapes, operation, segment);
  if (typeof spots === "string") return undefined;
  return spots?.find(({ isList, isNamed, shape }) => isList && isNamed && shape.properties.size > 0);
}

/** The last fixed segment of a path. */
export function segmentOf(steps: Group["steps"]): string {
  const last = steps.findLast((step) => step.kind === "fixed");
  return last?.kind === "fixed" ? last.text : "";
}

function spotsAt(shapes: Shapes, group: Group, segment: string): readonly RecordSpot[] {
  const spots = spotsOf(shapes, operationOf(group, "GET"), segment);
  return typeof spots === "string" || !spots ? [] : spots;
}
