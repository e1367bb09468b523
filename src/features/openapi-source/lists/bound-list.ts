import type { Eventually } from "../../../base/eventually.ts";
import { type Json, parseJson, stringifyJson } from "../../../base/json/json.ts";
import type { Call } from "../../../http/call.ts";
import type { Handler, PathParts, Service } from "../../../http/contract.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { type ListShape, list, type ShapedReply } from "../../../http/routes/list.ts";
import type { Listed } from "../../../http/routes/list-forms.ts";
import type { BoundCollection, BoundOperation } from "../../../openapi/bind/binding.ts";
import type { Parameters } from "../../../query/parameters.ts";
import type { OperationContext } from "../operation-context.ts";
import { createExpectParents } from "../parents/expect-parents.ts";
import { ofParents } from "../parents/parents.ts";
import type { WrapElement } from "../responses/element.ts";
import { createPresentation, type Presentation } from "../responses/presentation.ts";
import { createListParameters, type ListParameters, type ListRequest } from "./list-parameters.ts";
import { createPageValues, linkOf } from "./page-facts.ts";
import { withinBounds } from "./within-bounds.ts";

const NO_PARAMETERS: Parameters = new Map();

/** Lists the records of a bound collection in the form of the document. */
export function createBoundList(
  tools: OperationContext,
  collection: BoundCollection,
  bound: BoundOperation,
): Handler<PathParts> {
  const { operation, parents } = bound;
  const parameters = createListParameters(tools.document.references, bound, collection);
  const presentation = createPresentation(tools, collection, bound);
  const expectParents = createExpectParents(tools, bound);
  const { name, idKey } = collection;
  const shape = createShape(presentation, { bound, parameters, idKey });

  const respond = (call: Call, service: Service, parts: PathParts, request: ListRequest | undefined) => {
    if (request) call.adopt(call.method, call.target, request.parameters);
    const given = parents.length === 0 ? undefined : ofParents(bound, parts);
    return list(call, service, { collection: name, given, shape });
  };

  return (call, service, parts): Eventually<Reply> => {
    tools.guard.check({ operation, call, parts, service });
    const given = call.hasParameters ? call.parameters : NO_PARAMETERS;
    const request = parameters.read(given, call.hasParameters);
    if (parents.length === 0 && request?.bounds === undefined) return respond(call, service, parts, request);
    return (async () => {
      await expectParents(service, parts);
      const whole =
        request && (await withinBounds(service, { collection: name, idKey, given: ofParents(bound, parts), request }));
      return respond(call, service, parts, whole);
    })();
  };
}

interface ShapeOptions {
  readonly bound: BoundOperation;
  readonly parameters: ListParameters;
  readonly idKey: string;
}

function createShape(presentation: Presentation, { bound, parameters, idKey }: ShapeOptions): ListShape {
  const { envelope, element, status, type, rendering, mark, headers: always } = presentation;
  const { headers: declared } = bound;
  const isPaged = parameters.turnings.length > 0;
  const pageValues = createPageValues(parameters, idKey);
  return {
    mark,
    rendering,
    isPaged,
    respond: ({ etag, headers }: ShapedReply, listed: Listed, call: Call): Reply => {
      const text = `[${element && !listed.records ? wrapEach(element, listed.text) : listed.text}]`;
      if (listed.records) presentation.watch(listed.records);
      for (const name in always) headers[name] ??= always[name]!;
      if (!envelope && !isPaged && declared.length === 0) {
        return { status, json: presentation.placed(presentation.checked(text), call.baseUrl), type, etag, headers };
      }
      const roleValue = pageValues(call, listed);
      if (isPaged && listed.window.kind !== "all") {
        const link = linkOf(roleValue);
        if (link !== undefined) headers.Link = link;
      }
      for (const { name, role } of declared) {
        const value = roleValue(role);
        if (value !== undefined) headers[name] = String(value);
      }
      const json = presentation.checked(envelope ? envelope(text, roleValue) : text);
      return { status, json: presentation.placed(json, call.baseUrl), type, etag, headers };
    },
  };
}

/** Parts of records and records with relations are not rendered as elements yet. */
function wrapEach(element: WrapElement, text: string): string {
  return (parseJson(`[${text}]`) as Json[]).map((one) => element(stringifyJson(one))).join(",");
}
