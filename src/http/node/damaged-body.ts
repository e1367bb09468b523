import type { ServerResponse } from "node:http";
import type { Waits } from "../../base/wait.ts";
import type { BodyDamage } from "../response/reply.ts";
import type { NodeCall } from "./node-call.ts";

type End = (this: ServerResponse, ...given: unknown[]) => ServerResponse;

/** Pieces of a slow body in a second. */
const STEPS_PER_SECOND = 10;

/**
 * Damages the body of one response on its way out, by any exit. Its length stays as the headers say, and it is not
 * compressed, so that the damage reaches the client.
 */
export function damageBody(call: NodeCall, damage: BodyDamage, waits: Waits): void {
  const { headers, res } = call;
  delete headers["accept-encoding"];
  delete headers["if-none-match"];
  const end = res.end as End;
  const damaged: End = (chunk, encoding) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return end.call(res, chunk, encoding);
    const body = typeof chunk === "string" ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk);
    const finish = (bytes?: Buffer): ServerResponse => end.call(res, bytes);
    switch (damage.fault) {
      case "malformed-json":
        // No JSON ends in a comma.
        body[body.length - 1] = ",".charCodeAt(0);
        finish(body);
        break;
      case "truncated-body":
        cutOff(res, body.subarray(0, damage.bytes ?? body.length >> 1), finish);
        break;
      case "slow-body":
        void trickle(body, damage.bytesPerSecond, { call, waits }).then(finish);
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
  readonly call: NodeCall;
  readonly waits: Waits;
}

/** Writes a body slowly; resolves to the rest, which is to be sent at once. */
async function trickle(body: Buffer, bytesPerSecond: number, { call, waits }: SlowResponse): Promise<Buffer> {
  const step = Math.max(1, Math.round(bytesPerSecond / STEPS_PER_SECOND));
  const everyMs = (step / bytesPerSecond) * 1000;
  let at = 0;
  while (at + step < body.length) {
    call.res.write(body.subarray(at, at + step));
    at += step;
    if ((await waits.wait(everyMs, call)) !== "over") break;
  }
  return body.subarray(at);
}
