import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import {
  endsWithAll,
  findAlike,
  insideFilter,
  nounOf,
  plainName,
  singularOf,
  startsWithAll,
  wordsIn,
} from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { idWithin, OF_FILTERS, OF_FORM, SHORT_CODE } from "./filters-inside.ts";
import { flagWords, type Leaf, leavesIn, listedValues, nearestLeaf } from "./leaves.ts";
import { SEPARATED } from "./record-filters.ts";
import { isBoundTold } from "./told-operators.ts";

/** Words for everything among the values of a filter. */
const EVERYTHING = /^(?:all|any|both|none|nothing|everything|unknown|undefined|unspecified|default)$/;
/** Words around the name of a field: `searchEmail`, `included_event_types`, `nameQuery`. */
const AROUND = ["filter", "search", "by", "query", "included", "find", "select"];
/** Words that names of fields have behind those of parameters: `public_code` is `publicCode1`, `customer` is `customerIDFK`. */
const ENDINGS = [
  "indicator",
  "id",
  "uuid",
  "guid",
  "number",
  "no",
  "nbr",
  "num",
  "code",
  "name",
  "key",
  "value",
  "address",
  "fk",
  "idfk",
  "cd",
  "gid",
];
const OF_ENDS = /^(?:min|max|last|first|from|to|start|end|before|after|since|until)$/;
const OF_IDS = ["id", "uuid", "guid", "number", "no", "nbr", "num", "code", "fk", "idfk", "cd", "gid"];
const OF_UUIDS = ["id", "uuid", "guid", "fk", "idfk", "gid", "key"];
/** The same the other way round: `branchId` is `branch`. */
const LOOSE = ["id", "guid", "uuid", "name", "key", "code", "number", "address"];
const OF_LISTS = /\b(?:lists? of|one or more|multiple|several|s to filter)\b/i;
/** The unit of a radius, and a language of its own. */
const OF_PLACE = /\b(?:radius|bounding box|label selector)\b/i;
const OF_PLACES = /^(?:city|locality|region|postal code|zip code|zip|country|county|country code|state code)$/;
/** Words in names of flags that say more of a state than whose it is. */
const NO_NOUN = /ed$|^(?:by|for|in|on|at|to|from|of|with|or|and|not|only|until|since)$/;
const IDS = /^(?:id|gid|uuid|guid)$/;
/** Names that are common to many things. */
const COMMON =
  /^(?:id|name|type|status|state|title|date|time|version|description|value|code|key|url|uri|text|count|number|order|page|size|format|language|locale|currency|user|role|scope|mode|level|source|target|view|group|label|category)$/;

interface Related {
  readonly parameter: Parameter;
  /** The last fixed segment of the path. */
  readonly segment: string;
}

/**
 * The field that a parameter means under another name: the only one with the values that the parameter lists, the one
 * that the noun of the collection or a word such as `Id` turns into its name, or one deeper in the record.
 */
export function relatedFilter(shapes: Shapes, record: SchemaShape, related: Related): NamedFilter | undefined {
  const { parameter, segment } = related;
  const { name, schema, description = "" } = parameter;
  const shape = schema && shapes.of(schema);
  const given = shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
  if (given?.kind !== "scalar" || OF_FORM.test(description) || OF_PLACE.test(description)) return undefined;
  const asked: Asked = {
    given,
    values: listedValues(given),
    words: wordsOf(parameter, shape?.kind === "array" || listedValues(given).length > 0),
    nouns: new Set(
      [...wordsIn(segment), ...wordsIn(record.name ?? "")].map(singularOf).filter((one) => one !== "search"),
    ),
    isTold: OF_FILTERS.test(description),
    isFilter: /\bfilter/i.test(description),
    isOfIds: /\bg?u?ids?\b/i.test(description) || (/s(?:\[\])?$/.test(name) && !/\bnames?\b/i.test(description)),
    isSmall: record.properties.size <= 8,
    isBound: isBoundTold(shapes, schema, description),
    told: wordsIn(description.replace(/\bIDs\b/g, "ids"))
      .map(singularOf)
      .join(" "),
  };
  if (asked.words.length === 0 || asked.words.length > MAX_WORDS) return undefined;
  const leaves = leavesIn(shapes, record).filter((leaf) => isOfType(asked, leaf));
  const spelt = (fits: (asked: Asked, leaf: Leaf) => boolean): string | undefined =>
    nearestLeaf(leaves.filter((leaf) => fits(asked, leaf)));
  const path =
    namedInCode(asked, leavesIn(shapes, record), description) ??
    spelt(isDescribed) ??
    spelt(isSpeltSo) ??
    spelt(isBeginning) ??
    spelt((one, leaf) => isFlagOf(one, leaf, true)) ??
    spelt(isFlagOf) ??
    spelt(isLonger) ??
    spelt(isShorter) ??
    spelt(isNamedPart) ??
    idOfList(shapes, record, asked) ??
    (leaves.some((leaf) => isNearer(asked, leaf)) ? undefined : spelt(isDeeper)) ??
    spelt(hasValues) ??
    spelt((one, leaf) => hasValues(one, leaf) && sharesWord(one, leaf)) ??
    otherName(asked, leaves);
  return path === undefined || path === name ? undefined : { field: path };
}

