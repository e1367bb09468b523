import { ownHeaders } from "./ask.ts";
import { pathHere } from "./base.ts";
import { credentialsVersion } from "./credentials.ts";
import { EventStreamParser, type StreamEvent } from "./event-stream.ts";
import { askForCredentials } from "./guard.ts";
import { isLeaving, whenLeaving } from "./leaving.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

export interface Follower {
  onEvent(event: StreamEvent): void;
  /** The stream is open, for the first time or again: fetch what happened before. */
  onOpen(): void;
  /** The stream is closed, with the error of the server if there was one. */
  onClosed(refusal?: Refusal): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Follows a stream of events by fetch, which unlike EventSource can send a key or token. Reconnects when the connection
 * breaks. Pauses while the page discards its sandbox, and while the tab is hidden: a browser has six connections to a server,
 * and hidden tabs would use them up. Returns a function that stops it.
 */
export function follow(path: string, { onEvent, onOpen, onClosed }: Follower): () => void {
  const stopped = new AbortController();
  let pauseMs = FIRST_PAUSE_MS;

  const read = async (signal: AbortSignal): Promise<"again" | "later" | "refused"> => {
    const sentWith = credentialsVersion();
    const headers = { Accept: "text/event-stream", ...ownHeaders() };
    const response = await fetch(pathHere(path), { headers, signal, cache: "no-store" });
    if (!response.ok || !response.body) {
      const refusal = refusalOf(response.status, await response.text());
      if (await askForCredentials(refusal, sentWith)) return "again";
      onClosed(refusal);
      return response.status < 500 && response.status !== 429 ? "refused" : "later";
    }
    onOpen();
    pauseMs = FIRST_PAUSE_MS;
    const parser = new EventStreamParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "again";
      for (const event of parser.push(value)) onEvent(event);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await untilWanted();
      let end: "again" | "later" | "refused" = "again";
      try {
        end = await read(AbortSignal.any([stopped.signal, whenHidden(), whenLeaving()]));
      } catch {
        // The connection broke, was never made, or was given up.
      }
      if (stopped.signal.aborted || end === "refused") return;
      if (!isWanted()) continue;
      // The message of the server stays until there is another one, or the server is gone.
      if (end === "again") onClosed();
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  void run();
  return () => stopped.abort();
}

const waiting = new Set<() => void>();

/** Connects again at once, instead of after the pause. */
export function retryNow(): void {
  for (const go of [...waiting]) go();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    waiting.add(go);
  });
}

function isWanted(): boolean {
  return !document.hidden && !isLeaving.get();
}

function untilWanted(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isWanted()) return;
      document.removeEventListener("visibilitychange", look);
      stop();
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    const stop = isLeaving.listen(look);
    look();
  });
}

function whenHidden(): AbortSignal {
  const hidden = new AbortController();
  document.addEventListener("visibilitychange", () => hidden.abort(), { once: true });
  return hidden.signal;
}
