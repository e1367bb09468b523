import type { Parameter } from "../../read/api-document.ts";
import { handleOf } from "../ids/field-keys.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { endsWithAll, findAlike, nounOf, plainName, pluralOf, singularOf, wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { type Leaf, leavesIn, listedValues } from "./leaves.ts";
import { attributesOf } from "./resource-attributes.ts";

const IDS = ["id", "gid", "uuid", "guid", "_id", "@id"];
const AMOUNTS = ["amount", "value"];
/** What an object has beside a value that is a word or a number for programs. */
const LABELLED = ["label", "text", "displayName", "display_name"];

/** `tag` for the texts in `tagList`, `tags` for `tags.name` of its objects, and `author` for `author.username`. */
export function findInside(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const keys = [...record.properties.keys()];
  for (const list of [`${name}List`, `${name}s`, pluralOf(name)]) {
    const found = findAlike(keys, list, (key) => shapes.isListOfScalars(record, key));
    if (found !== undefined) return found;
  }
  const found = findAlike(keys, name);
  const shape = found === undefined ? undefined : shapes.property(record, found);
  const inner = found === undefined ? undefined : partOf(shapes, record, found);
  const handle = inner?.kind === "object" || inner?.kind === "mixed" ? handleOf(shapes, inner) : undefined;
  // Names are not unique: a record is named by its id, and several labels by their names.
  const id = handle === "name" && shape?.kind === "object" ? idOfPart(shapes, shape) : undefined;
  if (handle !== undefined) return `${found}.${id ?? handle}`;
  const amount = inner && shape?.kind === "object" ? amountOf(shapes, inner) : undefined;
  if (amount !== undefined) return `${found}.${amount}`;
  const [, holder, member = ""] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
  if (holder !== undefined) return memberOf(shapes, record, { holder, member });
  const owner = /^(.+?)(?:_id|Id|ID)s?$/.exec(name)?.[1];
  const ofOwner =
    owner === undefined ? undefined : (idWithin(shapes, record, owner) ?? idWithin(shapes, record, pluralOf(owner)));
  return ofOwner ?? splitName(shapes, record, wordsIn(name)) ?? attributeOf(shapes, record, name);
}

/** `attributes.title` for `title`: JSON:API has the fields of a record beside its type and its id. */
function attributeOf(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const attributes = attributesOf(shapes, record);
  if (!attributes) return undefined;
  const fits = (key: string): boolean =>
    shapes.isComparable(attributes, key) || shapes.isListOfScalars(attributes, key);
  const found = findAlike(attributes.properties.keys(), name, fits);
  if (found !== undefined) return `attributes.${found}`;
  const related = shapes.property(record, "relationships");
  const owner = nounOf(/^(.+?)(?:_id|Id|ID)s?$/.exec(name)?.[1] ?? name);
  const key = related && [...related.properties.keys()].find((one) => nounOf(one) === owner);
  const one = related && key !== undefined ? shapes.property(related, key) : undefined;
  const data = one && partOf(shapes, one, "data");
  return data?.properties.has("id") ? `relationships.${key}.data.id` : undefined;
}

const MAX_WORDS = 8;

/** `capabilities.speed` for `capability_speed`, and `user.address.city` for `user[address][city]`. */
function splitName(shapes: Shapes, record: SchemaShape, words: readonly string[]): string | undefined {
  if (words.length > MAX_WORDS) return undefined;
  for (let length = words.length - 1; length > 0; length--) {
    const noun = nounOf(words.slice(0, length).join("_"));
    const rest = words.slice(length);
    for (const key of record.properties.keys()) {
      const part = nounOf(key) === noun ? partOf(shapes, record, key) : undefined;
      if (part?.kind !== "object") continue;
      const keys = [...part.properties.keys()];
      const member = nounOf(rest.join("_"));
      const own = findAlike(keys, rest.join("_")) ?? keys.find((name) => nounOf(name) === member);
      const isOwn = own !== undefined && (shapes.isComparable(part, own) || shapes.isListOfScalars(part, own));
      const inner = isOwn ? own : splitName(shapes, part, rest);
      if (inner !== undefined) return `${key}.${inner}`;
    }
  }
  return undefined;
}