const MAX_WORDS = 6;

interface Asked {
  readonly given: SchemaShape;
  /** The values that the parameter lists. */
  readonly values: readonly string[];
  /** The words of its name, in the singular. */
  readonly words: readonly string[];
  /** The words that name the records. */
  readonly nouns: ReadonlySet<string>;
  /** Whether its description calls it a filter. */
  readonly isTold: boolean;
  readonly isFilter: boolean;
  /** Whether its values are ids. */
  readonly isOfIds: boolean;
  /** Whether records have few properties, so that one of them has the rest. */
  readonly isSmall: boolean;
  /** Whether its description compares: "30 minutes or less". */
  readonly isBound: boolean;
  /** The words of its description, in the singular. */
  readonly told: string;
}

/** The last one in the singular, if the parameter takes several. */
function wordsOf({ name, description = "" }: Parameter, isList: boolean): readonly string[] {
  const isMany = isList || name.endsWith("[]") || SEPARATED.test(description) || OF_LISTS.test(description);
  const words = wordsIn(insideFilter(name)).map((word, i, all) =>
    i < all.length - 1 || isMany ? singularOf(word) : word,
  );
  const bare = words.filter((one) => !AROUND.includes(one));
  return bare.some((one) => !IDS.test(one)) ? bare : words;
}

function isOfType({ given, values }: Asked, { shape, values: own }: Leaf): boolean {
  const isNumber = (types: ReadonlySet<string>): boolean => types.has("integer") || types.has("number");
  const isTime = ({ format = "" }: SchemaShape): boolean => format.startsWith("date");
  if (shape.types.size === 0) return !given.types.has("boolean");
  if (given.types.has("boolean")) return flagWords(shape) !== undefined;
  if (shape.types.has("boolean")) return false;
  if (isNumber(given.types) && !given.types.has("string") && !isNumber(shape.types)) return false;
  if (isTime(given) !== isTime(shape)) return false;
  if (values.length === 0 || own.length === 0) return true;
  return values.some((one) => own.some((other) => plainName(one) === plainName(other)));
}

/** `schemeId` is `issueSecuritySchemeId`, if the description calls it "issue security scheme IDs". */
function isDescribed({ words, told, isTold }: Asked, { key, depth }: Leaf): boolean {
  const whole = wordsIn(key).map(singularOf);
  if (depth > 0 || words.join(" ") === whole.join(" ")) return false;
  // "Block hash" is `blockhash`.
  if (told === whole.join(" ") || told.replaceAll(" ", "") === whole.join(""))
    return whole.join("").includes(words[0] ?? "");
  const isPart = endsWithAll(whole, words) || (startsWithAll(whole, words) && ENDINGS.includes(whole.at(-1) ?? ""));
  // `collid` is a "collection ID number".
  const [first = "", ...rest] = whole;
  const isShort = isTold && rest.length > 0 && isShortened(words.join(""), first, rest.join(""));
  return (isPart || isShort) && ` ${told} `.includes(` ${whole.join(" ")} `);
}

