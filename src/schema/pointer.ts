import type { Json, JsonObject } from "../base/json/json.ts";

/** One step further in a JSON pointer (RFC 6901). */
export function within(place: string, key: string | number): string {
  return typeof key === "string" && (key.includes("/") || key.includes("~"))
    ? `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    : `${place}/${key}`;
}

/** The steps of a JSON pointer. */
export function pointerSteps(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.split("/").slice(1).map(unescaped);
}

/** The same for the fragment of a reference, which may have percent-escapes. */
export function pointerOf(fragment: string): string[] {
  const pointer = fragment.replace(/^\//, "");
  return pointer === "" ? [] : pointer.split("/").map((step) => unescaped(percentDecoded(step)));
}

/** Undefined where it leads nowhere. */
export function valueAtPointer(root: Json, pointer: readonly string[]): Json | undefined {
  let current: Json | undefined = root;
  for (const step of pointer) {
    const isHere: boolean = typeof current === "object" && current !== null && Object.hasOwn(current, step);
    current = isHere ? (current as JsonObject)[step] : undefined;
  }
  return current;
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A text without its percent-escapes; as it is where they are none. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
