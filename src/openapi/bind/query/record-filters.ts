import { isJsonObject } from "../../../base/json/json.ts";
import type { Parameter } from "../../read/api-document.ts";
import { handleOf } from "../ids/field-keys.ts";
import type { SchemaShape, Shapes } from "../schema-shape.ts";
import { findAlike, isSameNoun, plainName, singularOf, wordsIn } from "../words.ts";
import { type NamedFilter, namedFilter } from "./filter-names.ts";
import { idWithin, memberOfPart, OF_FORM, oneOfMany, partOf } from "./filters-inside.ts";
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
