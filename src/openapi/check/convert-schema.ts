import { messageOf } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References, Schema } from "../../schema/references.ts";
import { FORMS, KEYWORDS } from "../../schema/rules/keywords.ts";
import { asJsonSchema } from "../read/json-schema.ts";
import { refusesItsOwn } from "./closed-parts.ts";
import { type Discriminator, readDiscriminator } from "./discriminator.ts";
import type { HiddenProperties } from "./hidden-properties.ts";
import { formatIn, isPattern, member, namesIn, patternProblem } from "./plain-keywords.ts";

/**
 * Keywords of converted schemas, which the validator knows beside those of JSON Schema. Each has a number: that of a unit,
 * which is a schema compiled apart, or that of a choice.
 */
export const UNIT = "unit";
export const NULL_OR_UNIT = "nullOrUnit";
export const ONE_OF = "oneOfUnits";
export const ANY_OF = "anyOfUnits";

/** `oneOf` or `anyOf`. */
export interface SchemaChoice {
  readonly isExclusive: boolean;
  /** Numbers of units. */
  readonly branches: readonly number[];
  readonly discriminator: Discriminator | undefined;
}

/** The place of converted schemas: parts that are compiled apart, and choices. */
export interface Registry {
  unit(schema: Placed, hidden: ReadonlySet<string>): number;
  choice(choice: SchemaChoice): number;
  /** Notes something about the document that a person may want to know. */
  note(place: string, what: string): void;
}

