import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import { handleOf } from "../ids/field-keys.ts";
import { isIdLike } from "../ids/id-key.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun, plainName, singularOf, wordsIn } from "../words.ts";
import { type NamedFilter, namedFilter } from "./filter-names.ts";
import { idWithin, memberOfPart, OF_FORM, oneOfMany, partOf } from "./filters-inside.ts";
import { asksTruth, flagWords, leavesIn, listedValues } from "./leaves.ts";
import { changeFilter } from "./time-ranges.ts";

/** `ids` is a list of ids. */
export function filterOf(
  find: (name: string) => string | undefined,
  { name, description = "" }: Pick<Parameter, "name" | "description">,
  { idKey, ids, segment }: { readonly idKey: string; readonly ids: readonly string[]; readonly segment: string },
): NamedFilter | undefined {
  const isId = ids.includes(plainName(name)) || plainName(name) === plainName(idKey);
  const isWithout = /^(?:excluded?|not)_?ids?$/i.test(name);
  const ofId = isWithout ? { field: idKey, operator: "nin" } : isId ? { field: idKey } : undefined;
  const found = namedFilter(name, find) ?? ofId;
  const [own = "", ...words] = wordsIn(name);
  // `orderNumber` of orders is the `number`.
  const isToldId = words.join("") !== "id" || /ids?\b/i.test(description);
  const isOwn = words.length > 0 && isSameNoun(own, segment) && isToldId && !OF_FORM.test(description);
  return found ?? (isOwn ? namedFilter(words.join("_"), find) : undefined);
}

/** "Any combination of owner and viewer, separated by commas" */
export const SEPARATED =
  /\b(?:comma|pipe|semi-?colon)[- ](?:sep[ae]rated|delim\w+)\b|\bsep[ae]rated (?:by|with) (?:a )?commas?\b/i;

/** `tagsOneOf` filters by `tags`, and `categoryOneOf` by `category.id`. */
export function oneOfFilter(shapes: Shapes, record: SchemaShape, { name }: Parameter): NamedFilter | undefined {
  const words = wordsIn(name);
  if (words.length < 3 || words.slice(-2).join(" ") !== "one of") return undefined;
  const bare = words.slice(0, -2).join("_");
  const fits = (key: string): boolean => shapes.isComparable(record, key) || shapes.isListOfScalars(record, key);
  const field = findAlike(record.properties.keys(), bare, fits) ?? idWithin(shapes, record, bare);
  return field === undefined ? undefined : { field };
}

/** `include_ing` and `exclude_ing` are about the names in `ingredients`. */
function partsNamed(
  shapes: Shapes,
  record: SchemaShape,
  { name, description }: Pick<Parameter, "name"> & { readonly description: string },
) {
  const [, without, start = ""] = /^(?:include|(exclude))_?([a-z]{3,})$/i.exec(name) ?? [];
  if (start === "" || !SEPARATED.test(description)) return undefined;
  const [found, second] = [...record.properties.keys()].flatMap((key) => {
    const isAlike = plainName(key).startsWith(start.toLowerCase()) && plainName(key) !== start.toLowerCase();
    const isNamed =
      shapes.property(record, key)?.kind === "array" && partOf(shapes, record, key)?.properties.has("name");
    return !isAlike ? [] : shapes.isListOfScalars(record, key) ? [key] : isNamed ? [`${key}.name`] : [];
  });
  if (found === undefined || second !== undefined) return undefined;
  return without === undefined ? { field: found } : { field: found, operator: "nin" };
}

