import { isJsonObject, type Json, type JsonObject } from "../../src/base/json/json.ts";
import { keyword, recordFieldsOf } from "../../src/features/openapi-source/schema-fields.ts";
import type { MediaContent } from "../../src/openapi/read/api-document.ts";
import type { References } from "../../src/schema/references.ts";

const BOUNDARY = "a-boundary-of-parts";

export function isJson(type: string): boolean {
  return /[/+]json\b|^\*\/|^application\/\*/.test(type);
}

/** A body as a client would write it, with its type. */
export function writeBody(
  references: References,
  content: MediaContent,
  value: Json,
): { readonly type: string; readonly body: string } {
  const { type } = content;
  if (isJson(type)) return { type: type.includes("*") ? "application/json" : type, body: JSON.stringify(value) };
  const fields = isJsonObject(value) ? value : {};
  if (type.startsWith("multipart/")) {
    return { type: `${type.split(";")[0]}; boundary=${BOUNDARY}`, body: writeParts(references, content, fields) };
  }
  if (type.startsWith("application/x-www-form-urlencoded")) return { type, body: String(writeForm(fields)) };
  return { type, body: typeof value === "string" ? value : JSON.stringify(value) };
}

function writeForm(fields: JsonObject): URLSearchParams {
  const form = new URLSearchParams();
  const add = (name: string, value: Json): void => {
    if (Array.isArray(value))
      for (const [at, one] of value.entries()) add(`${name}[${isJsonObject(one) ? at : ""}]`, one);
    else if (isJsonObject(value)) for (const [key, one] of Object.entries(value)) add(`${name}[${key}]`, one);
    else form.append(name, textOf(value));
  };
  for (const [name, value] of Object.entries(fields)) {
    // A list of plain values is sent as its name several times.
    if (Array.isArray(value) && !value.some(isJsonObject)) for (const one of value) form.append(name, textOf(one));
    else add(name, value);
  }
  return form;
}

function writeParts(references: References, { schema }: MediaContent, fields: JsonObject): string {
  const properties = schema && recordFieldsOf(references, schema)?.properties;
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const property = properties?.get(name);
    const isFile = property !== undefined && isBinary(keyword(references, property, "format"));
    if (isFile) return part(`${name}"; filename="note.txt`, "some text", "text/plain");
    return [value]
      .flat()
      .map((one) =>
        typeof one === "object" ? part(name, JSON.stringify(one), "application/json") : part(name, textOf(one)),
      );
  });
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

function isBinary(format: Json | undefined): boolean {
  return format === "binary" || format === "byte";
}

function part(name: string, text: string, type?: string): string {
  const typed = type === undefined ? "" : `Content-Type: ${type}\r\n`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n${typed}\r\n${text}\r\n`;
}

function textOf(value: Json): string {
  return value === null ? "" : String(value);
}
