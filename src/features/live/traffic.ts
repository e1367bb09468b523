import type { TimeSource } from "../../base/clock.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import { Waiting } from "../../base/waiting-readers.ts";
import type { Call } from "../../http/call.ts";
import type { Exchange } from "../../http/exchange.ts";
import { createPathMatch } from "../../http/path-pattern.ts";
import type { EventSink } from "../../http/response/reply.ts";
import type { KeptValues } from "../../store/store.ts";
import type { EventIds, FeedOptions, Seen } from "./event-ids.ts";
import { EventStream, eventMessage } from "./event-stream.ts";
import { MAX_KEPT_TEXT } from "./omitted-body.ts";
import { archivedEntry, renderEntry, type TrafficEntry } from "./traffic-entry.ts";
import type { TrafficFilter } from "./types.ts";

/** The route of ours that is traffic: it writes the data that clients share. */
const BATCH = "/__batch";
/** Upper bound for all entries together. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** After this time without a reader, long bodies are no longer kept. */
const WATCHED_MS = 60_000;
/** Estimated size of an entry without its texts. */
const ENTRY_BYTES = 400;

/** Where the latest requests are kept, if they are to outlive this run. */
const REQUESTS = "requests";

interface TrafficOptions extends FeedOptions {
  readonly kept?: KeptValues | undefined;
}

/** A wait for requests. */
interface TrafficWait {
  readonly count: number;
  readonly after: Seen | undefined;
  readonly filter: TrafficFilter;
  readonly ms: number;
}

interface KeptHeaders {
  readonly headers: readonly string[];
  readonly bytes: number;
}

/** The latest requests to the data. Recording is on the hot path: everything that can wait is done on reading. */
export class Traffic {
  readonly #log: LatestEntries;
  readonly #stream: EventStream<TrafficEntry>;
  readonly #ids: EventIds;
  readonly #waiting = new Waiting();
  readonly #clock: TimeSource;
  #nextId = 1;
  #latestHeaders: KeptHeaders = { headers: [], bytes: 0 };
  #lookedAt = Number.NEGATIVE_INFINITY;

  readonly #keep: () => void;

  constructor(maxCount: number, { ids, streams, heartbeatMs, clock, kept }: TrafficOptions) {
    this.#ids = ids;
    this.#clock = clock;
    this.#log = new LatestEntries(maxCount);
    this.#stream = new EventStream(heartbeatMs, streams);
    this.#keep = () => kept?.write(REQUESTS, () => JSON.stringify([...this.#log]));
    for (const entry of JSON.parse((kept?.read(REQUESTS) as string) ?? "[]") as TrafficEntry[]) {
      this.#log.push(entry);
      this.#nextId = entry.id + 1;
    }
  }

  /** Throws if the server has too many streams for one more. */
  expectRoom(): void {
    this.#stream.expectRoom();
  }

