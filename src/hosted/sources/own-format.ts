import { METHODS } from "node:http";
import { type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { type Document, kindOf, mistake } from "../../openapi/read/document.ts";
import { parsePathTemplate } from "../../openapi/read/path-template.ts";
import { parameterName } from "../../query/parse-query.ts";
import { within } from "../../schema/pointer.ts";
import { bareValues, DYNAMIC_NUMBERS } from "../body-template.ts";
import { type Example, type ExampleRequest, type ExampleResponse, type QueryTerm, wildcardsOf } from "../example.ts";
import { readDocumentList, readDocumentObject, readStatus, readText, refuseOthers } from "./read.ts";

const WILDCARD = /^\{\{([^{}]+)\}\}$/;

/** Reads standin's own format, which examples.schema.json describes. */
export function readOwnFormat(document: Document): Example[] {
  refuseOthers(document, document.root, { place: "#", known: ["$schema", "examples"] });
  const list = readDocumentList(document, document.root.examples, "#/examples");
  if (list.length === 0) throw mistake(document, "#/examples", "contains no example.");
  return list.map((entry, position) => readExample(document, entry, `#/examples/${position}`));
}

function readExample(document: Document, value: Json, place: string): Example {
  const entry = readDocumentObject(document, value, place);
  refuseOthers(document, entry, { place, known: ["name", "id", "request", "response"] });
  const request = readRequest(document, entry.request, `${place}/request`);
  const response = readResponse(document, entry, { place: `${place}/response`, names: wildcardsOf(request) });
  const { name, id } = entry;
  return {
    name:
      name === undefined
        ? `${request.method} ${request.path.text} ${response.status}`
        : readText(document, name, `${place}/name`),
    id: id === undefined ? undefined : readText(document, id, `${place}/id`),
    request,
    response,
  };
}

function readRequest(document: Document, value: Json | undefined, place: string): ExampleRequest {
  const request = readDocumentObject(document, value, place);
  refuseOthers(document, request, { place, known: ["method", "path", "query", "headers", "body"] });
  const method = readText(document, request.method ?? "GET", `${place}/method`).toUpperCase();
  if (!METHODS.includes(method)) throw mistake(document, `${place}/method`, `${method} is not an HTTP method.`);
  const path = readText(document, request.path, `${place}/path`);
  if (!path.startsWith("/")) throw mistake(document, `${place}/path`, `must begin with "/", but is "${path}".`);
  if (/[?#]/.test(path)) {
    throw mistake(document, `${place}/path`, `"${path}" contains a ? or #; put parameters into "query".`);
  }
  const headers = readTexts(document, request.headers ?? {}, `${place}/headers`);
  return {
    method,
    path: parsePathTemplate(path, "double"),
    query: readTexts(document, request.query ?? {}, `${place}/query`).map(queryTerm),
    headers: new Map(headers.map(([name, text]) => [name.toLowerCase(), text])),
    body: request.body === undefined ? undefined : bodyText(request.body),
  };
}

/** `{{name}}` in place of a value stands for any value. */
export function queryTerm([name, value]: readonly [string, string]): QueryTerm {
  return { name: parameterName(name), value, wildcard: WILDCARD.exec(value)?.[1]?.trim() };
}

interface ResponsePlace {
  readonly place: string;
  /** The names of wildcards in the request. */
  readonly names: readonly string[];
}

function readResponse(document: Document, entry: JsonObject, { place, names }: ResponsePlace): ExampleResponse {
  const response = readDocumentObject(document, entry.response, place);
  refuseOthers(document, response, { place, known: ["status", "headers", "body"] });
  const headers = readTexts(document, response.headers ?? {}, `${place}/headers`);
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const { body } = response;
  return {
    status: readStatus(document, response.status ?? 200, `${place}/status`),
    range: undefined,
    type: contentType ?? (typeof body === "string" ? "text/plain" : "application/json"),
    headers,
    body:
      body === undefined
        ? undefined
        : typeof body === "string"
          ? body
          : bareValues(stringifyJson(body), [...names, ...DYNAMIC_NUMBERS]),
  };
}

/** Texts and numbers by name; a list stands for several of the same name. */
function readTexts(document: Document, value: Json, place: string): [string, string][] {
  const entries: JsonObject = readDocumentObject(document, value, place);
  return Object.entries(entries).flatMap(([name, texts]) =>
    (Array.isArray(texts) ? texts : [texts]).map((one): [string, string] => {
      if (typeof one === "string") return [name, one];
      if (typeof one === "number" || typeof one === "boolean") return [name, String(one)];
      throw mistake(document, within(place, name), `must be a string or a number, but is ${kindOf(one)}.`);
    }),
  );
}

/** A body that is no text is JSON. */
function bodyText(body: Json): string {
  return typeof body === "string" ? body : stringifyJson(body);
}