interface Context {
  /** Properties of this object that another part of its schema hides. */
  readonly hidden: ReadonlySet<string>;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` must see what this part judges, which is then not cut apart. */
  readonly isWhole: boolean;
  /** Whether parts of this schema do not refuse the properties of others. */
  readonly isOpen: boolean;
  /** The schemas on the way here that judge the same value. */
  readonly trail: readonly unknown[];
}

const NO_NAMES: ReadonlySet<string> = new Set();
const INSIDE: Context = { hidden: NO_NAMES, isWhole: false, isOpen: false, trail: [] };
/** Larger schemas are cut into several units, since a unit is compiled in one turn. */
const MAX_SCHEMAS_OF_UNIT = 50;
/** Keywords that judge nothing, or that are handled with others. */
const SKIPPED = new Set([
  "$schema",
  "$id",
  "$ref",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
]);

interface ConverterOptions {
  readonly references: References;
  readonly registry: Registry;
  readonly hidden: HiddenProperties;
  /** As in OpenAPI 3.0: keywords beside `$ref` do not count. */
  readonly ignoresSiblings: boolean;
}

/** Turns schemas of OpenAPI 3.0, 3.1 and 3.2 into JSON Schema 2020-12. Keywords without a meaning there are left out. */
export class SchemaConverter {
  readonly #options: ConverterOptions;
  #count = 0;

  constructor(options: ConverterOptions) {
    this.#options = options;
  }

  /** Converts one unit. */
  convert(schema: Placed, hidden: ReadonlySet<string>): Schema {
    this.#count = 0;
    return this.#convert(schema, { ...INSIDE, hidden });
  }

  #convert({ value, place }: Placed, context: Context): Schema {
    if (typeof value === "boolean") return value;
    if (!isJsonObject(value)) {
      this.#options.registry.note(place, "is not a schema, so it is not checked");
      return true;
    }
    this.#count++;
    if (typeof value.$ref !== "string") return this.#keywords(value, place, context);
    const target = this.#reference(value, place, context);
    if (this.#options.ignoresSiblings)
      return value.nullable === true ? this.#orNull(target, { value, place }, NO_NAMES) : target;
    const own = this.#keywords(value, place, context);
    if (Object.keys(own).length === 0) return target;
    const others = Array.isArray(own.allOf) ? own.allOf : [];
    return { ...own, allOf: [...others, target] };
  }

  #reference(value: JsonObject, place: string, context: Context): Schema {
    const { references, registry } = this.#options;
    let target: Placed;
    try {
      target = references.resolve({ value, place });
    } catch (thrown) {
      registry.note(place, `${messageOf(thrown)} It is not checked`);
      return true;
    }
    if (context.isWhole && !context.trail.includes(target.value)) {
      return this.#convert(target, { ...context, trail: [...context.trail, target.value] });
    }
    return { [UNIT]: registry.unit(target, this.#hiddenFor(target, context.hidden)) };
  }

  #hiddenFor(target: Placed, hidden: ReadonlySet<string>): ReadonlySet<string> {
    return this.#options.hidden.requiredBy(target, hidden);
  }

  #keywords(value: JsonObject, place: string, outer: Context): JsonObject {
    const own = this.#options.hidden.namesIn({ value, place });
    const hidden = outer.hidden.size === 0 ? own : new Set([...outer.hidden, ...own]);
    const isOpen =
      outer.isOpen || (Array.isArray(value.allOf) && refusesItsOwn(this.#options.references, { value, place }));
    const seesAll = value.unevaluatedProperties !== undefined || value.unevaluatedItems !== undefined;
    const context: Context = { ...outer, hidden, isWhole: outer.isWhole || seesAll || isOpen, isOpen };
    const converted: JsonObject = {};
    const read = asJsonSchema(value);
    for (const [keyword, given] of Object.entries(read)) {
      if (!Object.hasOwn(KEYWORDS, keyword) || SKIPPED.has(keyword)) continue;
      const placed = { value: given, place: within(place, keyword) };
      Object.assign(converted, this.#keyword(keyword, placed, { owner: read, context }));
    }
    const further = [...this.#furtherProperties({ value: read, place }, hidden)];
    if (further.length > 0) converted.allOf = [...((converted.allOf as Json[] | undefined) ?? []), ...further];
    return value.nullable === true ? this.#nullable(converted, { value, place }, hidden) : converted;
  }

  #keyword(keyword: string, given: Placed<Json>, { owner, context }: Owner): JsonObject {
    const { value, place } = given;
    switch (keyword) {
      case "required":
        return member(keyword, namesIn(value, context.hidden));
      case "format":
        return formatIn(value, owner);
      case "pattern":
        return this.#isPattern(value, place) ? { pattern: value } : {};
      case "properties":
        return this.#properties(given, context);
      case "patternProperties":
        return this.#patternProperties(given);
      case "additionalProperties":
        if (context.isOpen && value === false) return {};
        // Names that a pattern allows cannot be told from others where it is not checked.
        return this.#hasOddPattern(owner) ? {} : { additionalProperties: this.#inside(given) };
      case "oneOf":
      case "anyOf":
        return this.#choice(keyword, given, { owner, context });
      case "not":
        return { not: this.#convert(given, INSIDE) };
      default:
        return this.#ordinary(keyword, given, context);
    }
  }

  #ordinary(keyword: string, { value, place }: Placed<Json>, context: Context): JsonObject {
    const form = KEYWORDS[keyword]!;
    const isBeside = IN_PLACE.has(keyword);
    const convert = (inner: Json, ...steps: (string | number)[]): Schema => {
      const placed = { value: inner, place: steps.reduce<string>(within, place) };
      return isBeside ? this.#convert(placed, context) : this.#inside(placed);
    };
    // Elements are compiled apart, so that they can be passed over.
    if (keyword === "items" && isObjectSchema(value))
      return { items: { [UNIT]: this.#options.registry.unit({ value, place }, NO_NAMES) } };
    if (form === "schema") return { [keyword]: convert(value) };
    if (form === "schema list") {
      const list = value as Json[];
      return list.length === 0 ? {} : { [keyword]: list.map((inner, at) => convert(inner, at)) };
    }
    if (form === "schema map") {
      const entries = Object.entries(value as JsonObject).map(([name, inner]) => [name, convert(inner, name)] as const);
      return { [keyword]: Object.fromEntries(entries) };
    }
    return FORMS[form].holds(value) ? { [keyword]: value } : {};
  }

  /** A schema for values inside the value. */
  #inside(schema: Placed): Schema {
    const { value } = schema;
    const isLarge = this.#count >= MAX_SCHEMAS_OF_UNIT && isJsonObject(value) && typeof value.$ref !== "string";
    return isLarge ? { [UNIT]: this.#options.registry.unit(schema, NO_NAMES) } : this.#convert(schema, INSIDE);
  }

  #properties({ value, place }: Placed<Json>, { hidden }: Context): JsonObject {
    if (!isJsonObject(value)) return {};
    const entries = Object.entries(value).map(([name, inner], at): [string, Schema] => {
      const isKnown = at >= MAX_SCHEMAS_OF_UNIT || hidden.has(name);
      return [name, isKnown || this.#inside({ value: inner, place: within(place, name) })];
    });
    return { properties: Object.fromEntries(entries) };
  }

  /** The properties of a large object after the first ones: its own unit knows their names alone. */
  *#furtherProperties({ value, place }: Placed<JsonObject>, hidden: ReadonlySet<string>): Generator<JsonObject> {
    const entries = isJsonObject(value.properties) ? Object.entries(value.properties) : [];
    for (let at = MAX_SCHEMAS_OF_UNIT; at < entries.length; at += MAX_SCHEMAS_OF_UNIT) {
      const properties = Object.fromEntries(entries.slice(at, at + MAX_SCHEMAS_OF_UNIT));
      yield { [UNIT]: this.#options.registry.unit({ value: { properties }, place }, hidden) };
    }
  }

  #patternProperties({ value, place }: Placed<Json>): JsonObject {
    if (!isJsonObject(value)) return {};
    const entries = Object.entries(value)
      .filter(([pattern]) => this.#isPattern(pattern, within(place, pattern)))
      .map(([pattern, inner]) => [pattern, this.#inside({ value: inner, place: within(place, pattern) })] as const);
    return { patternProperties: Object.fromEntries(entries) };
  }

  #hasOddPattern({ patternProperties }: JsonObject): boolean {
    if (!isJsonObject(patternProperties)) return false;
    return Object.keys(patternProperties).some((pattern) => !isPattern(pattern));
  }

  #isPattern(pattern: Json, place: string): boolean {
    if (typeof pattern !== "string") return false;
    const problem = patternProblem(pattern);
    if (problem === undefined) return true;
    const shown = pattern.length > 60 ? `${pattern.slice(0, 60)}...` : pattern;
    this.#options.registry.note(place, `the pattern ${shown} is not checked: ${problem}`);
    return false;
  }

  #choice(keyword: "oneOf" | "anyOf", { value, place }: Placed<Json>, { owner, context }: Owner): JsonObject {
    const { registry, references } = this.#options;
    if (!Array.isArray(value) || value.length === 0) return {};
    const branches = value.map((branch, at) => ({ value: branch, place: within(place, at) }));
    if (context.isWhole) return { [keyword]: branches.map((branch) => this.#convert(branch, context)) };
    const units = branches.map((branch) => {
      const target = this.targetOf(branch);
      return registry.unit(target, this.#hiddenFor(target, context.hidden));
    });
    const discriminator = readDiscriminator(owner.discriminator, branches, references);
    const isExclusive = keyword === "oneOf";
    return { [isExclusive ? ONE_OF : ANY_OF]: registry.choice({ isExclusive, branches: units, discriminator }) };
  }

  /** The schema that a mere reference leads to, so that it is compiled once. */
  targetOf(schema: Placed): Placed {
    const { value } = schema;
    if (!isJsonObject(value) || typeof value.$ref !== "string") return schema;
    const isMere = Object.keys(value).length === 1 || (this.#options.ignoresSiblings && value.nullable !== true);
    if (!isMere) return schema;
    try {
      return this.#options.references.resolve(schema);
    } catch {
      return schema;
    }
  }

  #nullable(converted: JsonObject, owner: Placed<JsonObject>, hidden: ReadonlySet<string>): JsonObject {
    if (Array.isArray(converted.enum) && !converted.enum.includes(null)) converted.enum = [...converted.enum, null];
    if (Object.keys(converted).some((keyword) => COMBINING.has(keyword))) return this.#orNull(converted, owner, hidden);
    return converted;
  }

  /** `nullable` beside a combination: null need not pass that. */
  #orNull(schema: Schema, { value, place }: Placed<JsonObject>, hidden: ReadonlySet<string>): JsonObject {
    if (isJsonObject(schema) && typeof schema[UNIT] === "number" && Object.keys(schema).length === 1) {
      return { [NULL_OR_UNIT]: schema[UNIT] };
    }
    const { nullable: _, ...rest } = value;
    return { [NULL_OR_UNIT]: this.#options.registry.unit({ value: rest, place }, hidden) };
  }
}

/** The schema that a keyword belongs to. */
interface Owner {
  readonly owner: JsonObject;
  readonly context: Context;
}

function isObjectSchema(schema: Json): boolean {
  if (!isJsonObject(schema) || typeof schema.$ref === "string") return false;
  return [schema.properties, schema.allOf, schema.oneOf, schema.anyOf].some((part) => part !== undefined);
}

/** Keywords whose schemas judge the same value. */
const IN_PLACE = new Set(["allOf", "if", "then", "else", "dependentSchemas"]);
/** Keywords that null would have to pass in spite of `nullable`. */
const COMBINING = new Set(["allOf", "not", "if", "const", UNIT, ONE_OF, ANY_OF, NULL_OR_UNIT, "oneOf", "anyOf"]);
