import { isJsonObject, type Json, type JsonObject, setField } from "../../base/json/json.ts";
import type { Placed } from "../../schema/references.ts";
import type { CodedResponse, MediaContent, Operation } from "../read/api-document.ts";

/** The response of an operation when all goes well. */
export function successOf({ responses }: Operation): CodedResponse | undefined {
  return responses.find(({ status }) => status >= 200 && status < 300);
}

/** The JSON among the media types of a body. */
export function jsonContent(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  const bare = (type: string): string => type.split(";", 1)[0]!.trim().toLowerCase();
  return (
    contents?.find(({ type }) => bare(type) === "application/json") ??
    contents?.find(({ type }) => /[/+]json$/.test(bare(type)) && !/(?:patch|problem)\+json$/.test(bare(type))) ??
    contents?.find(({ type }) => bare(type) === "*/*" || bare(type) === "application/*")
  );
}

/** The form among the media types of a request body. */
export function formContent(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  return contents?.find(({ type }) => /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type));
}

/** `application/json-patch+json` or `application/merge-patch+json`. */
export function patchContentIn(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  return contents?.find(({ type }) => /^application\/(?:merge-|json-)patch\+json/i.test(type));
}

/** The schema of a body; where it has none, that of its example. */
export function bodySchema(content: MediaContent | undefined): Placed | undefined {
  if (!content) return undefined;
  if (content.schema && !saysNothing(content.schema.value)) return content.schema;
  const [example] = content.examples;
  if (example === undefined || typeof example.value !== "object" || example.value === null) return content.schema;
  return { value: schemaOf(example.value), place: `${content.place}/example` };
}

function saysNothing(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  return Object.keys(schema).every((key) => key === "description" || (key === "type" && schema.type === "object"));
}

function schemaOf(value: Json): JsonObject {
  if (value === null) return {};
  if (Array.isArray(value)) return { type: "array", ...(value.length > 0 && { items: schemaOf(value[0]!) }) };
  if (typeof value !== "object") return { type: typeof value };
  const properties: JsonObject = {};
  for (const [name, member] of Object.entries(value)) setField(properties, name, schemaOf(member));
  return { type: "object", properties };
}
