import type { Json } from "../../src/base/json/json.ts";
import { declaredResponse } from "../../src/openapi/check/declared-response.ts";
import { bareType, contentOfType, isJsonType } from "../../src/openapi/check/media-types.ts";
import { readSimple } from "../../src/openapi/check/parameter-values.ts";
import type { SchemaBook, ValueCheck } from "../../src/openapi/check/schema-book.ts";
import { shapeOf } from "../../src/openapi/check/text-shape.ts";
import type { ApiDocument, CodedResponse, MediaContent, Operation } from "../../src/openapi/read/api-document.ts";
import { within } from "../../src/schema/pointer.ts";
import type { Violation } from "../../src/schema/rules/violation.ts";

/** A response as it is checked. */
export interface ResponseParts {
  readonly status: number;
  readonly contentType: string | undefined;
  /** By name in lower case; not looked at where they are not given. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Undefined for none. */
  readonly body: Json | undefined;
}

/** Checks responses to a document's operations. */
export interface ResponseCheck {
  /** Finds what is wrong with a whole response. Pointers begin with `/status`, `/header` or `/body`. */
  (operation: Operation, response: ResponseParts): readonly Violation[];
  /** The check of a body alone; undefined where anything is allowed. */
  body(content: MediaContent): ValueCheck | undefined;
}

/** Responses without a body, whatever their content. */
const BODILESS = new Set([204, 205, 304]);

export function createResponseCheck({ references }: Pick<ApiDocument, "references">, book: SchemaBook): ResponseCheck {
  const bodyCheck = ({ type, schema }: MediaContent): ValueCheck | undefined =>
    schema && isJsonType(bareType(type)) ? book.validator(schema, "response") : undefined;

  function checkBody({ contents }: CodedResponse, { status, contentType, body }: ResponseParts): readonly Violation[] {
    if (body === undefined) {
      const isMissing = contents.length > 0 && !BODILESS.has(status);
      return isMissing ? [{ pointer: "/body", rule: "required", message: "is required" }] : [];
    }
    if (contents.length === 0) return [{ pointer: "/body", rule: "content", message: "must not be there" }];
    const content = contentOfType(contents, bareType(contentType));
    if (!content) {
      const message = `must be ${contents.map(({ type }) => type).join(" or ")}`;
      return [{ pointer: "/header/Content-Type", rule: "content-type", message, given: contentType ?? "" }];
    }
    const violations = bodyCheck(content)?.(body) ?? [];
    return violations.map((violation) => ({ ...violation, pointer: `/body${violation.pointer}` }));
  }

  function checkHeaders({ headers }: CodedResponse, { headers: sent }: ResponseParts): readonly Violation[] {
    if (!sent) return [];
    return headers.flatMap(({ name, isRequired, schema }): readonly Violation[] => {
      const pointer = within("/header", name);
      const text = sent[name.toLowerCase()];
      if (text === undefined) return isRequired ? [{ pointer, rule: "required", message: "is required" }] : [];
      if (!schema) return [];
      const shape = shapeOf(schema, references);
      const value = readSimple(text, { name, in: "header", style: "simple", explode: false }, shape);
      const violations = book.validator(schema, "response")(value);
      return violations.map((violation) => ({ ...violation, pointer: pointer + violation.pointer }));
    });
  }

  return Object.assign(
    (operation: Operation, response: ResponseParts): readonly Violation[] => {
      const declared = declaredResponse(operation, response.status);
      if (declared) return [...checkHeaders(declared, response), ...checkBody(declared, response)];
      const codes = operation.responses.map(({ code }) => code).join(", ");
      return [{ pointer: "/status", rule: "status", message: `must be one of ${codes}`, given: response.status }];
    },
    { body: bodyCheck },
  );
}
