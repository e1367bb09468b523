import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { type Document, kindOf, mistake } from "../../openapi/read/document.ts";
import { parsePathTemplate } from "../../openapi/read/path-template.ts";
import { isFinalStatus } from "../../openapi/read/status.ts";
import {
  type Example,
  type ExampleRequest,
  type ExampleResponse,
  isSuccess,
  type QueryTerm,
  type Unanswered,
} from "../example.ts";
import { queryTerm } from "./own-format.ts";
import { readPostmanAddress, type VariableScope } from "./postman-address.ts";
import { madeResponse } from "./postman-made.ts";
import type { SavedBody, SavedRequest } from "./postman-requests.ts";
import { collectVariables, resolveVariables, type Variables } from "./postman-variables.ts";
import { readDocumentList, readDocumentObject } from "./read.ts";

const SAVE_ONE = "In Postman: send the request, then Save Response.";
/** More requests than this are counted, not named. */
const MAX_NAMED = 8;
/** Media types by Postman's names for the language of a body. */
const LANGUAGES: Readonly<Record<string, string>> = {
  json: "application/json",
  html: "text/html",
  xml: "application/xml",
  javascript: "application/javascript",
};

interface Reading {
  readonly environment: Variables;
  readonly examples: Example[];
  /** Addresses without the path of the base variable, for requests that no other example is for. */
  readonly spare: Example[];
  readonly unanswered: Unanswered[];
  /** The number of requests whose responses are made. */
  made: number;
  readonly seed: number;
  /** The saved requests by those of examples: one of the former may be several of the latter. */
  readonly saved: Map<ExampleRequest, SavedExample>;
}

/** A saved request, and whether its response is a success. */
export interface SavedExample {
  readonly request: SavedRequest;
  readonly isSuccess: boolean;
}

/** The content of a collection. */
export interface ReadCollection {
  readonly examples: Example[];
  readonly notes: string[];
  readonly unanswered: Unanswered[];
  readonly saved: ReadonlyMap<ExampleRequest, SavedExample>;
}

/**
 * Reads a Postman collection v2.0 or v2.1: every saved example of every request, in folders of any depth. Requests without
 * one get a response that is made, where there is something to make it from.
 */
export function readCollection(document: Document, environment: Variables = new Map(), seed = 1): ReadCollection {
  const reading: Reading = { environment, examples: [], spare: [], unanswered: [], made: 0, seed, saved: new Map() };
  readItems(reading, document.root, { document, place: "#", variables: environment, auth: undefined });
  const { examples, unanswered, saved } = reading;
  if (examples.length === 0 && unanswered.length === 0) throw mistake(document, "#/item", "contains no request.");
  const answeredRoutes = new Set(examples.map(routeOf));
  examples.push(...reading.spare.filter((example) => !answeredRoutes.has(routeOf(example))));
  return { examples, unanswered, saved, notes: notesOf(reading) };
}

function routeOf({ request: { method, path } }: Example): string {
  return `${method} ${path.shape}`;
}

function notesOf({ examples, unanswered, made }: Reading): string[] {
  const notes = made === 0 ? [] : [`made from what requests send and tests expect: the responses of ${counted(made)}`];
  if (unanswered.length === 0) return notes;
  if (examples.length === 0) {
    return [`no request has a saved example, so all of them respond with 404. ${SAVE_ONE}`];
  }
  const named = unanswered.slice(0, MAX_NAMED).map(({ method, path }) => `${method} ${path.text}`);
  const more = unanswered.length > MAX_NAMED ? ` and ${unanswered.length - MAX_NAMED} more` : "";
  return [...notes, `left out: ${counted(unanswered.length)} without a saved example: ${named.join(", ")}${more}`];
}

function counted(requests: number): string {
  return requests === 1 ? "1 request" : `${requests} requests`;
}

function readItems(
  reading: Reading,
  parent: JsonObject,
  { document, place, variables: outer, ...scope }: VariableScope,
): void {
  const { environment } = reading;
  const variables = collectVariables(parent.variable, outer, environment);
  const auth = isJsonObject(parent.auth) ? parent.auth : scope.auth;
  for (const [position, value] of readDocumentList(document, parent.item, `${place}/item`).entries()) {
    const at = `${place}/item/${position}`;
    const item = readDocumentObject(document, value, at);
    if (item.item !== undefined) readItems(reading, item, { document, place: at, variables, auth });
    else {
      const itemVariables = collectVariables(item.variable, variables, environment);
      readResponses(reading, item, { document, place: at, variables: itemVariables, auth: ownAuth(item) ?? auth });
    }
  }
}

