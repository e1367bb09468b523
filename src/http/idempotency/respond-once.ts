import { StandinError } from "../../base/errors.ts";
import type { Eventually } from "../../base/eventually.ts";
import { stringifyJson } from "../../base/json/json.ts";
import { Buffer } from "../../base/platform/buffer.ts";
import { createHash } from "../../base/platform/crypto.ts";
import { isExpired, type Receipt, type ReceiptHead, RequestRepeated } from "../../store/receipts.ts";
import { isUnparsed } from "../body/body.ts";
import type { Call } from "../call.ts";
import type { Service } from "../contract.ts";
import { createErrorRenderer } from "../response/error-renderer.ts";
import { keptResponse, type Reply } from "../response/reply.ts";
import { isDryRun, writePreferences } from "../routes/carry-out.ts";

/** Responds with the given service, whose receipt is kept with the write. */
export type RespondWith = (service: Service) => Eventually<Reply>;

export type RespondOnce = (call: Call, service: Service, respond: RespondWith) => Promise<Reply>;

/**
 * Carries out requests with an `Idempotency-Key` once, and repeats the response after that. It stands directly in front of
 * the routes of the data: layers, read-only mode and the choice of the sandbox come first, so a request that is no longer
 * allowed is refused instead of repeated. The store keeps the response of a write together with that write. A refusal has
 * no write, so it is kept by itself, except for those that say nothing about the request.
 */
export function createRespondOnce(): RespondOnce {
  /** Settled when the request with this key is responded to. Other processes are waited for by the store. */
  const running = new Map<string, Promise<void>>();

  return async function respondOnce(call, service, respond) {
    const key = parseIdempotencyKey(call.headers["idempotency-key"] as string);
    if (isDryRun(writePreferences(call))) return respond(service);
    const head = await createReceiptHead(call, service, key);
    for (let first = running.get(head.key); first; first = running.get(head.key)) await first;
    const work = respondOrRepeat(call, { ...service, receipt: head }, respond);
    const done = (): void => {
      running.delete(head.key);
    };
    running.set(head.key, work.then(done, done));
    return work;
  };
}

type ReceiptedService = Service & { readonly receipt: ReceiptHead };

async function respondOrRepeat(call: Call, service: ReceiptedService, respond: RespondWith): Promise<Reply> {
  const { store, receipt: head } = service;
  const { receipt, load } = await store.findReceipt(head.key);
  if (receipt && !isExpired(receipt, head.at)) return repeat(receipt, call, service);
  try {
    return await respond(service);
  } catch (thrown) {
    if (thrown instanceof RequestRepeated) return repeat(thrown.receipt, call, service);
    if (!(thrown instanceof StandinError) || !isKept(thrown.status)) throw thrown;
    const response = keptResponse(createErrorRenderer(service)(call, thrown));
    // A store that cannot keep it cannot write either; running the request again changes nothing then.
    const other = await store.keepReceipt({ ...head, response }, load).catch(() => undefined);
    if (other) return repeat(other, call, service);
    throw thrown;
  }
}

/** Failures of ours and missing permissions may be gone at the next try. */
function isKept(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 403;
}

async function repeat({ request, response }: Receipt, call: Call, service: ReceiptedService): Promise<Reply> {
  if (request !== service.receipt.request) {
    throw new StandinError(
      "IDEMPOTENCY_MISMATCH",
      "This Idempotency-Key was used for another request. Repeat a request exactly as it was, or send a new key.",
    );
  }
  // For the traffic log, which shows the body as it was read.
  await call.bodyText().catch(() => "");
  call.answeredBy = "replay";
  return { ...response, headers: { ...response.headers, "Idempotency-Replayed": "true" } };
}

/** Identifies a request with an `Idempotency-Key`: reads its body, and leaves it for the route. */
async function createReceiptHead(call: Call, service: Service, key: string): Promise<ReceiptHead> {
  const { headers, method, client, sandbox = "" } = call;
  const { authorization = "", "x-api-key": apiKey = "", prefer, "if-match": match } = headers;
  const request = createHash("sha256");
  request.update(JSON.stringify([client.search, headers["content-type"] ?? "", prefer ?? "", match ?? ""]));
  request.update(await bodyOf(call));
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

const MAX_LENGTH = 255;
/** A string of RFC 8941, in quotes. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** Visible characters without quotes and commas: several headers arrive as one, separated by commas. */
const BARE = /^[!#-+\--~]+$/;

/** Reads the header `Idempotency-Key`. The quotes of the draft standard may be left out, as most clients do. */
function parseIdempotencyKey(header: string): string {
  const text = header.trim();
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, "$1");
  const key = quoted ?? (BARE.test(text) ? text : "");
  if (key !== "" && key.length <= MAX_LENGTH) return key;
  const problem = key === "" ? "is empty or has other characters" : `has ${key.length} characters`;
  throw new StandinError(
    "IDEMPOTENCY_KEY_INVALID",
    `The Idempotency-Key ${problem}. Send one key of 1 to ${MAX_LENGTH} visible ASCII characters, such as a UUID.`,
  );
}
