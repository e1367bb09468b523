import type { JsonObject } from "../../../base/json/json.ts";
import {
  addressOf,
  type BookRequest,
  bodyInBraces,
  inBraces,
  introduction,
  isJsonBody,
  type RequestBook,
  secretsOf,
  sentHeaders,
} from "../request-book.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Requests as a Postman collection v2.1: a folder for each group, and variables for the address and for secrets. */
export function postmanCollection(book: RequestBook): string {
  const variables: [name: string, value: string][] = [["baseUrl", book.url]];
  if (book.isTrial) variables.push(["tx", "rollback"]);
  for (const name of secretsOf(book)) variables.push([name, ""]);
  const collection = {
    info: { name: book.title, description: introduction(book).join("\n\n"), schema: SCHEMA },
    item: book.groups.map(({ name, requests }) => ({ name, item: requests.map((request) => itemOf(request, book)) })),
    variable: variables.map(([key, value]) => ({ key, value })),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function itemOf(request: BookRequest, book: RequestBook): JsonObject {
  const { name, method, remarks = [] } = request;
  return {
    name,
    request: {
      method,
      header: sentHeaders(request, book).map(([key, value]) => ({ key, value: inBraces(value) })),
      url: urlOf(request),
      ...(remarks.length > 0 && { description: remarks.join("\n") }),
      ...bodyOf(request),
    },
    response: [],
  };
}

function urlOf(request: BookRequest): JsonObject {
  const { path, query } = request;
  return {
    raw: `{{baseUrl}}${addressOf(request)}`,
    host: ["{{baseUrl}}"],
    path: path.split("/").slice(1),
    ...(query.length > 0 && { query: query.map(([key, value]) => ({ key, value: inBraces(value) })) }),
  };
}

function bodyOf(request: BookRequest): JsonObject {
  const { body } = request;
  if (!body) return {};
  if (!isJsonBody(request)) return { body: { mode: "raw", raw: inBraces(body) } };
  return { body: { mode: "raw", raw: bodyInBraces(body), options: { raw: { language: "json" } } } };
}
