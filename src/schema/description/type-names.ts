/** Words that mean something else in TypeScript or C#, or that the generated texts use themselves. */
export const TAKEN: readonly string[] = [
  ...["Database", "Error", "Counts", "Snapshot", "Comparison"],
  ...["Object", "String", "Number", "Boolean", "Array", "Record", "Uri", "Guid"],
  ...["DateTimeOffset", "DateOnly", "JsonElement", "IReadOnlyList", "IReadOnlyDictionary"],
  ...["System", "JsonPropertyName", "JsonConverter", "JsonExtensionData", "IDictionary"],
  ...["JsonIgnore", "JsonIgnoreCondition"],
  ...["JsonStringEnumConverter", "JsonStringEnumMemberName", "StandinFile"],
];

/**
 * Gives type names to texts: pascal case, letters and digits only, each once. A text without letters, or with a digit in
 * front, begins with `placeholder`.
 */
export function typeNamer(taken: readonly string[] = TAKEN, placeholder = "Type"): (text: string) => string {
  const used = new Set(taken);
  return (text) => {
    const name = pascalCase(text, placeholder);
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}${number}`;
    used.add(free);
    return free;
  };
}

/** `order-lines` -> `OrderLines`; a text without letters becomes `Type`. */
export function pascalCase(text: string, placeholder = "Type"): string {
  const words = text.normalize("NFKD").match(/[A-Za-z\d]+/g) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  if (name === "") return placeholder;
  return /^\d/.test(name) ? `${placeholder}${name}` : name;
}
