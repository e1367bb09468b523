import { createHash, type Hash } from "node:crypto";
import { stringifyJson } from "../../base/json/exact/stringify.ts";
import { LARGE_TEXT } from "../../base/json/large/light.ts";
import { inSlices, type Work } from "../../base/slices.ts";
import type { ReceiptHead } from "../../store/receipts.ts";
import { givenBody, isUnparsed, keepBody, sentBody } from "../body/body.ts";
import type { Service } from "../contract.ts";
import type { Exchange } from "../exchange.ts";

/** How many bytes are hashed between two pauses. */
const HASHED_BYTES = 1024 * 1024;

/** Identifies a request with an `Idempotency-Key`: reads its body, and leaves it for the route. */
export async function createReceiptHead(exchange: Exchange, service: Service, key: string): Promise<ReceiptHead> {
  const { req, method, client, sandbox = "" } = exchange;
  const { authorization = "", "x-api-key": apiKey = "", prefer, "if-match": match } = req.headers;
  const request = createHash("sha256");
  request.update(JSON.stringify([client.search, req.headers["content-type"] ?? "", prefer ?? "", match ?? ""]));
  await inSlices(addBody(request, await bodyOf(exchange, service)));
  const scope = JSON.stringify([authorization, apiKey, sandbox, method, client.path, key]);
  return {
    key: createHash("sha256").update(scope).digest("base64url"),
    request: request.digest("base64url"),
    at: service.now(),
  };
}

/** The body as the client sent it: an interceptor may have put a date into it, which differs each time. */
async function bodyOf({ req }: Exchange, { settings }: Service): Promise<Buffer> {
  const sent = sentBody(req);
  if (sent) return Buffer.from(sent.text);
  await keepBody(req, settings.maxBodyBytes);
  const given = givenBody(req);
  return Buffer.from(isUnparsed(given) ? given : (stringifyJson(given) ?? ""));
}

function* addBody(hash: Hash, body: Buffer): Work<void> {
  for (let at = 0; at < body.length; at += HASHED_BYTES) {
    hash.update(body.subarray(at, at + HASHED_BYTES));
    if (body.length > LARGE_TEXT) yield;
  }
}
