import type { JsonObject } from "../../../base/json/json.ts";
import type { Schema } from "../../../schema/references.ts";
import { plain } from "../types/remark.ts";
import type { FieldType, RecordOption, TypeOption, ValueType } from "../types/value-type.ts";
import type { Definitions } from "./definitions.ts";
import { isTyping } from "./is-typing.ts";
import { MergedSchema } from "./merged-schema.ts";
import { literalOptions, numberOption } from "./simple-options.ts";

/** Deeper values are left unknown, and so are those beyond this many schemas: combinations can have very many. */
const MAX_DEPTH = 30;
const MAX_STEPS = 5000;
/** References inside each other that are followed where they do not stand alone. */
const MAX_INLINED = 2;
/** Lists of alternatives that are multiplied with each other. */
const MAX_LISTS = 2;

/** Finds the types of the values that the schemas of one member allow. */
export class SchemaTypes {
  readonly #member: { readonly name: string; readonly typeName: string };
  readonly #definitions: Definitions;
  readonly #resolve: (ref: string) => Schema;
  /** Schemas whose fields are being looked at in the place of a reference to them. */
  readonly #inlined: JsonObject[] = [];
  #depth = 0;
  #steps = 0;

  constructor(member: { readonly name: string; readonly typeName: string }, definitions: Definitions) {
    this.#member = member;
    this.#definitions = definitions;
    this.#resolve = (ref) => definitions.resolve(member.name, ref);
  }

