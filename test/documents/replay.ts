import { isJsonObject, type Json } from "../../src/base/json/json.ts";
import { shapeText } from "../../src/features/record/infer/spots.ts";
import { type Exchange, headerIn } from "../../src/http/exchange.ts";
import { type Answer, askAt } from "../support/api.ts";

export interface Replayed {
  asked: number;
  right: number;
  /** Exchanges whose bodies cannot be redacted, so that they are not kept. */
  unread: number;
  readonly failures: string[];
}

interface Servers {
  /** The number of exchanges in which records are created and removed; those after them only read. */
  readonly lives: number;
  readonly upstream: string;
  readonly offline: string;
}

/**
 * Sends recorded requests to the recording. First those that only read, whose bodies must be the same but for times: the
 * data is as it was then. Then the lives of records, whose bodies must have the same shape, as their ids are new.
 */
export async function replay(exchanges: readonly Exchange[], servers: Servers): Promise<Replayed> {
  const result: Replayed = { asked: 0, right: 0, unread: 0, failures: [] };
  const names = new Map<string, string>();
  /** Addresses of new records that `Location` has told, recorded and now. */
  const moved = new Map<string, string>();
  const run = async (exchange: Exchange, judge: (answer: Answer) => string | undefined): Promise<void> => {
    if (isUnread(exchange)) {
      result.unread++;
      return;
    }
    const answer = await ask(exchange, servers.offline, { names, moved });
    const why = answer.status === exchange.status ? judge(answer) : `${answer.status} ${answer.text.slice(0, 200)}`;
    result.asked++;
    if (why === undefined) result.right++;
    else result.failures.push(`${exchange.method} ${exchange.url.slice(0, 120)} ${exchange.status}: ${why}`);
  };
  const plain = (text: string | undefined): Json | undefined =>
    jsonIn(text?.replaceAll(servers.upstream, "").replaceAll(servers.offline, ""));
  for (const exchange of exchanges.slice(servers.lives)) {
    await run(exchange, (answer) => difference(plain(exchange.responseBody), plain(answer.text)));
  }
  // A value that an address had before the record was created does not name it.
  const old = new Set<string>();
  for (const exchange of exchanges.slice(0, servers.lives)) {
    for (const [part] of exchange.url.matchAll(PART)) old.add(part);
    await run(exchange, (answer) => {
      const [was, is] = [plain(exchange.responseBody), plain(answer.text)];
      if (exchange.method === "POST") {
        learn(was, is, { names, old });
        const [from, to] = [headerIn(exchange.responseHeaders, "location"), answer.headers.get("location")];
        if (from !== undefined && to !== null) moved.set(pathOf(from), pathOf(to));
      }
      return shapeText(was) === shapeText(is) ? undefined : `shape: ${shapeDifference(was, is, "")}`;
    });
  }
  return result;
}

function isUnread({ requestHeaders, requestBody, status, responseHeaders, responseBody }: Exchange): boolean {
  const isSent = headerIn(requestHeaders, "content-type") !== undefined && requestBody === undefined;
  const length = headerIn(responseHeaders, "content-length");
  return isSent || (responseBody === undefined && status !== 204 && length !== "0");
}

/** A segment of a path, or a name or value of a query. */
const PART = /[^/?&=]+/g;

/** Values of new records take the place of those that were recorded. */
function ask(
  { method, url, requestHeaders, requestBody }: Exchange,
  offline: string,
  { names, moved }: { readonly names: ReadonlyMap<string, string>; readonly moved: ReadonlyMap<string, string> },
) {
  const [path = "", search = ""] = url.split(/(?=\?)(.*)/s);
  const record = [...moved.keys()].find((one) => path === one || path.startsWith(`${one}/`)) ?? "";
  const rest = `${path.slice(record.length)}${search}`.replace(PART, (part) => names.get(part) ?? part);
  const renamed = `${moved.get(record) ?? ""}${rest}`;
  const kept = requestHeaders.filter(([name]) => !/^(?:host|connection|content-length|accept-encoding)$/i.test(name));
  return askAt(offline, `${method} ${renamed}`, {
    headers: Object.fromEntries(kept),
    ...(requestBody !== undefined && { body: requestBody }),
  });
}

function pathOf(location: string): string {
  return new URL(location, "http://localhost").pathname;
}

interface Learned {
  readonly names: Map<string, string>;
  readonly old: ReadonlySet<string>;
}

/** Remembers the values that a new record has in place of those that were recorded. */
function learn(was: Json | undefined, is: Json | undefined, learned: Learned): void {
  if (Array.isArray(was) && Array.isArray(is)) for (const [at, one] of was.entries()) learn(one, is[at], learned);
  else if (isJsonObject(was) && isJsonObject(is))
    for (const name of Object.keys(was)) learn(was[name], is[name], learned);
  else if (isKey(was) && isKey(is) && !learned.old.has(encodeURIComponent(was)))
    learned.names.set(encodeURIComponent(was), encodeURIComponent(is));
}

function isKey(value: Json | undefined): value is string | number {
  return typeof value === "number" || typeof value === "string";
}

function jsonIn(text: string | undefined): Json | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,]+(?:Z|[+-][\d:]+)?)?$/;

/** Where two bodies differ, but for times. */
function difference(was: Json | undefined, is: Json | undefined, at = ""): string | undefined {
  if (was === is || (typeof was === "string" && typeof is === "string" && TIME.test(was) && TIME.test(is)))
    return undefined;
  const isArray = Array.isArray(was) && Array.isArray(is) && was.length === is.length;
  const isObject = isJsonObject(was) && isJsonObject(is) && Object.keys(was).length === Object.keys(is).length;
  if (!isArray && !isObject) return `${at || "/"}: was ${brief(was)}, is ${brief(is)}`;
  for (const name of Object.keys(was)) {
    const found = difference(member(was, name), member(is, name), `${at}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the shapes of two bodies differ. */
function shapeDifference(was: Json | undefined, is: Json | undefined, at: string): string {
  const [one, other] = [was, is].map((value) => (Array.isArray(value) ? value[0] : value));
  if (isJsonObject(one) && isJsonObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      if (shapeText(one[name]) !== shapeText(other[name]))
        return shapeDifference(one[name], other[name], `${at}/${name}`);
    }
  }
  return `${at || "/"}: was ${brief(was)}, is ${brief(is)}`;
}

function member(value: Json | undefined, name: string): Json | undefined {
  return Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
}

function brief(value: Json | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 160);
}
