import type { IncomingHttpHeaders } from "node:http";
import type { Json } from "../../base/json/json.ts";
import { atOnce, type Work } from "../../base/slices.ts";
import { within } from "../../schema/pointer.ts";
import type { Violation } from "../../schema/rules/violation.ts";
import type { ApiDocument, Operation, Parameter } from "../read/api-document.ts";
import { bareType, isJsonType } from "./media-types.ts";
import {
  decodedText,
  pairTexts,
  type RawPairs,
  readFromPairs,
  readRawCookies,
  readRawQuery,
  readSimple,
} from "./parameter-values.ts";
import { checkRequestBody } from "./request-body.ts";
import type { SchemaBook } from "./schema-book.ts";
import { shapeOf, type TextShape } from "./text-shape.ts";
import { isObject, readForm } from "./text-values.ts";

/** A request as it is checked. */
export interface RequestParts {
  /** The values of the path's wildcards, from left to right, decoded. */
  readonly pathValues: readonly string[];
  /** The query string, with or without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** A value for JSON, an object of texts for a form, otherwise the text; undefined for none. */
  readonly body?: Json | undefined;
  readonly contentType: string | undefined;
}

/** Finds what is wrong with a request to an operation. Pointers begin with `/path`, `/query`, `/header`, `/cookie` or `/body`. */
export interface RequestCheck {
  (operation: Operation, parts: RequestParts): readonly Violation[];
  /** The same, with pauses while schemas are compiled for the first time. */
  inTurns(operation: Operation, parts: RequestParts): Work<readonly Violation[]>;
}

interface CheckedParameter {
  readonly parameter: Parameter;
  readonly pointer: string;
  readonly shape: TextShape;
  /** The position among the wildcards of the path. */
  readonly position: number;
}

/** Headers that OpenAPI says are not described as parameters. */
const OTHER_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** Creates the check of requests to a document's operations. Parameters that it does not declare are no problem. */
export function createRequestCheck(document: Pick<ApiDocument, "references">, book: SchemaBook): RequestCheck {
  const { references } = document;
  const known = new WeakMap<Operation, readonly CheckedParameter[]>();
  const parametersOf = (operation: Operation): readonly CheckedParameter[] => {
    let checked = known.get(operation);
    if (!checked) {
      checked = operation.parameters.filter(isChecked).map((parameter) => ({
        parameter,
        pointer: `/${parameter.in === "querystring" ? "query" : within(parameter.in, parameter.name)}`,
        shape: shapeOf(parameter.schema, references),
        position: operation.path.names.indexOf(parameter.name),
      }));
      known.set(operation, checked);
    }
    return checked;
  };

  function* inTurns(operation: Operation, parts: RequestParts): Work<readonly Violation[]> {
    const problems: Violation[] = [];
    const sent = new SentParameters(parts);
    for (const one of parametersOf(operation)) {
      const { parameter, pointer } = one;
      const value = sent.valueOf(one);
      if (value === undefined) {
        if (parameter.isRequired && !mayBeAbsent(one, book))
          problems.push({ pointer, rule: "required", message: "is required" });
      } else if (parameter.schema) {
        const violations = yield* book.validator(parameter.schema, "request").inTurns(value);
        for (const violation of violations) problems.push({ ...violation, pointer: pointer + violation.pointer });
      }
    }
    const { requestBody } = operation;
    // A body of a GET has no meaning (RFC 9110, 9.3.1), and browsers cannot send one.
    if (requestBody && operation.method !== "GET")
      problems.push(...(yield* checkRequestBody(requestBody, parts, { book, references })));
    return problems;
  }
  return Object.assign((operation: Operation, parts: RequestParts) => atOnce(inTurns(operation, parts)), { inTurns });
}

/** An object in the query whose properties are all optional is there although nothing of it is sent. */
function mayBeAbsent({ parameter, shape }: CheckedParameter, book: SchemaBook): boolean {
  const { in: at, schema, contentType } = parameter;
  if (at !== "query" || contentType !== undefined || !schema || !isObject(shape)) return false;
  return book.validator(schema, "request")({}).length === 0;
}

function isChecked({ in: at, name }: Parameter): boolean {
  return at !== "header" || !OTHER_HEADERS.has(name.toLowerCase());
}

/** The parameters of one request, read as far as they are looked at. */
class SentParameters {
  readonly #parts: RequestParts;
  #query: RawPairs | undefined;
  #cookies: RawPairs | undefined;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  valueOf({ parameter, shape, position }: CheckedParameter): Json | undefined {
    const { pathValues, headers } = this.#parts;
    switch (parameter.in) {
      case "path":
        return simpleValue(position === -1 ? undefined : pathValues[position], parameter, shape);
      case "header":
        return simpleValue(headerText(headers, parameter.name), parameter, shape);
      case "cookie":
        this.#cookies ??= readRawCookies(headers.cookie);
        return pairValue(this.#cookies, parameter, shape);
      case "query":
        return pairValue(this.query, parameter, shape);
      default:
        return this.query.length === 0 ? undefined : readForm(pairTexts(this.query), shape);
    }
  }

  get query(): RawPairs {
    this.#query ??= readRawQuery(this.#parts.search);
    return this.#query;
  }
}

function simpleValue(text: string | undefined, parameter: Parameter, shape: TextShape): Json | undefined {
  if (text === undefined) return undefined;
  return parameter.contentType === undefined
    ? readSimple(text, parameter, shape)
    : contentValue(text, parameter, shape);
}

function pairValue(pairs: RawPairs, parameter: Parameter, shape: TextShape): Json | undefined {
  if (parameter.contentType === undefined) return readFromPairs(pairs, parameter, shape);
  const given = pairs.find(([name]) => name === parameter.name);
  return given && contentValue(decodedText(given[1]), parameter, shape);
}

/** JSON where the parameter is declared so; a text that is none stays one, and fails by its type. */
function contentValue(text: string, { contentType }: Parameter, { types }: TextShape): Json {
  if (!isJsonType(bareType(contentType))) return text;
  try {
    const value = JSON.parse(text) as Json;
    // Clients send texts without quotes: `7` of an id that is a text is no number.
    const isText = types.size === 1 && types.has("string");
    return isText && typeof value !== "string" ? text : value;
  } catch {
    return text;
  }
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const lower = name.toLowerCase();
  const given = Object.hasOwn(headers, lower) ? headers[lower] : undefined;
  return Array.isArray(given) ? given.join(", ") : given;
}
