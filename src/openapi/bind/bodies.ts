import { isJsonObject, type Json } from "../../base/json/json.ts";
import { schemaOfValues } from "../../schema/inference/inferred-schema.ts";
import type { Placed } from "../../schema/references.ts";
import { bareType } from "../check/media-types.ts";
import type { CodedResponse, MediaContent, Operation } from "../read/api-document.ts";

/** The response of an operation when all goes well. */
export function successOf({ responses }: Pick<Operation, "responses">): CodedResponse | undefined {
  return responses.find(({ status }) => status >= 200 && status < 300);
}

/** The JSON among the media types of a body. */
export function jsonContent(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  return (
    contents?.find(({ type }) => bareType(type) === "application/json") ??
    contents?.find(
      ({ type }) => /[/+]json$/.test(bareType(type)) && !/(?:patch|problem)\+json$/.test(bareType(type)),
    ) ??
    contents?.find(({ type }) => bareType(type) === "*/*" || bareType(type) === "application/*")
  );
}

/** The form among the media types of a request body. */
export function formContent(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  return contents?.find(({ type }) => /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type));
}

const BYTES = /^(?:audio|font|image|video)\/|^application\/(?:gzip|octet-stream|pdf|zip)$/;

/** Whether a body is one file, such as `image/png`. */
export function isBytes({ type, schema }: Pick<MediaContent, "type" | "schema">): boolean {
  const bare = bareType(type);
  if (/[/+]json$|^multipart\/|urlencoded$/.test(bare)) return false;
  const { format, type: kind } = isJsonObject(schema?.value) ? schema.value : {};
  return format === "binary" || (BYTES.test(bare) && kind !== "object" && kind !== "array");
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
  return { value: schemaOfValues([example.value], { isPlain: true }), place: `${content.place}/example` };
}

function saysNothing(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  return Object.keys(schema).every((key) => key === "description" || (key === "type" && schema.type === "object"));
}
