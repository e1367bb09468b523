import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import type { Placed } from "../../../schema/references.ts";
import type { MediaContent, Operation } from "../../read/api-document.ts";
import { type Group, operationOf } from "../groups.ts";
import { findIdKey, idNameFor, type Naming } from "../ids/id-key.ts";
import { isPaged } from "../query/parameter-roles.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { isSameNoun, singularOf } from "../words.ts";
import { formContent, isBytes, jsonContent, patchContentIn, successOf } from "./bodies.ts";
import { openListIn } from "./open-lists.ts";
import { findSpots, type RecordSpot } from "./record-spots.ts";

/** Bodies of responses that the document does not describe. */
export type AssumedBodies = ReadonlyMap<Operation, MediaContent>;

interface Paths {
  readonly segment: string;
  readonly list: Group | undefined;
  readonly item: Group | undefined;
}

/**
 * Generators write a response without a body where nothing tells them what a handler returns, and none but failures where
 * they have called a handler without a token. The records are then what other responses of these paths describe, else what
 * requests send, with the id of the path.
 */
export function assumeBodies(shapes: Shapes, { segment, list, item }: Paths): AssumedBodies | undefined {
  const [lister, reader] = [operationOf(list, "GET"), operationOf(item, "GET")];
  if (
    lister ? !item && !takesNewOnes(shapes, list, segment) : !sendsRecord(shapes, operationOf(list, "POST"), segment)
  ) {
    return undefined;
  }
  const operations = [...(list?.operations ?? []), ...(item?.operations ?? [])];
  const isSilent = silenceOf(operations);
  const isUntold = [lister, reader].some((operation) => operation && isSilent(operation));
  const content = lister && !isSilent(lister) ? jsonContent(successOf(lister)?.contents) : undefined;
  const openList = openListIn(shapes, content, segment);
  if (!openList && !isUntold) return undefined;
  const last = item?.steps.at(-1);
  const naming = { segment, parameter: last?.kind === "wildcard" ? last.name : undefined };
  const record = describedRecord(shapes, operations, naming) ?? sentRecord(shapes, operations, naming);
  // A list of which nothing is known may be one of names.
  if (!record || (openList && shapes.of(record).properties.size < 2)) return undefined;
  const silent = operations.filter((operation) => operation.method !== "DELETE" && isSilent(operation));
  const bodies = silent.map((one): [Operation, MediaContent] => [one, bodyOf(one, record, one === lister)]);
  return new Map(lister && openList ? [...bodies, [lister, openList.with(record)]] : bodies);
}

/** Whether a list without single records is one for sure: requests turn its pages, or it is named in the plural. */
function takesNewOnes(shapes: Shapes, list: Group | undefined, segment: string): boolean {
  const [lister, creates] = [operationOf(list, "GET"), operationOf(list, "POST")];
  if (!lister || !creates || !sendsRecord(shapes, creates, segment)) return false;
  return isPaged(shapes, lister) || (successOf(creates)?.status === 201 && singularOf(segment) !== segment);
}

/** Whether requests have more than a file. */
function sendsRecord(shapes: Shapes, operation: Operation | undefined, segment: string): boolean {
  const properties = operation && sentShape(shapes, operation, segment)?.properties;
  return [...(properties?.values() ?? [])].some((one) => shapes.of(one).format !== "binary");
}

function silenceOf(operations: readonly Operation[]): (operation: Operation) => boolean {
  const areFiles = areFilesForJson(operations);
  return (operation) => {
    const success = successOf(operation);
    if (!success) return true;
    if (success.status === 204 || success.status === 205) return false;
    if (success.contents.length === 0 || areFiles) return true;
    const content = jsonContent(success.contents);
    return content !== undefined && content.examples.length === 0 && saysNothing(content.schema?.value);
  };
}

/**
 * Whether every response is a file without a type although requests are JSON: so generators write the result of a handler
 * that may be anything.
 */
function areFilesForJson(operations: readonly Operation[]): boolean {
  const contents = operations.flatMap((operation) =>
    operation.method === "DELETE" ? [] : (successOf(operation)?.contents ?? []),
  );
  const areFiles = contents.every((content) => content.type === "application/octet-stream" && isBytes(content));
  return areFiles && operations.some(({ requestBody }) => jsonContent(requestBody?.contents) !== undefined);
}

function saysNothing(schema: Json | undefined): boolean {
  return schema === undefined || (isJsonObject(schema) && Object.keys(schema).every((key) => key === "description"));
}

function bodyOf(operation: Operation, record: Placed, isList: boolean): MediaContent {
  const place = placeOf(operation);
  const schema = isList ? { value: { type: "array", items: record.value ?? {} }, place: `${place}/list` } : record;
  return { type: "application/json", schema, examples: [], place };
}

function placeOf(operation: Operation): string {
  return `${successOf(operation)?.place ?? operation.place}/assumed`;
}

function describedRecord(shapes: Shapes, operations: readonly Operation[], { segment }: Naming): Placed | undefined {
  for (const operation of operations) {
    if (operation.method === "DELETE") continue;
    const spots = spotsIn(shapes, jsonContent(successOf(operation)?.contents), segment);
    const isLister = operation.method === "GET" && operation === operations[0];
    const found = spots.find((spot) => spot.isNamed && spot.isList === isLister && spot.shape.properties.size > 1);
    if (found) return found.shape.schema;
  }
  return undefined;
}

function spotsIn(shapes: Shapes, content: MediaContent | undefined, segment: string): readonly RecordSpot[] {
  return content?.schema ? findSpots(shapes, content.schema, segment) : [];
}

/** The record that requests send, without files; secrets are not shown. */
function sentRecord(shapes: Shapes, operations: readonly Operation[], naming: Naming): Placed | undefined {
  const properties: JsonObject = {};
  const required = new Set<string>();
  for (const operation of operations) {
    const sent = sentShape(shapes, operation, naming.segment);
    for (const [name, { value }] of sent?.properties ?? []) {
      if (!isJsonObject(value) || value.format === "binary") continue;
      properties[name] ??= /password|secret/i.test(name) ? { ...value, writeOnly: true } : value;
      if (operation.method === "POST" && sent?.required.has(name)) required.add(name);
    }
  }
  const place = operations[0] ? placeOf(operations[0]) : "";
  const { parameter = "id" } = naming;
  const known = findIdKey(shapes, [shapes.of({ value: { type: "object", properties }, place })], naming);
  const id = known ?? idNameFor(naming);
  if (id === undefined && Object.keys(properties).length === 0) return undefined;
  const idKey = id ?? parameter;
  const schema = operations.flatMap(({ parameters }) => parameters).find(({ name }) => name === parameter)?.schema;
  properties[idKey] ??= schema?.value ?? { type: "string" };
  return { value: { type: "object", properties, required: [...required.add(idKey)] }, place: `${place}/record` };
}

function sentShape(shapes: Shapes, { requestBody }: Operation, segment: string): SchemaShape | undefined {
  const contents = requestBody?.contents;
  const content = jsonContent(contents) ?? formContent(contents) ?? patchContentIn(contents);
  const spots = spotsIn(shapes, content, segment).filter(({ isList }) => !isList);
  const named = spots.find(({ at }) => isSameNoun(at.at(-1) ?? "", segment));
  return (named ?? spots.find(({ at }) => at.length === 0))?.shape;
}
