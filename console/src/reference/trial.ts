import type { Json } from "../api/json.ts";
import type { Pair } from "../api/parameters.ts";
import type { RequestDraft } from "../request/request-draft.ts";
import type { Content, Operation, Parameter } from "./reference.ts";
import { typesOf } from "./schema-facts.ts";

/** A request to try: the values of parameters as typed, and the body. A parameter without a value here is not sent. */
export interface Trial {
  readonly values: Readonly<Record<string, string>>;
  /** Undefined for an operation without a body. */
  readonly type: string | undefined;
  readonly body: string;
}

const BOUNDARY = "standin-form";

export function keyOf({ place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** A page cannot send these: the browser keeps them to itself. */
export function isSendable({ place, name }: Parameter): boolean {
  return place !== "cookie" && !/^(cookie|host|content-length|connection)$/i.test(name);
}

/** JSON if there is a choice, and plain JSON rather than a dialect of it. */
export function preferredContent(contents: readonly Content[]): Content | undefined {
  const isPlain = ({ type }: Content): boolean => /^application\/json\b/i.test(type);
  return contents.find(isPlain) ?? contents.find(({ type }) => isJson(type)) ?? contents[0];
}

/** A body as text in its media type. */
export function bodyText(type: string, value: Json | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string" && !isJson(type)) return value;
  const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return String(new URLSearchParams(fields.map(([name, one]): [string, string] => [name, plain(one)])));
  }
  if (type.startsWith("multipart/")) {
    const parts = fields.map(
      ([name, one]) => `--${BOUNDARY}\nContent-Disposition: form-data; name="${name}"\n\n${plain(one)}\n`,
    );
    return `${parts.join("")}--${BOUNDARY}--\n`;
  }
  return isJson(type) || /\*/.test(type) ? JSON.stringify(value, null, 2) : "";
}

/** The request of a trial, as the request builder holds it. */
export function draftOfTrial({ method, path, parameters }: Operation, basePath: string, trial: Trial): RequestDraft {
  const { values, type, body } = trial;
  let filled = path;
  const query: Pair[] = [];
  const headers: Pair[] = [];
  for (const parameter of parameters) {
    const value = values[keyOf(parameter)];
    if (value === undefined) continue;
    const { name, place } = parameter;
    if (place === "path") filled = filled.replaceAll(`{${name}}`, value === "" ? `{${name}}` : inPath(value));
    else if (value === "") continue;
    else if (place === "query") query.push(...queryPairs(parameter, value));
    else if (place === "header" && isSendable(parameter)) headers.push([name, value]);
  }
  const isMultipart = type?.startsWith("multipart/") ?? false;
  // A range such as `application/*+json` is not a type to send; the default is in it.
  if (type !== undefined && body.trim() !== "" && type !== "application/json" && !type.includes("*")) {
    headers.push(["Content-Type", isMultipart ? `${type}; boundary=${BOUNDARY}` : type]);
  }
  return {
    method,
    path: `${basePath}${filled}`,
    parameters: query,
    headers,
    body: isMultipart ? body.replace(/\r?\n/g, "\r\n") : body,
  };
}

/** The text of an input for an example. */
export function inputText({ style, explode, schema }: Parameter, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (style === "content") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plain).join(isListed({ style, explode, schema }) ? "\n" : ",");
  if (typeof value === "object") {
    return String(
      new URLSearchParams(Object.entries(value).map(([name, one]): [string, string] => [name, plain(one)])),
    );
  }
  return plain(value);
}

/** Whether a parameter is repeated for each value, which are typed one to a line. */
export function isListed({ style, explode, schema }: Pick<Parameter, "style" | "explode" | "schema">): boolean {
  return style === "form" && explode && typesOf(schema).includes("array");
}

function queryPairs(parameter: Parameter, value: string): Pair[] {
  const { name, style, schema } = parameter;
  const types = typesOf(schema);
  if (style === "content") return [[name, value]];
  if (isListed(parameter)) return lines(value).map((one): Pair => [name, one]);
  if (types.includes("array") && style === "spaceDelimited") return [[name, value.replaceAll(",", " ")]];
  if (types.includes("array") && style === "pipeDelimited") return [[name, value.replaceAll(",", "|")]];
  if (!types.includes("object")) return [[name, value]];
  const pairs = [...new URLSearchParams(value)];
  if (style === "deepObject") return pairs.map(([key, one]): Pair => [`${name}[${key}]`, one]);
  return parameter.explode ? pairs : [[name, pairs.flat().join(",")]];
}

function lines(value: string): string[] {
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Slashes in a value are no steps of the path. */
function inPath(value: string): string {
  return encodeURIComponent(value);
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type);
}
