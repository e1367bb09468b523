import type { Eventually } from "../../base/eventually.ts";
import { parseJson, stringifyJson } from "../../base/json/json.ts";
import type { Reporter } from "../../base/reporter.ts";
import type { Waits } from "../../base/wait.ts";
import type { RecordTraffic } from "../edge.ts";
import {
  acceptedEncoding,
  bytesIn,
  compress,
  compressOnce,
  type Encoding,
  MIN_COMPRESSED_BYTES,
} from "../response/compression.ts";
import { addReplyHeaders, commonHeaders } from "../response/headers.ts";
import { SCRIPT_TYPE, type Script, scriptFor, scriptText } from "../response/jsonp.ts";
import { type Content, errorReply, type Reply } from "../response/reply.ts";
import type { ServiceSettings } from "../settings.ts";
import { logWhenSent } from "./access-log.ts";
import { damageBody } from "./damaged-body.ts";
import type { NodeCall } from "./node-call.ts";
import { type FileReply, sendFile } from "./send-file.ts";

export interface SenderOptions {
  readonly settings: ServiceSettings;
  readonly reporter: Reporter;
  readonly waits: Waits;
  /** Takes down every response, for people to look at; undefined for no traffic log. */
  readonly record: RecordTraffic | undefined;
}

/**
 * The one exit: every response of ours becomes bytes here, gets the common headers, is logged and recorded. Only replies
 * that pass through users' Express middlewares leave another way, by express/express-reply.ts.
 */
export class Sender {
  readonly #settings: ServiceSettings;
  readonly #reporter: Reporter;
  readonly #waits: Waits;
  readonly record: RecordTraffic | undefined;
  /** Of requests without an `Origin`, the most common ones. */
  readonly #commonHeaders: readonly string[];

  constructor({ settings, reporter, waits, record }: SenderOptions) {
    this.#settings = settings;
    this.#reporter = reporter;
    this.#waits = waits;
    this.record = record;
    this.#commonHeaders = commonHeaders(undefined, settings);
  }

  /** Sends a reply; a promise only where its body must be compressed first. Never rejects. */
  send(call: NodeCall, reply: Reply): Eventually<void> {
    try {
      return this.#send(call, reply)?.catch((thrown) => this.#fail(call, thrown));
    } catch (thrown) {
      this.#fail(call, thrown);
    }
  }

