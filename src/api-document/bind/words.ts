import pluralize from "pluralize";

/** The words of a name in lower case: `petStatus_ID` -> pet, status, id. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** The same for all spellings of a name: `petId`, `pet_id` and `pet-ID` are alike. */
export function plain(name: string): string {
  return wordsOf(name).join("");
}

export function singularOf(name: string): string {
  return pluralize.singular(name);
}

/** Whether both name the same thing, in the singular or in the plural. */
export function isSameNoun(one: string, other: string): boolean {
  return singularOf(plain(one)) === singularOf(plain(other));
}

/** The first key that is spelt exactly so, else the first that is alike. */
export function findAlike(keys: Iterable<string>, name: string): string | undefined {
  const wanted = plain(name);
  let alike: string | undefined;
  for (const key of keys) {
    if (key === name) return key;
    if (wanted !== "" && plain(key) === wanted) alike ??= key;
  }
  return alike;
}
