import { HANDLES, isIdLike } from "./id-key.ts";
import type { Drafted } from "./join.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike, isSameNoun, plainName, wordsIn } from "./words.ts";

/** Names that people give things, beside their ids. */
const NAMES = [...HANDLES, "path", "email", "key", "id", "uuid", "guid", "uid", "identifier"];
/** The fields that have such a name, where none is called so alone; the most telling first. */
const FIELDS = new Map([
  ["path", ["path_with_namespace", "full_path", "path"]],
  ["username", ["username", "login", "handle"]],
  ["slug", ["slug", "path"]],
]);
/** "ID or URL-encoded path of the project", "the slug or the UUID" */
const EITHER = /(?:[\w-]+\W+){1,6}or\W+(?:[\w-]+\W*){1,5}/gi;
const MAX_LETTERS = 300;
/** Stands for a name that is only told to be a text. */
const OF_TEXTS = "*";

/**
 * Other fields by which a path names records, where it says so: `username` for `{id_or_username}`, `path` for "The ID or
 * URL-encoded path of the project".
 */
export function otherNamesOf(shapes: Shapes, { candidate, drafts }: Drafted): readonly string[] {
  const { idKey, hidesId, record, segment } = candidate;
  if (hidesId) return [];
  const told = drafts.flatMap(({ operation, idParameter }) =>
    operation.parameters.flatMap(({ name, in: at, description = "" }) =>
      at === "path" && name === idParameter ? eitherIn(name, description) : [],
    ),
  );
  const wildcards = drafts.flatMap(({ idParameter }) => idParameter ?? []);
  // `/pets/{petId}` and `/pets/{petNumber}` are one path.
  const others = [...wildcards.filter((name) => !isSameNoun(name, segment)), ...wildcards.map(afterOr)];
  // `{id}` and `{uid}` of records that have both.
  const isOther = (name: string): boolean => !isIdLike(wordsIn(name)) || record.properties.has(name);
  const isNumber = shapes.property(record, idKey)?.types.has("integer") === true;
  const found = [...new Set([...told, ...others.filter(isOther)])].flatMap((name) =>
    name === OF_TEXTS && !isNumber ? [] : fieldsNamed(shapes, record, name === OF_TEXTS ? "name" : name),
  );
  return [...new Set(found)].filter((field) => field !== idKey);
}

/** `alias` of `{templateIdOrAlias}` */
function afterOr(parameter: string): string {
  const words = wordsIn(parameter);
  return words.includes("or") ? words.slice(words.indexOf("or") + 1).join("_") : "";
}

/** The names on both sides of an "or", if one of them is that of an id or there are two. */
function eitherIn(parameter: string, description: string): string[] {
  const words = wordsIn(parameter);
  const either = [
    ...(words.includes("or") ? [words] : []),
    ...(description.slice(0, MAX_LETTERS).match(EITHER) ?? []).map(wordsIn),
  ];
  // "A text or a number" is the name, beside an id that is a number.
  if (/\bstring or (?:an? )?(?:integer|number)\b/i.test(description)) return [OF_TEXTS];
  return either.flatMap((one) => {
    const names = one.filter((word) => NAMES.includes(word) || isIdLike([word]));
    return new Set(names).size > 1 ? names : [];
  });
}

function fieldsNamed(shapes: Shapes, record: SchemaShape, name: string): string[] {
  const fits = (key: string): boolean => shapes.isComparable(record, key);
  const names = FIELDS.get(plainName(name)) ?? [name];
  return names.flatMap((one) => findAlike(record.properties.keys(), one, fits) ?? []);
}
