import type { TimeSource } from "../../base/clock.ts";
import { Waiting } from "../../base/waiting-readers.ts";
import type { EventSink } from "../../http/response/reply.ts";
import { idOf } from "../../store/ids.ts";
import type { Edit, Store, StoreEvent, StoreView } from "../../store/store.ts";
import { editedRecord } from "../../store/stored-record.ts";
import type { EventIds, FeedOptions, Seen } from "./event-ids.ts";
import { EventStream, eventMessage, MAX_BACKLOG_BYTES, type Render } from "./event-stream.ts";

/** Bounds of the changes that are kept for readers who come back. */
const MAX_KEPT = 1000;
const MAX_KEPT_BYTES = 2 * 1024 * 1024;
/** The most kinds of readers that are known by what they want. */
const MAX_RENDERS = 100;
/** The records of a change whose size is looked at. */
const WEIGHED = 1000;

/** A list of the server, other than data, that has changed: its readers request it again. */
export type Topic = "faults" | "hooks" | "sandboxes";

interface News {
  readonly topic: Topic;
}

/** The part of the stream that a reader wants. */
interface Wanted {
  /** All when none is named. */
  readonly collections: ReadonlySet<string>;
  readonly after?: Seen | undefined;
  readonly withNews?: boolean;
  /** The part of an event that the reader may see; all of it without this. */
  readonly seen?: StoreView["seen"] | undefined;
}

type Look = Pick<Wanted, "collections" | "seen">;

const EVERYTHING: Look = { collections: new Set() };

interface Happening {
  readonly version: number;
  readonly time: number;
  readonly event: StoreEvent;
  readonly bytes: number;
}

/** Sends every change of a store to readers, and to returning readers the latest that they missed. */
export class ChangeFeed {
  readonly #store: Store;
  readonly #ids: EventIds;
  readonly #stream: EventStream<Happening | News>;
  /** Oldest first. */
  readonly #log: Happening[] = [];
  /** By what readers may see, then by what they want. */
  readonly #renders = new WeakMap<object, Map<string, Render<Happening | News>>>();
  #keptBytes = 0;
  readonly #unsubscribe: () => void;
  readonly #waiting = new Waiting();
  readonly #listeners = new Set<(text: string) => void>();
  readonly #clock: TimeSource;
  /** Of the latest change; undefined before the first. */
  #latest: number | undefined;
  /** Changes up to this version are no longer kept. */
  #lostUpTo = 0;

  constructor(store: Store, { ids, streams, heartbeatMs, clock }: FeedOptions) {
    this.#clock = clock;
    this.#store = store;
    this.#ids = ids;
    this.#stream = new EventStream(heartbeatMs, streams);
    for (const { event, time } of store.past ?? []) this.#take(event, time);
    this.#unsubscribe = store.subscribe((event) => this.#take(event));
  }

  /** Resolves when no change from now on is missed, whichever process makes it. */
  async opened(): Promise<void> {
    await this.#store.announced?.();
  }

  /** Throws if the server has too many streams for one more. */
  expectRoom(): void {
    this.#stream.expectRoom();
  }

  /** Streams changes to a response, from after a version on. */
  follow(res: EventSink, wanted: Wanted): void {
    const render = this.#renderFor(wanted);
    this.#stream.add(res, render, this.#missedSince(wanted.after, render));
  }

