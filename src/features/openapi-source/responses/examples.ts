import { Hosted } from "../../../hosted/hosted.ts";
import { Routes } from "../../../hosted/routes.ts";
import { readOpenApi } from "../../../hosted/sources/openapi.ts";
import type { Call } from "../../../http/call.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { ApiDocument, Operation } from "../../../openapi/read/api-document.ts";
import type { OperationRequest } from "../operation-request.ts";

/** Responds to operations from the document's examples and schemas. Each operation is prepared by its first request. */
export class ExampleResponses {
  readonly #document: ApiDocument;
  readonly #seed: number;
  readonly #byOperation = new Map<Operation, Hosted>();

  constructor(document: ApiDocument, seed: number) {
    this.#document = document;
    this.#seed = seed;
  }

  async respond({ operation, call, parts, service }: OperationRequest): Promise<Reply> {
    // An operation without any response, or with failures alone, says no more than that it is there.
    const isSilent = operation.responses.every(({ status }) => status >= 400);
    if (isSilent && !(operation.responses.length > 0 && isPreferred(call))) return { status: 204 };
    const hosted = this.#hostedFor(operation, service.settings.cors);
    const path = operation.path.text.replace(/\{([^{}]+)\}/g, (_whole, name: string) =>
      encodeURIComponent(parts[name.trim()] ?? ""),
    );
    return hosted.respond(call, path);
  }

  #hostedFor(operation: Operation, hasCors: boolean): Hosted {
    const known = this.#byOperation.get(operation);
    if (known) return known;
    const { examples } = readOpenApi({ ...this.#document, operations: [operation] }, this.#seed, {
      areExamplesRepaired: true,
    });
    const hosted = new Hosted(new Routes(examples, hasCors));
    this.#byOperation.set(operation, hosted);
    return hosted;
  }
}

/** Whether a request asks for a response of the document, such as one of its failures. */
function isPreferred({ preferences }: Call): boolean {
  return preferences?.has("code") === true || preferences?.has("example") === true;
}
