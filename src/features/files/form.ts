import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { RequestHeaders } from "../../http/call.ts";

/** How a form is read. */
export interface FormOptions {
  readonly headers: RequestHeaders;
  /** Of everything but the content of files. */
  readonly maxBodyBytes: number;
  /** Stores a file; undefined for an input that had none chosen. */
  readonly store: (
    content: AsyncIterable<Uint8Array>,
    name: string | undefined,
    type: string,
  ) => Promise<Json | undefined>;
}

export type ReadForm = (content: AsyncIterable<Uint8Array>, options: FormOptions) => Promise<readonly FormPart[]>;

/** One part of a form: a text, or a stored file; undefined for a file that was not chosen. */
export interface FormPart {
  readonly name: string;
  readonly value: Json | undefined;
}

export type KindOfField = "number" | "boolean" | undefined;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The record that a form describes: a name that occurs several times is a list. */
export function recordOfForm(parts: readonly FormPart[], kindOf: (name: string) => KindOfField): JsonObject {
  const fields = new Map<string, Json[]>();
  for (const { name, value } of parts) {
    if (name === "__proto__") throw new StandinError("KEY_FORBIDDEN", 'A form may have no field "__proto__".');
    if (value === undefined) continue;
    const values = fields.get(name) ?? [];
    values.push(typeof value === "string" ? converted(value, kindOf(name)) : value);
    fields.set(name, values);
  }
  return Object.fromEntries(
    [...fields].map(([name, [first = null, ...others]]) => [name, others.length === 0 ? first : [first, ...others]]),
  );
}

/** The files among the parts. */
export function filesOfForm(parts: readonly FormPart[]): JsonObject[] {
  return parts.flatMap(({ value }) => (value !== undefined && isJsonObject(value) ? [value] : []));
}

function converted(text: string, kind: KindOfField): Json {
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return kind === "number" && NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

export function tooManyParts(most: number): StandinError {
  return new StandinError("BODY_TOO_LARGE", `A form may have at most ${most} parts.`);
}
