import { isJsonObject, type Json, type JsonObject } from "../../../../base/json/json.ts";
import type { Schema } from "../../../../schema/references.ts";
import { mapBeside, schemasBeside } from "../../../../schema/rules/inner-schemas.ts";

type Resolve = (ref: string) => Schema;

/** The fields that the server fills in; those with a known value have it as their default. */
export interface FilledFields {
  readonly names: readonly string[];
  readonly defaults: JsonObject;
}

/** Requires no fields that the server fills in. All else is as for the complete record. */
export function withoutFilled(schema: JsonObject, filled: FilledFields, resolve: Resolve): JsonObject {
  return new Completing(filled, resolve).bodyOf(schema) as JsonObject;
}

class Completing {
  readonly #filled: ReadonlySet<string>;
  readonly #defaults: JsonObject;
  readonly #resolve: Resolve;

  constructor({ names, defaults }: FilledFields, resolve: Resolve) {
    this.#filled = new Set([...names, ...Object.keys(defaults)]);
    this.#defaults = defaults;
    this.#resolve = resolve;
  }

  bodyOf(schema: Schema): Schema {
    if (typeof schema === "boolean" || !this.#concerns(schema)) return schema;
    const body = mapBeside(schema, (inner) => this.bodyOf(inner));
    const more: Schema[] = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = schema[keyword];
      if (typeof ref !== "string" || !this.#concerns(this.#resolve(ref))) continue;
      delete body[keyword];
      more.push(this.bodyOf(this.#resolve(ref)));
    }
    if (schema.minProperties !== undefined) {
      body.minProperties = Math.max(0, (schema.minProperties as number) - this.#filled.size);
    }
    // A field that is always there has its consequences always.
    for (const [field, inner] of Object.entries((schema.dependentSchemas ?? {}) as Record<string, Schema>)) {
      if (this.#filled.has(field)) more.push(this.bodyOf(inner));
    }
    if (more.length > 0) body.allOf = [...((body.allOf as Json[] | undefined) ?? []), ...more];
    return this.#withRequired(body, schema);
  }

  #withRequired({ required: _, ...body }: JsonObject, schema: JsonObject): JsonObject {
    const { required = [], dependentRequired } = schema;
    const dependent = Object.entries((dependentRequired ?? {}) as Record<string, string[]>);
    const always = dependent.flatMap(([field, fields]) => (this.#filled.has(field) ? fields : []));
    const needed = new Set([...this.#unfilled([...(required as string[]), ...always]), ...this.#unfit(schema)]);
    const lists = dependent.map(([field, fields]) => [field, this.#unfilled(fields)]);
    return {
      ...body,
      ...(dependentRequired !== undefined && { dependentRequired: Object.fromEntries(lists) as JsonObject }),
      ...(needed.size > 0 && { required: [...needed] }),
    };
  }

  /** Fields whose default does not match here: without another value the record would not match either. */
  #unfit({ properties = {} }: JsonObject): string[] {
    const defaults = Object.entries(this.#defaults);
    return defaults
      .filter(([field, value]) =>
        isOther(Object.hasOwn(properties as JsonObject, field) ? (properties as JsonObject)[field] : true, value),
      )
      .map(([field]) => field);
  }

  #unfilled(fields: readonly string[]): string[] {
    return fields.filter((field) => !this.#filled.has(field));
  }

  /** Whether a schema, or one beside it, speaks about the presence of fields that the server fills in. */
  #concerns(schema: Schema): boolean {
    if (typeof schema === "boolean") return false;
    const { required = [], dependentRequired = {}, dependentSchemas = {}, minProperties } = schema;
    const named = [required as string[], ...Object.entries(dependentRequired as JsonObject).flat(2)].flat();
    return (
      minProperties !== undefined ||
      this.#unfit(schema).length > 0 ||
      [...named, ...Object.keys(dependentSchemas as JsonObject)].some((field) => this.#filled.has(field as string)) ||
      schemasBeside(schema, this.#resolve).some((inner) => this.#concerns(inner))
    );
  }
}

/** Whether a schema names its values, and this is none of them. */
function isOther(schema: Json | undefined, value: Json): boolean {
  if (!isJsonObject(schema)) return false;
  const { const: only, enum: values = only === undefined ? undefined : [only] } = schema;
  return Array.isArray(values) && !values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}

/** Conditions on the record as a whole, which some of its fields need not meet. */
const ABOUT_WHOLE = new Set([
  ...["required", "minProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"],
  ...["const", "enum", "not", "if", "then", "else"],
]);
/** Replaced by parts of the schemas that they have or lead to. */
const COMBINING = new Set(["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"]);

/** Some fields of a record: those that are there must be as the rules say, but none is required. */
export function someFields(schema: Schema, resolve: Resolve): Schema {
  if (typeof schema === "boolean") return schema;
  const plain = Object.entries(schema).filter(([keyword]) => !ABOUT_WHOLE.has(keyword) && !COMBINING.has(keyword));
  const part = Object.fromEntries(plain);
  const all = [schema.$ref, schema.$dynamicRef].flatMap((ref) => (typeof ref === "string" ? [resolve(ref)] : []));
  all.push(...((schema.allOf ?? []) as Schema[]));
  const any = [schema.anyOf, schema.oneOf].flatMap((list) => (list === undefined ? [] : [list as Schema[]]));
  const parts = [
    ...all.map((one) => someFields(one, resolve)),
    ...any.map((list) => ({ anyOf: list.map((one) => someFields(one, resolve)) })),
  ].filter((one) => !isFree(one));
  return parts.length === 0 ? part : { ...part, allOf: parts };
}

function isFree(schema: Schema): boolean {
  if (typeof schema === "boolean") return schema;
  if (Object.keys(schema).every((keyword) => keyword === "anyOf"))
    return ((schema.anyOf ?? [true]) as Schema[]).some(isFree);
  return false;
}
