import { SANDBOX_PREFIX } from "../api/base.ts";
import { formatParameters, type Pair } from "../api/parameters.ts";

/** A request as the builder holds it. Pairs with an empty name are rows not filled in yet. */
export interface RequestDraft {
  readonly method: string;
  /** Without its query, except while it is typed. */
  readonly path: string;
  readonly parameters: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly body: string;
  /** Headers whose values are not known, such as those that the log masks; they are not sent while they are empty. */
  readonly unknown?: readonly string[];
}

export const METHODS = ["GET", "QUERY", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

/** A request ready to be sent, or to be written down in some language. */
export interface ReadyRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly body: string | undefined;
}

export const EMPTY_DRAFT: RequestDraft = { method: "GET", path: "/", parameters: [], headers: [], body: "" };

/** A draft from an address as one copies it, with its query. */
export function draftOfRequest(
  method: string,
  address: string,
  headers: readonly Pair[] = [],
  body = "",
): RequestDraft {
  return { ...EMPTY_DRAFT, method, headers, body, ...splitAddress(address) };
}

/** Path and parameters of a URL without the host, since all requests go to this server. */
export function splitAddress(address: string): { path: string; parameters: readonly Pair[] } {
  const local = address
    .trim()
    .replace(/^https?:\/\/[^/?#]*/, "")
    .replace(/#.*$/, "");
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  const parameters = mark === -1 ? [] : [...new URLSearchParams(local.slice(mark + 1))];
  return { path: path.startsWith("/") ? path : `/${path}`, parameters };
}

/** Path and parameters of a draft, those typed behind the path included. */
export function splitDraft({ path: typed, parameters }: RequestDraft): ReturnType<typeof splitAddress> {
  const { path, parameters: added } = splitAddress(typed);
  return { path, parameters: [...parameters, ...added] };
}

/** The path as it is sent: the input may be a whole URL, or lack the first slash. */
export function addressOf(draft: RequestDraft): string {
  const { path, parameters } = splitDraft(draft);
  const query = formatParameters(parameters.filter(([name]) => name !== ""));
  return query === "" ? path : `${path}?${query}`;
}

/** The headers as they are sent: own headers override added ones, and a body gets a content type. */
export function readyRequest(draft: RequestDraft, base: string, added: readonly Pair[]): ReadyRequest {
  const missing = missingHeaders(draft);
  const headers = draft.headers.filter(([name]) => name !== "" && !missing.includes(name));
  const has = (name: string): boolean => headers.some(([other]) => other.toLowerCase() === name.toLowerCase());
  const body = takesBody(draft.method) && draft.body.trim() !== "" ? draft.body : undefined;
  for (const pair of added) if (!has(pair[0])) headers.push(pair);
  if (body !== undefined && !has("Content-Type")) headers.push(["Content-Type", "application/json"]);
  return { method: draft.method, url: urlOf(base, addressOf(draft)), headers, body };
}

/** A path that names a sandbox is complete; any other lies below the base. */
function urlOf(base: string, address: string): string {
  return `${address.startsWith(SANDBOX_PREFIX) ? new URL(base).origin : base}${address}`;
}

export function takesBody(method: string): boolean {
  return method === "QUERY" || method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE";
}

/** Headers that browsers set by themselves, whatever a page asks for. */
const OF_BROWSER =
  /^(accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|(proxy|sec)-.*)$/i;

/** The headers that this page cannot send. */
export function unsendableHeaders({ headers }: RequestDraft): string[] {
  return headers.map(([name]) => name).filter((name) => OF_BROWSER.test(name));
}

/** The headers that the user has to fill in. */
export function missingHeaders({ headers, unknown = [] }: RequestDraft): string[] {
  return headers.filter(([name, value]) => value === "" && unknown.includes(name)).map(([name]) => name);
}
