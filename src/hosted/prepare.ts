import { EXPOSED_HEADERS } from "../base/cross-origin.ts";
import { type Captures, compileTemplate, isJsonContent, type TemplateNames } from "./body-template.ts";
import type { ExampleResponse } from "./example.ts";

/** A response for the edge to send: plain JSON, or content of another type. */
export interface HostedReply {
  readonly status: number;
  /** Whether every request gets the same object. */
  readonly isFixed?: boolean;
  readonly json?: string;
  readonly content?: { readonly type: string; readonly body: string | Buffer };
  /** Left out where there are none, as for most. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A response prepared once, when it is loaded: a request only fills in captured values. */
export type PreparedResponse = (captures: Captures | undefined, status: number) => HostedReply;

/** Headers that belong to the connection or to the bytes on it, which are ours and not those that were recorded. */
const OF_THE_WIRE = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "proxy-authenticate",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers that every page can read, and the one that none can. */
const READABLE = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "expires",
  "last-modified",
  "pragma",
  "set-cookie",
]);
/** Codes whose responses have no body. */
const BODILESS = new Set([204, 205, 304]);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export function prepareResponse(
  response: ExampleResponse,
  wildcards: readonly string[],
  hasCors: boolean,
): PreparedResponse {
  const names: TemplateNames = { wildcards, dynamic: response.dynamic };
  const body = preparedBody(response, names);
  const headers = preparedHeaders(response, names, hasCors);
  if (typeof body !== "function" && typeof headers !== "function") {
    const fixed: HostedReply = { status: response.status, isFixed: true, ...body, ...headers };
    return (_captures, status) => (status === fixed.status ? fixed : { ...fixed, status, isFixed: false });
  }
  return (captures = new Map(), status) => ({
    status,
    ...(typeof body === "function" ? body(captures) : body),
    ...(typeof headers === "function" ? headers(captures) : headers),
  });
}

type Body = Pick<HostedReply, "json" | "content">;

function preparedBody({ body, type, status }: ExampleResponse, names: TemplateNames): Body | ((c: Captures) => Body) {
  if (body === undefined || BODILESS.has(status)) return {};
  const known = headerValue(type ?? "text/plain; charset=utf-8");
  if (typeof body !== "string") return { content: { type: known, body } };
  const template = compileTemplate(body, names, known);
  const isPlainJson = /^application\/json\s*(;\s*charset=utf-?8\s*)?$/i.test(known);
  const sample = template ? template.sample() : body;
  const wrap = isPlainJson && isJson(sample) ? asJson : asContent(withCharset(known));
  return template ? (captures) => wrap(template.render(captures)) : wrap(body);
}

function asJson(json: string): Body {
  return { json };
}

function asContent(type: string): (text: string) => Body {
  return (text) => ({ content: { type, body: text } });
}

/** Bodies are sent as UTF-8, regardless of the recorded charset. */
function withCharset(type: string): string {
  const bare = type.replace(/;\s*charset=[^;]*/i, "");
  return /^text\//i.test(bare) || isJsonContent(bare) ? `${bare}; charset=utf-8` : bare;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Headers = Pick<HostedReply, "headers">;

function preparedHeaders(
  { headers }: ExampleResponse,
  names: TemplateNames,
  hasCors: boolean,
): Headers | ((captures: Captures) => Headers) {
  const sent = headers.filter(([name]) => isKept(name, hasCors));
  const templates = sent.map(([name, value]) => [name, value, compileTemplate(value, names, "text/plain")] as const);
  const exposed = hasCors ? exposedNames(sent.map(([name]) => name)) : "";
  const build = (captures: Captures): Headers => {
    const built: Record<string, string | string[]> = exposed === "" ? {} : { "Access-Control-Expose-Headers": exposed };
    for (const [name, value, template] of templates) {
      const text = headerValue(template ? template.render(captures) : value);
      // Later steps look for it by its usual spelling.
      const usual = name.toLowerCase() === "cache-control" ? "Cache-Control" : name;
      const present = Object.hasOwn(built, usual) ? built[usual] : undefined;
      built[usual] = present === undefined ? text : [present, text].flat();
    }
    return Object.keys(built).length === 0 ? {} : { headers: built };
  };
  return templates.some(([, , template]) => template) ? build : build(new Map());
}

/** Those that a page of another origin could not read otherwise. */
function exposedNames(names: readonly string[]): string {
  const hidden = names.filter((name) => !READABLE.has(name.toLowerCase()) && !EXPOSED_HEADERS.has(name));
  return [...new Set(hidden)].join(", ");
}

function isKept(name: string, hasCors: boolean): boolean {
  const lower = name.toLowerCase();
  if (!HEADER_NAME.test(name) || lower === "content-type" || lower === "__proto__" || OF_THE_WIRE.has(lower))
    return false;
  // Cross-origin headers are made for each request, unless that is switched off.
  return !(hasCors && lower.startsWith("access-control-"));
}

/** Only what may stand in a header; a captured value could hold anything. */
function headerValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/gu, (character) => escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
