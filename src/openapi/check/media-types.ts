/** A media type without parameters and in lower case; empty for none. */
export function bareType(type: string | undefined): string {
  return (type ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

export function isJsonType(type: string): boolean {
  return type === "application/json" || type === "text/json" || type.endsWith("+json");
}

/** A list of operations; generators for .NET declare any body so, also one that is a record. */
export function isJsonPatchType(type: string): boolean {
  return bareType(type) === "application/json-patch+json";
}

/** The content of a media type: the same one, else the narrowest range that holds it (`text/*`, any). */
export function contentOfType<T extends { readonly type: string }>(
  contents: readonly T[],
  type: string,
): T | undefined {
  const [main] = type.split("/", 1);
  for (const wanted of [type, `${main}/*`, "*/*", "*"]) {
    const found = contents.find((content) => bareType(content.type) === wanted);
    if (found) return found;
  }
  return undefined;
}

/** Whether a body of this type is a form of names and texts. */
export function isUrlEncoded(type: string): boolean {
  return bareType(type) === "application/x-www-form-urlencoded";
}
