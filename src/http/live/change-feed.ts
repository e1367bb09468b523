import type { ServerResponse } from "node:http";
import { idOf } from "../../store/ids.ts";
import type { Edit, Store, StoreEvent } from "../../store/store.ts";
import { BoundedLog } from "./bounded-log.ts";
import { EventStream, eventMessage, type Render } from "./event-stream.ts";

/** What a reader who was away can still be told. */
const MAX_KEPT = 1000;
const MAX_KEPT_BYTES = 2 * 1024 * 1024;

interface Happening {
  readonly version: number;
  readonly time: number;
  readonly event: StoreEvent;
  readonly bytes: number;
}

/** Tells readers of every change of a store, and those who come back of the latest that they missed. */
export class ChangeFeed {
  readonly #idKey: string;
  readonly #stream: EventStream<Happening>;
  readonly #log = new BoundedLog<Happening>(MAX_KEPT, MAX_KEPT_BYTES, ({ version }) => {
    this.#lostUpTo = version;
  });
  readonly #unsubscribe: () => void;
  /** Of the latest change; undefined before the first. */
  #latest: number | undefined;
  /** Changes up to this version cannot be told any more. */
  #lostUpTo = 0;

  constructor(store: Store, heartbeatMs: number) {
    this.#idKey = store.idKey;
    this.#stream = new EventStream(heartbeatMs);
    this.#unsubscribe = store.subscribe((event) => this.#take(event));
  }

  /** Streams changes to a response: those of the named collections (all when none is named), from after a version on. */
  follow(res: ServerResponse, collections: ReadonlySet<string>, after: number | undefined): void {
    const render = collections.size === 0 ? this.#renderAll : this.#renderOf(collections);
    this.#stream.add(res, render, this.#missedSince(after, render));
  }

  close(): void {
    this.#unsubscribe();
    this.#stream.close();
  }

  #take(event: StoreEvent): void {
    const version = event.kind === "change" ? event.change.version : event.version;
    if (this.#latest === undefined) this.#lostUpTo = version - 1;
    // A write that was under way while everything was exchanged is told of last, though its data are gone.
    else if (version <= this.#latest) return;
    this.#latest = version;
    const happening: Happening = { version, time: Date.now(), event, bytes: bytesOf(event) };
    this.#log.push(happening);
    if (this.#stream.hasReaders) this.#stream.send(happening);
  }

  #missedSince(after: number | undefined, render: Render<Happening>): string[] {
    if (after === undefined) return [];
    const version = this.#latest ?? 0;
    // Too long ago, or not of this run of the server at all: whoever asks has to look at everything anew.
    if (after < this.#lostUpTo || after > version)
      return [eventMessage("missed", JSON.stringify({ version }), version)];
    const messages: string[] = [];
    for (const happening of this.#log) {
      const message = happening.version > after ? render(happening) : undefined;
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  readonly #renderAll: Render<Happening> = (happening) => this.#render(happening, () => true);

  #renderOf(collections: ReadonlySet<string>): Render<Happening> {
    return (happening) => this.#render(happening, ({ name }) => collections.has(name));
  }

  #render({ version, time, event }: Happening, isWanted: (edit: Edit) => boolean): string | undefined {
    if (event.kind === "exchange") return eventMessage("reset", JSON.stringify({ version }), version);
    const edits = event.change.edits.filter(isWanted).map((edit) => this.#editText(edit));
    if (edits.length === 0) return undefined;
    const when = JSON.stringify(new Date(time));
    return eventMessage("change", `{"version":${version},"time":${when},"edits":[${edits.join(",")}]}`, version);
  }

  /** From the texts that records have anyway. */
  #editText({ name, before, after }: Edit): string {
    const kind = before ? (after ? "changed" : "removed") : "created";
    const id = idOf((after ?? before)!.value, this.#idKey) ?? null;
    const parts = [`"name":${JSON.stringify(name)},"kind":"${kind}","id":${JSON.stringify(id)}`];
    if (before) parts.push(`"before":${before.text}`);
    if (after) parts.push(`"after":${after.text}`);
    return `{${parts.join(",")}}`;
  }
}

function bytesOf(event: StoreEvent): number {
  if (event.kind === "exchange") return 0;
  return event.change.edits.reduce(
    (sum, { before, after }) => sum + (before?.text.length ?? 0) + (after?.text.length ?? 0),
    0,
  );
}
