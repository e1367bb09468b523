import { stringifyJson } from "../../base/json/json.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import type { Reply } from "../../http/response/reply.ts";

/** Headers that the server sets itself, from the body it sends and the connection it sends it on. */
const OWN_HEADERS = new Set([
  "content-type",
  "content-length",
  // A response that was fetched has it, though its body is uncompressed.
  "content-encoding",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "x-content-type-options",
  "set-cookie",
  "etag",
]);

/** Turns the value a handler returned into a reply: a `Response` as it is, nothing as 204, anything else as JSON. */
export async function replyFrom(returned: unknown): Promise<Reply> {
  if (returned instanceof Response) return replyFromResponse(returned);
  if (returned === undefined) return { status: 204 };
  return { status: 200, json: stringifyJson(returned) ?? "null" };
}

export async function replyFromResponse(response: Response): Promise<Reply> {
  const { status } = response;
  if (status === 0) throw new Error("Response.error() has no status that could be sent.");
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (!OWN_HEADERS.has(name)) headers[canonical(name)] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["Set-Cookie"] = cookies;
  const head = { status, headers, etag: response.headers.get("etag") ?? undefined };
  if (response.body === null) return head;
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  const body = Buffer.from(await response.arrayBuffer());
  const json = /^application\/json\b/.test(type) ? jsonIn(body) : undefined;
  return json === undefined ? { ...head, content: { type, body } } : { ...head, json };
}

/** A reply of ours as plugins see it. */
export function responseFrom({ status, json, content, etag, headers = {} }: Reply): Response {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value].flat()) list.append(name, one);
  if (etag !== undefined) list.set("ETag", etag);
  const body = json ?? content?.body;
  const hasBody = status !== 204 && status !== 304 && body !== undefined;
  if (hasBody) list.set("Content-Type", content?.type ?? "application/json; charset=utf-8");
  return new Response(hasBody ? (body as string) : null, { status, headers: list });
}

/** The text, if it is the JSON that its type says. */
function jsonIn(body: Buffer): string | undefined {
  const text = body.toString("utf8");
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** `x-total-count` becomes `X-Total-Count`. */
function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