/** Parts of records that tell whose they are. */
const OWNERS = ["user", "author", "owner", "creator", "account", "customer", "member"];
const OF_OWNERS = ["username", "login", "email"];
const STATE_CODE = /\bstate code\b|\b(?:two|2)[- ](?:character|letter) (?:\w+ )?state\b/i;
const OF_PLACES = ["city", "locality", "region", "postalcode", "zipcode", "zip", "country", "countrycode", "street"];
/** Names that say nothing of whose they are, and those that a description must say it of. */
const UNTOLD = /^(?:id|value|code|key|ur[li]|text|count|currency|lang|language|locale|format|size|unit|order|page)s?$/;
const COMMON = /^(?:name|type|status|state|title|date|time|version|description|enabled|active)s?$/;
export const OF_FILTERS = /\b(?:filter|restrict|limit|find|search|match|only\b)/i;
export const OF_FORM =
  /\b(?:includ(?:e|ed|es|ing) in\b|expand|embed|render|to be used\b|to return (?:\w+ ){0,3}(?:attributes|fields|values)\b)/i;

/**
 * `user.username` for `username`, and `address.city` for `city`, if no other part has one; so for names of several words
 * and for others that the description calls a filter. Common ones such as `type` are a part's if the description names it.
 */
export function memberOfPart(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema, description = "" }: Pick<Parameter, "name" | "schema" | "description">,
): string | undefined {
  const bare = plainName(name);
  const values = schema ? listedValues(shapes.of(schema)) : [];
  const told = wordsIn(description).map(singularOf);
  const isOfOwner = OF_OWNERS.includes(bare);
  const isSure = isOfOwner || OF_PLACES.includes(bare);
  const isFilter = wordsIn(name).length > 1 || OF_FILTERS.test(description);
  const isCommon = COMMON.test(bare);
  // "A two-letter state code"
  const isCode = bare === "state" && STATE_CODE.test(description);
  if (UNTOLD.test(bare) || OF_FORM.test(description) || !(isSure || isFilter || isCommon)) return undefined;
  const keys = [...record.properties.keys()];
  // `customer_tax_id` is nearer than `lines.tax_id`.
  const words = wordsIn(name);
  const isNearer = (key: string): boolean => endsWithAll(wordsIn(key), words) && shapes.isComparable(record, key);
  if (words.length > 1 && keys.some(isNearer)) return undefined;
  const owners = isOfOwner ? keys.filter((key) => OWNERS.includes(plainName(key))) : [];
  // The only `Poster.UserName` is whose it is.
  const holders = isOfOwner && (owners.length > 0 || bare !== "username") ? owners : keys;
  const found = holders.flatMap((holder) => {
    // "Can be one of `all`, `owner`, `public`" names no owner.
    const isTold = told.includes(singularOf(plainName(holder))) && !values.includes(holder);
    const part = partOf(shapes, record, holder);
    const isPlace =
      isCode && part !== undefined && [...part.properties.keys()].some((key) => OF_PLACES.includes(plainName(key)));
    if (isCommon && !isTold && !isPlace) return [];
    const inner = part?.kind === "object" ? findAlike(part.properties.keys(), name) : undefined;
    return part && inner !== undefined && shapes.isComparable(part, inner) ? [`${holder}.${inner}`] : [];
  });
  if (found.length < 2) return found[0];
  // `schoolId` is `schoolReference.schoolId` rather than `sessionReference.schoolId`.
  const [own, ...others] = found.filter((path) => wordsIn(path)[0] === words[0]);
  return others.length === 0 ? own : undefined;
}

const LABELS = ["tag", "label", "keyword", "genre", "topic"];

