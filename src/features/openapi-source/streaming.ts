import { isJsonObject } from "../../base/json/json.ts";
import type { Call } from "../../http/call.ts";
import type { CodedResponse, Operation } from "../../openapi/read/api-document.ts";

const EVENTS = /^text\/event-stream\b/i;

/** The operation with nothing but its stream of events; undefined where the document has no stream beside another body. */
export function streamOf(operation: Operation): Operation | undefined {
  const responses = operation.responses.flatMap((response): CodedResponse[] => {
    const { code, status, range, headers, place } = response;
    const contents = response.contents.filter(({ type }) => EVENTS.test(type));
    const isOneOfSeveral = contents.length > 0 && contents.length < response.contents.length;
    return isOneOfSeveral ? [{ code, status, range, headers, place, contents }] : [];
  });
  if (responses.length === 0) return undefined;
  // Operations read their parts when they are asked for, so they cannot be spread.
  const { method, path, query, place, operationId, summary, parameters, requestBody, security } = operation;
  return { method, path, query, place, operationId, summary, parameters, requestBody, security, responses };
}

/** Whether the body of a request says `"stream": true`, whatever its `Accept` says: SDKs leave that as it is. */
export async function asksForStream(call: Call): Promise<boolean> {
  if (EVENTS.test(call.headers.accept ?? "")) return true;
  if (!/json/i.test(call.headers["content-type"] ?? "")) return false;
  // It is read again by what responds.
  await call.keepBody();
  const body = await call.body();
  return isJsonObject(body) && body.stream === true;
}
