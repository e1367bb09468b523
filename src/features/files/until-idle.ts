import { StandinError } from "../../base/errors.ts";

const IDLE_MS = 30_000;

/** The same content; rejects where the client sends nothing for a while. */
export async function* untilIdle(
  content: AsyncIterable<Uint8Array>,
  idleMs: number = IDLE_MS,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orIdle(pieces.next(), idleMs);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: it would wait for the piece that does not come.
    void pieces.return?.()?.catch(() => undefined);
  }
}

async function orIdle<T>(work: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(idleBody(idleMs)), idleMs);
  });
  try {
    return await Promise.race([work, idle]);
  } finally {
    clearTimeout(timer);
  }
}

function idleBody(idleMs: number): StandinError {
  return new StandinError("REQUEST_TIMEOUT", `Nothing of the body has arrived for ${idleMs / 1000} seconds.`, {
    Connection: "close",
  });
}