/** `tag` is one of `tagList` or `tags`, and `author` a property of that object that the description names. */
export function filterWithin(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema, description = "" }: Parameter,
): NamedFilter | undefined {
  const isList = (key: string): boolean => {
    const { kind, items } = shapes.property(record, key)!;
    return kind === "array" && items !== undefined && shapes.of(items).kind === "scalar";
  };
  const changed = changeFilter(shapes, record, { name, description });
  if (changed) return changed;
  const parts = partsNamed(shapes, record, { name, description });
  if (parts) return parts;
  // `labelName` is one of the texts in `labels`.
  const lists = [`${name}List`, `${name}s`, name.replace(/(?<=.)_?names?$/i, "s")];
  const many = lists.flatMap((one) => findAlike(record.properties.keys(), one, isList) ?? []);
  if (many[0] !== undefined) return { field: many[0] };
  // `emails` is several of `email`.
  const isOne = (key: string): boolean => shapes.isComparable(record, key);
  const bare = name.replace(/\[\]$/, "");
  const isMany = bare !== name || (schema && shapes.of(schema).kind === "array") || SEPARATED.test(description);
  const one = isMany ? singularOf(bare) : name;
  const field = one === name ? undefined : findAlike(record.properties.keys(), one, isOne);
  if (field !== undefined) return { field };
  const flag =
    schema && shapes.of(schema).types.has("boolean") ? flagNamed(shapes, record, { name, description }) : undefined;
  if (flag !== undefined) return { field: flag };
  const [first, ...others] = wordsIn(name);
  const isAsked = first === "has" && schema !== undefined && shapes.of(schema).types.has("boolean");
  const there = isAsked ? findAlike(record.properties.keys(), others.join("_")) : undefined;
  if (there !== undefined) return { field: there, operator: "!null" };
  // `ip` is one of `ips[].ip`.
  const inMany = memberOfMany(shapes, record, name);
  if (inMany !== undefined) return { field: inMany };
  // "The team ID to filter users on", whose records have `teams`.
  const ofMany = /\bids?\b/i.test(description) ? idWithin(shapes, record, `${name}s`) : undefined;
  const id =
    ofMany ??
    oneOfMany(shapes, record, { name, description }) ??
    idNamed(shapes, record, { name, schema }) ??
    personNamed(shapes, record, { name, schema });
  if (id !== undefined) return { field: id };
  const holder = findAlike(record.properties.keys(), name);
  const inner = holder === undefined ? undefined : shapes.property(record, holder);
  const words = description.split(/\W+/);
  const named =
    inner?.kind === "object"
      ? [...inner.properties.keys()].find((key) => words.includes(key) && shapes.isComparable(inner, key))
      : undefined;
  const member =
    named === undefined ? memberOfPart(shapes, record, { name, schema, description }) : `${holder}.${named}`;
  return member === undefined ? undefined : { field: member };
}

/** The field of a list's elements that both are called so. */
function memberOfMany(shapes: Shapes, record: SchemaShape, name: string): string | undefined {
  const isList = (key: string): boolean => shapes.property(record, key)?.kind === "array";
  const list = findAlike(record.properties.keys(), `${name}s`, isList);
  const part = list === undefined ? undefined : partOf(shapes, record, list);
  const member = part && findAlike(part.properties.keys(), name, (key) => shapes.isComparable(part, key));
  return member === undefined ? undefined : `${list}.${member}`;
}

/** `deleted` filters by `isDeleted` or `deletedStatus`, unless it asks for more records. */
function flagNamed(
  shapes: Shapes,
  record: SchemaShape,
  { name, description }: { readonly name: string; readonly description: string },
): string | undefined {
  if (/\binclud/i.test(description)) return undefined;
  const isFlag = (key: string): boolean => shapes.property(record, key)?.types.has("boolean") === true;
  const spelt = [`is_${name}`, `${name}_status`, `${name}_flag`, name.replace(/^is_?/i, "")];
  return spelt.flatMap((one) => findAlike(record.properties.keys(), one, isFlag) ?? [])[0];
}

