import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { CodedResponse, Operation, Parameter, RequestBody, SecurityRequirement } from "./api-document.ts";
import { readContents } from "./contents.ts";
import { type Document, mistake, within } from "./document.ts";
import { readParameters } from "./parameters.ts";
import { type PathTemplate, parsePathTemplate } from "./path-template.ts";
import type { Placed, References } from "./references.ts";
import { readResponses } from "./responses.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Every operation of every path, in the order of the document. */
export function readOperations(document: Document, references: References): Operation[] {
  const { root } = document;
  if (!isJsonObject(root.paths)) throw mistake(document, "#/paths", "is missing: there is nothing to serve.");
  const security = readSecurity(root.security);
  return references.members({ value: root.paths, place: "#/paths" }).flatMap(([path, placed]) => {
    const item = path.startsWith("/") ? references.object(placed) : undefined;
    if (!item) return [];
    const template = parsePathTemplate(path, "single");
    return Object.entries(item.value).flatMap(([method, value]) => {
      const isOne = METHODS.includes(method);
      const operation = isOne ? references.object({ value, place: within(item.place, method) }) : undefined;
      if (!operation) return [];
      return [new ReadOperation({ document, references, item, operation, method, path: template, security })];
    });
  });
}

interface Found {
  readonly document: Document;
  readonly references: References;
  readonly item: Placed<JsonObject>;
  readonly operation: Placed<JsonObject>;
  readonly method: string;
  readonly path: PathTemplate;
  /** What the document requires where an operation says nothing. */
  readonly security: readonly SecurityRequirement[];
}

/** Reads its parts when they are first looked at: a document may have a thousand operations, and most are never used. */
class ReadOperation implements Operation {
  readonly #found: Found;
  #parameters: readonly Parameter[] | undefined;
  #requestBody: { readonly read: RequestBody | undefined } | undefined;
  #responses: readonly CodedResponse[] | undefined;
  #security: readonly SecurityRequirement[] | undefined;
  readonly method: string;
  readonly path: PathTemplate;
  readonly place: string;

  constructor(found: Found) {
    this.#found = found;
    this.method = found.method.toUpperCase();
    this.path = found.path;
    this.place = found.operation.place;
  }

  get operationId(): string | undefined {
    return textOf(this.#found.operation.value.operationId);
  }

  get summary(): string | undefined {
    return textOf(this.#found.operation.value.summary);
  }

  get parameters(): readonly Parameter[] {
    const { references, item, operation } = this.#found;
    this.#parameters ??= readParameters(references, [item, operation]);
    return this.#parameters;
  }

  get requestBody(): RequestBody | undefined {
    this.#requestBody ??= { read: this.#readRequestBody() };
    return this.#requestBody.read;
  }

  get responses(): readonly CodedResponse[] {
    const { document, references, operation } = this.#found;
    const responses = { value: operation.value.responses, place: within(operation.place, "responses") };
    this.#responses ??= readResponses(document, references, responses);
    return this.#responses;
  }

  get security(): readonly SecurityRequirement[] {
    const { operation, security } = this.#found;
    this.#security ??= operation.value.security === undefined ? security : readSecurity(operation.value.security);
    return this.#security;
  }

  #readRequestBody(): RequestBody | undefined {
    const { document, references, operation } = this.#found;
    const place = within(operation.place, "requestBody");
    const body = references.object({ value: operation.value.requestBody, place });
    if (!body) return undefined;
    const contents = readContents(document, references, {
      value: body.value.content,
      place: within(body.place, "content"),
    });
    return { isRequired: body.value.required === true, contents };
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** An empty requirement among others means that nothing is needed. */
function readSecurity(value: Json | undefined): SecurityRequirement[] {
  const list = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const requirements = list.map((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) => ({
      scheme,
      scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    })),
  );
  return requirements.some((requirement) => requirement.length === 0) ? [] : requirements;
}
