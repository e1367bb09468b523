import type { ServerResponse } from "node:http";
import type { Waits } from "../../base/wait.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Fault } from "./fault.ts";

type BodyFault = Extract<Fault, { fault: "slow-body" | "truncated-body" | "malformed-json" }>;
type End = (this: ServerResponse, ...given: unknown[]) => ServerResponse;

/** Pieces of a slow body in a second. */
const STEPS_PER_SECOND = 10;

/**
 * Damages the body of one response on its way out, by any exit. Its length stays as the headers say, and it is not
 * compressed, so that the damage reaches the client.
 */
export function damageBody({ req, res }: Exchange, fault: BodyFault, waits: Waits): void {
  delete req.headers["accept-encoding"];
  delete req.headers["if-none-match"];
  const end = res.end as End;
  const damaged: End = (chunk, encoding) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return end.call(res, chunk, encoding);
    const body = typeof chunk === "string" ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
    const finish = (bytes?: Buffer): ServerResponse => end.call(res, bytes);
    switch (fault.fault) {
      case "malformed-json":
        // No JSON ends in a comma.
        body[body.length - 1] = ",".charCodeAt(0);
        finish(body);
        break;
      case "truncated-body":
        cutOff(res, body.subarray(0, fault.bytes ?? body.length >> 1), finish);
        break;
      case "slow-body":
        void trickle(body, fault.bytesPerSecond, { res, waits }).then(finish);
    }
    return res;
  };
  res.end = damaged as typeof res.end;
}

function cutOff(res: ServerResponse, part: Buffer, finish: (bytes: Buffer) => unknown): void {
  const { socket } = res;
  finish(part);
  socket?.destroySoon();
}

interface SlowResponse {
  readonly res: ServerResponse;
  readonly waits: Waits;
}

/** Writes a body slowly; resolves to the rest, which is to be sent at once. */
async function trickle(body: Buffer, bytesPerSecond: number, { res, waits }: SlowResponse): Promise<Buffer> {
  const step = Math.max(1, Math.round(bytesPerSecond / STEPS_PER_SECOND));
  const everyMs = (step / bytesPerSecond) * 1000;
  let at = 0;
  while (at + step < body.length) {
    res.write(body.subarray(at, at + step));
    at += step;
    if ((await waits.wait(everyMs, res)) !== "over") break;
  }
  return body.subarray(at);
}
