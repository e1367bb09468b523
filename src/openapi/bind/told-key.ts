import type { Group } from "./groups.ts";
import { isIdLike, type Naming } from "./id-key.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike, nounOf, wordsIn } from "./words.ts";

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
  const words = toldWords(parameter, item);
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
    const found = keys.find(isNamed) ?? (tellsName ? findAlike(keys, "name") : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toldWords(parameter: string | undefined, item: Group | undefined): readonly string[] {
  const parameters = item?.operations.flatMap((operation) => operation.parameters) ?? [];
  const told = parameters.find(({ name, in: at, description }) => at === "path" && name === parameter && description);
  return wordsIn(told?.description?.slice(0, 200) ?? "").slice(0, MAX_WORDS);
}
