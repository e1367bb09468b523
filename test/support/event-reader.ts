import { onTestFinished } from "vitest";

/** One server-sent event, with parsed data. */
export interface ReadEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

export interface EventReader {
  readonly response: Response;
  /** Every event so far. */
  readonly events: readonly ReadEvent[];
  /** Every comment so far. */
  readonly comments: readonly string[];
  /** Waits until this many events have arrived. */
  atLeast(count: number): Promise<readonly ReadEvent[]>;
  /** Waits until this many comments have arrived. */
  commented(count: number): Promise<void>;
  /** Settles when the server has ended the stream, or cut it off. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream and reads on until the test ends. Resolves when the server has said its first word. */
export async function readEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const aborting = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: aborting.signal,
  });
  const events: ReadEvent[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  const take = (block: string): void => {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon === 0) comments.push(line.slice(1).trim());
      else fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const data = fields.get("data");
    if (data !== undefined) {
      events.push({ id: fields.get("id"), event: fields.get("event") ?? "message", data: JSON.parse(data) });
    }
    for (const look of waiting) look();
  };
  const ended = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        const text = decoder.decode(chunk, { stream: true });
        // Only a chunk with the end of a line can end an event, and a long event comes in many chunks.
        if (!text.includes("\n")) {
          rest += text;
          continue;
        }
        const blocks = (rest + text).split("\n\n");
        rest = blocks.pop()!;
        for (const block of blocks) take(block);
      }
    } catch {
      // Cut off, by either side.
    }
  })();
  const until = (isThere: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isThere()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  onTestFinished(() => aborting.abort());
  if (response.status === 200) await until(() => comments.length > 0);
  return {
    response,
    events,
    comments,
    ended,
    atLeast: async (count) => {
      await until(() => events.length >= count);
      return events;
    },
    commented: (count) => until(() => comments.length >= count),
    close: () => aborting.abort(),
  };
}
