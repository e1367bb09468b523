import { isJsonObject, type Json } from "../../../base/json/json.ts";
import { schemaOfValues } from "../../../schema/inference/inferred-schema.ts";
import type { Placed } from "../../../schema/references.ts";
import { bareType } from "../../check/media-types.ts";
import type { CodedResponse, MediaContent, Operation } from "../../read/api-document.ts";

/** The response of an operation when all goes well. A POST that may create or update responds as if it had created. */
export function successOf({
  method,
  responses,
}: Pick<Operation, "responses"> & Partial<Pick<Operation, "method">>): CodedResponse | undefined {
  const usual = responses.find(({ status }) => status >= 200 && status < 300);
  const created = method === "POST" ? responses.find(({ status }) => status === 201) : undefined;
  return created && (created.contents.length > 0 || !usual?.contents.length) ? created : usual;
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
  const { format, type: kind, items } = isJsonObject(schema?.value) ? schema.value : {};
  // "An array of bytes"
  const isRow = kind === "array" && isJsonObject(items) && /^(?:byte|binary|u?int8)$/.test(String(items.format));
  return format === "binary" || (BYTES.test(bare) && (isRow || (kind !== "object" && kind !== "array")));
}

/** `application/json-patch+json` or `application/merge-patch+json`. */
export function patchContentIn(contents: readonly MediaContent[] | undefined): MediaContent | undefined {
  return contents?.find(({ type }) => /^application\/(?:merge-|json-)patch\+json/i.test(type));
}

/** The schema of a body; where it has none, or one that says nothing, that of its example. */
export function bodySchema(content: MediaContent | undefined): Placed | undefined {
  if (!content) return undefined;
  if (content.schema && !saysNothing(content.schema.value)) return content.schema;
  const example = content.examples[0]?.value ?? ownExample(content.schema?.value);
  if (typeof example !== "object" || example === null) return content.schema;
  return { value: schemaOfValues([example], { isPlain: true }), place: `${content.place}/example` };
}

function ownExample(schema: Json | undefined): Json | undefined {
  return isJsonObject(schema) ? schema.example : undefined;
}

/** Words that say no more than what a value is for. */
const NOTES = ["description", "title", "example", "nullable"];

/** Whether a schema allows any object, or a list of any. */
function saysNothing(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  return Object.entries(schema).every(([key, value]) => {
    if (key === "type") return value === "object" || (value === "array" && schema.items !== undefined);
    return NOTES.includes(key) || (key === "items" && saysNothing(value));
  });
}
