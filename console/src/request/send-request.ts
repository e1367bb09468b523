import { asRefusal, unreachable } from "../api/refusal.ts";
import type { Outcome } from "./answer-card.tsx";
import type { ReadyRequest } from "./request-draft.ts";

/** Sends a request exactly as it stands; whatever the answer is, it is the answer. */
export async function sendRequest({ method, url, headers, body }: ReadyRequest): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const init: RequestInit = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
    if (body !== undefined) init.body = body;
    const response = await fetch(url, { ...init, cache: "no-store" });
    const text = await response.text();
    const { status, statusText } = response;
    const answerHeaders = [...response.headers];
    return {
      kind: "answer",
      status,
      statusText,
      headers: answerHeaders,
      text,
      durationMs: performance.now() - startedAt,
    };
  } catch (thrown) {
    // A header name that is none is the person's to mend; anything else means that nobody answered.
    const isOurs = thrown instanceof TypeError && /header|method/i.test(thrown.message);
    return { kind: "refusal", refusal: isOurs ? asRefusal(thrown) : unreachable() };
  }
}
