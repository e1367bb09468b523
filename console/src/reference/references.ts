import { isJsonObject, type Json, type JsonObject } from "../api/json.ts";

/** Longer chains of references lead round in a circle. */
const LONGEST_CHAIN = 32;

export interface Resolved {
  readonly value: JsonObject;
  /** The name of the component that it came from, such as `Product`; empty if it stood in place. */
  readonly name: string;
  /** The whole reference, which tells recursion; empty if it stood in place. */
  readonly from: string;
}

/** Follows `$ref` within the document. A description beside a reference wins over the one that it leads to. */
export function resolve(root: JsonObject, given: Json | undefined): Resolved {
  let value = given;
  let from = "";
  const beside: JsonObject = {};
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    if (!isJsonObject(value)) return { value: beside, name: nameIn(from), from };
    const { $ref, ...others } = value;
    for (const [key, other] of Object.entries(others)) if (!Object.hasOwn(beside, key)) beside[key] = other;
    if (typeof $ref !== "string") return { value: beside, name: nameIn(from), from };
    from = $ref;
    value = valueAt(root, $ref);
  }
  return { value: beside, name: nameIn(from), from };
}

/** The value that a reference such as `#/components/schemas/Pet` leads to; undefined in another document. */
function valueAt(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let value: Json | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function nameIn(reference: string): string {
  return decoded(/^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1] ?? "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
