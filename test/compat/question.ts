import type { Json } from "../../src/base/json/json.ts";

/** A request, before it goes to either server. */
export interface Question {
  readonly method: string;
  /** As it stands in the address, escapes included. */
  readonly path: string;
  /** As it stands in the address, without the question mark. */
  readonly search: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `GET /products?_page=2` as a question. */
export function get(address: string): Question {
  return question("GET", address);
}

export function question(method: string, address: string, json?: Json): Question {
  const [path = "/", ...search] = address.replace(/[^\x21-\x7e]/gu, encodeURIComponent).split("?");
  const asked: Question = { method, path, search: search.join("?") };
  return json === undefined ? asked : withJson(asked, json);
}

/** The same question with another body. */
export function withJson(asked: Question, json: Json): Question {
  return { ...asked, headers: { ...asked.headers, "Content-Type": "application/json" }, body: JSON.stringify(json) };
}

export function addressOf({ path, search }: Question): string {
  return search === "" ? path : `${path}?${search}`;
}

/** A name and a value of the query string, decoded. */
export type Parameter = readonly [name: string, value: string];

export function parametersOf({ search }: Question): Parameter[] {
  return search.split("&").filter(Boolean).map(parameterOf);
}

/** One `name=value` of a query string, decoded; a broken escape stays as it is. */
export function parameterOf(pair: string): Parameter {
  const equals = pair.indexOf("=");
  const name = equals === -1 ? pair : pair.slice(0, equals);
  return [decode(name), equals === -1 ? "" : decode(pair.slice(equals + 1))];
}

/** The same question with other parameters, each escaped in full. */
export function withParameters(asked: Question, parameters: readonly Parameter[]): Question {
  const search = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return { ...asked, search: search.join("&") };
}

/** The same question without the parameters of these names. */
export function withoutParameters(asked: Question, ...names: readonly string[]): Question {
  const rest = parametersOf(asked).filter(([name]) => !names.includes(name));
  return rest.length === parametersOf(asked).length ? asked : withParameters(asked, rest);
}

/** The first value of a parameter; empty when there is none. */
export function firstOf(asked: Question, wanted: string): string {
  return parametersOf(asked).find(([name]) => name === wanted)?.[1] ?? "";
}

/** All values of a parameter, in the order sent. */
export function valuesOf(asked: Question, wanted: string): string[] {
  return parametersOf(asked).flatMap(([name, value]) => (name === wanted ? [value] : []));
}

export const WINDOW = ["_page", "_limit", "_start", "_end"];
const RESERVED = ["q", "_sort", "_order", ...WINDOW, "_embed", "_expand", "_delay", "callback", "_"];

/** The parameters that are filters. */
export function filtersOf(asked: Question): Parameter[] {
  return parametersOf(asked).filter(([name]) => !RESERVED.includes(name));
}

/** Whether the first text `page=<number>` is the parameter `_page`. */
export function isPageFirst(asked: Question): boolean {
  const page = firstOf(asked, "_page");
  return page === "" || asked.search.replace(`page=${page}`, "page=*").split("&").includes("_page=*");
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
