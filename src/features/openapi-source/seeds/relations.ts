import { isJsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import { nounOf } from "../../../openapi/bind/words.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { branchesOf, keyword, schemaFields, typesOf } from "../schema-fields.ts";

interface Relating {
  readonly references: References;
  readonly collections: readonly BoundCollection[];
}

/**
 * The collection whose records a field names by their id: one that may stand in its place (`anyOf` an id and a record, or
 * `x-expansionResources`), else the one that is named like it (`customer`, `customer_id`).
 */
export function targetOf({ references, collections }: Relating, field: string, schema: Placed): string | undefined {
  const branches = branchesOf(references, schema);
  const isScalar = (one: Placed): boolean => {
    const [type] = typesOf(references, one);
    return (
      (type === "string" || type === "integer" || type === "number") &&
      keyword(references, one, "enum") === undefined &&
      [undefined, "int32", "int64", "uuid"].includes(keyword(references, one, "format") as string | undefined)
    );
  };
  if (!branches.some(isScalar)) return undefined;
  const others = keyword(references, schema, "x-expansionResources");
  const expanded = isJsonObject(others) ? branchesOf(references, { value: others, place: `${schema.place}/x` }) : [];
  const { byPlace, byNoun } = namesIn({ references, collections });
  for (const { place } of [...branches, ...expanded]) {
    const held = byPlace.get(place);
    if (held !== undefined) return held;
  }
  const described = DESCRIBED.exec(String(keyword(references, schema, "description")))?.[1];
  const told = described === undefined ? undefined : byNoun.get(nounOf(described));
  if (told !== undefined) return told;
  return OF_TEXTS.includes(field) ? undefined : byNoun.get(nounOf(field.replace(/(?:_id|Id|ID)$/, "")));
}

/** "ID of `/api/users` who assigned the task" */
const DESCRIBED = /\bids? of (?:an? |the )?[`"']?(?:\/[\w-]+)*\/([\w-]+)/i;

/** Names of texts that are no ids, although a collection may have such a name. */
const OF_TEXTS = [
  "secret",
  "token",
  "key",
  "content",
  "text",
  "message",
  "comment",
  "note",
  "status",
  "type",
  "version",
];

/** Whether a field names the kind of its own record, as `content` in `contents` does: it is a part of it then. */
export function isOfOwnKind(field: string, collection: string): boolean {
  return nounOf(field) === nounOf(collection);
}

/** The collection of the records that an object stands for: `{ "cart": { "typeId": "cart", "id": "7" } }`. */
export function targetOfPart({ references, collections }: Relating, field: string, schema: Placed): string | undefined {
  const properties = schemaFields(references, schema)?.properties;
  const isReference = properties?.has("id") === true && properties.size <= MAX_OF_REFERENCE;
  return isReference ? namesIn({ references, collections }).byNoun.get(nounOf(field)) : undefined;
}

/** An object with more fields is a record. */
const MAX_OF_REFERENCE = 4;

interface Names {
  /** By the place of the schema. */
  readonly byPlace: ReadonlyMap<string, string>;
  readonly byNoun: ReadonlyMap<string, string>;
}

/** Every field of every record asks for them. */
const NAMES = new WeakMap<readonly BoundCollection[], Names>();

function namesIn({ references, collections }: Relating): Names {
  const known = NAMES.get(collections);
  if (known) return known;
  // Of several, the first counts.
  const inReverse = collections.toReversed();
  const names = {
    byPlace: new Map(inReverse.map(({ name, record }) => [references.follow(record).place, name])),
    byNoun: new Map(inReverse.map(({ name }) => [nounOf(name), name])),
  };
  NAMES.set(collections, names);
  return names;
}