  /** Tells the readers who want it. */
  tell(topic: Topic): void {
    if (this.#stream.hasReaders) this.#stream.send({ topic });
  }

  /** JSON texts of those that are still kept, oldest first; waits a while for the first when there is none. */
  async list(wanted: Wanted, ms = 0): Promise<string[]> {
    await this.opened();
    const { after = 0 } = wanted;
    const texts = (): string[] => {
      const fitting = [...this.#log].filter(({ version }) => after === "another run" || version > after);
      return fitting.map((happening) => this.#text(happening, wanted)).filter((text) => text !== undefined);
    };
    await this.#waiting.until(() => texts().length > 0, ms);
    return texts();
  }

  /** Calls the listener with every change from now on, as JSON text; returns a function that stops it. */
  subscribe(listener: (text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    while (this.#log.length > 0) this.#dropOldest();
  }

  /** Ends everything that keeps connections open. Listeners still get changes. */
  endStreams(): void {
    this.#stream.close();
    this.#waiting.close();
  }

  close(): void {
    this.#unsubscribe();
    this.endStreams();
  }

  #take(event: StoreEvent, time = this.#clock.now()): void {
    const version = event.kind === "change" ? event.change.version : event.version;
    if (this.#latest === undefined) this.#lostUpTo = version - 1;
    // A write that was under way while everything was exchanged comes last, though its data is gone.
    else if (version <= this.#latest) return;
    this.#latest = version;
    const happening: Happening = { version, time, event, bytes: bytesOf(event) };
    this.#log.push(happening);
    this.#keptBytes += happening.bytes;
    while (this.#log.length > MAX_KEPT || this.#keptBytes > MAX_KEPT_BYTES) this.#dropOldest();
    if (this.#stream.hasReaders) this.#stream.send(happening);
    if (!this.#waiting.isEmpty) this.#waiting.look();
    for (const listener of this.#listeners) listener(this.#text(happening, EVERYTHING) as string);
  }

  #dropOldest(): void {
    const { version, bytes } = this.#log.shift()!;
    this.#keptBytes -= bytes;
    this.#lostUpTo = version;
  }

  #missedSince(after: Seen | undefined, render: Render<Happening | News>): string[] {
    if (after === undefined) return [];
    const version = this.#latest ?? 0;
    // Too long ago, or not of this run of the server at all: the reader has to load everything again.
    if (after === "another run" || after < this.#lostUpTo || after > version) return [this.#message("missed", version)];
    const messages: string[] = [];
    for (const happening of this.#log) {
      const message = happening.version > after ? render(happening) : undefined;
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  /** The same function for readers who see the same, so that they share what it renders. */
  #renderFor({ collections, withNews = false, seen }: Wanted): Render<Happening | News> {
    const known = this.#renders.get(seen ?? this) ?? new Map<string, Render<Happening | News>>();
    this.#renders.set(seen ?? this, known);
    const key = JSON.stringify([withNews, [...collections].sort()]);
    const render: Render<Happening | News> =
      known.get(key) ??
      ((item) =>
        "topic" in item ? (withNews ? newsMessage(item) : undefined) : this.#render(item, { collections, seen }));
    if (known.size >= MAX_RENDERS) known.clear();
    known.set(key, render);
    return render;
  }

  #render(happening: Happening, look: Look): string | undefined {
    const { version, event } = happening;
    if (event.kind === "exchange") return this.#message("reset", version);
    if (event.kind === "change" && happening.bytes > MAX_BACKLOG_BYTES) {
      // More than may wait for a reader, and no longer kept for others either: all are to load the data again.
      const seen = look.seen ? look.seen(event) : event;
      const edits = seen?.kind === "change" ? seen.change.edits : [];
      return edits.some(({ name }) => isWanted(look, name)) ? this.#message("missed", version) : undefined;
    }
    const text = this.#text(happening, look);
    const kind = event.kind === "members" ? "collection" : "change";
    return text === undefined ? undefined : eventMessage(kind, text, this.#ids.nameOf(version));
  }

  #message(event: "missed" | "reset", version: number): string {
    return eventMessage(event, JSON.stringify({ version }), this.#ids.nameOf(version));
  }

  #text({ version, time, event: whole }: Happening, look: Look): string | undefined {
    const event = look.seen ? look.seen(whole) : whole;
    if (!event) return undefined;
    const when = `"version":${version},"time":${JSON.stringify(new Date(time))}`;
    if (event.kind === "exchange") return `{${when},"reset":true}`;
    if (event.kind === "members") {
      const { edit } = event;
      const isNamed = isWanted(look, edit.name) || (edit.kind === "renamed" && isWanted(look, edit.to));
      return isNamed ? `{${when},"collection":${JSON.stringify(edit)}}` : undefined;
    }
    const edits = event.change.edits.filter(({ name }) => isWanted(look, name)).map((edit) => this.#editText(edit));
    return edits.length === 0 ? undefined : `{${when},"edits":[${edits.join(",")}]}`;
  }

  /** From the texts that records have anyway. */
  #editText(edit: Edit): string {
    const { name, before, after } = edit;
    const kind = before ? (after ? "changed" : "removed") : "created";
    const id = idOf(editedRecord(edit).value, this.#store.idKeyOf(name)) ?? null;
    const parts = [`"name":${JSON.stringify(name)},"kind":"${kind}","id":${JSON.stringify(id)}`];
    if (before) parts.push(`"before":${before.text}`);
    if (after) parts.push(`"after":${after.text}`);
    return `{${parts.join(",")}}`;
  }
}

function isWanted({ collections }: Look, name: string): boolean {
  return collections.size === 0 || collections.has(name);
}

/** Without an id: it is not one of the changes that a reader can go on after. */
function newsMessage({ topic }: News): string {
  return `event: ${topic}\ndata: {}\n\n`;
}

/** About how long the texts of a change are: rendering all records of a large one would block other requests. */
function bytesOf(event: StoreEvent): number {
  if (event.kind !== "change") return 0;
  const { edits } = event.change;
  const step = Math.max(1, Math.floor(edits.length / WEIGHED));
  let bytes = 0;
  for (let at = 0; at < edits.length; at += step) {
    const { before, after } = edits[at]!;
    bytes += (before?.text.length ?? 0) + (after?.text.length ?? 0);
  }
  return bytes * step;
}
