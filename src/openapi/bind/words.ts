import pluralize from "pluralize";

/** Documents repeat few names many thousand times, and both splitting and singulars are slow. */
function remembered<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    let value = known.get(name);
    if (value === undefined) {
      if (known.size >= MAX_REMEMBERED) known.clear();
      value = compute(name);
      known.set(name, value);
    }
    return value;
  };
}

const MAX_REMEMBERED = 20_000;

/** The words of a name in lower case: `petStatus_ID` -> pet, status, id. */
export const wordsIn: (name: string) => readonly string[] = remembered((name) =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase()),
);

/** The same for all spellings of a name: `petId`, `pet_id` and `pet-ID` are alike. */
export const plainName: (name: string) => string = remembered((name) => wordsIn(name).join(""));

export const singularOf: (name: string) => string = remembered((name) => pluralize.singular(name));

export const pluralOf: (name: string) => string = remembered((name) => pluralize.plural(name));

/** The same for `pets`, `Pet` and `PETS`. */
export const nounOf: (name: string) => string = remembered((name) => singularOf(plainName(name)));

/** Whether both name the same thing, in the singular or in the plural. */
export function isSameNoun(one: string, other: string): boolean {
  return nounOf(one) === nounOf(other);
}

/** The first fitting key that is spelt exactly so, else the first that is alike. */
export function findAlike(
  keys: Iterable<string>,
  name: string,
  fits: (key: string) => boolean = () => true,
): string | undefined {
  const wanted = plainName(name);
  let alike: string | undefined;
  for (const key of keys) {
    if (key === name && fits(key)) return key;
    if (alike === undefined && wanted !== "" && plainName(key) === wanted && fits(key)) alike = key;
  }
  return alike;
}

/** Whether the first words of a name are these, and more follow. */
export function startsWithAll(longer: readonly string[], shorter: readonly string[]): boolean {
  return longer.length > shorter.length && shorter.every((one, i) => longer[i] === one);
}

/** Whether the last words of a name are these, and more precede. */
export function endsWithAll(longer: readonly string[], shorter: readonly string[]): boolean {
  const start = longer.length - shorter.length;
  return start > 0 && shorter.every((one, i) => longer[start + i] === one);
}

/** `completed` for `filter[completed]` and `where.completed` */
export function insideFilter(name: string): string {
  return name.replace(/^(?:filters?|where|q|query)[[.](.+?)\]?$/i, "$1");
}
