import { LARGE_TEXT, stringifyJson } from "../../base/json/json.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import { createHash, type Hash } from "../../base/platform/crypto.ts";
import { inSlices, type Work } from "../../base/slices.ts";
import type { ReceiptHead } from "../../store/receipts.ts";
import { isUnparsed } from "../body/body.ts";
import type { Call } from "../call.ts";
import type { Service } from "../contract.ts";

/** How many bytes are hashed between two pauses. */
const HASHED_BYTES = 1024 * 1024;

/** Identifies a request with an `Idempotency-Key`: reads its body, and leaves it for the route. */
export async function createReceiptHead(call: Call, service: Service, key: string): Promise<ReceiptHead> {
  const { headers, method, client, sandbox = "" } = call;
  const { authorization = "", "x-api-key": apiKey = "", prefer, "if-match": match } = headers;
  const request = createHash("sha256");
  request.update(JSON.stringify([client.search, headers["content-type"] ?? "", prefer ?? "", match ?? ""]));
  await inSlices(addBody(request, await bodyOf(call)));
  const scope = JSON.stringify([authorization, apiKey, sandbox, method, client.path, key]);
  return {
    key: createHash("sha256").update(scope).digest("base64url"),
    request: request.digest("base64url"),
    at: service.now(),
  };
}

/** The body as the client sent it: an interceptor may have put a date into it, which differs each time. */
async function bodyOf(call: Call): Promise<Buffer> {
  const { sentBody } = call;
  if (sentBody) return Buffer.from(sentBody.text);
  await call.keepBody();
  const given = call.keptBytes ?? call.givenBody();
  return Buffer.from(isUnparsed(given) ? given : (stringifyJson(given) ?? ""));
}

function* addBody(hash: Hash, body: Buffer): Work<void> {
  for (let at = 0; at < body.length; at += HASHED_BYTES) {
    hash.update(body.subarray(at, at + HASHED_BYTES));
    if (body.length > LARGE_TEXT) yield;
  }
}
