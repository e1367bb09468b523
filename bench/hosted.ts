import { type LoadRequest, onePath } from "./requests.ts";
import type { Setup } from "./servers.ts";

/** Examples for `standin hosted`, in its own format, and requests that match them. */
const FILE = "examples.json";

export function hostedSetup(examples: readonly object[]): Setup {
  return { files: { [FILE]: JSON.stringify({ examples }) }, standin: {}, command: ["hosted", FILE] };
}

/** Each has a path of its own. */
export function fixedExamples(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    request: { path: `/products/${at + 1}` },
    response: { body: product(at + 1) },
  }));
}

/** All have the same path. */
export function examplesWithQuery(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    request: { path: "/products", query: { page: at + 1 } },
    response: { body: product(at + 1) },
  }));
}

export const WILDCARD_EXAMPLE: object = {
  request: { path: "/products/{{id}}/details" },
  response: { body: { ...product(1), id: "{{id}}" } },
};

export function examplesByPath(count: number, more = ""): LoadRequest[] {
  return onePath(Array.from({ length: count }, (_, at) => `/products/${at + 1}${more}`));
}

export function examplesByQuery(count: number): LoadRequest[] {
  return onePath(Array.from({ length: count }, (_, at) => `/products?page=${at + 1}`));
}

function product(id: number): object {
  return { id, name: "Steel Garden Spade", price: 34.95, company_id: 2 };
}
