import type { Call } from "../../http/call.ts";
import type { Service } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { AT } from "../../query/parameters.ts";
import { parseParameters } from "../../query/parse-query.ts";

/** A moment of the past, as a response names it (RFC 7089). */
export interface Memento {
  readonly version: number;
  /** When its latest change was made. */
  readonly time: number;
  /** Whether the request named the version itself, so that the response never changes. */
  readonly isAbsolute: boolean;
}

interface Responding {
  readonly call: Call;
  readonly service: Pick<Service, "steps">;
}

/** Short: another server may listen at the same address tomorrow, with versions of its own. */
const MAX_AGE = "max-age=60";

/** Says in a reply which moment it shows, and whether it may be cached. */
export function asMemento(reply: Reply, memento: Memento, { call, service }: Responding): Reply {
  if (reply.status !== 200 && reply.status !== 304) return reply;
  const { version, time, isAbsolute } = memento;
  const tag = isAbsolute ? reply.etag?.replace(/^W\//, "") : reply.etag;
  const original = `<${originOf(call)}>; rel="original timegate"`;
  const link = reply.headers?.Link;
  const headers = {
    ...reply.headers,
    "Memento-Datetime": new Date(time).toUTCString(),
    Link: [original, ...(link === undefined ? [] : [inPast(String(link), call, version)])].join(", "),
    ...(isAbsolute && tag !== undefined
      ? { "Cache-Control": `${isGuarded(service) ? "private" : "public"}, ${MAX_AGE}`, Vary: VARIED }
      : { "Content-Location": pathAt(call, version) }),
  };
  return { ...reply, headers, etag: tag };
}

/** Headers that decide about a response beside its address. */
const VARIED = "Prefer, X-Standin-Sandbox, Cookie";

function isGuarded({ steps }: Pick<Service, "steps">): boolean {
  return steps.some((step) => step.kind === "interceptor" || step.guards !== undefined);
}

/** The address of the same resource in the present. */
function originOf(call: Call): string {
  return `${call.origin}${presentPrefix(call)}${addressOf(call)}`;
}

function pathAt(call: Call, version: number): string {
  return `${presentPrefix(call)}/__at/${version}${addressOf(call)}`;
}

function presentPrefix({ prefix }: Call): string {
  return prefix.replace(/\/__at\/[^/]*$/, "");
}

/** Path and query without the moment. */
function addressOf({ client: { path, search } }: Call): string {
  const pairs = search.split("&").filter((pair) => pair !== "" && !parseParameters(pair).has(AT));
  return (pairs.length === 0 ? path : `${path}?${pairs.join("&")}`).replaceAll(">", "%3E");
}

/** A negotiated response leads on to the same moment: its links do not carry the header. */
function inPast(link: string, call: Call, version: number): string {
  if (!call.moment?.isNegotiated) return link;
  return link.replaceAll(`<${call.baseUrl}/`, `<${call.baseUrl}/__at/${version}/`);
}
