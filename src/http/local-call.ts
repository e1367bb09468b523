import type { Eventually } from "../base/eventually.ts";
import { type Json, parseJson, stringifyJson } from "../base/json/json.ts";
import { Buffer } from "../base/platform/buffer.ts";
import { maskAddress } from "../base/secrets/mask-text.ts";
import type { WorkAccount } from "../base/work-account.ts";
import { Call, type CallSettings, type RequestHeaders } from "./call.ts";
import type { Pipeline } from "./pipeline.ts";
import { replyHeaders } from "./response/headers.ts";
import { SCRIPT_TYPE, scriptFor, scriptText } from "./response/jsonp.ts";
import type { Content, ListFacts, Reply } from "./response/reply.ts";
import type { ServiceSettings } from "./settings.ts";

/** A request made in this process. */
export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Json | undefined;
}

/** Headers that say nothing about the calls made on behalf of the one that has them. */
const OF_THE_OUTER: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "origin",
  "prefer",
  "transfer-encoding",
  "x-http-method-override",
  "x-standin-sandbox",
]);

/** The headers of a call that hold for calls on its behalf, credentials among them. */
export function sharedHeaders(outer: Call): RequestHeaders {
  const shared: RequestHeaders = {};
  for (const name in outer.headers) if (!OF_THE_OUTER.has(name)) shared[name] = outer.headers[name];
  return shared;
}

/** A call without a socket: made by a program, or on behalf of another call, as the parts of a batch are. */
export class LocalCall extends Call {
  /** Without those of the outer call. */
  readonly #ownHeaders: Readonly<Record<string, string>>;
  readonly #outer: Call | undefined;
  readonly #origin: string;
  readonly #isPart: boolean;

  private constructor(
    request: LocalRequest,
    { headers, settings, outer, origin = "http://localhost", isPart = false }: LocalOptions,
  ) {
    super(request.method, request.path, headers, settings);
    this.#isPart = isPart;
    this.#ownHeaders = request.headers ?? {};
    this.#outer = outer;
    this.#origin = origin;
    this.base = outer?.base ?? "";
    this.prefix = this.base;
    this.giveBody(request.body);
  }

  /** On behalf of another call: from its address, for as long as its client is there. */
  static within(outer: Call, request: LocalRequest, options: Omit<LocalOptions, "outer" | "origin">): LocalCall {
    return new LocalCall(request, { ...options, outer });
  }

  /** Of a program that reaches the server under this address. */
  static at(origin: string, request: LocalRequest, settings: CallSettings): LocalCall {
    return new LocalCall(request, { headers: { ...request.headers }, settings, origin });
  }

  /** The parts of a batch pay from one account. */
  override get account(): WorkAccount {
    return this.#outer && this.#isPart ? this.#outer.account : super.account;
  }

  get hasLeft(): boolean {
    return this.#outer?.hasLeft ?? false;
  }

  onLeave(listener: () => void): void {
    this.#outer?.onLeave(listener);
  }

  offLeave(listener: () => void): void {
    this.#outer?.offLeave(listener);
  }

  get remoteAddress(): string | undefined {
    return this.#outer?.remoteAddress;
  }

  get isEncrypted(): boolean {
    return this.#outer?.isEncrypted ?? this.#origin.startsWith("https:");
  }

  localOrigin(scheme: string): string {
    return this.#outer?.localOrigin(scheme) ?? this.#origin;
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#ownHeaders).flat();
  }

  /** The parts of a batch were judged together with it. */
  override body(): Eventually<Json | undefined> {
    const body = this.givenJson;
    return this.#isPart || body === undefined ? body : this.admitFiles(body);
  }

  givenBody(): Json | undefined {
    return this.givenJson;
  }

  get isBodyRead(): boolean {
    return true;
  }

  readBytes(): Promise<Buffer> {
    return Promise.resolve(Buffer.alloc(0));
  }

  stream(): undefined {
    return undefined;
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }
}

interface LocalOptions {
  readonly headers: RequestHeaders;
  readonly settings: CallSettings;
  readonly outer?: Call;
  readonly origin?: string;
  /** Whether its work counts as that of the outer call. */
  readonly isPart?: boolean;
}

/** The response to a call without a socket. */
export interface LocalReply {
  /** 0 if the connection was dropped, by a fault. */
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** A body that is no text. */
  readonly bytes?: Buffer | undefined;
  readonly list?: ListFacts | undefined;
  /** Done on purpose to the body; a part of it is left out already, where that is the damage. */
  readonly damage?: Reply["damage"];
  /** Server-sent events in place of the body. */
  readonly stream?: Reply["stream"];
}

const JSON_TYPE = "application/json; charset=utf-8";
const DROPPED: LocalReply = { status: 0, headers: {}, text: "" };

/** Sends a call through the whole pipeline; it is recorded and logged like any other. */
export async function replyLocally(pipeline: Pipeline, call: Call): Promise<LocalReply> {
  const { settings, reporter } = pipeline.service;
  const reply = await pipeline.reply(call);
  if (!reply || reply.connection) {
    pipeline.record?.(call);
    return DROPPED;
  }
  const headers = replyHeaders(call, reply, settings);
  const content = reply.content ?? (reply.json === undefined ? undefined : jsonContent(call, reply, settings));
  if (content) headers.push("Content-Type", content.type, "X-Content-Type-Options", "nosniff");
  const body = damaged(content?.body ?? "", reply.damage);
  call.sentStatus = reply.status;
  call.sentHeaders = headers;
  if (typeof body === "string") call.sentText = body;
  call.sentBytes = Buffer.byteLength(body);
  pipeline.record?.(call);
  const { method, sentUrl, startedAt, sandbox, faults, refusal, sentStatus: status, sentBytes: bytes } = call;
  const durationMs = performance.now() - startedAt;
  const facts = { method, status, durationMs, bytes, sandbox, hasFault: !!faults, refusal };
  reporter.request?.({ ...facts, url: maskAddress(sentUrl) });
  const made = typeof body === "string" ? { text: body } : { text: body.toString(), bytes: body };
  return {
    status,
    // Responses of the web have the list itself.
    get headers() {
      return byName(headers);
    },
    ...made,
    list: reply.list,
    damage: reply.damage,
    stream: reply.stream,
  };
}

/** In the form that the server is set to, and the request asks for. */
function jsonContent(call: Call, { json = "", type = JSON_TYPE }: Reply, settings: ServiceSettings): Content {
  const text = settings.pretty ? stringifyJson(parseJson(json), 2) : json;
  const script = call.callback === undefined ? undefined : scriptFor(call, settings);
  return script ? { type: SCRIPT_TYPE, body: scriptText(script, text) } : { type, body: text };
}

function damaged(body: string | Buffer, damage: Reply["damage"]): string | Buffer {
  if (!damage) return body;
  const text = body.toString();
  if (damage.fault === "malformed-json") return `${text.slice(0, -1)},`;
  return damage.fault === "truncated-body" ? text.slice(0, damage.bytes ?? text.length >> 1) : text;
}

function byName(headers: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) found[headers[at]!.toLowerCase()] = headers[at + 1]!;
  return found;
}
