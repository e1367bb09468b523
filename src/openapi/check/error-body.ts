import { ERRORS, type StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { valueAtPointer } from "../../schema/pointer.ts";
import type { Placed } from "../../schema/references.ts";
import type { Violation } from "../../schema/rules/violation.ts";
import { RECORDED_REASONS } from "../bind/config/own-bindings.ts";
import type { ApiDocument, CodedResponse, MediaContent, Operation } from "../read/api-document.ts";
import { declaredResponse } from "./declared-response.ts";
import {
  type ErrorFacts,
  type Filling,
  fieldAt,
  fillingsFor,
  isHolder,
  namesBadRequests,
  namesFields,
  problemList,
  problemsByField,
} from "./error-fields.ts";
import { bareType, isJsonType, isUrlEncoded } from "./media-types.ts";
import type { SchemaBook } from "./schema-book.ts";
import { shapeOf } from "./text-shape.ts";

/** An error in the shape that a document declares. */
export interface DeclaredError {
  readonly status: number;
  /** The media type. */
  readonly type: string;
  readonly body: Json;
}

/** An error as an operation's document describes it, with the path of the request; undefined where it describes none. */
export type ErrorBodies = (operation: Operation, error: StandinError, path?: string) => DeclaredError | undefined;

interface ErrorBodyOptions {
  readonly document: Pick<ApiDocument, "references" | "root">;
  readonly book: SchemaBook;
  /** Makes a value that passes a schema. */
  readonly sample: (schema: Placed) => Json | undefined;
}

/** Fields of RFC 9457, which generators may declare as plain JSON. */
const PROBLEM = ["type", "title", "status", "detail", "instance"];

/** Statuses that a document may have in place of another. */
const INSTEAD: Readonly<Record<number, readonly number[]>> = { 422: [422, 400], 400: [400, 422], 415: [415, 400, 422] };

/**
 * Tells errors in the shape that a document declares for them: fields such as `message`, `code`, `status` and `errors` are
 * filled in by their names. Of the rest, only what is required is there, as a sample.
 */
export function createErrorBodies({ document: { references, root }, book, sample }: ErrorBodyOptions): ErrorBodies {
  const isRecorded = root[RECORDED_REASONS] !== undefined;
  let declared: { readonly has400: boolean; readonly has422: boolean } | undefined;
  /** Of errors that one response is for: 400 where the document speaks of invalid requests so, and never of 422. */
  const usualStatus = (status: number, { contents }: CodedResponse): number => {
    if (status !== 422) return status;
    declared ??= { has400: isDeclared(root.paths, "400"), has422: isDeclared(root.paths, "422") };
    if (declared.has422) return 422;
    const isNamed = contents.some(({ schema }) => schema && namesBadRequests(shapeOf(schema, references)));
    return declared.has400 || isNamed ? 400 : 422;
  };
  return (operation, error, path = operation.path.text) => {
    const found = responseFor(operation, error.status, usualStatus);
    const content = found && contentIn(found.response);
    if (!content) return undefined;
    const { type, schema, examples } = content;
    // A recorded error is the API's own word.
    const [recorded] = isRecorded && !found.isOther ? examples : [];
    if (recorded) return { status: found.status, type, body: recorded.value };
    const shape = shapeOf(schema, references);
    const isProblem = /problem/.test(type) || PROBLEM.every((name) => shape.properties.has(name));
    const told = toldError(error, operation, { status: found.status, isProblem, path });
    const isText = !isJsonType(bareType(type)) || !schema;
    if (isText) return found.isOther ? undefined : { status: found.status, type, body: told.message };
    const check = book.validator(schema, "response");
    // The body of another status may say what only that one means.
    const tellsMessage = [...fillingsFor(shape, told)].some(({ values }) => values.includes(told.message));
    if (found.isOther && !tellsMessage) return undefined;
    const byField = namesFields(shape) ? problemsByField(shape, told) : undefined;
    if (byField && check(byField).length === 0) return { status: found.status, type, body: byField };
    // The schema of one recorded error may require its fields of all.
    const withAll = byField && {
      ...Object.fromEntries([...shape.properties.keys()].map((name) => [name, []])),
      ...byField,
    };
    if (withAll && check(withAll).length === 0) return { status: found.status, type, body: withAll };
    const start = sample(schema) ?? (shape.properties.size > 0 ? {} : null);
    const isBetter = (body: Json, than: Json): boolean => check(body).length <= check(than).length;
    if (isJsonObject(start)) {
      let body = withoutExtras(start, isBetter);
      for (const filling of fillingsFor(shape, told)) {
        const filled = filledIn(body, filling, start).find((one) => isBetter(one, body));
        if (filled) body = filled;
      }
      for (const [name, inner] of Object.entries(body)) {
        const less = isEmpty(inner) ? withValue(body, [name], undefined) : body;
        if (isBetter(less, body)) body = less;
      }
      return { status: found.status, type, body };
    }
    const whole = Array.isArray(start) ? problemList(shape.items, told) : told.message;
    return { status: found.status, type, body: whole !== undefined && isBetter(whole, start) ? whole : start };
  };
}

interface FoundResponse {
  readonly status: number;
  readonly response: CodedResponse;
  /** Set where it is declared for another status. */
  readonly isOther?: true;
}

function responseFor(
  operation: Operation,
  status: number,
  usualStatus: (status: number, response: CodedResponse) => number,
): FoundResponse | undefined {
  for (const one of INSTEAD[status] ?? [status]) {
    const response = operation.responses.find(({ range, status: own }) => range === undefined && own === one);
    if (response) return { status: one, response };
  }
  const declared = declaredResponse(operation, status);
  // Where no success is declared, `default` is the success.
  const hasSuccess = operation.responses.some(({ code }) => /^[23]/.test(code));
  if (declared && (declared.code !== "default" || hasSuccess)) {
    return { status: usualStatus(status, declared), response: declared };
  }
  const other = otherError(operation);
  return other && { status: usualStatus(status, other), response: other, isOther: true };
}

/** Another error of the operation: most APIs have one shape for all of them. */
function otherError({ responses }: Operation): CodedResponse | undefined {
  return responses.find(({ status, range, contents }) => {
    return status >= 400 && status < 500 && range === undefined && contents.length > 0;
  });
}

/** Whether an operation of the document has a response with this code. */
function isDeclared(paths: Json | undefined, code: string): boolean {
  const operations = membersOf(paths).flatMap(membersOf);
  return operations.some((one) => isJsonObject(one) && isJsonObject(one.responses) && code in one.responses);
}

function membersOf(value: Json | undefined): Json[] {
  return isJsonObject(value) ? Object.values(value) : [];
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A sample without what it need not have: it would tell nothing of the error. Objects around the error stay. */
function withoutExtras(body: JsonObject, isBetter: (body: Json, than: Json) => boolean): JsonObject {
  let bare = body;
  const visit = (path: readonly string[], value: JsonObject): void => {
    for (const [name, inner] of Object.entries(value)) {
      const here = [...path, name];
      if (isJsonObject(inner) && isHolder(name)) visit(here, inner);
      else {
        const less = withValue(bare, here, undefined);
        if (isBetter(less, bare)) bare = less;
      }
    }
  };
  visit([], body);
  return bare;
}

/** JSON, else a text that is not looked into. */
function contentIn({ contents }: CodedResponse): MediaContent | undefined {
  return (
    contents.find(({ type }) => isJsonType(bareType(type))) ??
    contents.find(({ type }) => bareType(type) === "text/plain")
  );
}

function toldError(
  error: StandinError,
  { requestBody }: Operation,
  { status, isProblem, path }: Required<Pick<ErrorFacts, "status" | "isProblem" | "path">>,
): ErrorFacts {
  const contents = requestBody?.contents ?? [];
  const isForm = contents.length > 0 && contents.every(({ type }) => isUrlEncoded(type));
  const { errors } = error.toJSON() as { errors?: readonly Violation[] };
  const own = { status, title: ERRORS[error.code].title, code: error.code };
  const single = (errors ?? []).map(({ pointer, rule, message }) => {
    return { ...own, code: rule, message, pointer, field: fieldAt(pointer, isForm), errors: [] };
  });
  return {
    ...own,
    path,
    isProblem,
    message: error.message,
    pointer: single[0]?.pointer,
    field: single[0]?.field,
    errors: single,
  };
}

/** Copies of a body in which a field has each of its possible values, lists also with what else their elements must have. */
function filledIn(body: JsonObject, { path, values }: Filling, sample: JsonObject): JsonObject[] {
  const made = valueAtPointer(sample, path);
  const element = Array.isArray(made) ? made[0] : undefined;
  const whole = values.flatMap((value) =>
    Array.isArray(value) && isJsonObject(element)
      ? [value.map((one) => (isJsonObject(one) ? { ...element, ...one } : one))]
      : [],
  );
  return [...values, ...whole].map((value) => withValue(body, path, value));
}

/** The body with another value at a path, or without it. */
function withValue(body: JsonObject, [name = "", ...rest]: readonly string[], value: Json | undefined): JsonObject {
  const before = body[name];
  const inner = rest.length === 0 ? value : withValue(isJsonObject(before) ? before : {}, rest, value);
  if (inner !== undefined) return { ...body, [name]: inner };
  const { [name]: _, ...others } = body;
  return others;
}
