import type { IncomingMessage } from "node:http";
import type { Target } from "../http/call.ts";

const SPENT = Symbol("spent query");
type Rewritten = IncomingMessage & { [SPENT]?: string };

/** Keeps the query that a rewrite rule has used up: no address of the request has it now. */
export function keepSpentQuery(req: IncomingMessage, search: string): void {
  (req as Rewritten)[SPENT] = search;
}

/** An address of the request as the routes need it, which show its query in `Link`. */
export function withSpentQuery(req: IncomingMessage, target: Target): Target {
  const search = (req as Rewritten)[SPENT];
  return target.search !== "" || search === undefined ? target : { path: target.path, search };
}
