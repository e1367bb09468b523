import { isJsonObject, type Json } from "./json.ts";

/** A rule that a write would have broken. */
export interface Violation {
  /** JSON pointer to the value; empty for the record as a whole. */
  readonly pointer: string;
  /** Follows the name of the value: "must be at least 0". */
  readonly message: string;
  /** The value that broke the rule, if the server tells it. */
  readonly given?: Json;
  /** The place of the record, where several were sent. */
  readonly index?: number;
}

/** Reads the violations of an error response; empty if it lists none. */
export function violationsIn(body: Json | undefined): Violation[] {
  const listed = isJsonObject(body) && Array.isArray(body.errors) ? body.errors : [];
  return listed.flatMap((one) => {
    if (!isJsonObject(one) || typeof one.pointer !== "string" || typeof one.message !== "string") return [];
    const { pointer, message, given, index } = one;
    return [{ pointer, message, ...(given !== undefined && { given }), ...(typeof index === "number" && { index }) }];
  });
}

/** The field of the record that a pointer leads to or into; undefined for the record as a whole. */
export function fieldOf({ pointer }: Violation): string | undefined {
  return stepsOf(pointer)[0];
}

/** The way from the field to the value, as filters write it: `0.city`. Empty for the field itself. */
export function pathInField({ pointer }: Violation): string {
  return stepsOf(pointer).slice(1).join(".");
}

/** The whole way: `locations.0.city`, or `[2].locations.0.city` in the third of several records. */
export function pathOf({ pointer, index }: Violation): string {
  return [...(index === undefined ? [] : [`[${index}]`]), ...stepsOf(pointer)].join(".");
}

export function pointerTo(field: string): string {
  return `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