function readResponses(reading: Reading, item: JsonObject, scope: VariableScope): void {
  const { document, place } = scope;
  const responses = item.response === undefined || item.response === null ? [] : item.response;
  const list = readDocumentList(document, responses, `${place}/response`);
  if (list.length === 0) readUnanswered(reading, item, scope);
  for (const [position, value] of list.entries()) {
    const at = `${place}/response/${position}`;
    const saved = readDocumentObject(document, value, at);
    const [source, sourcePlace] = hasAddress(saved.originalRequest)
      ? [saved.originalRequest, `${at}/originalRequest`]
      : [item.request, `${place}/request`];
    const response = readResponse(saved, { ...scope, place: at });
    const { requests, spare, saved: asSaved } = readRequests(source, { ...scope, place: sourcePlace });
    const exampleOf = (request: ExampleRequest): Example => ({
      name: typeof saved.name === "string" ? saved.name : `${request.method} ${request.path.text}`,
      id: [saved.uid, saved.id, saved._postman_id].find((id) => typeof id === "string"),
      request,
      response,
    });
    const isGood = isSuccess(response.status);
    for (const request of [...requests, ...spare]) reading.saved.set(request, { request: asSaved, isSuccess: isGood });
    reading.examples.push(...requests.map(exampleOf));
    reading.spare.push(...spare.map(exampleOf));
  }
}

function hasAddress(request: Json | undefined): boolean {
  return typeof request === "string" || (isJsonObject(request) && request.url !== undefined && request.url !== null);
}

/** A request without a saved response; its address may still be missing. */
function readUnanswered(reading: Reading, item: JsonObject, scope: VariableScope): void {
  if (!hasAddress(item.request)) return;
  const { requests, spare, saved } = readRequests(item.request, { ...scope, place: `${scope.place}/request` });
  const name = typeof item.name === "string" ? item.name : "";
  const response = madeResponse(item, saved, reading.seed);
  if (response) {
    reading.made++;
    reading.examples.push(...requests.map((request) => ({ name, id: undefined, request, response })));
    reading.spare.push(...spare.map((request) => ({ name, id: undefined, request, response })));
    return;
  }
  const last = [...requests, ...spare].slice(-1);
  const why = `it has no saved example. ${SAVE_ONE}`;
  reading.unanswered.push(...last.map(({ method, path }) => ({ name, method, path, why })));
}

interface Requests {
  /** One, or two: a path variable with a value stands for that value first, and then for any other. */
  readonly requests: readonly ExampleRequest[];
  readonly spare: readonly ExampleRequest[];
  readonly saved: SavedRequest;
}

function ownAuth({ request }: JsonObject): JsonObject | undefined {
  return isJsonObject(request) && isJsonObject(request.auth) ? request.auth : undefined;
}

function readRequests(value: Json | undefined, scope: VariableScope): Requests {
  const { document, place, variables } = scope;
  // A request may be its address alone.
  const request: JsonObject = typeof value === "string" ? { url: value } : readDocumentObject(document, value, place);
  const { paths, pathsWithoutBase, query } = readPostmanAddress(request.url, { ...scope, place: `${place}/url` });
  const rest = {
    method: typeof request.method === "string" && request.method !== "" ? request.method.toUpperCase() : "GET",
    query: query.map(termOf),
    headers: new Map(readHeaders(request.header, variables).map(([name, text]) => [name.toLowerCase(), text])),
    body: readRequestBody(request.body, variables),
  };
  const withPath = (path: string): ExampleRequest => ({ ...rest, path: parsePathTemplate(path, "double") });
  const requests = paths.map(withPath);
  const saved: SavedRequest = {
    method: rest.method,
    path: requests.at(-1)!.path,
    query: rest.query.map(({ name }) => name),
    headers: [...rest.headers.keys()],
    body: savedBody(request.body, rest.body),
    auth: scope.auth,
  };
  return { requests, spare: pathsWithoutBase.map(withPath), saved };
}

