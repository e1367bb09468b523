import type { Buffer } from "../../base/platform/buffer.ts";
import type { WaitEnd } from "../../base/wait.ts";

const PIECES_PER_SECOND = 10;

/** The pieces of a body that is sent slowly. Once a wait is cut short, the rest comes at once. */
export async function* slowPieces(
  body: Buffer,
  bytesPerSecond: number,
  wait: (ms: number) => Promise<WaitEnd>,
): AsyncGenerator<Buffer, undefined> {
  const step = Math.max(1, Math.round(bytesPerSecond / PIECES_PER_SECOND));
  const everyMs = (step / bytesPerSecond) * 1000;
  let at = 0;
  while (at + step < body.length) {
    yield body.subarray(at, at + step);
    at += step;
    if ((await wait(everyMs)) !== "over") break;
  }
  yield body.subarray(at);
}
