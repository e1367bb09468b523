import type { Pair } from "../api/parameters.ts";
import { Refusal, unreachable } from "../api/refusal.ts";
import type { ReadyRequest } from "./request-draft.ts";
import type { Outcome } from "./response-body.tsx";

/** Sends a request exactly as drafted; every response is a result, errors included. */
export async function sendRequest({ method, url, headers, body }: ReadyRequest): Promise<Outcome> {
  const startedAt = performance.now();
  const problem = headers.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) return { kind: "refusal", refusal: new Refusal(0, "", "Not sent", problem) };
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
  } catch {
    return { kind: "refusal", refusal: unreachable() };
  }
}

/** Why a browser would not send a header; undefined if it would. */
function problemOf([name, value]: Pair): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `“${name}” cannot name a header. Use letters, digits and dashes.`;
  const [wrong] = /[^\t\x20-\x7e\xa0-\xff]/u.exec(value) ?? [];
  return wrong && `The value of ${name} has “${wrong}”, which a header cannot have. Remove it or encode it.`;
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