/** The type and the value of a body; undefined for one that others need not be like. */
function savedBody(saved: Json | undefined, text: string | undefined): SavedBody | undefined {
  if (!isJsonObject(saved) || saved.disabled === true) return undefined;
  if (saved.mode === "formdata") return { type: "multipart/form-data" };
  if (text === undefined || text === "") return undefined;
  if (saved.mode === "urlencoded") {
    return { type: "application/x-www-form-urlencoded", value: Object.fromEntries(new URLSearchParams(text)) };
  }
  // A variable without a value outside of a string could be anything.
  const json = text.replace(
    /("(?:[^"\\]|\\.)*")|\{\{[^{}]+\}\}/g,
    (_whole, kept: string | undefined) => kept ?? "null",
  );
  try {
    return { type: "application/json", value: JSON.parse(json) as Json };
  } catch {
    return undefined;
  }
}

/** A value with a variable in it that has no value stands for any, like one that is nothing but a variable. */
function termOf(pair: readonly [string, string]): QueryTerm {
  const term = queryTerm(pair);
  return term.wildcard === undefined && /\{\{[^{}]+\}\}/.test(term.value) ? { ...term, wildcard: term.value } : term;
}

function readResponse(saved: JsonObject, { document, place, variables }: VariableScope): ExampleResponse {
  const status = saved.code ?? 200;
  if (!isFinalStatus(status)) {
    throw mistake(document, `${place}/code`, `must be a status code from 200 to 599, but is ${kindOf(saved.code)}.`);
  }
  const headers = readHeaders(saved.header, variables);
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const language = typeof saved._postman_previewlanguage === "string" ? saved._postman_previewlanguage : "";
  const body =
    typeof saved.body === "string" && saved.body !== "" ? resolveVariables(saved.body, variables) : undefined;
  const guessed = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  return {
    status,
    range: undefined,
    type: contentType ?? guessed ?? (body !== undefined && /^\s*[[{]/.test(body) ? "application/json" : "text/plain"),
    headers,
    body,
  };
}

/** Headers that are not disabled; a list of them, or lines of text. */
function readHeaders(value: Json | undefined, variables: Variables): [string, string][] {
  if (typeof value === "string") {
    const lines = value.split(/\r?\n/).filter((line) => line.includes(":"));
    return lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), resolveVariables(line.slice(colon + 1).trim(), variables)];
    });
  }
  return enabledPairs(value, variables);
}

/** `[{ key, value, disabled }]`, as Postman writes headers, parameters and form fields. */
function enabledPairs(value: Json | undefined, variables: Variables): [string, string][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry): [string, string][] => {
    if (!isJsonObject(entry) || entry.disabled === true || typeof entry.key !== "string") return [];
    const text = entry.value === undefined || entry.value === null ? "" : String(entry.value);
    return [[resolveVariables(entry.key, variables), resolveVariables(text, variables)]];
  });
}

function readRequestBody(value: Json | undefined, variables: Variables): string | undefined {
  if (!isJsonObject(value) || value.disabled === true) return undefined;
  const { mode, raw, graphql } = value;
  if (typeof raw === "string" && (mode === undefined || mode === "raw")) {
    const text = resolveVariables(raw, variables);
    // Postman allows comments in JSON, and sends it without them.
    return /^\s*[[{]/.test(text) ? withoutComments(text) : text;
  }
  if (mode === "urlencoded") return new URLSearchParams(enabledPairs(value.urlencoded, variables)).toString();
  return isJsonObject(graphql) ? graphqlBody(graphql, variables) : undefined;
}

/** Postman keeps the variables of a query as text, and sends them as JSON. */
function graphqlBody({ query, variables: sent, ...rest }: JsonObject, variables: Variables): string {
  const resolved = { ...rest, query: typeof query === "string" ? resolveVariables(query, variables) : (query ?? "") };
  if (typeof sent !== "string") return JSON.stringify(sent === undefined ? resolved : { ...resolved, variables: sent });
  const text = resolveVariables(sent, variables).trim();
  try {
    return JSON.stringify(text === "" ? resolved : { ...resolved, variables: JSON.parse(text) });
  } catch {
    return JSON.stringify({ ...resolved, variables: text });
  }
}

/** JSON without its comments, which take the place of nothing within strings. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_whole, kept: string | undefined) => kept ?? "",
  );
}
