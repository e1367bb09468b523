import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { CodedResponse, Operation, Parameter, RequestBody, SecurityRequirement } from "./api-document.ts";
import { readContents } from "./contents.ts";
import { type Document, mistake } from "./document.ts";
import { inQuery, readParameters } from "./parameters.ts";
import { type PathQueryTerm, splitPathQuery } from "./path-query.ts";
import { type PathTemplate, parsePathTemplate } from "./path-template.ts";
import { readResponses } from "./responses.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Every operation of every path, in the order of the document. */
export function readOperations(document: Document, references: References): Operation[] {
  const { root } = document;
  if (!isJsonObject(root.paths)) throw mistake(document, "#/paths", "is missing: there is nothing to serve.");
  const security = readSecurity(root.security);
  const operations: Operation[] = [];
  for (const [text, value] of Object.entries(root.paths)) {
    if (!text.startsWith("/")) continue;
    const split = splitPathQuery(text);
    const path = parsePathTemplate(split.path, "single");
    const items = itemsAt(references, { value, place: within("#/paths", text) });
    for (const item of items) {
      for (const [method, found] of methodsOf(references, item)) {
        const operation = references.object(found);
        if (!operation) continue;
        operations.push(
          new ReadOperation({ document, references, items, operation, method, path, query: split.query, security }),
        );
      }
    }
  }
  return operations;
}

/** A path may refer to another one and have members of its own. */
function itemsAt(references: References, placed: Placed): Placed<JsonObject>[] {
  const item = references.object(placed);
  if (!item) return [];
  if (item.value === placed.value || !isJsonObject(placed.value)) return [item];
  return [item, { value: placed.value, place: placed.place }];
}

/** The operations of a path by their method; OpenAPI 3.2 has further ones below `additionalOperations`. */
function methodsOf(references: References, { value, place }: Placed<JsonObject>): [method: string, found: Placed][] {
  const usual = Object.entries(value).filter(([key]) => METHODS.includes(key));
  const more = references.members({ value: value.additionalOperations, place: within(place, "additionalOperations") });
  return [
    ...usual.map(([key, found]): [string, Placed] => [key.toUpperCase(), { value: found, place: within(place, key) }]),
    ...more,
  ];
}

interface Found {
  readonly document: Document;
  readonly references: References;
  /** The path that it belongs to. */
  readonly items: readonly Placed<JsonObject>[];
  readonly operation: Placed<JsonObject>;
  readonly method: string;
  readonly path: PathTemplate;
  readonly query: readonly PathQueryTerm[];
  /** The security of the document, where an operation has none of its own. */
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
  readonly query: readonly PathQueryTerm[];
  readonly place: string;

  constructor(found: Found) {
    this.#found = found;
    this.method = found.method;
    this.path = found.path;
    this.query = found.query;
    this.place = found.operation.place;
  }

  get operationId(): string | undefined {
    return textOf(this.#found.operation.value.operationId);
  }

  get summary(): string | undefined {
    return textOf(this.#found.operation.value.summary);
  }

  get description(): string | undefined {
    return textOf(this.#found.operation.value.description);
  }

  get isUnbound(): boolean {
    return this.#found.operation.value["x-standin-unbound"] === true;
  }

  get parameters(): readonly Parameter[] {
    const { references, items, operation } = this.#found;
    this.#parameters ??= readParameters(references, [...items, operation])
      .map((one) => inQuery(one, this.query))
      // Generators tell the name of a wildcard twice, as the code has it and as the path does.
      .filter((one) => one.in !== "path" || this.path.names.includes(one.name));
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
    const { references, operation } = this.#found;
    const place = within(operation.place, "requestBody");
    const body = references.object({ value: operation.value.requestBody, place });
    if (!body) return undefined;
    const content = { value: body.value.content, place: within(body.place, "content") };
    return {
      isRequired: body.value.required === true,
      description: textOf(body.value.description),
      contents: readContents(references, content),
    };
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
