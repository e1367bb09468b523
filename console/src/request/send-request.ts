import { asRefusal, unreachable } from "../api/refusal.ts";
import type { ReadyRequest } from "./request-draft.ts";
import type { Outcome } from "./response-body.tsx";

/** Sends a request exactly as drafted; every response is a result, errors included. */
export async function sendRequest({ method, url, headers, body }: ReadyRequest): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const init: RequestInit = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
    if (body !== undefined) init.body = body;
    const response = await fetch(url, { ...init, cache: "no-store" });
    const bytes = await response.arrayBuffer();
    const { status, statusText } = response;
    const text = textOf(bytes);
    return {
      kind: "response",
      status,
      statusText,
      headers: [...response.headers],
      text: text ?? "",
      binary: text === undefined ? new Blob([bytes], { type: response.headers.get("content-type") ?? "" }) : undefined,
      size: bytes.byteLength,
      durationMs: performance.now() - startedAt,
    };
  } catch (thrown) {
    // An invalid header name is for the user to fix; anything else means that there was no response.
    const isOurs = thrown instanceof TypeError && /header|method/i.test(thrown.message);
    return { kind: "refusal", refusal: isOurs ? asRefusal(thrown) : unreachable() };
  }
}

/** Undefined for bytes that are no text, such as those of an image. */
function textOf(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
