import { isJsonObject, type Json } from "../../base/json/json.ts";
import type { Work } from "../../base/slices.ts";
import type { References } from "../../schema/references.ts";
import type { Violation } from "../../schema/rules/violation.ts";
import type { MediaContent, RequestBody } from "../read/api-document.ts";
import { readFormBody, type SentForm } from "./form-body.ts";
import { bareType, contentOfType, isJsonPatchType, isJsonType, isUrlEncoded } from "./media-types.ts";
import type { SchemaBook } from "./schema-book.ts";
import { shapeOf } from "./text-shape.ts";
import { isList, readScalar } from "./text-values.ts";

/** The rule that a body of an undeclared type breaks. */
export const CONTENT_TYPE = "content-type";

interface SentBody {
  readonly body?: Json | undefined;
  readonly contentType: string | undefined;
}

interface Checking {
  readonly book: SchemaBook;
  readonly references: References;
}

/** Finds what is wrong with the body of a request. */
export function* checkRequestBody(
  declared: RequestBody,
  { body, contentType }: SentBody,
  { book, references }: Checking,
): Work<readonly Violation[]> {
  const content = contentFor(declared.contents, contentType);
  const isAbsent = body === undefined || (body === "" && contentType === undefined);
  if (isAbsent && !declared.isRequired) return [];
  // A form without fields has no bytes: its fields are what is missing.
  if (isAbsent && !(content?.schema && isUrlEncoded(content.type))) {
    const types = declared.contents.map(({ type }) => type).join(" or ");
    const message = `is required${types === "" ? "" : `: send a body of type ${types}`}`;
    return [{ pointer: "/body", rule: "required", message }];
  }
  if (declared.contents.length === 0) return [];
  if (!content) return [undeclaredType(declared.contents, contentType)];
  if (!content.schema) return [];
  const value = readBodyValue({ body: body ?? "", contentType, content }, references);
  if (value === undefined) return [];
  if (isJsonPatchType(contentType ?? "") && Array.isArray(value) && !isList(shapeOf(content.schema, references)))
    return [];
  // "A multipart form with a CSV file", described as a text: any form is meant.
  const isForm = isUrlEncoded(content.type) || /^multipart\//i.test(content.type);
  if (isForm && [...shapeOf(content.schema, references).types].join() === "string") return [];
  const violations = yield* book.validator(content.schema, "request").inTurns(value);
  // The value of an operation is that of any field.
  const isPatch = isJsonPatch(value);
  return violations
    .filter(({ pointer }) => !isPatch || !/^\/\d+\/value\b/.test(pointer))
    .map((violation) => ({ ...violation, pointer: `/body${violation.pointer}` }));
}

/** Whether a body is a list of operations of a JSON Patch, whatever its type is called. */
function isJsonPatch(value: Json): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => isJsonObject(one) && "op" in one && "path" in one)
  );
}

/** A body without a type is taken for JSON, as everywhere in standin, or for the one type that there is. */
function contentFor(contents: readonly MediaContent[], contentType: string | undefined): MediaContent | undefined {
  if (contentType !== undefined) return contentOfType(contents, bareType(contentType));
  return contents.find(({ type }) => isJsonType(bareType(type))) ?? contents[0];
}

function undeclaredType(contents: readonly MediaContent[], contentType: string | undefined): Violation {
  const types = contents.map(({ type }) => type).join(", ");
  const pointer = "/header/Content-Type";
  return { pointer, rule: CONTENT_TYPE, message: `must be ${types}`, given: contentType ?? "" };
}

/** The value to check; undefined for a type that is not looked into. */
function readBodyValue(sent: SentForm & { readonly content: MediaContent }, references: References): Json | undefined {
  const { body, contentType, content } = sent;
  const type = bareType(contentType ?? content.type);
  if (isJsonType(type)) return body;
  if (type.startsWith("text/") && typeof body === "string") {
    return /xml|html/.test(type) ? undefined : readScalar(body, shapeOf(content.schema, references));
  }
  return readFormBody(sent, references);
}
