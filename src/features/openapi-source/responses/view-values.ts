import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { hasType } from "../../../schema/constraints.ts";
import type { Placed, References } from "../../../schema/references.ts";
import { elementSchema, keyword, type SchemaFields, schemaFields, typesOf } from "../schema-fields.ts";

/** A field that a view describes otherwise than records have it. */
interface OtherField {
  readonly name: string;
  readonly types: readonly string[];
  readonly values: readonly Json[] | undefined;
  /** The types of its elements, of a list. */
  readonly ofElements: readonly string[];
  /** The fields that an object in it must have. */
  readonly ofParts: readonly string[];
  readonly isRequired: boolean;
}

/**
 * Prepares values that a view allows for fields that it describes otherwise than records: lists may call an `addon` an
 * `addon_reference`. Undefined where there is no such field.
 */
export function createViewValues(
  references: References,
  { view, record }: { readonly view: SchemaFields; readonly record: SchemaFields | undefined },
): ((shown: JsonObject, made: (name: string) => Json | undefined) => void) | undefined {
  const others = [...view.properties].flatMap(([name, schema]): OtherField[] => {
    const own = record?.properties.get(name);
    if (!own || references.follow(own).value === references.follow(schema).value) return [];
    const field = readField(references, schema);
    const isSame = JSON.stringify(field) === JSON.stringify(readField(references, own));
    return isSame ? [] : [{ name, ...field, isRequired: view.required.has(name) }];
  });
  if (others.length === 0) return undefined;
  return (shown, made) => {
    for (const field of others) {
      const held = shown[field.name];
      if (held === undefined || held === null) continue;
      if (isAllowed(field, held)) {
        if (field.ofParts.length > 0) shown[field.name] = withParts(field, held, made);
        continue;
      }
      const next = nearest(field, held) ?? inOtherType(field, held) ?? made(field.name);
      if (next !== undefined) shown[field.name] = next;
      else if (!field.isRequired) delete shown[field.name];
    }
  };
}

function readField(references: References, schema: Placed): Omit<OtherField, "name" | "isRequired"> {
  const listed = keyword(references, schema, "enum");
  const only = keyword(references, schema, "const");
  const values = Array.isArray(listed) ? listed : only === undefined ? undefined : [only];
  const element = elementSchema(references, schema);
  return {
    types: typesOf(references, schema),
    values,
    ofElements: element ? typesOf(references, element) : [],
    ofParts: [...(schemaFields(references, element ?? schema)?.required ?? [])].sort(),
  };
}

/** A list or an object whose parts have what this view of them requires. */
function withParts({ name, ofParts }: OtherField, held: Json, made: (name: string) => Json | undefined): Json {
  const complete = (part: Json): Json => {
    const missing = isJsonObject(part) ? ofParts.filter((one) => !Object.hasOwn(part, one)) : [];
    if (!isJsonObject(part) || missing.length === 0) return part;
    const [sample] = [made(name)].flat();
    const known = isJsonObject(sample) ? missing.filter((one) => Object.hasOwn(sample, one)) : [];
    return { ...part, ...Object.fromEntries(known.map((one) => [one, (sample as JsonObject)[one]!])) };
  };
  return Array.isArray(held) ? held.map(complete) : complete(held);
}

/** Details such as lengths are left alone: a client sent them so. */
function isAllowed({ types, values, ofElements }: OtherField, value: Json): boolean {
  if (values) return values.some((one) => one === value);
  if (
    Array.isArray(value) &&
    ofElements.length > 0 &&
    !value.every((one) => one === null || isOfTypes(ofElements, one))
  )
    return false;
  return isOfTypes(types, value);
}

function isOfTypes(types: readonly string[], value: Json): boolean {
  return types.length === 0 || types.some((type) => hasType(value, type));
}

/** The allowed value whose name has the held one in it, else the first. */
function nearest({ values }: OtherField, held: Json): Json | undefined {
  return values?.find((one) => String(one).includes(String(held))) ?? values?.[0];
}

/** A number as the text that spells it, and the other way round; an object as its id; texts in a list, or with commas. */
function inOtherType({ types, ofElements }: Pick<OtherField, "types" | "ofElements">, held: Json): Json | undefined {
  if (typeof held === "number" && types.includes("string")) return String(held);
  const isNumber = typeof held === "string" && /^-?\d{1,15}$/.test(held);
  if (isNumber && types.some((type) => type === "integer" || type === "number")) return Number(held);
  if (typeof held === "string" && ofElements.includes("string")) return held.split(/,\s*/);
  const asTexts = Array.isArray(held) && ofElements.includes("string") && held.every((one) => typeof one === "number");
  if (asTexts) return held.map(String);
  if (Array.isArray(held) && types.includes("string") && held.every((one) => typeof one === "string"))
    return held.join(", ");
  if (!isJsonObject(held)) return undefined;
  return [held.id ?? null].find((id) => types.some((type) => hasType(id, type)));
}
