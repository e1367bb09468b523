import type { Json, JsonObject } from "../../../base/json/json.ts";

/** The steps of the fragment of a reference (RFC 6901), without its percent-escapes. */
export function pointerOf(fragment: string): string[] {
  const pointer = fragment.replace(/^\//, "");
  if (pointer === "") return [];
  return pointer.split("/").map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Undefined where it leads nowhere. */
export function valueAt(root: Json, pointer: readonly string[]): Json | undefined {
  let current: Json | undefined = root;
  for (const step of pointer) {
    const isHere: boolean = typeof current === "object" && current !== null && Object.hasOwn(current, step);
    current = isHere ? (current as JsonObject)[step] : undefined;
  }
  return current;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