/** `created_by_id` is who a record was `created_by`, and `creator` its `user.login`. */
function personNamed(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema }: Pick<Parameter, "name" | "schema">,
): string | undefined {
  if (/^(?:creator|created_?by|author)$/i.test(name)) {
    const user = findAlike(record.properties.keys(), "user");
    const part = user === undefined ? undefined : shapes.property(record, user);
    const handle = part?.kind === "object" ? handleOf(shapes, part) : undefined;
    return handle === undefined ? undefined : `${user}.${handle}`;
  }
  const [, person] = /^(.+by|user|account|customer|owner|assignee)_?id$/i.exec(name) ?? [];
  return person === undefined ? undefined : fieldLike(shapes, record, { name: person, schema });
}

/** `parent` filters by `parentId`, if both are of the same type and any value is allowed. */
function idNamed(shapes: Shapes, record: SchemaShape, { name, schema }: Pick<Parameter, "name" | "schema">) {
  return fieldLike(shapes, record, { name: `${name}_id`, schema });
}

function fieldLike(
  shapes: Shapes,
  record: SchemaShape,
  { name, schema }: Pick<Parameter, "name" | "schema">,
): string | undefined {
  const given = schema && shapes.of(schema);
  const value = given?.schema.value;
  if (given?.kind !== "scalar" || (isJsonObject(value) && value.enum !== undefined)) return undefined;
  const isSame = (key: string): boolean => {
    const types = shapes.property(record, key)?.types;
    return types?.size === 1 && [...given.types].every((type) => types.has(type)) && !types.has("boolean");
  };
  return findAlike(record.properties.keys(), name, isSame);
}

/** "Commit to start listing from", "Time zone in which results will be rendered" */
const OF_OTHERS =
  /\bto start (?:listing|from)\b|\bstart(?:ing)? point\b|\b(?:be rendered|to render|for rendering)\b|\bonly supported value\b|\bon behalf of\b|\binclude (?:\w+ ){1,6}in (?:the )?(?:response|output)\b|\bkey:value pairs\b/i;
/** `content`: "Determines whether or not content is returned" */
const OF_PRESENCE = /\b(?:whether|if)(?: or not)? (?:the )?(\w+) (?:is|are|should be) (?:returned|included)\b/i;

/** Whether the description of a parameter says that it filters nothing. */
export function isNoFilter({ name, description = "" }: Parameter): boolean {
  const [, shown] = OF_PRESENCE.exec(description) ?? [];
  return OF_OTHERS.test(description) || (shown !== undefined && plainName(shown) === plainName(name));
}

/** `prefix`: "return items prefixed with this value", `letter`: "starting with the given letter" */
export function prefixFilter(
  shapes: Shapes,
  { record, idKey }: { readonly record: SchemaShape; readonly idKey: string },
  { name, description = "" }: Parameter,
): NamedFilter | undefined {
  if (
    !/^(?:prefix|letter)$/.test(plainName(name)) ||
    !/\b(?:prefixed|start(?:s|ing)?|begin(?:s|ning)?) with\b|\bby (?:\w+ )?prefix\b/i.test(description)
  ) {
    return undefined;
  }
  const isOfName = plainName(name) === "letter" || /\bnames?\b/i.test(description);
  const field = (isOfName && findAlike(record.properties.keys(), "name")) || idKey;
  const shape = shapes.property(record, field);
  return shape?.types.has("string") && shape.format !== "uuid" ? { field, operator: "startsWith" } : undefined;
}

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

const INCLUSIVE: Readonly<Record<string, NamedFilter["operator"]>> = { gt: "gte", lt: "lte" };
/** "Issued before this time. Inclusive." */
const OF_INCLUSIVE =
  /(?<!\bnot |\bnon-)\binclusive(?:ly)?\b|\b(?:at|on) or (?:after|before)\b|\b(?:or|and) equal to\b/i;
const STRICT: Readonly<Record<string, NamedFilter["operator"]>> = { gte: "gt", lte: "lt" };

/** "Full or partial", "the last name or part of it", "containing the given text" */
const PARTIAL =
  /\b(?:partial|infix|sub-?string|or (?:a )?part of(?: (?:it|its|the|their)|$)|(?:text|term|string) somewhere in|search for parts of|(?:contains?|containing|includes?|including) (?:the|this|a) (?:given |specified |provided |search )?(?:value|text|string|term)|part filter)\b/i;

