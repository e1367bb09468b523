import type { JsonObject } from "../../../base/json/json.ts";
import { operation } from "../../../openapi/write/operation.ts";
import { headers, json, parameters, reference } from "../../../openapi/write/parts.ts";
import type { DescribedMember } from "../../../schema/description/description.ts";
import { typeNamer } from "../../../schema/description/type-names.ts";
import { fileFieldsOf } from "../../../schema/inference/file-shape.ts";
import type { DocumentFacts } from "./api-facts.ts";
import { FILE_CONTENT } from "./file-content.ts";
import { refusalsByRules } from "./rules/ruled-operations.ts";

/** The addresses of files in records, such as `/products/{id}/photo`; a collection of that name hides them. */
export function filePaths(member: DescribedMember, idParameter: JsonObject, facts: DocumentFacts): JsonObject {
  const { name, typeName, shape } = member;
  const make = operation(name, facts, refusalsByRules(member, facts));
  const isTaken = (field: string): boolean => facts.description.members.some((other) => other.name === field);
  const nameOf = typeNamer([]);
  const paths = fileFieldsOf(shape).flatMap((field) => {
    if (field.isList || isTaken(field.name)) return [];
    const suffix = `${typeName}_${nameOf(field.name)}`;
    const record = { ...headers("ETag"), ...json(reference("schemas", typeName)) };
    const item = {
      parameters: [idParameter],
      get: make("read", `download${suffix}`, {
        summary: `Get the file in ${field.name}`,
        parameters: parameters("if-none-match"),
        responses: { 200: { description: "The content of the file", ...FILE_CONTENT } },
      }),
      put: make("update", `upload${suffix}`, {
        summary: `Set ${field.name} to the file in the body`,
        parameters: parameters("if-match"),
        requestBody: { required: true, ...FILE_CONTENT },
        responses: { 200: { description: "The record as it is now", ...record } },
      }),
      delete: make("update", `remove${suffix}`, {
        summary: `Set ${field.name} to null`,
        parameters: parameters("if-match"),
        responses: { 200: { description: "The record as it is now", ...record } },
      }),
    };
    return [[`/${encodeURIComponent(name)}/{id}/${encodeURIComponent(field.name)}`, item]];
  });
  return Object.fromEntries(paths);
}
