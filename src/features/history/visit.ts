import { StandinError } from "../../base/errors.ts";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { type Call, isOwnPath } from "../../http/call.ts";
import type { Entrance, Respond, Service, Visit } from "../../http/contract.ts";
import type { Reply } from "../../http/response/reply.ts";
import { AT } from "../../query/parameters.ts";
import type { StoreHistory } from "../../store/history.ts";
import type { Store } from "../../store/store.ts";
import { isAtField } from "./at-field.ts";
import { currentHistory, withoutHistory } from "./history-of.ts";
import { asMemento, type Memento } from "./memento.ts";
import { invalid, readMoment, versionOf } from "./moment.ts";

type History = StoreHistory<Store>;

export const AT_PREFIX = "/__at/";
const READS = ["GET", "HEAD", "QUERY"];
const ALLOW = { Allow: [...READS, "OPTIONS"].join(", ") };
/** Our own routes that have a past. */
const OWN_PATHS: ReadonlySet<string> = new Set(["/__overview", "/__openapi.json"]);

/** Notes the moment that a request names in front of its path, else by `Accept-Datetime` (RFC 7089). */
export const pastEntrance: Entrance = { prefix: AT_PREFIX, headers: ["accept-datetime"], enter: noteMoment };

function noteMoment(call: Call): void {
  const { path } = call.client;
  if (path.startsWith(AT_PREFIX)) {
    const slash = path.indexOf("/", AT_PREFIX.length);
    const end = slash === -1 ? path.length : slash;
    call.moment = { text: decoded(path.slice(AT_PREFIX.length, end)), isNegotiated: false };
    call.enter(path.slice(0, end));
  } else if (READS.includes(call.method)) {
    call.moment = { text: String(call.headers["accept-datetime"]), isNegotiated: true };
  }
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

/** Refuses such requests, where there is no history. The header is one that every server may ignore. */
export const refusePast: Visit = (call, service, route) =>
  andThen(namedMoment(call, service.store), (isNamed) => {
    if (isNamed && !call.moment?.isNegotiated) throw withoutHistory(service.store);
    return route(call, service);
  });

/** Whether a moment is named, in any form; takes the parameter off the others, unless it is a field of the records. */
function namedMoment(call: Call, store: Store): Eventually<boolean> {
  const { path } = call.target;
  const isWithoutPast = isOwnPath(path) && !OWN_PATHS.has(path);
  const [text, ...others] = call.parameters.get(AT) ?? [];
  if (text === undefined || (call.moment && !call.moment.isNegotiated)) {
    return call.moment !== undefined && !(call.moment.isNegotiated && isWithoutPast);
  }
  if (isWithoutPast) return false;
  return andThen(isAtField(call, store), (isFilter) => {
    if (isFilter) return call.moment !== undefined;
    if (others.length > 0) throw invalid(`${AT} is given ${others.length + 1} times; a request reads one moment.`);
    call.moment = { text, isNegotiated: false };
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
  const memento = await mementoOf(call, history, service.now());
  const store = await history.at(memento.version);
  const reply = await route(call, { ...service, store });
  return reply && asMemento(reply, memento, { call, service });
}

async function mementoOf({ moment }: Call, history: History, now: number): Promise<Memento> {
  const { text = "", isNegotiated = false } = moment ?? {};
  if (isNegotiated) return negotiated(text, history);
  const named = readMoment(text, AT, now);
  const version = await versionOf(named, history, now);
  return { version, time: await timeOf(version, history), isAbsolute: "version" in named };
}

/** RFC 7089, 4.5.3: the nearest moment there is to one that is too early or too late. */
async function negotiated(text: string, history: History): Promise<Memento> {
  const wanted = Date.parse(text);
  if (Number.isNaN(wanted)) {
    throw invalid(`Accept-Datetime: ${text} is not a time. Write it as Mon, 16 Nov 2026 10:00:00 GMT.`);
  }
  // The header has no fractions of a second, so all of its second is meant.
  const found = await history.versionAt(wanted + 999);
  const version = Math.max(found, history.oldest ?? history.latest);
  return { version, time: await timeOf(version, history), isAbsolute: false };
}

/** The oldest version may have been made before there was a list. */
async function timeOf(version: number, history: History): Promise<number> {
  const { versions } = await history.list({ before: version + 1, limit: 1 });
  return versions[0]?.time ?? history.oldestTime;
}

function readOnly({ method, client }: Call): StandinError {
  return new StandinError(
    "HISTORY_READ_ONLY",
    `${method} ${client.path} names a moment of the past, which cannot be written. Leave the moment out, or use ` +
      "POST /__history/<version>/revert or POST /__history/restore.",
    ALLOW,
  );
}
