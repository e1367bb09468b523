import { maskAddress } from "../base/secrets/mask-text.ts";
import type { Call } from "./call.ts";
import type { Pipeline } from "./pipeline.ts";
import { replyHeaders } from "./response/head.ts";
import type { ListFacts, Reply } from "./response/reply.ts";

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
  const { settings, reporter } = pipeline.edge;
  const reply = await pipeline.reply(call);
  if (!reply || reply.connection) {
    pipeline.entrance.record?.(call);
    return DROPPED;
  }
  const headers = replyHeaders(call, reply, settings);
  const type = reply.content?.type ?? (reply.json === undefined ? undefined : (reply.type ?? JSON_TYPE));
  if (type !== undefined) headers.push("Content-Type", type, "X-Content-Type-Options", "nosniff");
  const body = bodyOf(reply);
  call.sentStatus = reply.status;
  call.sentHeaders = headers;
  if (typeof body === "string") call.sentText = body;
  call.sentBytes = Buffer.byteLength(body);
  pipeline.entrance.record?.(call);
  const { method, sentUrl, startedAt, sandbox, faults, sentStatus: status, sentBytes: bytes } = call;
  const durationMs = performance.now() - startedAt;
  reporter.request?.({ method, url: maskAddress(sentUrl), status, durationMs, bytes, sandbox, hasFault: !!faults });
  const content = typeof body === "string" ? { text: body } : { text: body.toString(), bytes: body };
  return { status, headers: byName(headers), ...content, list: reply.list, stream: reply.stream };
}

function bodyOf({ json, content, damage }: Reply): string | Buffer {
  if (!damage) return json ?? content?.body ?? "";
  const text = json ?? content?.body.toString() ?? "";
  if (damage.fault === "malformed-json") return `${text.slice(0, -1)},`;
  return damage.fault === "truncated-body" ? text.slice(0, damage.bytes ?? text.length >> 1) : text;
}

function byName(headers: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) found[headers[at]!.toLowerCase()] = headers[at + 1]!;
  return found;
}
