import { leavesIn } from "../../../openapi/bind/query/leaves.ts";
import type { SchemaShape, Shapes } from "../../../openapi/bind/schema-shape.ts";
import { plainName } from "../../../openapi/bind/words.ts";
import type { Placed } from "../../../schema/references.ts";

export const DIRECTION = /^(?:(?:asc|desc)(?:ending)?|-?1)$/i;

/** The field that a name in `sort` means, with a `-` where it sorts downwards. */
export type SortKeyOf = (name: string) => string | undefined;

/** `name`, `-name`, `name:desc`, `name desc` and `name,desc`. Fields that records do not have are left out. */
export function addSort(translated: Map<string, readonly string[]>, values: readonly string[], keyOf: SortKeyOf): void {
  const names: string[] = [];
  for (const word of values.join(",").split(",")) {
    const [text = "", direction = ""] = word.trim().split(/[:\s|]+/);
    const former = names.at(-1);
    if (former !== undefined && DIRECTION.test(text)) {
      if (/^desc/i.test(text)) names[names.length - 1] = `-${former.replace(/^-/, "")}`;
      continue;
    }
    const key = keyOf(text.replace(/^[-+]/, ""));
    const isDown = text.startsWith("-") || /^desc/i.test(direction);
    if (key !== undefined) names.push(isDown && !key.startsWith("-") ? `-${key}` : key);
  }
  if (names.length > 0) translated.set("_sort", [names.join(",")]);
}

/** The property that a name means, whatever its spelling. */
export function fieldNamed(
  properties: ReadonlyMap<string, Placed> | undefined,
  name: string,
  isKnown = false,
): string | undefined {
  if (name === "" || (isKnown && !properties)) return undefined;
  if (!properties || properties.has(name)) return name;
  const plain = plainName(name);
  return [...properties.keys()].find((key) => plainName(key) === plain);
}

/** The property that a list is sorted by: `created` may be `created_at`, and `comments` a `comment_count`. */
function sortField(properties: ReadonlyMap<string, Placed> | undefined, name: string): string | undefined {
  const field = fieldNamed(properties, name);
  if (field !== undefined) return field;
  const others = ["at", "on", "date", "time", "count"].map((end) => `${name}_${end}`);
  for (const other of [...others, `${name.replace(/s$/, "")}_count`, `total_${name}`]) {
    const found = fieldNamed(properties, other, true);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Times of creation and of changes. */
export const BY_TIME =
  /^(?:date_?)?(?:(?:created|creation|inserted|added)(?:_?(?:at|on|date|time|datetime|timestamp))?|(?:create|addition)_?(?:date|time))(?:_?utc)?$/i;
const BY_CHANGE = /^(?:date_?)?(?:last_?)?(?:updated|modified|modification)(?:_?(?:at|on|date|time|datetime))?$/i;
const BY_NAME = /^(?:name|title|label|(?:full|display)_?name)$/i;
/** `price_asc`, `titleDescending`, `name_z_to_a` */
const WITH_DIRECTION = /^(\w+?)_?(?:(asc(?:ending)?|a_to_z)|desc(?:ending)?|z_to_a)$/i;
/** `newest`, `recently_updated`, `oldest_added_first`, `leastcomment` */
const SUPERLATIVE =
  /^(?:newest|latest|(?:most_?)?recent(?:ly)?|most|highest|(oldest|earliest|least_?recent(?:ly)?|least|fewest|lowest))_?(\w*?)(?:_?first)?$/i;
const OF_AGE = /^(?:newest|latest|(?:most_?|least_?)?recent(?:ly)?|oldest|earliest)/i;

/** What a name in `sort` means: a field, or a word such as `newest`, `alphabetical` or `price_desc`. */
export function sortKeyMeant(
  properties: ReadonlyMap<string, Placed> | undefined,
  name: string,
  other: SortKeyOf,
): string | undefined {
  const fieldOf: SortKeyOf = (one) => sortField(properties, one) ?? other(one);
  const found = fieldOf(name);
  if (found !== undefined || !properties) return found;
  const like = (pattern: RegExp): string | undefined => [...properties.keys()].find((key) => pattern.test(key));
  const [, stem, up] = WITH_DIRECTION.exec(name) ?? [];
  if (stem !== undefined) return directed(sortKeyMeant(properties, stem, other), up === undefined);
  if (/^alpha(?:betical(?:ly)?)?$/i.test(name)) return like(BY_NAME);
  if (/^date$/i.test(name) || BY_TIME.test(name)) return like(BY_TIME);
  if (BY_CHANGE.test(name)) return like(BY_CHANGE);
  const [, low, of = ""] = SUPERLATIVE.exec(name) ?? [];
  if (of === "" && !OF_AGE.test(name)) return undefined;
  const field = /^(?:|added|created)$/i.test(of)
    ? (like(BY_TIME) ?? other("created_at"))
    : /^updated?$/i.test(of)
      ? like(BY_CHANGE)
      : (fieldOf(of) ?? fieldOf(`${of}s`));
  return directed(field, low === undefined);
}

/** `usage.last_activity_timestamp` for `last_activity`, if no other object in a record has one. */
export function leafNamed(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  // Parts have ids and times of their own.
  if (/^_?id$/i.test(name) || BY_TIME.test(name) || BY_CHANGE.test(name)) return undefined;
  const wanted = ["", "_at", "_time", "_timestamp"].map((end) => plainName(name + end));
  const isOne = (path: string): boolean => {
    let shape: SchemaShape | undefined = record;
    for (const step of path.split(".")) shape = shape?.kind === "object" ? shapes.property(shape, step) : undefined;
    return shape !== undefined && shape.kind !== "array";
  };
  const [found, second] = leavesIn(shapes, record).filter(
    ({ key, path }) => wanted.includes(plainName(key)) && path !== key && isOne(path),
  );
  return second === undefined ? found?.path : undefined;
}

function directed(field: string | undefined, isDown: boolean): string | undefined {
  return field !== undefined && isDown ? `-${field}` : field;
}