function isShortened(name: string, first: string, rest: string): boolean {
  const start = name.endsWith(rest) ? name.slice(0, name.length - rest.length) : name;
  return start !== "" && start !== first && first.startsWith(start);
}

/** `totalMins` "minutes or less" is about `TotalMinutes`. */
function isBeginning({ words, isBound }: Asked, { key, depth, shape }: Leaf): boolean {
  const whole = wordsIn(key);
  const isNumber = shape.types.has("integer") || shape.types.has("number");
  return isBound && isNumber && depth === 0 && words.every((one, i) => whole[i]?.startsWith(singularOf(one)));
}

/** `is_magnet` is `isMagnetSchool`, if the rest is a noun, best the one of the records. */
function isFlagOf({ given, words, nouns }: Asked, { key, depth }: Leaf, isOwn = false): boolean {
  const whole = wordsIn(key).map(singularOf);
  if (!given.types.has("boolean") || words[0] !== "is" || depth > 0 || !startsWithAll(whole, words)) return false;
  return whole.slice(words.length).every((one) => (isOwn ? nouns.has(one) : !NO_NOUN.test(one)));
}

/** People have a `displayName`, other things a `title`, and the `status` of others is their `state`. */
function otherName({ words, values, told }: Asked, leaves: readonly Leaf[]): string | undefined {
  const keys = leaves.filter(({ depth }) => depth === 0).map(({ key }) => key);
  const [word = "", second] = words;
  if (second !== undefined) return undefined;
  if (/^stat(?:e|us)$/.test(word) && values.length > 0) return findAlike(keys, word === "state" ? "status" : "state");
  const isPerson = findAlike(keys, "last_name") !== undefined;
  if (word !== "name" || !/\bname\b/.test(told)) return undefined;
  return ["display_name", "full_name", ...(isPerson ? [] : ["title"])].flatMap(
    (name) => findAlike(keys, name) ?? [],
  )[0];
}

/** `status` of messages is their `messageStatus`, and `insurance_type` of insurances their `type`. */
function isSpeltSo({ words, nouns, isTold, isOfIds }: Asked, { key, depth }: Leaf): boolean {
  if (depth > 0) return false;
  const last = wordsIn(key).map(singularOf);
  if (words.join(" ") === last.join(" ")) return true;
  if (endsWithAll(last, words)) return last.slice(0, -words.length).every((one) => nouns.has(one));
  if (IDS.test(last.join(" ")) && !isOfIds) return false;
  const isSum = /amount|price|total|sum|cost/.test(last.at(-1) ?? "") && !isTold;
  return !isSum && endsWithAll(words, last) && words.slice(0, -last.length).every((one) => nouns.has(one));
}

/** `public_code` is `publicCode1`. */
function isLonger({ given, words, values }: Asked, { key, depth, values: own }: Leaf): boolean {
  if (values.length > 0 && own.length === 0) return false;
  const last = wordsIn(key).map(singularOf);
  if (depth > 0 || (words.length === 1 && COMMON.test(words.join(" ")))) return false;
  const isId = words.length > 1 && IDS.test(words.at(-1) ?? "");
  const base = isId ? words.slice(0, -1) : words;
  const endings = given.format === "uuid" ? OF_UUIDS : isId ? OF_IDS : ENDINGS;
  return startsWithAll(last, base) && last.slice(base.length).every((one) => endings.includes(one));
}

/** `branchId` is `branch`, if that is no object. */
function isShorter({ given, words, values }: Asked, { key, depth, shape, values: own }: Leaf): boolean {
  const last = wordsIn(key).map(singularOf);
  // `genreIds` are not the names in `genres`.
  if (given.format === "uuid" && shape.format !== "uuid" && singularOf(key) !== key) return false;
  if (depth > 0 || own.length > 0 || values.length > 0 || COMMON.test(last.join(" "))) return false;
  return startsWithAll(words, last) && words.slice(last.length).every((one) => LOOSE.includes(one));
}

