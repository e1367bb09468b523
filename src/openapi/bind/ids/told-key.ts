import { isJsonObject } from "../../../base/json/json.ts";
import { type Group, operationOf } from "../groups.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun, nounOf, wordsIn } from "../words.ts";
import { isFlag, isIdLike, type Naming } from "./id-key.ts";

/** Words of a description that may stand before the name of a field. */
const FILLERS = ["the", "a", "an", "unique", "numeric", "id", "identifier", "of", "for"];
/** Descriptions are long where they explain a format; their subject comes first. */
const MAX_WORDS = 12;

/**
 * The field that the description of a wildcard names: `character_id` for "The character ID of a member",
 * `TransactionID` for "Bill Transaction ID number", `name` for "The name of the artwork".
 */
export function keyTold(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { parameter, segment, item }: Naming & { readonly item: Group | undefined },
): string | undefined {
  const told = toldOf(parameter, item);
  const byText = keyInText(shapes, records, { segment, item });
  if (byText !== undefined) return byText;
  const words = wordsIn(told.slice(0, 200)).slice(0, MAX_WORDS);
  const nouns = [segment, ...records.map(({ name = "" }) => name)].map(nounOf);
  const isFiller = (word: string): boolean => FILLERS.includes(word) || nouns.includes(nounOf(word));
  const subject = words.slice(words.findIndex((word) => !isFiller(word)));
  const isNamed = (key: string): boolean => {
    const own = wordsIn(key);
    if (own.length < 2 || !isIdLike(own.slice(-1))) return false;
    return own.every((word, at) => subject[at] === word) || own.every((word, at) => words[at] === word);
  };
  const tellsName = subject[0] === "name" && subject[1] === "of";
  for (const record of records) {
    const keys = [...record.properties.keys()].filter((key) => shapes.isComparable(record, key));
    const ofCode = codeIn(told) ? (codeTold(shapes, record, told) ?? findAlike(keys, "isoCode")) : undefined;
    const found = keys.find(isNamed) ?? (tellsName ? findAlike(keys, "name") : undefined) ?? ofCode;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "Get an item by its address", where that is a text or a number of the record. */
function keyInText(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { segment, item }: Pick<Naming, "segment"> & { readonly item: Group | undefined },
): string | undefined {
  const { summary = "", description = "" } = (item && operationOf(item, "GET")) ?? {};
  const [, owner = "", name = ""] =
    /\bby (\w+) [`'"]?(\w+)[`'"]?\.?(?:$|\. )/i.exec(`${summary}. ${description}`) ?? [];
  const isOwn = /^(?:its|their)$/i.test(owner) || isSameNoun(owner, segment);
  if (!isOwn || name === "" || isIdLike(wordsIn(name))) return undefined;
  const fits = (record: SchemaShape) => (key: string) =>
    shapes.isComparable(record, key) && record.required.has(key) && !isFlag(shapes, record, key);
  return records.flatMap((record) => findAlike(record.properties.keys(), name, fits(record)) ?? [])[0];
}

/** The field that a description quotes: "The id of the item (its `historyKey`)". */
export function keyQuoted(
  shapes: Shapes,
  records: readonly SchemaShape[],
  { parameter, item }: Pick<Naming, "parameter"> & { readonly item: Group | undefined },
): string | undefined {
  const quoted = [...toldOf(parameter, item).matchAll(/`(\w{2,40})`(?! (?:\w+ )?parameter\b)/g)].map(
    ([, name]) => name,
  );
  const [only, other] = records.flatMap((record) =>
    [...record.properties.keys()].filter((key) => quoted.includes(key) && shapes.isComparable(record, key)),
  );
  return other === undefined || other === only ? only : undefined;
}

/** The only field whose description has the same code: `countryCode` for "ISO-3166 country code or another id". */
export function codeTold(shapes: Shapes, record: SchemaShape, told: string): string | undefined {
  const code = codeIn(told);
  if (code === undefined) return undefined;
  const [only, other] = [...record.properties.keys()].filter((key) => {
    const { value } = shapes.property(record, key)?.schema ?? {};
    return shapes.isComparable(record, key) && isJsonObject(value) && codeIn(String(value.description)) === code;
  });
  return other === undefined ? only : undefined;
}

/** "An ISO-3166 or FIPS region code" -> iso 3166 region */
function codeIn(told: string): string | undefined {
  const [, standard, noun = ""] = /\biso[- ]?(\d{3,5})(?:-\d)?(?: or \w+)? (\w+) codes?\b/i.exec(told) ?? [];
  return standard && `iso ${standard} ${noun.toLowerCase()}`;
}

/** Whether a wildcard is told to be an id that only machines write: no name is meant. */
export function isOpaqueId({
  parameter,
  item,
}: Pick<Naming, "parameter"> & { readonly item: Group | undefined }): boolean {
  return /\b(?:object id|uuid|guid|hash)\b/i.test(toldOf(parameter, item));
}

function toldOf(parameter: string | undefined, item: Group | undefined): string {
  const parameters = item?.operations.flatMap((operation) => operation.parameters) ?? [];
  const told = parameters.find(({ name, in: at, description }) => at === "path" && name === parameter && description);
  return told?.description ?? "";
}