/** "Only exact matches will be returned; substring matches will not be evaluated" */
const EXACT = /\bonly exact match/i;

/** "The start and end dates, separated by `..`" */
const BOTH_ENDS = /\b(?:start|from|min)\b.*\b(?:end|to|max)\b.*separated by [`'"]?(?:\.\.|,|\/)/i;

/** "By a prefix match on the event type", "a name that **starts with** this value" */
const PREFIX =
  /\bprefix (?:match|filter|search)\b|\bby [\w ]{1,40} prefix\b|^a prefix of\b|\b(?:name|value|field|which|that) [*_]*(?:start|begin)s? with\b/i;

/** "Get those updated after the specified time", "greater than this value" */
const COMPARES =
  /\b(?:(after|later than|newer than|greater than|more than)|(before|earlier than|older than|less than)) (?:this|the (?:specified|given|provided)) (?:value|number|amount|date|time|datetime|timestamp)\b/i;

/** "With a start before this date" */
const OF_BEFORE =
  /(?<!\bor )(?<!\bon or )\bbefore (?:this|the (?:given|specified)) (?:date|time|datetime|timestamp)\b/i;

/** "Made in 30 minutes or less" */
const AT_MOST = /\bor (?:less|fewer|lower)\b|(?<!\bbe )\bat most\b/i;
const AT_LEAST = /(?<!\bone )\bor (?:more|higher|greater)\b|(?<!\bbe )\bat least\b/i;

/** `max_id`: "older than this id" is without it, and "full or partial" may be a part. */
export function toldFilter(
  shapes: Shapes,
  filter: NamedFilter,
  { name, schema, description = "" }: Pick<Parameter, "name" | "schema" | "description">,
): NamedFilter {
  const types = schema ? shapes.of(schema).types : new Set<string>();
  const isText = types.size === 0 || types.has("string");
  if (!filter.operator && isText && BOTH_ENDS.test(description)) return { ...filter, operator: "between" };
  // `userNameFilter` of users is about a part, too.
  const isOfPart = (PARTIAL.test(description) && !EXACT.test(description)) || /\wFilter$/.test(name);
  if (!filter.operator && isText && isOfPart) return { ...filter, operator: "contains" };
  if (!filter.operator && isText && PREFIX.test(description)) return { ...filter, operator: "startsWith" };
  const [, isMore, isLess] = (!filter.operator && COMPARES.exec(description)) || [];
  if (isMore ?? isLess) return { ...filter, operator: isMore ? "gt" : "lt" };
  if (!filter.operator && isBoundTold(shapes, schema, description)) {
    return { ...filter, operator: AT_MOST.test(description) ? "lte" : "gte" };
  }
  const inclusive = INCLUSIVE[filter.operator ?? ""];
  if (inclusive !== undefined && OF_INCLUSIVE.test(description)) return { ...filter, operator: inclusive };
  // Those since an id come after it.
  const isStrict =
    /^since_?id$/i.test(name) ||
    /\b(?:older|newer|earlier|later|less|greater|lower|higher) than\b(?! or)/i.test(description);
  const strict = STRICT[filter.operator ?? ""];
  const isBefore = filter.operator === "lte" && OF_BEFORE.test(description);
  return (isStrict || isBefore) && strict !== undefined ? { ...filter, operator: strict } : filter;
}

/** Whether a parameter is a number that others are compared with. */
export function isBoundTold(shapes: Shapes, schema: Parameter["schema"], description: string): boolean {
  const shape = schema && shapes.of(schema);
  const isNumber = shape !== undefined && (shape.types.has("integer") || shape.types.has("number"));
  // "Must be 1 or higher" tells which values there are.
  const told = description.replace(/[^.;]*\b(?:must|has to|should) be\b[^.;]*/gi, "");
  return isNumber && AT_MOST.test(told) !== AT_LEAST.test(told);
}
