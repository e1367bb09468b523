import type { JsonObject } from "../../../base/json/json.ts";
import { encodePath } from "../address.ts";
import type { BookRequest } from "../request-book.ts";
import { requestOf, withBody } from "./data-requests.ts";
import type { BookOperation } from "./operations.ts";
import type { CollectionSamples } from "./samples.ts";

/** A stream has no end that a client could wait for. */
const STREAM = "text/event-stream";

/** Bodies for the routes of the server that change nothing, or nothing but the data; undefined where there is no record. */
const BODIES: Readonly<Record<string, (sample: CollectionSamples | undefined) => JsonObject | undefined>> = {
  standin_batch: (sample) => {
    if (sample?.id === undefined) return undefined;
    const path = encodePath(sample.member.name, sample.id);
    return {
      requests: [
        { method: "GET", path },
        { method: "PATCH", path, body: {} },
      ],
    };
  },
  standin_rewrite: (sample) => ({ path: sample ? encodePath(sample.member.name) : "/" }),
  // The password becomes a variable.
  standin_login: () => ({ email: "you@example.com", password: "" }),
};
const HARMLESS = new Set(["standin_rewrite", "standin_login"]);

/**
 * A request for a route of the server itself: those that can be read by their address alone, and those in the table.
 * Routes that manage the server (faults, sandboxes, snapshots, collections, reset, the session of an agent) change it for
 * everyone, and streams never end, so they have none.
 */
export function serverRequest(
  operation: BookOperation,
  sample: CollectionSamples | undefined,
): BookRequest | undefined {
  const { id, method, segments, types } = operation;
  if (segments.some((segment) => segment.startsWith("{"))) return undefined;
  const request = requestOf(operation, segments.length === 1 && segments[0] === "" ? "/" : encodePath(...segments));
  if (method === "GET") return types[0] === STREAM ? undefined : request;
  const body = Object.hasOwn(BODIES, id) ? BODIES[id]!(sample) : undefined;
  return body && { ...withBody(request, body), isWrite: !HARMLESS.has(id) };
}
