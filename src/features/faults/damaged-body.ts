import type { ServerResponse } from "node:http";
import type { Exchange } from "../../http/exchange.ts";
import type { Waits } from "../../wait.ts";
import type { Fault } from "./fault.ts";

type BodyFault = Extract<Fault, { fault: "slow-body" | "truncated-body" | "malformed-json" }>;
type End = (this: ServerResponse, ...given: unknown[]) => ServerResponse;

/** How often a slow body goes on, in a second. */
const STEPS_PER_SECOND = 10;

/**
 * Spoils the body of this one answer on its way out, whoever writes it. Its length stays what the head says, and it is
 * not compressed: what arrives is what the client is to choke on.
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
        // Nothing that ends in a comma is JSON.
        body[body.length - 1] = ",".charCodeAt(0);
        finish(body);
        break;
      case "truncated-body":
        cutOff(res, body.subarray(0, fault.bytes ?? body.length >> 1), finish);
        break;
      case "slow-body":
        void trickle(res, body, fault.bytesPerSecond, waits).then(finish);
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

/** Gives back what is left to be sent when nobody has to wait any more. */
async function trickle(res: ServerResponse, body: Buffer, bytesPerSecond: number, waits: Waits): Promise<Buffer> {
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
