import { credentialHeaders, credentialsVersion } from "./credentials.ts";
import { EventStreamParser, type StreamEvent } from "./event-stream.ts";
import { askForCredentials } from "./guard.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

export interface Follower {
  onEvent(event: StreamEvent): void;
  /** Whether the stream is open now; and why the server refused, when it did. */
  onState(isOpen: boolean, refusal?: Refusal): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Follows a stream of events by fetch, which unlike EventSource can send a key or token. Goes on where it was when the
 * connection breaks. Returns how to stop.
 */
export function follow(path: string, { onEvent, onState }: Follower): () => void {
  const stop = new AbortController();
  let lastId = "";
  let pauseMs = FIRST_PAUSE_MS;

  const read = async (): Promise<"again" | "refused"> => {
    const sentWith = credentialsVersion();
    const headers: Record<string, string> = { Accept: "text/event-stream", ...credentialHeaders() };
    if (lastId !== "") headers["Last-Event-ID"] = lastId;
    const response = await fetch(path, { headers, signal: stop.signal, cache: "no-store" });
    if (!response.ok || !response.body) {
      const refusal = refusalOf(response.status, await response.text());
      if (await askForCredentials(refusal, sentWith)) return "again";
      onState(false, refusal);
      return response.status < 500 && response.status !== 429 ? "refused" : "again";
    }
    onState(true);
    pauseMs = FIRST_PAUSE_MS;
    const parser = new EventStreamParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "again";
      for (const event of parser.push(value)) {
        if (event.id !== "") lastId = event.id;
        onEvent(event);
      }
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        if ((await read()) === "refused") return;
      } catch {
        // The connection broke, or was never made.
      }
      if (stop.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  void run();
  return () => stop.abort();
}
