import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { partOf } from "./filters-inside.ts";

/**
 * A filter whose name leads into a part of records, by the field that the type or the description of its parameter tells:
 * `method` for `collection_method`, which both are a `CollectionMethod`; `owner.address` instead of `owner.name`, where the
 * values are addresses; `start_timestamp` for a `timestamp` called "Start timestamp filter".
 */
export function withTypeTold(
  shapes: Shapes,
  record: SchemaShape,
  { filter, parameter }: { readonly filter: NamedFilter; readonly parameter: Parameter },
): NamedFilter {
  const [holder = "", member, deeper] = filter.field.split(".");
  const given = parameter.schema && shapes.of(parameter.schema);
  if (member === undefined || record.properties.has(filter.field)) return filter;
  const keys = [...record.properties.keys()].filter((key) => shapes.isComparable(record, key));
  const typed =
    given && isEnum(given)
      ? keys.filter((key) => shapes.property(record, key)?.schema.place === given.schema.place)
      : [];
  const told = keys.filter((key) => leads(wordsIn(key), wordsIn(parameter.description ?? "")));
  const [only, other] = typed.length > 0 ? typed : told;
  if (only !== undefined && other === undefined) return { ...filter, field: only };
  const part = partOf(shapes, record, holder);
  if (deeper !== undefined || !part || !given?.format || shapes.property(part, member)?.format === given.format)
    return filter;
  const [same, second] = [...part.properties.keys()].filter(
    (key) => shapes.property(part, key)?.format === given.format,
  );
  return same === undefined || second !== undefined ? filter : { ...filter, field: `${holder}.${same}` };
}

function isEnum({ schema: { value } }: SchemaShape): boolean {
  return isJsonObject(value) && Array.isArray(value.enum);
}

/** Whether a text begins with a name of several words. */
function leads(name: readonly string[], text: readonly string[]): boolean {
  return name.length > 1 && name.every((word, at) => text[at] === word);
}
