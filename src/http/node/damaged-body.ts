import type { ServerResponse } from "node:http";
import type { Waits } from "../../base/wait.ts";
import type { BodyDamage } from "../response/reply.ts";
import { slowPieces } from "../response/slow-pieces.ts";
import type { NodeCall } from "./node-call.ts";

type End = (this: ServerResponse, ...given: unknown[]) => ServerResponse;

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
        void trickle(
          res,
          slowPieces(body, damage.bytesPerSecond, (ms) => waits.wait(ms, call)),
        ).then(() => finish());
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

async function trickle(res: ServerResponse, pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) res.write(piece);
}