/** `brand` is `brandCodes.brand.code`, if it lists codes, and "the email of a recipient" `attributes.recipients.email`. */
function isNamedPart({ words, values, told }: Asked, { key, path }: Leaf): boolean {
  const [, holder = ""] = path.split(".").toReversed();
  if (holder === "" || nounOf(holder) !== nounOf(words.join("_"))) return false;
  const last = wordsIn(key).join(" ");
  if (last === "code") return values.length > 0 && values.every((value) => SHORT_CODE.test(value));
  return !COMMON.test(last) && ` ${told} `.includes(` ${last} `);
}

/** `time_periods` are ids of the `time_period`. */
function idOfList(shapes: Shapes, record: SchemaShape, { words, isOfIds }: Asked): string | undefined {
  return isOfIds ? idWithin(shapes, record, words.join("_")) : undefined;
}

/** `reservationStatuses` are those of `reservations`, but `type` may be that of any part. */
function isDeeper({ words, isTold, isFilter, isSmall, nouns }: Asked, { key, path, depth }: Leaf): boolean {
  if (depth === 0) return false;
  const text = words.join(" ");
  const last = wordsIn(key).map(singularOf);
  const steps = path.replace(/^attributes\./, "").split(".");
  const whole = steps.flatMap((step) => wordsIn(step).map(singularOf));
  const first = wordsIn(steps[0] ?? "").map(singularOf);
  // Deep in other parts, names repeat.
  const isSame = words.length > 1 && text === last.join(" ");
  const isPlain = depth === 2 && (isSame || isFilter);
  if (depth > 1 && !isSmall && !isPlain && !first.some((one) => nouns.has(one) || words.includes(one))) return false;
  if (text === last.join(" ")) {
    if (words.length > 1) return !IDS.test(text);
    return isTold && !COMMON.test(text) && (depth === 1 || OF_PLACES.test(text));
  }
  const isNamed = words.every((one) => whole.includes(one)) && endsWithAll(words, last);
  return words.length > 1 && isNamed && words.length > last.length;
}

/** Whether a field of the record itself has a longer name: `customer_tax_id` is nearer than `lines.tax_id`. */
function isNearer({ words }: Asked, { key, depth }: Leaf): boolean {
  return depth === 0 && words.length > 1 && endsWithAll(wordsIn(key), words);
}

/** Whether a field has all values that a parameter lists, or most of them and a word of its name. */
function hasValues(asked: Asked, leaf: Leaf): boolean {
  const { values } = asked;
  const { depth, values: own } = leaf;
  if (depth > 1) return false;
  const wanted = values.map(plainName).filter((one) => !EVERYTHING.test(one));
  if (wanted.length < 2 || own.length < 2) return false;
  const known = own.map(plainName);
  const held = wanted.filter((one) => known.includes(one)).length;
  return held === wanted.length || (sharesWord(asked, leaf) && held >= 2 && held * 2 >= wanted.length);
}

function sharesWord({ words }: Asked, { path }: Leaf): boolean {
  return wordsIn(path).some((one) => words.includes(singularOf(one)));
}

/** "Returns check runs with the specified `name`", "(as error_type_id)": the field that a description names. */
function namedInCode(
  { given, words, values }: Asked,
  leaves: readonly Leaf[],
  description: string,
): string | undefined {
  // "When sorting by `total`, this is the total of the last result", and a bound equals nothing.
  if (/\bsort/i.test(description) || OF_ENDS.test(words[0] ?? "")) return undefined;
  const told = [
    ...description.matchAll(
      /\b(?:by|specified|given|the|their|its|whose|as|field|property|match(?:es|ing)?) [`*"']([A-Za-z_][\w.]{1,40})[`*"']|\b([a-z]+_[a-z_]{2,40})\b/g,
    ),
  ].map(([, one, two]) => one ?? two ?? "");
  const isAsked = ({ key, path, shape, values: own }: Leaf): boolean =>
    given.types.has("boolean") === shape.types.has("boolean") &&
    (wordsIn(key).some((one) => singularOf(one) === words.at(-1)) || plainName(path).endsWith(words.join(""))) &&
    (values.length === 0 || own.length > 0);
  return nearestLeaf(leaves.filter((leaf) => told.includes(leaf.depth === 0 ? leaf.key : leaf.path) && isAsked(leaf)));
}
