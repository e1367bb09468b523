import { type Document, kindOf, mistake } from "../../api-document/document.ts";
import { parsePathTemplate } from "../../api-document/path-template.ts";
import { isFinalStatus } from "../../api-document/status.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { Example, ExampleRequest, ExampleResponse } from "../example.ts";
import { queryTerm } from "./own-format.ts";
import { readAddress, type Scope } from "./postman-address.ts";
import { collectVariables, resolveVariables, type Variables } from "./postman-variables.ts";
import { readList, readObject } from "./read.ts";

/** Media types by Postman's names for the language of a body. */
const LANGUAGES: Readonly<Record<string, string>> = {
  json: "application/json",
  html: "text/html",
  xml: "application/xml",
  javascript: "application/javascript",
};

interface Reading {
  readonly examples: Example[];
  /** Requests that have no saved example. */
  withoutExample: number;
}

/** Reads a Postman collection v2.1: every saved example of every request, in folders of any depth. */
export function readCollection(document: Document): { examples: Example[]; notes: string[] } {
  const reading: Reading = { examples: [], withoutExample: 0 };
  readItems(reading, document.root, { document, place: "#", variables: new Map() });
  const { examples, withoutExample } = reading;
  if (examples.length === 0) {
    throw mistake(
      document,
      "#/item",
      "no request has a saved example. In Postman: send the request, then Save Response.",
    );
  }
  if (withoutExample === 0) return { examples, notes: [] };
  const count = withoutExample === 1 ? "1 request without" : `${withoutExample} requests without`;
  return { examples, notes: [`left out: ${count} a saved example`] };
}

function readItems(reading: Reading, parent: JsonObject, { document, place, variables: outer }: Scope): void {
  const variables = collectVariables(parent.variable, outer);
  for (const [position, value] of readList(document, parent.item, `${place}/item`).entries()) {
    const at = `${place}/item/${position}`;
    const item = readObject(document, value, at);
    if (item.item !== undefined) readItems(reading, item, { document, place: at, variables });
    else readResponses(reading, item, { document, place: at, variables: collectVariables(item.variable, variables) });
  }
}

function readResponses(reading: Reading, item: JsonObject, scope: Scope): void {
  const { document, place } = scope;
  const responses = item.response === undefined || item.response === null ? [] : item.response;
  const list = readList(document, responses, `${place}/response`);
  if (list.length === 0) reading.withoutExample++;
  for (const [position, value] of list.entries()) {
    const at = `${place}/response/${position}`;
    const saved = readObject(document, value, at);
    const [source, sourcePlace] =
      saved.originalRequest === undefined || saved.originalRequest === null
        ? [item.request, `${place}/request`]
        : [saved.originalRequest, `${at}/originalRequest`];
    const response = readResponse(saved, { ...scope, place: at });
    for (const request of readRequests(source, { ...scope, place: sourcePlace })) {
      reading.examples.push({
        name: typeof saved.name === "string" ? saved.name : `${request.method} ${request.path.text}`,
        id: [saved.uid, saved.id, saved._postman_id].find((id) => typeof id === "string"),
        request,
        response,
      });
    }
  }
}

/** One request, or two: a path variable with a value stands for that value first, and then for any other. */
function readRequests(value: Json | undefined, scope: Scope): ExampleRequest[] {
  const { document, place, variables } = scope;
  // A request may be its address alone.
  const request: JsonObject = typeof value === "string" ? { url: value } : readObject(document, value, place);
  const { paths, query } = readAddress(request.url, { ...scope, place: `${place}/url` });
  const rest = {
    method: typeof request.method === "string" ? request.method.toUpperCase() : "GET",
    query: query.map(queryTerm),
    headers: new Map(readHeaders(request.header, variables).map(([name, text]) => [name.toLowerCase(), text])),
    body: readRequestBody(request.body, variables),
  };
  return paths.map((path) => ({ ...rest, path: parsePathTemplate(path, "double") }));
}

function readResponse(saved: JsonObject, { document, place, variables }: Scope): ExampleResponse {
  const status = saved.code ?? 200;
  if (!isFinalStatus(status)) {
    throw mistake(document, `${place}/code`, `must be a status code from 200 to 599, but is ${kindOf(saved.code)}.`);
  }
  const headers = readHeaders(saved.header, variables);
  const given = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const language = typeof saved._postman_previewlanguage === "string" ? saved._postman_previewlanguage : "";
  const body =
    typeof saved.body === "string" && saved.body !== "" ? resolveVariables(saved.body, variables) : undefined;
  const guessed = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  return {
    status,
    range: undefined,
    type: given ?? guessed ?? (body !== undefined && /^\s*[[{]/.test(body) ? "application/json" : "text/plain"),
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
  if (typeof value.raw === "string") return resolveVariables(value.raw, variables);
  if (value.mode === "urlencoded") {
    return new URLSearchParams(enabledPairs(value.urlencoded, variables)).toString();
  }
  if (isJsonObject(value.graphql)) return JSON.stringify(value.graphql);
  return undefined;
}