  /** Resolves to whether there is such a file. 0.17.4: files are not logged. */
  async sendFile(call: NodeCall, file: FileReply): Promise<boolean> {
    const outcome = await sendFile(call, file, this.#settings);
    if (outcome === "missing") return false;
    if (outcome !== "sent") await this.send(call, errorReply(outcome, this.#reporter));
    else if (call.res.writableFinished) {
      call.answeredBy = "static";
      this.record?.(call);
    }
    return true;
  }

  #send(call: NodeCall, reply: Reply): Promise<void> | undefined {
    const settings = this.#settings;
    if (reply.connection) return this.#endConnection(call, reply.connection);
    if (reply.damage) damageBody(call, reply.damage, this.#waits);
    const headers = this.#headersOf(call, reply);
    call.sentStatus = reply.status;
    call.sentHeaders = headers;
    if (reply.stream) return this.#sendStream(call, headers, reply.stream);
    const json = reply.json !== undefined && settings.pretty ? stringifyJson(parseJson(reply.json), 2) : reply.json;
    const content = reply.content ?? (json === undefined ? undefined : jsonContent(call, json, settings, reply));
    if (content === undefined) {
      if (reply.status !== 304) headers.push("Content-Length", "0");
      this.#end(call, headers, undefined, reply.isPreflight);
      return undefined;
    }
    addContentHeaders(headers, content.type);
    if (typeof content.body === "string") call.sentText = content.body;
    const bytes = Buffer.byteLength(content.body);
    const encoding = this.#encodingFor(call, bytes);
    if (encoding) return this.#sendCompressed(call, reply, { headers, parts: [Buffer.from(content.body)], encoding });
    call.sentBytes = bytes;
    headers.push("Content-Length", String(bytes));
    this.#end(call, headers, content.body);
  }

  #headersOf(call: NodeCall, reply: Reply): string[] {
    if (reply.isPreflight) return Object.entries(reply.headers as Record<string, string>).flat();
    const { origin } = call.headers;
    const headers = origin === undefined ? this.#commonHeaders.slice() : commonHeaders(origin, this.#settings);
    if (reply.headers || origin !== undefined || call.warning !== undefined) addReplyHeaders(headers, call, reply);
    if (call.layerHeaders) headers.push(...call.layerHeaders);
    if (reply.etag !== undefined) headers.push("ETag", reply.etag);
    return headers;
  }

  #sendStream(call: NodeCall, headers: string[], stream: NonNullable<Reply["stream"]>): undefined {
    const { res } = call;
    if (this.#reporter.request) logWhenSent(call, this.#reporter.request);
    res.writeHead(call.sentStatus, headers);
    if (call.method === "HEAD") res.end();
    else void stream(res)?.then(() => this.record?.(call));
  }

  async #sendCompressed(call: NodeCall, reply: Reply, { headers, parts, encoding }: Uncompressed): Promise<void> {
    const body = await (reply.isFixed ? compressOnce(reply, parts, encoding) : compress(parts, encoding));
    call.sentBytes = bytesIn(body);
    headers.push("Content-Encoding", encoding, "Content-Length", String(call.sentBytes));
    this.#end(call, headers, body);
  }

  #encodingFor({ headers }: NodeCall, bytes: number): Encoding | undefined {
    if (bytes < MIN_COMPRESSED_BYTES || !this.#settings.compression) return undefined;
    return acceptedEncoding(headers["accept-encoding"] as string | undefined);
  }

  #end(call: NodeCall, headers: string[], body?: string | Buffer | readonly Buffer[], isUnlogged?: boolean): void {
    const { res } = call;
    if (this.#reporter.request && !isUnlogged) logWhenSent(call, this.#reporter.request);
    res.writeHead(call.sentStatus, headers);
    if (call.method === "HEAD") res.end();
    else if (typeof body === "string") {
      // For ASCII alone both encodings give the same bytes, and Node writes latin1 by copying, utf8 letter by letter.
      res.end(body, call.sentBytes === body.length ? "latin1" : "utf8");
    } else if (isParts(body)) {
      for (const part of body) res.write(part);
      res.end();
    } else res.end(body);
    this.record?.(call);
  }

  #endConnection(call: NodeCall, how: NonNullable<Reply["connection"]>): undefined {
    const { req, res } = call;
    if (how === "end") req.socket.destroySoon();
    else if (how === "reset" && !("encrypted" in req.socket)) req.socket.resetAndDestroy();
    else req.socket.destroy();
    res.destroy();
    this.record?.(call);
  }

  #fail(call: NodeCall, thrown: unknown): void {
    this.#reporter.fault("A response could not be sent.", thrown);
    call.res.destroy();
  }
}

interface Uncompressed {
  readonly headers: string[];
  readonly parts: readonly Buffer[];
  readonly encoding: Encoding;
}

function addContentHeaders(headers: string[], type: string): void {
  headers.push("Content-Type", type, "X-Content-Type-Options", "nosniff");
}

function jsonContent(call: NodeCall, text: string, settings: ServiceSettings, reply: Reply): Content {
  const script = call.callback === undefined ? undefined : scriptFor(call, settings);
  return { body: script ? scriptText(script, text) : text, type: jsonType(script, reply) };
}

function jsonType(script: Script | undefined, { type = "application/json; charset=utf-8" }: Reply): string {
  return script ? SCRIPT_TYPE : type;
}

function isParts(body: Buffer | readonly Buffer[] | undefined): body is readonly Buffer[] {
  return Array.isArray(body);
}
