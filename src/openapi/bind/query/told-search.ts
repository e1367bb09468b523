import type { Parameter } from "../../read/api-document.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";

const OF_FIELD: readonly RegExp[] = [
  /^(?:to )?(?:search|filter|find|look)(?:es|s|ing)?(?: for)?(?: \w+){0,2} (?:by|in) (?:the |their |its )?[`'"]?(\w+)[`'"]?(?: field)?\.?$/i,
  // "Case-insensitive query applied on the `name` property"
  /\b(?:applied|matched|run) (?:on|against) (?:the )?[`'"](\w+)[`'"] (?:property|field)\b/i,
  // "Based on the name partial match"
  /\b(?:based on|by) (?:the |their |its )?(\w+),? \(?partial\b/i,
];

/** The field that a search is in, if its description names only one: "Search by name". */
export function searchedField(
  shapes: Shapes,
  record: SchemaShape,
  { description = "" }: Parameter,
): NamedFilter | undefined {
  const [name] = OF_FIELD.flatMap((form) => form.exec(description.trim())?.[1] ?? []);
  const isText = (key: string): boolean => {
    const shape = shapes.property(record, key);
    return shape?.types.has("string") === true && (shape.format ?? "") === "";
  };
  const field = name === undefined ? undefined : findAlike(record.properties.keys(), name, isText);
  return field === undefined ? undefined : { field, operator: "contains" };
}