/** `tags.name` for `tag`, and `projects.gid` for "The project to filter tasks on". */
export function oneOfMany(
  shapes: Shapes,
  record: SchemaShape,
  { name, description = "" }: { readonly name: string; readonly description?: string },
): string | undefined {
  const isMany = (key: string): boolean => shapes.property(record, key)?.kind === "array";
  const key = findAlike(record.properties.keys(), pluralOf(name), isMany);
  const part = key === undefined ? undefined : partOf(shapes, record, key);
  if (key === undefined || part?.kind !== "object") return undefined;
  const isNamed = LABELS.includes(plainName(name)) || /\bnames?\b/i.test(description);
  const byName = part.properties.has("name") ? `${key}.name` : undefined;
  if (isNamed) return byName;
  return OF_FILTERS.test(description) ? (idWithin(shapes, record, key) ?? byName) : undefined;
}

/** `DE`, `A1`, `fr` */
export const SHORT_CODE = /^(?:[A-Z\d]{1,4}|[a-z]{2})$/;

/**
 * A filter by the field that may have the values that the parameter lists: `attributes.type` instead of a `type` with
 * others, and `brand.code` instead of `brand.name`. Undefined where there is none.
 */
export function withListedValues(
  shapes: Shapes,
  record: SchemaShape,
  { filter, schema }: { readonly filter: NamedFilter; readonly schema: Parameter["schema"] },
): NamedFilter | undefined {
  const given = schema && shapes.of(schema);
  const one = given?.kind === "array" ? given.items && shapes.of(given.items) : given;
  const listed = one ? listedValues(one) : [];
  const leaves = leavesIn(shapes, record);
  const own = leaves.find(({ path }) => path === filter.field);
  if (filter.operator || listed.length === 0 || !own) return filter;
  if (own.values.length === 0) {
    const code = filter.field.replace(/\.name$/, ".code");
    const isCode = listed.every((value) => SHORT_CODE.test(value)) && leaves.some(({ path }) => path === code);
    return isCode ? { field: code } : filter;
  }
  const wanted = listed.map(plainName);
  // `STATUS_ACTIVE` is `active`.
  const shares = ({ values }: Leaf): boolean =>
    values.map(plainName).some((value) => wanted.some((word) => word.includes(value) || value.includes(word)));
  if (shares(own)) return filter;
  const others = leaves.filter(
    (leaf) => leaf !== own && leaf.key === own.key && leaf.depth < 2 && (shares(leaf) || leaf.values.length === 0),
  );
  const found = others.filter(shares).length > 0 ? others.filter(shares) : others.filter(({ depth }) => depth === 0);
  return found.length === 1 ? { field: found[0]!.path } : undefined;
}

/** The number in an object such as `price: { "amount": 5, "currency": "EUR" }`, and `status: { "value": "up", "label": "Up" }`. */
function amountOf(shapes: Shapes, part: SchemaShape): string | undefined {
  const isLabelled = part.properties.has("value") && LABELLED.some((name) => part.properties.has(name));
  if (!isLabelled && !part.properties.has("currency") && !part.properties.has("currency_code")) return undefined;
  return AMOUNTS.find((name) => part.properties.has(name) && shapes.isComparable(part, name));
}

/** `details.email` for `details[email]` */
function memberOf(
  shapes: Shapes,
  record: SchemaShape,
  { holder, member }: { readonly holder: string; readonly member: string },
): string | undefined {
  const key = findAlike(record.properties.keys(), holder);
  const part = key === undefined ? undefined : shapes.property(record, key);
  const inner = part?.kind === "object" ? findAlike(part.properties.keys(), member) : undefined;
  return part && inner !== undefined && shapes.isComparable(part, inner) ? `${key}.${inner}` : undefined;
}

/** `account.id` of an object, and `teams.id` of a list. */
export function idWithin(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const part = findAlike(record.properties.keys(), name);
  const inner = part === undefined ? undefined : partOf(shapes, record, part);
  const key = inner?.kind === "object" ? idOfPart(shapes, inner) : undefined;
  return key === undefined ? undefined : `${part}.${key}`;
}

/** The shape of an object in a record, or of the elements of a list. */
export function partOf(shapes: Shapes, record: SchemaShape, key: string): SchemaShape | undefined {
  const shape = shapes.property(record, key);
  return shape?.kind === "array" ? shape.items && shapes.of(shape.items) : shape;
}

function idOfPart(shapes: Shapes, part: SchemaShape): string | undefined {
  return IDS.find((name) => part.properties.has(name) && shapes.isComparable(part, name));
}
