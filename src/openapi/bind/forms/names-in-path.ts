import type { Operation } from "../../read/api-document.ts";
import { HANDLES, isIdLike } from "../ids/id-key.ts";
import { isIdOfOther } from "../ids/id-of-other.ts";
import type { Drafted } from "../join.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun, plainName, singularOf, wordsIn } from "../words.ts";

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
/** "This parameter can be a string or an integer": the name, beside an id that is a number. */
const OF_EITHER_TYPE = /\bstring or (?:an? )?(?:integer|number)\b/i;

/**
 * Other fields by which a path names records, where it says so: `username` for `{id_or_username}`, `path` for "The ID or
 * URL-encoded path of the project".
 */
export function otherNamesOf(shapes: Shapes, { candidate, drafts }: Drafted): readonly string[] {
  const { idKey, hidesId, record, segment } = candidate;
  if (hidesId) return [];
  const isNumber = shapes.property(record, idKey)?.types.has("integer") === true;
  const told = drafts.flatMap(({ operation, idParameter }) =>
    operation.parameters.flatMap(({ name, in: at, description = "" }) => {
      if (at !== "path" || name !== idParameter) return [];
      return isNumber && OF_EITHER_TYPE.test(description) ? ["name"] : eitherIn(name, description);
    }),
  );
  const toldByText = drafts.flatMap(({ action, operation }) => (action === "read" ? byEither(operation, idKey) : []));
  const wildcards = drafts.flatMap(({ idParameter }) => idParameter ?? []);
  // `/pets/{petId}` and `/pets/{petNumber}` are one path.
  const others = [...wildcards.filter((name) => !isSameNoun(name, segment)), ...wildcards.map(afterOr)];
  // `{id}` and `{uid}` of records that have both, but not the `{projectId}` of a risk.
  const isOther = (name: string): boolean =>
    !isIdLike(wordsIn(name)) || (record.properties.has(name) && !isIdOfOther(name, segment));
  const found = [...new Set([...told, ...toldByText, ...others.filter(isOther)])].flatMap((name) =>
    fieldsNamed(shapes, record, { name, segment }),
  );
  return [...new Set(found)].filter((field) => field !== idKey);
}

/** "Get a publisher by its id or alternativeId" */
function byEither({ summary = "", description = "" }: Operation, idKey: string): string[] {
  const names = /\bby (?:its |the |their )?[`'"]?(\w+)[`'"]? or (?:by )?(?:its |the |their )?[`'"]?(\w+)/i;
  const [, one = "", other = ""] = names.exec(`${summary}. ${description}`) ?? [];
  return plainName(one) === plainName(idKey) ? [other] : [];
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
  return either.flatMap((one) => {
    const names = one.filter((word) => NAMES.includes(word) || isIdLike([word]));
    return new Set(names).size > 1 ? names : [];
  });
}

/** `inviteToken` of invites is their `{token}`. */
function fieldsNamed(
  shapes: Shapes,
  record: SchemaShape,
  { name, segment }: { readonly name: string; readonly segment: string },
): string[] {
  const fits = (key: string): boolean => shapes.isComparable(record, key);
  const isHandle = name !== "" && !isIdLike(wordsIn(name));
  const names = FIELDS.get(plainName(name)) ?? [name, ...(isHandle ? [`${singularOf(segment)}_${name}`] : [])];
  return names.flatMap((one) => findAlike(record.properties.keys(), one, fits) ?? []);
}
