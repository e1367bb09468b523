import { preflightHeaders } from "../base/cross-origin.ts";
import type { Call } from "./call.ts";
import { firstOf } from "./compose-hooks.ts";
import type { Service } from "./contract.ts";
import type { Reply } from "./response/reply.ts";
import { segmentsOf } from "./router.ts";

/**
 * Which requests with `OPTIONS` are preflights. Those of browsers name the method that is to follow; others may be requests
 * of their own, to a route that a feature claims or to an example.
 */
export function createPreflightTest(service: Service): (call: Call) => boolean {
  const { features, responder } = service;
  const claim = firstOf(features.flatMap((feature) => feature.claim ?? []));
  return (call) => {
    if (!(claim || responder) || call.headers["access-control-request-method"] !== undefined) return true;
    const { path } = service.rewriter.rewrite(call.client);
    return !(responder ? responder.has(path, "OPTIONS") : claim?.(segmentsOf(path), call)?.respond);
  };
}

/** Allows any cross-origin request. 0.17.4: preflights are not logged. */
export function preflightReply(call: Call): Reply {
  const list = preflightHeaders(call.headers);
  const headers: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) headers[list[at]!] = list[at + 1]!;
  call.answeredBy = "cors";
  return { status: 204, headers, isPreflight: true };
}
