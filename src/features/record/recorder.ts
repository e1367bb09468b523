import type { JsonObject } from "../../base/json/json.ts";
import type { Exchange } from "../../http/exchange.ts";
import { inferRecording, type Recording } from "./infer/infer-recording.ts";
import { createPathFilter, type PathFilterOptions } from "./path-filter.ts";
import type { Sighting } from "./proxy/upstream-proxy.ts";
import { RECORDED } from "./recorded-mark.ts";
import { redactExchange, redactKnown } from "./redact/redact-exchange.ts";
import type { Redactor } from "./redact/redactor.ts";
import type { RecordingSummary } from "./types.ts";

/** Files of pages, which are no part of an API. */
const PAGE_FILE =
  /^(?:text\/(?:html|css|javascript)|application\/(?:(?:x-)?javascript|wasm|manifest\+json)|(?:image|font|audio|video)\/.*)$/;

interface RecorderOptions extends PathFilterOptions {
  /** Scheme, host and port of the real API. */
  readonly origin: string;
  readonly redactor: Redactor;
  /** The recording that this one updates. */
  readonly earlier?: Recording | undefined;
}

/** Keeps the exchanges with a real API, redacted, and makes an OpenAPI document with data of them. */
export class Recorder {
  readonly origin: string;
  readonly redactor: Redactor;
  readonly #earlier: Recording | undefined;
  readonly #isWanted: (path: string) => boolean;
  readonly #exchanges: Exchange[] = [];
  readonly #skipped = new Map<string, number>();
  #made: { readonly count: number; readonly recording: ReturnType<typeof inferRecording> } | undefined;
  #isRecording = true;

  constructor({ origin, redactor, earlier, ...filter }: RecorderOptions) {
    this.origin = origin;
    this.redactor = redactor;
    this.#earlier = earlier;
    this.#isWanted = createPathFilter(filter);
  }

  /** Keeps an exchange, unless there is a reason not to. */
  see({ exchange, missing }: Pick<Sighting, "exchange" | "missing">): void {
    if (!this.#isRecording || exchange.method === "OPTIONS") return;
    const reason = this.#reasonToSkip(exchange) ?? missing;
    if (reason !== undefined) this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    // An event stream is noted: the operation is there, without a body.
    if (reason === undefined || reason === "event stream")
      this.#exchanges.push(redactExchange(exchange, this.redactor));
  }

  stop(): void {
    this.#isRecording = false;
  }

  /** The exchanges in the order in which they were sent, without the secrets of any of them. */
  get exchanges(): Exchange[] {
    const sorted = this.#exchanges.toSorted((one, other) => one.startedAt - other.startedAt);
    return sorted.map((exchange) => redactKnown(exchange, this.redactor));
  }

  /** The document and the data of what was seen so far. */
  recording(): ReturnType<typeof inferRecording> {
    const count = this.#exchanges.length;
    if (this.#made?.count !== count) this.#made = { count, recording: this.#infer() };
    return this.#made.recording;
  }

  summary(): RecordingSummary {
    const { document, data } = this.recording();
    return {
      upstream: this.origin,
      isRecording: this.#isRecording,
      exchanges: this.#exchanges.length,
      operations: operationsOf(document, this.#exchanges),
      collections: Object.entries(data).flatMap(([name, records]) =>
        Array.isArray(records) ? [{ name, count: records.length }] : [],
      ),
      redactions: byCount(this.redactor.counts).map(([name, count]) => ({ name, count })),
      skipped: byCount(this.#skipped).map(([reason, count]) => ({ reason, count })),
    };
  }

  #infer(): ReturnType<typeof inferRecording> {
    const made = inferRecording(this.exchanges, this.#earlier);
    const { openapi = "3.1.0", info, ...rest } = made.document;
    // The mark comes first, so that a later recording knows the file as one of its own.
    const title = {
      title: new URL(this.origin).host,
      version: "1.0.0",
      ...(info as JsonObject | undefined),
      [RECORDED]: this.origin,
    };
    return { ...made, document: { openapi, info: title, ...rest } };
  }

  #reasonToSkip({ url, mediaType }: Exchange): string | undefined {
    if (!this.#isWanted(url.split("?", 1)[0] ?? url)) return "excluded path";
    return PAGE_FILE.test(mediaType) ? "page or file" : undefined;
  }
}

function operationsOf({ paths = {} }: JsonObject, exchanges: readonly Exchange[]): RecordingSummary["operations"] {
  const seen = exchanges.map(({ method, url }) => ({ method: method.toLowerCase(), path: url.split("?", 1)[0] ?? "" }));
  return Object.entries(paths as JsonObject).flatMap(([path, item]) => {
    const pattern = new RegExp(
      `^${path
        .split(/\{[^}]*\}/)
        .map(escaped)
        .join("[^/]+")}$`,
    );
    const fitting = seen.filter((one) => pattern.test(one.path));
    return Object.keys(item as JsonObject).flatMap((method) => {
      const count = fitting.filter((one) => one.method === method).length;
      return count === 0 ? [] : [{ method: method.toUpperCase(), path, count }];
    });
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function byCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, one], [, other]) => other - one);
}
