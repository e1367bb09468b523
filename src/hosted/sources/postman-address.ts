import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { type Document, kindOf, mistake } from "../../openapi/read/document.ts";
import { resolveVariables, type Variables } from "./postman-variables.ts";

export interface Address {
  /** With `{{name}}` for wildcards. The second one, if any, has a wildcard where the first has a value. */
  readonly paths: readonly string[];
  /** The same without the path of the variable in front: `/users` for `{{baseUrl}}/users`, where the base is `https://x/api`. */
  readonly pathsWithoutBase: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** The part in front of the path: a scheme and a host, or a variable or name in place of them. */
const HOST = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i;
/** The same before variables are filled in: `{{baseUrl}}`, `{{scheme}}://{{host}}:{{port}}`. */
const RAW_HOST = /^(?:(?:\{\{[^{}]*\}\}|[a-z\d+.-])+:\/\/)?(?:\{\{[^{}]*\}\}|[^/?#])*/i;
/** The placeholder that importers write for a missing value. */
const PLACEHOLDER = /^<.*>$/;
const VARIABLE = /(\{\{[^{}]*\}\})/;

/** The place of a value in a collection, and the variables that are known there. */
export interface VariableScope {
  readonly document: Document;
  readonly place: string;
  readonly variables: Variables;
  /** The authorisation that requests inherit. */
  readonly auth: JsonObject | undefined;
}

/** Reads the address of a request, a text or an object. Scheme and host do not matter: a mock has its own. */
export function readPostmanAddress(value: Json | undefined, { document, place, variables }: VariableScope): Address {
  if (typeof value === "string") return fromText(value, [], variables);
  if (!isJsonObject(value)) throw mistake(document, place, `must be a URL, but is ${kindOf(value)}.`);
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

function assembled({ host, path }: JsonObject): string {
  const name = Array.isArray(host) ? host.map(String).join(".") : host;
  const front = typeof name === "string" && name !== "" ? name : "host";
  if (typeof path === "string") return `${front}/${path.replace(/^\//, "")}`;
  const segments = Array.isArray(path) ? path.map((part) => (isJsonObject(part) ? part.value : part)) : [];
  return `${front}/${segments.map(String).join("/")}`;
}

function fromText(raw: string, pathVariables: readonly JsonObject[], variables: Variables): Address {
  const { base, rest } = splitBase(raw.trim(), variables);
  const joined = (base.endsWith("/") && rest.startsWith("/") ? base.slice(0, -1) : base) + rest;
  const [address, search = ""] = splitOnce(joined.replace(/#.*$/s, ""), "?") as [string, string?];
  const values = new Map(
    pathVariables.map(({ key, id, value }) => [key ?? id, resolveVariables(String(value ?? ""), variables)] as const),
  );
  const isParted = base.endsWith("/") || rest.startsWith("/");
  const behindBase = isParted && !/^\/?$|[?#]/.test(base) ? address.slice(base.replace(/\/$/, "").length) : "";
  return {
    paths: readings(address || "/", values),
    pathsWithoutBase: behindBase === "" || behindBase === "/" ? [] : readings(behindBase, values),
    query: [...new URLSearchParams(search)],
  };
}

/** Drops scheme and host. The base is the path within the variables in front: `/api` of `{{baseUrl}}`; empty for most. */
function splitBase(text: string, variables: Variables): { base: string; rest: string } {
  let front = "";
  if (!text.startsWith("/")) {
    const [host = ""] = RAW_HOST.exec(text) ?? [];
    for (const piece of host.split(VARIABLE)) {
      front += piece;
      const base = resolveVariables(front, variables).replace(HOST, "");
      if (base !== "") return { base, rest: resolveVariables(text.slice(front.length), variables) };
    }
  }
  return { base: "", rest: resolveVariables(text.slice(front.length), variables) };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A path with the values of its variables, and with wildcards in place of them. */
function readings(path: string, values: ReadonlyMap<Json | undefined, string>): string[] {
  const asWild = (segment: string): string => segment.replace(/^:(.+)$/, "{{$1}}");
  const wild = path.split("/").map(asWild);
  const fixed = path.split("/").map((segment) => {
    const value = segment.startsWith(":") ? values.get(segment.slice(1)) : undefined;
    if (value === undefined || value === "" || PLACEHOLDER.test(value)) return asWild(segment);
    return value
      .split(VARIABLE)
      .map((piece) => (piece.startsWith("{{") ? piece : encodeURIComponent(piece)))
      .join("");
  });
  return [...new Set([fixed.join("/"), wild.join("/")])];
}
