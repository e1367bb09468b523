import { parseExact } from "../base/json/json.ts";
import { indented } from "../base/json/large/stringify-in-pieces.ts";
import { maskAddress } from "../base/secrets/mask-text.ts";
import type { Call } from "./call.ts";
import type { Pipeline } from "./pipeline.ts";
import { replyHeaders } from "./response/headers.ts";
import { SCRIPT_TYPE, scriptFor, scriptText } from "./response/jsonp.ts";
import type { Content, ListFacts, Reply } from "./response/reply.ts";
import type { ServiceSettings } from "./settings.ts";

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
  const { method, sentUrl, startedAt, sandbox, faults, sentStatus: status, sentBytes: bytes } = call;
  const durationMs = performance.now() - startedAt;
  reporter.request?.({ method, url: maskAddress(sentUrl), status, durationMs, bytes, sandbox, hasFault: !!faults });
  const made = typeof body === "string" ? { text: body } : { text: body.toString(), bytes: body };
  return { status, headers: byName(headers), ...made, list: reply.list, stream: reply.stream };
}

/** In the form that the server is set to, and the request asks for. */
function jsonContent(call: Call, { json = "", type = JSON_TYPE }: Reply, settings: ServiceSettings): Content {
  const text = settings.pretty ? indented(parseExact(json), "") : json;
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
