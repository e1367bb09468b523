import { andThen } from "../../base/eventually.ts";
import type { Call } from "../../http/call.ts";
import type { Entrance, FeatureStep, Respond, Service } from "../../http/contract.ts";
import type { EventSink, Reply } from "../../http/response/reply.ts";
import type { Signatures } from "./signatures.ts";

const PATH = "/__files/";
/** In compact JSON. Inside of a text its quotes would have backslashes. */
const URL_IN_JSON = /"url":"(\/__files\/([\da-f]{64})\/[^"\\?]*)"/g;
const HASH_IN_JSON = /"sha256":"([\da-f]{64})"/g;
const SIGNATURE = /(?:^|&)s=([^&]*)/;

/** Lets a request with a signed address pass the guards, on behalf of the user that got the address. */
export function signedEntrance(signatures: Signatures): Entrance {
  return {
    prefix: PATH,
    headers: [],
    enter(call) {
      const { path, search } = call.client;
      const [, token] = call.isRead ? (SIGNATURE.exec(search) ?? []) : [];
      const reader = token === undefined ? undefined : signatures.readerOf(token, path.split("/", 3)[2] ?? "");
      if (reader) Object.assign(call, reader, { isAdmitted: true });
    },
  };
}

interface UrlOptions {
  /** The path that the service is mounted at. */
  readonly base: string;
  /** Undefined where nobody needs a signature. */
  readonly signatures: Signatures | undefined;
  readonly hasFiles: () => boolean;
}

/** Completes the addresses of files in responses and events: the base in front, a signature for the user behind them. */
export function urlStep({ base, signatures, hasFiles }: UrlOptions): FeatureStep {
  return {
    isActive: true,
    respond(call, service, next) {
      if (hasFiles()) return respondCompleted(call, service, next);
      // This may be the first upload, or a stream that is still open when it comes.
      return andThen(next(call, service), (reply) =>
        reply && (reply.stream || hasFiles()) ? completed(reply, call) : reply,
      );
    },
  };

  async function respondCompleted(call: Call, service: Service, next: Respond): Promise<Reply | undefined> {
    const reply = await next(call, service);
    if (reply?.status !== 304) return reply && completed(reply, call);
    // The client has the same record, but its addresses may be too old.
    const { "if-none-match": tags, ...others } = call.headers;
    if (tags === undefined || call.target.path.startsWith(PATH)) return reply;
    delete call.headers["if-none-match"];
    const whole = await next(call, service);
    Object.assign(call.headers, { "if-none-match": tags }, others);
    const shown = whole && completed(whole, call);
    return shown === whole ? reply : shown;
  }

  function completed(reply: Reply, call: Call): Reply {
    const { json, stream } = reply;
    if (stream && isOfEvents(reply)) {
      return { ...reply, stream: (sink) => stream(changingSink(sink, (text) => withUrls(text, call))) };
    }
    if (!json?.includes(PATH) || call.isWriteOnly) return reply;
    const changed = withUrls(json, call);
    return changed === json ? reply : { ...reply, json: changed, isFixed: undefined };
  }

  function withUrls(json: string, call: Call): string {
    const sign = signatures?.signerFor(call);
    // Without credentials, a text that only looks like an address would open the files of other collections.
    const held = sign && call.isPublic ? hashesOf(json) : undefined;
    return json.replace(URL_IN_JSON, (_, url: string, sha256: string) => {
      const isSigned = sign && (!held || held.has(sha256));
      return `"url":"${base}${url}${isSigned ? `?s=${sign(sha256)}` : ""}"`;
    });
  }
}

/** The hashes of the files in a text, looked for once: there may be thousands of them. */
function hashesOf(json: string): ReadonlySet<string> {
  return new Set(Array.from(json.matchAll(HASH_IN_JSON), ([, sha256 = ""]) => sha256));
}

function isOfEvents({ headers }: Reply): boolean {
  return String(headers?.["Content-Type"]).startsWith("text/event-stream");
}

/** Changes whole messages that have the address of a file. */
function changingSink(sink: EventSink, change: (text: string) => string): EventSink {
  const changed = (data: string | Uint8Array): string | Uint8Array => {
    const text = typeof data === "string" ? data : Buffer.from(data).toString("utf8");
    return text.includes(PATH) ? change(text) : data;
  };
  return {
    get writableLength() {
      return sink.writableLength;
    },
    write: (data) => sink.write(changed(data)),
    end: (data) => sink.end(data === undefined ? undefined : changed(data)),
    destroy: () => sink.destroy(),
    once: (event, listener) => sink.once(event, listener),
  };
}
