import { handleOf } from "./field-keys.ts";
import type { SchemaShape, Shapes } from "./schema-shape.ts";
import { findAlike, nounOf, plainName, wordsIn } from "./words.ts";

const IDS = ["id", "gid", "uuid", "guid", "_id", "@id"];
const AMOUNTS = ["amount", "value"];

/** `tag` for the texts in `tagList`, `tags` for `tags.name` of its objects, and `author` for `author.username`. */
export function findInside(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const keys = [...record.properties.keys()];
  for (const list of [`${name}List`, `${name}s`]) {
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
    owner === undefined ? undefined : (idWithin(shapes, record, owner) ?? idWithin(shapes, record, `${owner}s`));
  return ofOwner ?? splitName(shapes, record, name) ?? attributeOf(shapes, record, name);
}

/** `attributes.title` for `title`: JSON:API has the fields of a record beside its type and its id. */
function attributeOf(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const attributes = record.properties.has("type") ? shapes.property(record, "attributes") : undefined;
  if (attributes?.kind !== "object") return undefined;
  const fits = (key: string): boolean =>
    shapes.isComparable(attributes, key) || shapes.isListOfScalars(attributes, key);
  const found = findAlike(attributes.properties.keys(), name, fits);
  return found === undefined ? undefined : `attributes.${found}`;
}

/** `capabilities.speed` for `capability_speed`, and `parentSegment.guid` for `parentSegmentGuid`. */
function splitName(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const words = wordsIn(name);
  for (let length = words.length - 1; length > 0; length--) {
    const noun = nounOf(words.slice(0, length).join("_"));
    const member = words.slice(length).join("_");
    for (const key of record.properties.keys()) {
      if (nounOf(key) !== noun) continue;
      const part = partOf(shapes, record, key);
      const inner = part?.kind === "object" ? findAlike(part.properties.keys(), member) : undefined;
      if (part && inner !== undefined && shapes.isComparable(part, inner)) return `${key}.${inner}`;
    }
  }
  return undefined;
}

/** Parts of records that tell whose they are, and words that tell who or where somebody is. */
const OWNERS = ["user", "author", "owner", "creator", "account", "customer", "member"];
const OF_OWNERS = ["username", "login", "email"];
const OF_PLACES = ["city", "locality", "region", "postalcode", "zipcode", "zip", "country", "countrycode", "street"];

/** `user.username` for `username`, and `address.city` for `city`, if no other part has one. */
export function memberOfPart(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const bare = plainName(name);
  const isOfOwner = OF_OWNERS.includes(bare);
  if (!isOfOwner && !OF_PLACES.includes(bare)) return undefined;
  const found = [...record.properties.keys()].flatMap((holder) => {
    if (isOfOwner && !OWNERS.includes(plainName(holder))) return [];
    const part = shapes.property(record, holder);
    const inner = part?.kind === "object" ? findAlike(part.properties.keys(), name) : undefined;
    return part && inner !== undefined && shapes.isComparable(part, inner) ? [`${holder}.${inner}`] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The number in an object such as `price: { "amount": 5, "currency": "EUR" }`. */
function amountOf(shapes: Shapes, part: SchemaShape): string | undefined {
  if (!part.properties.has("currency") && !part.properties.has("currency_code")) return undefined;
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
