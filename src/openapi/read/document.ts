import { StartError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json/json.ts";

/** A document of examples, read but not yet understood. `place` in messages is a JSON pointer, such as `#/info`. */
export interface Document {
  /** A path or an address. */
  readonly file: string;
  readonly root: JsonObject;
  /** Whether it may refer to files outside its folder. */
  readonly allowsOutside?: boolean;
}

/** A mistake in a document, with its place. */
export function mistake({ file }: Pick<Document, "file">, place: string, what: string): StartError {
  return new StartError(`${file}: ${place}: ${what}`);
}

/** The value found in place of the expected one, for messages. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `${JSON.stringify(value).slice(0, 40)}`;
}
