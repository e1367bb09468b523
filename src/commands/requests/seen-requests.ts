import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { maskBody } from "../../base/secrets/mask-body.ts";
import { maskAddress, maskText } from "../../base/secrets/mask-text.ts";
import { MASK } from "../../base/secrets/masking.ts";
import { isSecretName } from "../../base/secrets/secret-name.ts";
import { SANDBOX_HEADER, SANDBOX_PREFIX } from "../../features/sandboxes/feature.ts";
import { type BookRequest, type Template, uniqueIds } from "./request-book.ts";
import { bodyTemplate, variableFor } from "./secret-values.ts";

/** Headers that belong to the connection or to the browser, not to a request that one would want to send again. */
const NOT_REPEATED =
  /^(host|connection|keep-alive|content-length|content-encoding|transfer-encoding|user-agent|accept-|sec-|origin$|referer$|cookie$|x-standin-console$|if-)/;
/** A token as RFC 9110 defines it. */
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;
/** Says nothing, and most clients send it. */
const ACCEPTS_ALL = "accept: */*";
const READS = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);
/** The log shows the first five letters of these. */
const SCHEME = /^(Basic|Bearer|Beare)\b/i;

/** The requests of a traffic log, each once, by the first part of their path. Secrets become variables. */
export function seenRequests(log: readonly Json[]): BookRequest[] {
  const groups = new Map<string, BookRequest[]>();
  const known = new Set<string>();
  for (const entry of log) {
    const request = isJsonObject(entry) ? readEntry(entry) : undefined;
    if (!request) continue;
    const { method, path, query, headers, body } = request;
    const key = JSON.stringify([method, path, query, headers, body]);
    if (known.has(key)) continue;
    known.add(key);
    const name = groupOf(path);
    groups.set(name, [...(groups.get(name) ?? []), request]);
  }
  return uniqueIds([...groups.values()].flat());
}

/** Undefined for an entry that is no request, or one without a response: a fault had ended the connection. */
function readEntry(entry: JsonObject): BookRequest | undefined {
  const { method, url, status } = entry;
  if (typeof method !== "string" || typeof url !== "string" || typeof status !== "number" || status === 0)
    return undefined;
  if (!/^[A-Z]+$/.test(method) || !url.startsWith("/")) return undefined;
  const masked = withoutBraces(maskAddress(withoutSpaces(url)));
  const [path = "/", search = ""] = splitOnce(masked, "?");
  const { body, remarks } = bodyOf(entry);
  return {
    id: `${method.toLowerCase()}${decoded(path)}`,
    name: `${method} ${masked}`,
    method,
    path: path.replace(/\/:/g, "/%3A"),
    query: search === "" ? [] : search.split("&").map(pairOf),
    headers: headersOf(entry),
    body,
    isWrite: !READS.has(method),
    remarks,
  };
}

function headersOf({ requestHeaders, sandbox, url }: JsonObject): BookRequest["headers"] {
  const sent = Object.entries(isJsonObject(requestHeaders) ? requestHeaders : {});
  const repeatable = sent.filter(
    ([name, value]) => HEADER_NAME.test(name) && !NOT_REPEATED.test(name) && `${name}: ${value}` !== ACCEPTS_ALL,
  );
  const headers = repeatable.map(([name, value]): [string, Template] => [name, headerValue(name, String(value))]);
  const isNamed =
    String(url).startsWith(SANDBOX_PREFIX) || sent.some(([name]) => name === SANDBOX_HEADER.toLowerCase());
  // A sandbox may have been named by a cookie, which is not sent again.
  return typeof sandbox === "string" && !isNamed ? [...headers, [SANDBOX_HEADER, [withoutLines(sandbox)]]] : headers;
}

function headerValue(name: string, value: string): Template {
  if (!isSecretName(name)) return [withoutLines(maskText(value))];
  const [scheme] = SCHEME.exec(value) ?? [];
  if (scheme === undefined) return [{ variable: variableFor(name) }];
  const isBasic = scheme.toLowerCase() === "basic";
  return [isBasic ? "Basic " : "Bearer ", { variable: isBasic ? "credentials" : "token" }];
}

function pairOf(pair: string): readonly [string, Template] {
  const [name = "", value = ""] = splitOnce(pair, "=");
  return value === MASK ? [name, [{ variable: variableFor(decoded(name)) }]] : [name, [value]];
}

function bodyOf({
  requestBody,
  requestBodyOmitted,
  requestHeaders,
}: JsonObject): Pick<BookRequest, "body" | "remarks"> {
  if (typeof requestBodyOmitted === "string") {
    return {
      body: undefined,
      remarks: [`The body is not here: the server has not kept it (${withoutLines(requestBodyOmitted)}).`],
    };
  }
  if (typeof requestBody !== "string" || requestBody === "") return { body: undefined, remarks: undefined };
  const text = maskBody(requestBody);
  const json = parsed(text);
  if (json !== undefined) return { body: bodyTemplate(json), remarks: undefined };
  const type = String((requestHeaders as JsonObject | undefined)?.["content-type"] ?? "");
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return { body: formTemplate(withoutBraces(text)), remarks: undefined };
  }
  if (text !== requestBody || text.includes("{{") || text.endsWith(MASK)) {
    return { body: undefined, remarks: ["The body is left out: a part of it is a secret, or looks like a variable."] };
  }
  return { body: [text], remarks: undefined };
}

function formTemplate(form: string): Template {
  return form.split("&").flatMap((pair, at) => {
    const [name, value] = pairOf(pair);
    return [`${at === 0 ? "" : "&"}${name}=`, ...value];
  });
}

function groupOf(path: string): string {
  const [first = ""] = withoutSandbox(path).split("/").slice(1);
  return decoded(first) || "/";
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Braces in an address would be taken for variables. */
function withoutBraces(address: string): string {
  return address.replaceAll("{", "%7B").replaceAll("}", "%7D");
}

/** No address has these; the log of another server may claim so. */
function withoutSpaces(address: string): string {
  return address.replace(/[\s\p{Cc}]/gu, encodeURIComponent);
}

function withoutLines(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A path without the sandbox that it names. */
function withoutSandbox(path: string): string {
  if (!path.startsWith(SANDBOX_PREFIX)) return path;
  const slash = path.indexOf("/", SANDBOX_PREFIX.length);
  return slash === -1 ? "/" : path.slice(slash);
}
