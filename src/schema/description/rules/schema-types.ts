import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { type Constraints, hasType, supposedTypes, Unsatisfiable } from "../../constraints.ts";
import { gather } from "../../gather.ts";
import type { Schema } from "../../references.ts";
import type { SchemaNode, SchemaTree } from "../../schema-tree.ts";
import { commentText } from "../types/remark.ts";
import {
  type FieldType,
  type IntegerOption,
  integerUpTo,
  type RecordOption,
  type TypeOption,
  type ValueType,
} from "../types/value-type.ts";
import type { Definitions } from "./definitions.ts";
import { isTyping } from "./is-typing.ts";

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
  readonly #tree: SchemaTree;
  /** Schemas whose fields are being looked at in the place of a reference to them. */
  readonly #inlined: JsonObject[] = [];
  #depth = 0;
  #steps = 0;

  constructor(member: { readonly name: string; readonly typeName: string }, definitions: Definitions) {
    this.#member = member;
    this.#definitions = definitions;
    this.#tree = definitions.treeOf(member.name);
  }

  /** The types of the member's records: objects, unless the schema names other types. */
  recordsOf(schema: JsonObject): ValueType {
    const optionsOf = (merged: Constraints): ValueType =>
      union([...(merged.types ?? ["object"])].map((type) => [this.#option(type, merged, true)]));
    return this.#options([{ schema, at: "#" }], optionsOf, []);
  }

  /** The type of a definition. */
  typeOf(schema: JsonObject): ValueType {
    return this.#valueType([{ schema, at: "#" }]);
  }

  /** The type of a value that all of these schemas apply to. */
  #valueType(nodes: readonly SchemaNode[]): ValueType {
    const [only, ...others] = nodes.map(schemaOf).filter(isTyping);
    const name = only !== undefined && others.length === 0 ? this.#nameOf(only) : undefined;
    if (name !== undefined) return [{ kind: "named", name }];
    if (this.#depth === MAX_DEPTH) return [];
    this.#depth++;
    const options = this.#options(nodes, (merged) => this.#optionsOf(merged), []);
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
    const { schema } = this.#tree.resolve(ref);
    return isJsonObject(schema) ? this.#nameOfTarget(schema) : undefined;
  }

  #nameOfTarget(target: JsonObject): string {
    return this.#definitions.nameOf(this.#member.name, target) ?? this.#member.typeName;
  }

  /** Of alternatives, each one together with all that holds beside it. */
  #options(
    nodes: readonly SchemaNode[],
    optionsOf: (merged: Constraints) => readonly TypeOption[],
    chosen: readonly (readonly SchemaNode[])[],
  ): ValueType {
    if (++this.#steps > MAX_STEPS) return [];
    const merged = mergedSchemas(nodes, this.#tree);
    if (!merged) return [{ kind: "never" }];
    const inlined = merged.targets.map(schemaOf).filter(isJsonObject);
    const isFull = this.#inlined.length >= MAX_INLINED;
    const open = inlined.find((target) => isFull || this.#inlined.includes(target));
    if (open) return [{ kind: "named", name: this.#nameOfTarget(open) }];
    const list = merged.branches.find(
      (branches) => !chosen.some((one) => isSame(one, branches)) && branches.map(schemaOf).some(isTyping),
    );
    if (list === undefined || chosen.length === MAX_LISTS) return this.#inside(merged, inlined, optionsOf);
    const isAlone = chosen.length === 0 && this.#depth > 0 && this.#decides(list, nodes);
    return union(
      list.map((branch) =>
        isAlone ? this.#valueType([branch]) : this.#options([...nodes, branch], optionsOf, [...chosen, list]),
      ),
    );
  }

  /** Whether alternatives alone decide the type, so that those with names keep them. */
  #decides(list: readonly SchemaNode[], nodes: readonly SchemaNode[]): boolean {
    const rest = nodes.flatMap(({ schema }) => (isJsonObject(schema) ? [withoutAlternatives(schema)] : []));
    if (!rest.some(isTyping)) return true;
    const isNamed = list.map(schemaOf).every((branch) => this.#nameOf(branch) !== undefined || isNull(branch));
    return isNamed && !rest.some(({ type: _, ...others }) => isTyping(others));
  }

  #inside(
    merged: Constraints,
    inlined: readonly JsonObject[],
    optionsOf: (merged: Constraints) => readonly TypeOption[],
  ): ValueType {
    this.#inlined.push(...inlined);
    const options = optionsOf(merged);
    this.#inlined.length -= inlined.length;
    return options;
  }

  #optionsOf(merged: Constraints): readonly TypeOption[] {
    if (merged.values) return literalOptions(merged.values, merged.types && [...merged.types]);
    const types = merged.types ?? supposedTypes(merged);
    return union([...types].map((type) => [this.#option(type, merged)]));
  }

  #option(type: string, merged: Constraints, isRecord = false): TypeOption {
    switch (type) {
      case "string":
        return { kind: "text", format: merged.formats[0] };
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

  #array({ prefixes, items, minItems, maxItems }: Constraints): TypeOption {
    const [first] = prefixes;
    const further = items.map(({ node }) => node);
    const rest = further.length === 0 ? [] : this.#valueType(further);
    if (!first) return { kind: "array", items: rest };
    const isClosed = further.some(({ schema }) => schema === false) || maxItems <= first.length;
    return {
      kind: "tuple",
      first: first.map((one) => this.#valueType([one])),
      minItems,
      rest: isClosed ? undefined : rest,
    };
  }

  #object(merged: Constraints): TypeOption {
    const { properties, conditional, required, patternProperties } = merged;
    const others = othersOf(merged);
    if (
      properties.size + conditional.size + required.size > 0 ||
      (others === false && patternProperties.length === 0)
    ) {
      return this.#record(merged);
    }
    const values = patternProperties.map(([, node]) => node);
    const further = typeof others === "object" ? merged.additional.map(({ node }) => node).slice(0, 1) : [];
    return { kind: "dictionary", values: union([...values, ...further].map((one) => this.#valueType([one]))) };
  }

  #record(merged: Constraints): RecordOption {
    const { properties, conditional, required, patternProperties } = merged;
    const others = othersOf(merged);
    const isExtensible = patternProperties.length > 0 || (others !== undefined && others !== false);
    const fields = new Map([...properties, ...conditional, ...properties]);
    const unknown = [...required].filter((name) => !fields.has(name));
    return {
      kind: "record",
      fields: [
        ...[...fields].map(([name, nodes]) => this.#field(name, nodes, required.has(name))),
        ...unknown.map((name) => ({ name, type: [], isRequired: true })),
      ],
      ...(isExtensible && { isExtensible: true as const }),
      ...(others === false && { isClosed: true as const }),
    };
  }

  #field(name: string, nodes: readonly SchemaNode[], isRequired: boolean): FieldType {
    const type = this.#valueType(nodes);
    return { name, type, isRequired, remark: remarkIn(nodes.map(schemaOf)), isRuled: true };
  }
}

/** Nothing is decided here. */
const NO_CHANCE = { chance: () => false, pick: <T>(list: readonly T[]): T => list[0]! };

/** All that schemas say about one value; undefined where they contradict each other. */
export function mergedSchemas(nodes: readonly SchemaNode[], tree: SchemaTree): Constraints | undefined {
  try {
    return gather(nodes, { tree, random: NO_CHANCE, pointer: "", isDeep: false, isUndecided: true });
  } catch (thrown) {
    if (thrown instanceof Unsatisfiable) return undefined;
    throw thrown;
  }
}

function isSame(one: readonly SchemaNode[], other: readonly SchemaNode[]): boolean {
  return one.length === other.length && one.every(({ schema }, at) => schema === other[at]?.schema);
}

function schemaOf({ schema }: SchemaNode): Schema {
  return schema as Schema;
}

/** The schema of fields that no other schema is about; false wherever one forbids them. */
export function othersOf({ additional }: Constraints): Schema | undefined {
  const schemas = additional.map(({ node }) => schemaOf(node));
  return schemas.includes(false) ? false : schemas[0];
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
  const objects = schemas.map((schema) => (typeof schema === "boolean" ? {} : schema));
  const description = objects.map((schema) => schema.description).find((one) => typeof one === "string" && one !== "");
  const format = objects.map((schema) => schema.format).find((one) => typeof one === "string");
  const parts = [description, format === undefined ? undefined : `Format: ${format as string}.`];
  const text = parts.filter((part) => part !== undefined).join(" ");
  return text === "" ? undefined : commentText(text);
}

/** The types of the only values that are allowed; where types are given, too, of those among them. */
function literalOptions(values: readonly Json[], types: readonly string[] | undefined): TypeOption[] {
  const allowed = values.filter((value) => !types || types.some((type) => hasType(value, type)));
  if (allowed.length === 0) return [{ kind: "never" }];
  const choices = [...new Set(allowed.filter((value) => typeof value === "string"))];
  const isBoolean = allowed.includes(true) && allowed.includes(false);
  const literals = allowed.filter(
    (value) => typeof value !== "string" && value !== null && !(isBoolean && typeof value === "boolean"),
  );
  return [
    ...(choices.length > 0 ? [{ kind: "text", choices, isClosed: true } as const] : []),
    ...literals.map((value) => ({ kind: "literal", value }) as const),
    ...(isBoolean ? [{ kind: "boolean" } as const] : []),
    ...(allowed.includes(null) ? [{ kind: "null" } as const] : []),
  ];
}

/** Integers without an upper bound may be large. */
function numberOption({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Constraints): IntegerOption {
  const [lower, upper] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)];
  const most = Number.isFinite(upper) ? Math.abs(upper) : Number.MAX_SAFE_INTEGER;
  return integerUpTo(Number.isFinite(lower) ? Math.max(most, Math.abs(lower)) : most);
}
