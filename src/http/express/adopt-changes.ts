import type { IncomingMessage } from "node:http";
import type { Parameters } from "../../query/parameters.ts";
import { type Call, parseTarget } from "../call.ts";

type Query = Record<string, unknown>;
export type ParsedRequest = IncomingMessage & { body?: unknown; query?: Query };

/** Takes over the method, address and parameters of `req` where interceptors have changed them. */
export function adoptChanges(call: Call, req: ParsedRequest, queryBefore: string): void {
  const target = parseTarget(req.url ?? "/");
  const isSameQuery = JSON.stringify(req.query) === queryBefore;
  // 0.17.4: a query string put into req.url is not parsed again; only req.query counts.
  const parameters = isSameQuery ? call.parameters : parametersFrom(req.query ?? {});
  call.adopt(req.method ?? call.method, { ...call.target, path: target.path }, parameters);
}

function parametersFrom(query: Query): Parameters {
  const parameters = new Map<string, string[]>();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) add(name, element);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    } else if (value !== undefined && value !== null) {
      parameters.set(name, [...(parameters.get(name) ?? []), String(value)]);
    }
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return parameters;
}
