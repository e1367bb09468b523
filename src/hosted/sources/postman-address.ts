import { type Document, kindOf, mistake } from "../../api-document/document.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { resolveVariables, type Variables } from "./postman-variables.ts";

export interface Address {
  /** With `{{name}}` for wildcards. The second one, if any, has a wildcard where the first has a value. */
  readonly paths: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** The part in front of the path: a scheme and a host, or a variable or name in place of them. */
const HOST = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i;
/** The placeholder that importers write for a missing value. */
const PLACEHOLDER = /^<.*>$/;

/** The place of a value in a collection, and the variables that are known there. */
export interface Scope {
  readonly document: Document;
  readonly place: string;
  readonly variables: Variables;
}

/** Reads the address of a request. Scheme and host do not matter: a mock has its own. */
export function readAddress(value: Json | undefined, { document, place, variables }: Scope): Address {
  if (typeof value === "string") return fromText(value, [], variables);
  if (!isJsonObject(value)) throw mistake(document, place, `must be an address, but is ${kindOf(value)}.`);
  const raw = typeof value.raw === "string" && value.raw !== "" ? value.raw : assembled(value);
  const pathVariables = Array.isArray(value.variable) ? value.variable.filter(isJsonObject) : [];
  const address = fromText(raw, pathVariables, variables);
  if (!Array.isArray(value.query)) return address;
  // The list knows which parameters are disabled; the text may still show them.
  const query = value.query.flatMap((entry): [string, string][] => {
    if (!isJsonObject(entry) || entry.disabled === true || typeof entry.key !== "string") return [];
    const text = entry.value === undefined || entry.value === null ? "" : String(entry.value);
    return [[resolveVariables(entry.key, variables), resolveVariables(text, variables)]];
  });
  return { ...address, query };
}

function assembled({ path }: JsonObject): string {
  if (typeof path === "string") return `host/${path.replace(/^\//, "")}`;
  const segments = Array.isArray(path) ? path.map((part) => (isJsonObject(part) ? part.value : part)) : [];
  return `host/${segments.map(String).join("/")}`;
}

function fromText(raw: string, pathVariables: readonly JsonObject[], variables: Variables): Address {
  const resolved = resolveVariables(raw.trim(), variables).replace(/#.*$/s, "");
  const question = resolved.indexOf("?");
  const address = question === -1 ? resolved : resolved.slice(0, question);
  const search = question === -1 ? "" : resolved.slice(question + 1);
  const path = address.startsWith("/") ? address : address.replace(HOST, "") || "/";
  const values = new Map(
    pathVariables.map(({ key, id, value }) => [key ?? id, resolveVariables(String(value ?? ""), variables)] as const),
  );
  const wild = path.split("/").map((segment) => segment.replace(/^:(.+)$/, "{{$1}}"));
  const fixed = path.split("/").map((segment, position) => {
    const given = segment.startsWith(":") ? values.get(segment.slice(1)) : undefined;
    if (given === undefined || given === "" || PLACEHOLDER.test(given)) return wild[position]!;
    return given.startsWith("{{") ? given : encodeURIComponent(given);
  });
  const paths = [...new Set([fixed.join("/"), wild.join("/")])];
  return { paths, query: [...new URLSearchParams(search)] };
}
