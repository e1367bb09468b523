import type { IncomingMessage } from "node:http";
import type { Target } from "../http/call.ts";

const REWRITTEN = Symbol("rewritten target");
type Rewritten = IncomingMessage & { [REWRITTEN]?: Target };

/** Keeps what rewrite rules have done to the query, which the addresses of the request do not tell. */
export function keepRewritten(req: IncomingMessage, target: Target): void {
  (req as Rewritten)[REWRITTEN] = target;
}

/** An address of the request as the routes need it, which show its query in `Link`. */
export function withRewritten(req: IncomingMessage, target: Target): Target {
  const rewritten = (req as Rewritten)[REWRITTEN];
  if (rewritten?.hasQueryOfRule) return { ...target, hasQueryOfRule: true };
  return rewritten?.isQuerySpent && target.search === "" ? { path: target.path, search: rewritten.search } : target;
}
