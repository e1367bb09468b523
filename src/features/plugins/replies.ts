import type { Reply } from "../../http/response/reply.ts";

/** Headers that the server sets itself, from the body it sends. */
const OWN_HEADERS = new Set(["content-type", "content-length", "transfer-encoding", "connection", "set-cookie"]);

/** Turns the value a handler returned into a reply: a `Response` as it is, nothing as 204, anything else as JSON. */
export async function replyFrom(returned: unknown): Promise<Reply> {
  if (returned instanceof Response) return replyFromResponse(returned);
  if (returned === undefined) return { status: 204 };
  return { status: 200, json: JSON.stringify(returned) ?? "null" };
}

export async function replyFromResponse(response: Response): Promise<Reply> {
  const { status } = response;
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of response.headers) if (!OWN_HEADERS.has(name)) headers[canonical(name)] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["Set-Cookie"] = cookies;
  if (response.body === null) return { status, headers };
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  const text = await response.text();
  if (/^application\/json\b/.test(type)) return { status, headers, json: text };
  return { status, headers, content: { type, text } };
}

/** A reply of ours as plugins see it. */
export function responseFrom({ status, json, content, etag, headers = {} }: Reply): Response {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value].flat()) list.append(name, one);
  if (etag !== undefined) list.set("ETag", etag);
  const text = json ?? content?.text;
  const hasBody = status !== 204 && status !== 304 && text !== undefined;
  if (hasBody) list.set("Content-Type", content?.type ?? "application/json; charset=utf-8");
  return new Response(hasBody ? text : null, { status, headers: list });
}

/** `x-total-count` becomes `X-Total-Count`. */
function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