  /** The types of the member's records: objects, unless the schema names other types. */
  recordsOf(schema: JsonObject): ValueType {
    const optionsOf = (merged: MergedSchema): ValueType =>
      union((merged.types ?? ["object"]).map((type) => [this.#option(type, merged, true)]));
    return this.#options([schema], optionsOf, []);
  }

  /** The type of a definition. */
  typeOf(schema: JsonObject): ValueType {
    return this.#valueType([schema]);
  }

  /** The type of a value that all of these schemas judge. */
  #valueType(schemas: readonly Schema[]): ValueType {
    const [only, ...others] = schemas.filter(isTyping);
    const name = only !== undefined && others.length === 0 ? this.#nameOf(only) : undefined;
    if (name !== undefined) return [{ kind: "named", name }];
    if (this.#depth === MAX_DEPTH) return [];
    this.#depth++;
    const options = this.#options(schemas, (merged) => this.#optionsOf(merged), []);
    this.#depth--;
    return options;
  }

  /** The name of the type that a schema consists of; undefined for others. */
  #nameOf(schema: Schema): string | undefined {
    if (typeof schema === "boolean") return undefined;
    const { $ref = schema.$dynamicRef, allOf } = schema;
    if (typeof $ref === "string") {
      const { $ref: _, $dynamicRef: __, ...rest } = schema;
      return isTyping(rest) ? undefined : this.#targetName($ref);
    }
    if (!allOf) return undefined;
    const { allOf: _, ...rest } = schema;
    const [only, ...others] = (allOf as Schema[]).filter(isTyping);
    return isTyping(rest) || only === undefined || others.length > 0 ? undefined : this.#nameOf(only);
  }

  #targetName(ref: string): string | undefined {
    const target = this.#resolve(ref);
    if (typeof target === "boolean") return undefined;
    return this.#definitions.nameOf(this.#member.name, target) ?? this.#member.typeName;
  }

  /** Of alternatives, each one together with all that holds beside it. */
  #options(
    schemas: readonly Schema[],
    optionsOf: (merged: MergedSchema) => readonly TypeOption[],
    chosen: readonly (readonly Schema[])[],
  ): ValueType {
    if (++this.#steps > MAX_STEPS) return [];
    const merged = new MergedSchema(schemas, this.#resolve);
    const isFull = this.#inlined.length >= MAX_INLINED;
    const open = [...merged.inlined].find((target) => isFull || this.#inlined.includes(target));
    if (open)
      return [{ kind: "named", name: this.#definitions.nameOf(this.#member.name, open) ?? this.#member.typeName }];
    const list = merged.branches.find((branches) => !chosen.includes(branches) && branches.some(isTyping));
    if (list === undefined || chosen.length === MAX_LISTS) return this.#inside(merged, optionsOf);
    const isAlone = chosen.length === 0 && this.#depth > 0 && this.#decides(list, schemas);
    return union(
      list.map((branch) =>
        isAlone ? this.#valueType([branch]) : this.#options([...schemas, branch], optionsOf, [...chosen, list]),
      ),
    );
  }

  /** Whether alternatives alone decide the type, so that those with names keep them. */
  #decides(list: readonly Schema[], schemas: readonly Schema[]): boolean {
    const rest = schemas.flatMap((schema) => (typeof schema === "boolean" ? [] : [withoutAlternatives(schema)]));
    if (!rest.some(isTyping)) return true;
    const isNamed = list.every((branch) => this.#nameOf(branch) !== undefined || isNull(branch));
    return isNamed && !rest.some(({ type: _, ...others }) => isTyping(others));
  }

  #inside(merged: MergedSchema, optionsOf: (merged: MergedSchema) => readonly TypeOption[]): ValueType {
    this.#inlined.push(...merged.inlined);
    const options = optionsOf(merged);
    this.#inlined.length -= merged.inlined.size;
    return options;
  }

  #optionsOf(merged: MergedSchema): readonly TypeOption[] {
    if (merged.isImpossible) return [{ kind: "never" }];
    const types = merged.types ?? (merged.values ? undefined : [...merged.implied]);
    if (merged.values) return literalOptions(merged.values, types);
    return union((types ?? []).map((type) => [this.#option(type, merged)]));
  }

  #option(type: string, merged: MergedSchema, isRecord = false): TypeOption {
    switch (type) {
      case "string":
        return { kind: "text", format: merged.format };
      case "integer":
        return numberOption(merged);
      case "number":
        return { kind: "number" };
      case "boolean":
      case "null":
        return { kind: type };
      case "array":
        return this.#array(merged);
      default:
        return isRecord ? this.#record(merged) : this.#object(merged);
    }
  }

  #array({ first, items, minItems, maxItems }: MergedSchema): TypeOption {
    const rest = items.length === 0 ? [] : this.#valueType(items);
    if (!first) return { kind: "array", items: rest };
    const isClosed = items.includes(false) || maxItems <= first.length;
    return {
      kind: "tuple",
      first: first.map((one) => this.#valueType([one])),
      minItems,
      rest: isClosed ? undefined : rest,
    };
  }

  #object(merged: MergedSchema): TypeOption {
    const { fields, conditional, required, patterns, others } = merged;
    if (fields.size + conditional.size + required.size > 0 || (others === false && patterns.length === 0)) {
      return this.#record(merged);
    }
    const values = [...patterns, ...(others === undefined || typeof others === "boolean" ? [] : [others])];
    return { kind: "dictionary", values: union(values.map((one) => this.#valueType([one]))) };
  }

  #record({ fields, conditional, required, patterns, others }: MergedSchema): RecordOption {
    const isExtensible = patterns.length > 0 || (others !== undefined && others !== false);
    const rest = [...conditional].filter(([name]) => !fields.has(name));
    const unknown = [...required].filter((name) => !fields.has(name) && !conditional.has(name));
    return {
      kind: "record",
      fields: [
        ...[...fields].map(([name, schemas]) => this.#field(name, schemas, required.has(name))),
        ...rest.map(([name, schemas]) => this.#field(name, schemas, required.has(name))),
        ...unknown.map((name) => ({ name, type: [], isRequired: true })),
      ],
      ...(isExtensible && { isExtensible: true as const }),
      ...(others === false && { isClosed: true as const }),
    };
  }

  #field(name: string, schemas: readonly Schema[], isRequired: boolean): FieldType {
    const type = this.#valueType(schemas);
    return { name, type, isRequired, remark: remarkIn(schemas), isRuled: true };
  }
}

/** Several types in one, each once, with null at the end. */
function union(types: readonly ValueType[]): ValueType {
  // A value that nothing is known of may be anything.
  if (types.some((type) => type.length === 0)) return [];
  const all = new Map(types.flat().map((option) => [JSON.stringify(option), option]));
  const options = [...all.values()].filter(({ kind }) => kind !== "never");
  if (options.length === 0) return all.size > 0 ? [{ kind: "never" }] : [];
  return [...options.filter(({ kind }) => kind !== "null"), ...options.filter(({ kind }) => kind === "null")];
}

function withoutAlternatives({ anyOf: _, oneOf: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

function isNull(schema: Schema): boolean {
  return typeof schema !== "boolean" && schema.type === "null";
}

/** The author's own words on a field, and its format. */
function remarkIn(schemas: readonly Schema[]): string | undefined {
  const given = schemas.map((schema) => (typeof schema === "boolean" ? {} : schema));
  const description = given.map((schema) => schema.description).find((one) => typeof one === "string" && one !== "");
  const format = given.map((schema) => schema.format).find((one) => typeof one === "string");
  const parts = [description, format === undefined ? undefined : `Format: ${format as string}.`];
  const text = parts.filter((part) => part !== undefined).join(" ");
  return text === "" ? undefined : plain(text);
}
