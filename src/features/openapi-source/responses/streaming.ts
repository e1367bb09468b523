import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { hasReadableType } from "../../../http/body/body-type.ts";
import type { Handler, PathParts } from "../../../http/contract.ts";
import { jsonContent, successOf } from "../../../openapi/bind/bodies/bodies.ts";
import type { CodedResponse, Operation } from "../../../openapi/read/api-document.ts";
import { eventsOf, isEventType } from "../../../openapi/sample/event-stream.ts";
import type { OperationContext } from "../operation-context.ts";
import { keyword, schemaFields } from "../schema-fields.ts";
import { examplesOf } from "../seeds/recorded-examples.ts";
import { createChunkScript } from "./chunk-script.ts";
import { createEventScript } from "./event-script.ts";

/** The operation with nothing but its stream of events; undefined where the document has no stream beside another body. */
export function streamOf(operation: Operation): Operation | undefined {
  return narrowed(operation, isEventType);
}

/** The operation without that stream. */
export function withoutStream(operation: Operation): Operation | undefined {
  return narrowed(operation, (type) => !isEventType(type));
}

function narrowed(operation: Operation, isMeant: (type: string) => boolean): Operation | undefined {
  const responses = operation.responses.flatMap((response): CodedResponse[] => {
    const { code, status, range, headers, place } = response;
    const contents = response.contents.filter(({ type }) => isMeant(type));
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

/**
 * Prepares a stream that tells how the body of the same request without one comes about, which is stored as usual. Undefined
 * where the document shows a stream, or its events do not tell what they are.
 */
export function createScriptedStream(
  tools: OperationContext,
  operation: Operation,
  wholeHandler: () => Handler<PathParts>,
): Handler<PathParts> | undefined {
  const { references } = tools.document;
  const success = successOf(operation);
  const content = success?.contents.find(({ type }) => isEventType(type));
  if (!content?.schema || examplesOf(references, content).length > 0) return undefined;
  const whole = jsonContent(success?.contents)?.schema;
  const script = createEventScript(tools, content.schema, whole) ?? createChunkScript(tools, content.schema, whole);
  if (!script) return undefined;
  const otherwise = wholeHandler();
  const end = endOf(tools, operation);
  return async (call, service, parts) => {
    const sent = hasReadableType(call.headers) ? await call.body() : undefined;
    if (isJsonObject(sent) && Object.hasOwn(sent, "stream")) {
      const { stream: _stream, ...rest } = sent;
      call.giveBody(rest);
    }
    const { json, type: _, etag: _etag, isFixed: _isFixed, ...reply } = await otherwise(call, service, parts);
    const body = json === undefined ? undefined : (JSON.parse(json) as Json);
    if (reply.status >= 300 || !isJsonObject(body)) return { ...reply, json };
    const events = script(body).map((event): Json => {
      const name = event.type;
      return typeof name === "string" ? { event: name, data: event } : event;
    });
    return { ...reply, content: { type: content.type, body: `${eventsOf(events)}${end}` } };
  };
}

/** A last event that the description of `stream` speaks of. */
function endOf({ document: { references } }: OperationContext, { requestBody }: Operation): string {
  const schema = jsonContent(requestBody?.contents)?.schema;
  const stream = schema && schemaFields(references, schema)?.properties.get("stream");
  const text = stream === undefined ? "" : String(keyword(references, stream, "description") ?? "");
  return text.includes("[DONE]") ? "data: [DONE]\n\n" : "";
}
