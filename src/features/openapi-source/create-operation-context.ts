import { isJsonObject, type Json } from "../../base/json/json.ts";
import { createErrorBodies } from "../../openapi/check/error-body.ts";
import { createSchemaBook } from "../../openapi/check/schema-book.ts";
import type { ApiDocument, MediaContent } from "../../openapi/read/api-document.ts";
import type { Placed } from "../../schema/references.ts";
import { findEmbeddedLists } from "./embedded/embedded-lists.ts";
import { once } from "./once.ts";
import type { OperationContext } from "./operation-context.ts";
import { ExampleResponses } from "./responses/examples.ts";
import { examplesOf } from "./seeds/recorded-examples.ts";
import type { DocumentSampling } from "./seeds/sampling.ts";
import { createRequestGuard } from "./writes/request-guard.ts";

interface ContextOptions {
  readonly seed: number;
  readonly validate: string;
  readonly validateSecurity: boolean;
}

type OwnParts = DocumentSampling &
  Pick<OperationContext, "collections" | "watch" | "mark" | "now" | "writable" | "made" | "keysOf">;

/** Creates the parts of a document's API that all of its operations share. */
export function createOperationContext(
  document: ApiDocument,
  { seed, validate, validateSecurity }: ContextOptions,
  own: OwnParts,
): OperationContext {
  const { sample } = own;
  const book = createSchemaBook(document);
  const examples = new ExampleResponses(document, seed);
  const validator = (schema: Placed) => book.validator(schema, "response");
  const bodyFor = (content: MediaContent): Json | undefined => {
    const { schema } = content;
    const found = examplesOf(document.references, content);
    if (!schema) return found[0];
    const valid = found.find((body) => validator(schema)(body).length === 0);
    return valid ?? sample(schema, schema.place) ?? found.find(isJsonObject);
  };
  return {
    ...own,
    document,
    validator,
    bodyFor,
    embedded: once(() => findEmbeddedLists({ references: document.references, collections: own.collections })),
    errorBody: createErrorBodies({ document, book, sample: (schema) => sample(schema, schema.place) }),
    guard: createRequestGuard({ document, book, validate, validateSecurity }),
    respondFromExamples: (request) => examples.respond(request),
  };
}
