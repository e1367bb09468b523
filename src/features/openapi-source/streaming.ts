import type { CodedResponse, Operation } from "../../openapi/read/api-document.ts";
import { isEventType } from "../../openapi/sample/event-stream.ts";

/** The operation with nothing but its stream of events; undefined where the document has no stream beside another body. */
export function streamOf(operation: Operation): Operation | undefined {
  const responses = operation.responses.flatMap((response): CodedResponse[] => {
    const { code, status, range, headers, place } = response;
    const contents = response.contents.filter(({ type }) => isEventType(type));
    const isOneOfSeveral = contents.length > 0 && contents.length < response.contents.length;
    return isOneOfSeveral ? [{ code, status, range, headers, place, contents }] : [];
  });
  if (responses.length === 0) return undefined;
  // Operations read their parts when they are asked for, so they cannot be spread.
  const { method, path, query, place, operationId, summary, description, parameters, requestBody, security } =
    operation;
  const told = { operationId, summary, description };
  return { method, path, query, place, ...told, parameters, requestBody, security, responses };
}
