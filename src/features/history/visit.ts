import { StandinError } from "../../base/errors.ts";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { type Call, isOwnPath } from "../../http/call.ts";
import type { Entrance, Respond, Service, Visit } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { AT } from "../../query/parameters.ts";
import type { Store } from "../../store/store.ts";
import { isAtField } from "./at-field.ts";
import { currentHistory, withoutHistory } from "./history-of.ts";
import { invalid, readMoment, versionOf } from "./moment.ts";

export const AT_PREFIX = "/__at/";
const READS = ["GET", "HEAD", "QUERY"];
const ALLOW = { Allow: [...READS, "OPTIONS"].join(", ") };
/** Our own routes that have a past. */
const OWN_PATHS: ReadonlySet<string> = new Set(["/__overview", "/__openapi.json"]);

/** Short: another server may listen at the same address tomorrow, with versions of its own. */
const MAX_AGE = "max-age=60";
/** Headers that decide about a response from the past beside its address. */
const VARIED = "Prefer, X-Standin-Sandbox, Cookie";

/** Notes the moment that a request names in front of its path. */
export const pastEntrance: Entrance = { prefix: AT_PREFIX, headers: [], enter: noteMoment };

function noteMoment(call: Call): void {
  const { path } = call.client;
  const slash = path.indexOf("/", AT_PREFIX.length);
  const end = slash === -1 ? path.length : slash;
  call.moment = decoded(path.slice(AT_PREFIX.length, end));
  call.enter(path.slice(0, end));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Responds from the past to requests that name a moment of it. */
export const visitPast: Visit = (call, service, route) =>
  andThen(namedMoment(call, service.store), (isNamed) =>
    isNamed ? respondFromPast(call, service, route) : route(call, service),
  );

/** Refuses such requests, where there is no history. */
export const refusePast: Visit = (call, service, route) =>
  andThen(namedMoment(call, service.store), (isNamed) => {
    if (isNamed) throw withoutHistory(service.store);
    return route(call, service);
  });

/** Whether a moment is named; takes the parameter off the others, unless it is a field of the records. */
function namedMoment(call: Call, store: Store): Eventually<boolean> {
  if (call.moment !== undefined) return true;
  const { path } = call.target;
  const [text, ...others] = call.parameters.get(AT) ?? [];
  if (text === undefined || (isOwnPath(path) && !OWN_PATHS.has(path))) return false;
  return andThen(isAtField(call, store), (isFilter) => {
    if (isFilter) return false;
    if (others.length > 0) throw invalid(`${AT} is given ${others.length + 1} times; a request reads one moment.`);
    call.moment = text;
    const parameters = new Map(call.parameters);
    parameters.delete(AT);
    call.adopt(call.method, call.target, parameters);
    return true;
  });
}

async function respondFromPast(call: Call, service: Service, route: Respond): Promise<Reply | undefined> {
  const history = await currentHistory(service.store);
  if (call.method === "OPTIONS") return { status: 204, headers: ALLOW };
  if (!READS.includes(call.method)) throw readOnly(call);
  const named = readMoment(call.moment ?? "", AT, service.now());
  const version = await versionOf(named, history, service.now());
  const store = await history.at(version);
  const reply = await route(call, { ...service, store });
  return reply && asPast(reply, { version, isAbsolute: "version" in named }, service);
}

interface Past {
  readonly version: number;
  /** Whether the request named the version itself, so that the response never changes. */
  readonly isAbsolute: boolean;
}

/** Says in a reply which version it shows, and whether it may be cached. */
function asPast(reply: Reply, { version, isAbsolute }: Past, { steps }: Service): Reply {
  if (reply.status !== 200 && reply.status !== 304) return reply;
  const headers = { ...reply.headers, "X-Standin-At": String(version) };
  const tag = reply.etag?.replace(/^W\//, "");
  if (!isAbsolute || tag === undefined) return { ...reply, headers };
  const isGuarded = steps.some((step) => step.kind === "interceptor" || step.guards !== undefined);
  const caching = { "Cache-Control": `${isGuarded ? "private" : "public"}, ${MAX_AGE}`, Vary: VARIED };
  return { ...reply, headers: { ...headers, ...caching }, etag: tag };
}

function readOnly({ method, client }: Call): StandinError {
  return new StandinError(
    "HISTORY_READ_ONLY",
    `${method} ${client.path} names a moment of the past, which cannot be written. Leave the moment out, or use ` +
      "POST /__history/<version>/revert or POST /__history/restore.",
    ALLOW,
  );
}
