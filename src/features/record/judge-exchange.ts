import type { IncomingHttpHeaders } from "node:http";
import { type Json, parseJson } from "../../base/json/json.ts";
import { PathTree, type Segment, splitPath } from "../../base/path-tree.ts";
import { type Exchange, type HeaderField, headerIn } from "../../http/exchange.ts";
import { declaredResponse } from "../../openapi/check/declared-response.ts";
import { bareType, contentOfType, isJsonType } from "../../openapi/check/media-types.ts";
import { createRequestCheck, type RequestParts } from "../../openapi/check/request-check.ts";
import { createSchemaBook, type SchemaBook } from "../../openapi/check/schema-book.ts";
import type { ApiDocument, CodedResponse, Operation } from "../../openapi/read/api-document.ts";
import { decodeSegment, parsePathTemplate } from "../../openapi/read/path-template.ts";
import type { Violation } from "../../schema/rules/violation.ts";

/** Something in real traffic that a document does not allow. */
export interface ExchangeFinding extends Violation {
  readonly direction: "request" | "response";
}

export interface ExchangeJudgement {
  /** `GET /pets/{petId}`; undefined where the document has no such operation. */
  readonly operation: string | undefined;
  readonly findings: readonly ExchangeFinding[];
}

/** Judges both directions of an exchange, whatever its status, by the check that also judges requests to a document. */
export type JudgeExchange = (exchange: Exchange) => ExchangeJudgement;

/** Prepares the judgement of real traffic by a document. Schemas are compiled when they are first used. */
export function createExchangeJudge(document: ApiDocument): JudgeExchange {
  const book = createSchemaBook(document);
  const checkRequest = createRequestCheck(document, book);
  const find = createOperationFinder(document);
  return (exchange) => {
    const found = find(exchange);
    if (typeof found === "string") {
      const finding: ExchangeFinding = { direction: "request", pointer: "", rule: "operation", message: found };
      return { operation: undefined, findings: [finding] };
    }
    const { operation, values } = found;
    const requests = checkRequest(operation, requestParts(exchange, values));
    return {
      operation: `${operation.method} ${operation.path.text}`,
      findings: [
        ...requests.map((one): ExchangeFinding => ({ direction: "request", ...one })),
        ...checkResponse(book, operation, exchange).map((one): ExchangeFinding => ({ direction: "response", ...one })),
      ],
    };
  };
}

interface FoundOperation {
  readonly operation: Operation;
  /** Of the wildcards in its path. */
  readonly values: readonly string[];
}

/** Finds the operation of an exchange; a text says why there is none. */
export function createOperationFinder(document: ApiDocument): (exchange: Exchange) => FoundOperation | string {
  const tree = new PathTree<Map<string, Operation>>();
  for (const operation of document.operations) {
    for (const base of new Set(["", ...document.basePaths])) {
      const { segments } = parsePathTemplate(base, "single");
      const all = [...segments, ...operation.path.segments].filter((one) => !isEmpty(one));
      const methods = tree.at(all, () => new Map());
      if (!methods.has(operation.method)) methods.set(operation.method, operation);
    }
  }
  return ({ method, url }) => {
    const [path = ""] = url.split("?", 1);
    const segments = splitPath(path).filter((one) => one !== "");
    const [found] = tree.find(segments.map(decodeSegment), 1);
    if (!found) return `the document has no path ${path}`;
    const operation = found.target.get(method) ?? (method === "HEAD" ? found.target.get("GET") : undefined);
    return operation ? { operation, values: found.values } : `the document has no ${method} ${path}`;
  };
}

function isEmpty(segment: Segment): boolean {
  return segment.kind === "literal" && segment.text === "";
}

function requestParts({ url, requestHeaders, requestBody }: Exchange, pathValues: readonly string[]): RequestParts {
  const contentType = headerIn(requestHeaders, "content-type");
  const isJson = contentType === undefined || isJsonType(bareType(contentType));
  return {
    pathValues,
    search: /\?(.*)/s.exec(url)?.[1] ?? "",
    headers: joinedHeaders(requestHeaders),
    contentType,
    body: requestBody === undefined || !isJson ? requestBody : (jsonIn(requestBody) ?? requestBody),
  };
}

function joinedHeaders(fields: readonly HeaderField[]): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) {
    const lower = name.toLowerCase();
    const before = headers[lower];
    headers[lower] = before === undefined ? value : `${before}${lower === "cookie" ? "; " : ", "}${value}`;
  }
  return headers;
}

function checkResponse(book: SchemaBook, operation: Operation, exchange: Exchange): readonly Violation[] {
  const { status, responseHeaders } = exchange;
  if (status === 304) return [];
  const declared = declaredResponse(operation, status);
  if (!declared) {
    const codes = operation.responses.map(({ code }) => code).join(", ");
    return [{ pointer: "/status", rule: "status", message: `must be one of ${codes}`, given: status }];
  }
  const missing = declared.headers.filter(({ name, isRequired }) => {
    return isRequired && headerIn(responseHeaders, name.toLowerCase()) === undefined;
  });
  return [
    ...missing.map(({ name }) => ({ pointer: `/header/${name}`, rule: "required", message: "is required" })),
    ...(exchange.method === "HEAD" ? [] : checkBody(book, declared, exchange)),
  ];
}

function checkBody(book: SchemaBook, { contents }: CodedResponse, exchange: Exchange): readonly Violation[] {
  const { responseBody, mediaType } = exchange;
  // Bodies that were not kept cannot be judged; a document without contents says nothing of them.
  if (responseBody === undefined || contents.length === 0) return [];
  const content = contentOfType(contents, mediaType);
  if (!content) {
    const message = `must be ${contents.map(({ type }) => type).join(", ")}`;
    return [{ pointer: "/header/Content-Type", rule: "content-type", message, given: mediaType }];
  }
  if (!content.schema || !isJsonType(mediaType)) return [];
  const value = jsonIn(responseBody);
  if (value === undefined) return [{ pointer: "/body", rule: "json", message: "must be JSON" }];
  const violations = book.validator(content.schema, "response")(value);
  return violations.map((one) => ({ ...one, pointer: `/body${one.pointer}` }));
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