  /** Takes down a response that is on its way. Requests to our own routes and pages are no traffic. */
  readonly record = (call: Call): void => {
    const { method, prefix, client, target, sandbox, faults, refusal, sentText } = call;
    if (isOwnRoute(target.path) || call.answeredBy === "index") return;
    const now = performance.now();
    // Keeping or cutting long texts costs more than everything else, so it is done only while there are readers.
    const isWatched = now - this.#lookedAt < WATCHED_MS || this.#stream.hasReaders;
    const sent = call.isRead ? undefined : call.sentBody;
    const requestBody = sent && keptText(sent.text, isWatched);
    const responseBody = sentText === undefined || method === "HEAD" ? undefined : keptText(sentText, isWatched);
    const { headers: requestHeaders, bytes: headerBytes } = this.#keptOnce(call.rawHeaders);
    const entry: TrafficEntry = {
      id: this.#nextId++,
      time: this.#clock.now(),
      durationMs: now - call.startedAt,
      method,
      prefix,
      client,
      target,
      sandbox,
      faults,
      refusal,
      version: call.madeVersion,
      status: call.sentStatus,
      answeredBy: call.answeredBy,
      requestHeaders,
      responseHeaders: call.sentHeaders,
      requestBody,
      responseBody,
      requestBytes: sent?.bytes ?? 0,
      responseBytes: call.sentBytes ?? 0,
      bytes:
        ENTRY_BYTES + headerBytes + client.search.length + (requestBody?.length ?? 0) + (responseBody?.length ?? 0),
    };
    this.#log.push(entry);
    this.#keep();
    if (this.#stream.hasReaders) this.#stream.send(entry);
    if (!this.#waiting.isEmpty) this.#waiting.look();
  };

  /** JSON texts, oldest first: the newest `limit` that fit, or the first `limit` after an id. */
  list(limit: number, after: Seen | undefined, filter: TrafficFilter = {}): string[] {
    return this.#latest(limit, after, filter).map(renderEntry);
  }

  /** The same for an HTTP archive. */
  exchanges(limit: number, after: Seen | undefined, filter: TrafficFilter): Exchange[] {
    return this.#latest(limit, after, filter).map(archivedEntry);
  }

  #latest(limit: number, after: Seen | undefined, filter: TrafficFilter): TrafficEntry[] {
    this.#lookedAt = performance.now();
    const entries = [...this.#log].filter(createTrafficMatch(filter));
    if (after === undefined) return limit === 0 ? [] : entries.slice(-limit);
    return entries.filter(isAfter(after)).slice(0, limit);
  }

  /** Resolves when this many entries after an id match, or the time is over. */
  until({ count, after, filter, ms }: TrafficWait): Promise<void> {
    const matches = createTrafficMatch(filter);
    const fitting = (): TrafficEntry[] => [...this.#log].filter(isAfter(after ?? 0)).filter(matches);
    return this.#waiting.until(() => fitting().length >= count, ms);
  }

  /** Streams entries to a response: new ones only, or all after an id. */
  follow(res: EventSink, after: Seen | undefined, filter: TrafficFilter = {}): void {
    const matches = createTrafficMatch(filter);
    const missed = after === undefined ? [] : [...this.#log].filter(isAfter(after)).filter(matches);
    const message = (entry: TrafficEntry): string =>
      eventMessage("request", renderEntry(entry), this.#ids.nameOf(entry.id));
    const render = (entry: TrafficEntry): string | undefined => (matches(entry) ? message(entry) : undefined);
    this.#stream.add(res, render, missed.map(message));
  }

  /** Forgets all, or those of one sandbox. */
  clear(sandbox?: string): void {
    const others = sandbox === undefined ? [] : [...this.#log].filter((entry) => entry.sandbox !== sandbox);
    this.#log.clear();
    for (const entry of others) this.#log.push(entry);
    this.#keep();
  }

  /** Clients repeat their headers: equal ones in a row are kept once, which spares the garbage collector. */
  #keptOnce(headers: readonly string[]): KeptHeaders {
    if (!isSame(headers, this.#latestHeaders.headers)) this.#latestHeaders = { headers, bytes: lengthOf(headers) };
    return this.#latestHeaders;
  }

  close(): void {
    this.#stream.close();
    this.#waiting.close();
  }
}

/** The latest entries in a ring, bounded by their number and by their bytes together; the oldest go first. */
class LatestEntries implements Iterable<TrafficEntry> {
  readonly #entries: (TrafficEntry | undefined)[];
  /** The bytes of each entry, apart: a dropped one has long left the processor's cache, and need not come back to be told. */
  readonly #sizes: Float64Array;
  /** The places of the oldest entry and of the next one. */
  #first = 0;
  #next = 0;
  #count = 0;
  #bytes = 0;

  constructor(maxCount: number) {
    this.#entries = new Array<TrafficEntry | undefined>(maxCount).fill(undefined);
    this.#sizes = new Float64Array(maxCount);
  }

  push(entry: TrafficEntry): void {
    if (this.#count === this.#sizes.length) this.#drop();
    this.#entries[this.#next] = entry;
    this.#sizes[this.#next] = entry.bytes;
    this.#next = this.#after(this.#next);
    this.#count++;
    this.#bytes += entry.bytes;
    while (this.#bytes > MAX_KEPT_BYTES) this.#drop();
  }

  clear(): void {
    while (this.#count > 0) this.#drop();
  }

  /** Oldest first. */
  *[Symbol.iterator](): Iterator<TrafficEntry> {
    for (let at = this.#first, left = this.#count; left > 0; at = this.#after(at), left--) {
      yield this.#entries[at] as TrafficEntry;
    }
  }

  #after(place: number): number {
    return place + 1 === this.#sizes.length ? 0 : place + 1;
  }

  #drop(): void {
    this.#entries[this.#first] = undefined;
    this.#bytes -= this.#sizes[this.#first]!;
    this.#first = this.#after(this.#first);
    this.#count--;
  }
}

function isAfter(seen: Seen): (entry: TrafficEntry) => boolean {
  return ({ id }) => seen === "another run" || id > seen;
}

function isOwnRoute(path: string): boolean {
  return path.charCodeAt(1) === 0x5f && path.startsWith("/__") && !path.startsWith(BATCH);
}

/**
 * The text itself, or a copy of its beginning: a slice would keep all of it in memory. The one character beyond the
 * bound shows that there was more.
 */
function keptText(text: string, isWatched: boolean): string | undefined {
  if (text.length <= MAX_KEPT_TEXT) return text;
  return isWatched ? Buffer.from(text.slice(0, MAX_KEPT_TEXT + 1)).toString() : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

function createTrafficMatch(filter: TrafficFilter): (entry: TrafficEntry) => boolean {
  const { method, path, status, sandbox, isShown } = filter;
  const wanted = method?.toUpperCase();
  const matchesPath = path === undefined ? undefined : createPathMatch(path);
  return (entry) =>
    (wanted === undefined || entry.method === wanted) &&
    (status === undefined || entry.status === status) &&
    (sandbox === undefined || entry.sandbox === sandbox) &&
    (isShown === undefined || (isShown(entry.client.path) && isShown(entry.target.path))) &&
    (matchesPath === undefined || matchesPath(entry.client.path) || matchesPath(entry.target.path));
}
