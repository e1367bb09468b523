import type { IncomingMessage } from "node:http";
import { hasReadableType } from "../body/body-type.ts";
import type { NodeCall } from "../node/node-call.ts";

type ParsedRequest = IncomingMessage & { body?: unknown; _body?: boolean };
type Next = (error?: unknown) => void;

/** Empty objects in `req.body` where 0.17 has one without having read anything. */
const placeholders = new WeakSet<object>();

/**
 * Parses the body for interceptors. One of a type that we cannot read is left for them unread, as in 0.17, so that a file
 * for uploads finds its stream.
 */
export function parseBody(call: NodeCall, next: Next): void {
  const req: ParsedRequest = call.req;
  if (req.method === "GET" || req.method === "HEAD" || !hasReadableType(req.headers)) {
    req.body = {};
    placeholders.add(req.body as object);
    next();
    return;
  }
  Promise.resolve(call.body()).then((parsed) => {
    req.body = parsed ?? {};
    // Tells body-parser in any interceptor that there is nothing left to read.
    req._body = true;
    next();
  }, next);
}

/** Removes a placeholder that no interceptor has filled, so that the route reads the body that was sent. */
export function leaveUnfilledBody(req: ParsedRequest): void {
  const { body } = req;
  if (typeof body !== "object" || body === null || !placeholders.has(body)) return;
  if (Object.keys(body).length === 0) req.body = undefined;
}
