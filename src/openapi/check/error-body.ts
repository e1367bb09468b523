import { ERRORS, type StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { Placed } from "../../schema/references.ts";
import type { Violation } from "../../schema/rules/violation.ts";
import type { ApiDocument, CodedResponse, MediaContent, Operation } from "../read/api-document.ts";
import { declaredResponse } from "./declared-response.ts";
import { type ErrorFacts, type Filling, fillingsFor, problemList } from "./error-fields.ts";
import { bareType, isJsonType } from "./media-types.ts";
import type { SchemaBook } from "./schema-book.ts";
import { shapeOf } from "./text-shape.ts";

/** An error in the shape that a document declares. */
export interface DeclaredError {
  readonly status: number;
  /** The media type. */
  readonly type: string;
  readonly body: Json;
}

/** An error as an operation's document describes it; undefined where it describes none. */
export type ErrorBodies = (operation: Operation, error: StandinError) => DeclaredError | undefined;

interface ErrorBodyOptions {
  readonly document: Pick<ApiDocument, "references">;
  readonly book: SchemaBook;
  /** Makes a value that passes a schema. */
  readonly sample: (schema: Placed) => Json | undefined;
}

/** Statuses that a document may have in place of another. */
const INSTEAD: Readonly<Record<number, readonly number[]>> = { 422: [422, 400], 400: [400, 422], 415: [415, 400, 422] };

/**
 * Tells errors in the shape that a document declares for them: fields such as `message`, `code`, `status` and `errors` are
 * filled in by their names, and the rest is a sample.
 */
export function createErrorBodies({ document: { references }, book, sample }: ErrorBodyOptions): ErrorBodies {
  return (operation, error) => {
    const found = responseFor(operation, error.status);
    const content = found && contentIn(found.response);
    if (!content) return undefined;
    const told = toldError(error, found.status);
    const { type, schema } = content;
    if (!isJsonType(bareType(type)) || !schema) return { status: found.status, type, body: told.message };
    const check = book.validator(schema, "response");
    const shape = shapeOf(schema, references);
    const start = sample(schema) ?? (shape.properties.size > 0 ? {} : null);
    const isBetter = (body: Json, than: Json): boolean => check(body).length <= check(than).length;
    if (isJsonObject(start)) {
      let body: JsonObject = start;
      for (const filling of fillingsFor(shape, told)) {
        const filled = filledIn(body, filling).find((one) => isBetter(one, body));
        if (filled) body = filled;
      }
      return { status: found.status, type, body };
    }
    const whole = Array.isArray(start) ? problemList(shape.items, told) : told.message;
    return { status: found.status, type, body: whole !== undefined && isBetter(whole, start) ? whole : start };
  };
}

function responseFor(
  operation: Operation,
  status: number,
): { readonly status: number; readonly response: CodedResponse } | undefined {
  for (const one of INSTEAD[status] ?? [status]) {
    const response = operation.responses.find(({ range, status: own }) => range === undefined && own === one);
    if (response) return { status: one, response };
  }
  const response = declaredResponse(operation, status);
  // Where no success is declared, `default` is the success.
  const hasSuccess = operation.responses.some(({ code }) => /^[23]/.test(code));
  return response && (response.code !== "default" || hasSuccess) ? { status, response } : undefined;
}

/** JSON, else a text that is not looked into. */
function contentIn({ contents }: CodedResponse): MediaContent | undefined {
  return (
    contents.find(({ type }) => isJsonType(bareType(type))) ??
    contents.find(({ type }) => bareType(type) === "text/plain")
  );
}

function toldError(error: StandinError, status: number): ErrorFacts {
  const { errors } = error.toJSON() as { errors?: readonly Violation[] };
  const own = { status, title: ERRORS[error.code].title, code: error.code };
  return {
    ...own,
    message: error.message,
    errors: (errors ?? []).map(({ pointer, rule, message }) => ({ ...own, code: rule, message, pointer, errors: [] })),
  };
}

/** Copies of a body in which a field has each of its possible values. */
function filledIn(body: JsonObject, { path, values }: Filling): JsonObject[] {
  return values.map((value) => withValue(body, path, value));
}

function withValue(body: JsonObject, [name, ...rest]: readonly string[], value: Json): JsonObject {
  const before = body[name!];
  const inner = rest.length === 0 ? value : withValue(isJsonObject(before) ? before : {}, rest, value);
  return { ...body, [name!]: inner };
}
