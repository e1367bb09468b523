import type { Parameter } from "../../read/api-document.ts";
import { isIdLike } from "../ids/id-key.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { plainName, wordsIn } from "../words.ts";
import type { NamedFilter } from "./filter-names.ts";
import { idWithin, partOf } from "./filters-inside.ts";
import { asksTruth, flagWords, leavesIn, listedValues } from "./leaves.ts";

/** Formats of times as mail has them (RFC 2822). */
export const MAIL_TIME = /rfc-?(?:2822|822|1123)/i;

const NUMBERS = ["integer", "number", "null"];

/** Whether values are numbers and nothing else. */
function isNumeric({ types }: Pick<SchemaShape, "types">): boolean {
  return types.size > 0 && [...types].every((type) => NUMBERS.includes(type));
}

/** Whether the values of a parameter are words, as it lists them or says that they are names: no number equals them. */
function asksWords(given: SchemaShape, description: string): boolean {
  const listed = listedValues(given);
  if (listed.length > 0) return listed.every((one) => Number.isNaN(Number(one)) && !/^(?:true|false)$/.test(one));
  return given.types.has("string") && given.types.size === 1 && /\bnames?\b/i.test(description);
}

/** Whether a field has any numbers, and nothing else. */
function hasNumbers(shapes: Shapes, record: SchemaShape, field: string): boolean {
  const leaf = leavesIn(shapes, record).find(({ path }) => path === field);
  return leaf !== undefined && leaf.values.length === 0 && isNumeric(leaf.shape);
}

/** A filter of a part, by its id where its type or description says so: "List of category ids". */
export function withPartId(
  shapes: Shapes,
  record: SchemaShape,
  { filter, parameter }: { readonly filter: NamedFilter; readonly parameter: Parameter },
): NamedFilter | undefined {
  const { schema, description = "" } = parameter;
  const [holder = "", member = ""] = filter.field.split(".");
  const given = schema && shapes.of(schema);
  // Words that a parameter lists are no ids.
  // `redirects=false` is about those with a `redirect`, which is no flag.
  const isFlag = given !== undefined && listedValues(given).includes("true") && !filter.operator;
  const isText = (shape?: SchemaShape): boolean => shape?.types.has("string") === true && shape.types.size === 1;
  const isAlike = plainName(parameter.name) === plainName(filter.field);
  if (isFlag && !isAlike && isText(shapes.property(record, filter.field))) return undefined;
  // `tags=true` is about none of the tags, and `stock=true` no number.
  const isTruth = given !== undefined && asksTruth(given) && !filter.operator;
  if (isTruth && isNoFlag(shapes, record, filter.field)) return undefined;
  const types = given?.kind === "array" ? given.items && shapes.of(given.items).types : given?.types;
  if (!filter.operator && given && asksWords(given, description) && hasNumbers(shapes, record, filter.field)) {
    return undefined;
  }
  const isOfIds = holder === "relationships" && filter.field.endsWith(".id");
  if (isOfIds && given && listedValues(given).length > 0) return undefined;
  const part = partOf(shapes, record, holder);
  // "an integer should refer to a milestone by its `number` field"
  const [, own = ""] = /\bby its [`"'](\w+)[`"']/.exec(description) ?? [];
  if (part?.properties.has(own) && shapes.isComparable(part, own)) return { ...filter, field: `${holder}.${own}` };
  const held = part && shapes.property(part, member);
  const isNumber = types !== undefined && isNumeric({ types });
  const isHandle = /^(?:name|title|slug|login|username|handle)$/i.test(member);
  const isTold = isHandle && /\bids?\b/i.test(description) && !/\b(?:name|slug|code|key|handle)s?\b/i.test(description);
  if (!isText(held) || !(isNumber || isTold)) return filter;
  const field = isIdLike(wordsIn(member)) ? undefined : idWithin(shapes, record, holder);
  return field === undefined && isNumber ? undefined : { ...filter, field: field ?? filter.field };
}

/** A date filters times by their first letters, and times as mail has them by a part; nothing is before or after these. */
export function onDay(
  shapes: Shapes,
  record: SchemaShape,
  { filter, schema }: { readonly filter: NamedFilter; readonly schema: Parameter["schema"] },
): NamedFilter | undefined {
  const given = schema && shapes.of(schema).format;
  const held = shapes.property(record, filter.field)?.format ?? "";
  if (given !== "date" && given !== "date-time") return filter;
  if (MAIL_TIME.test(held)) return filter.operator ? undefined : { ...filter, operator: "contains" };
  return given === "date" && held === "date-time" && !filter.operator ? { ...filter, operator: "startsWith" } : filter;
}

/** Whether a field is a list, a number or a text in a part, and no flag in other words. */
function isNoFlag(shapes: Shapes, record: SchemaShape, path: string): boolean {
  const leaf = leavesIn(shapes, record).find((one) => one.path === path);
  if (!leaf || leaf.shape.types.size === 0 || leaf.shape.types.has("boolean") || flagWords(leaf.shape)) return false;
  return path.includes(".") || shapes.property(record, path)?.kind === "array" || !leaf.shape.types.has("string");
}
