import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { Json, JsonObject } from "../../src/base/json/json.ts";
import { createRandom } from "../../src/base/random.ts";
import { compileRules } from "../../src/schema/rules/compile-rules.ts";
import { readRules } from "../../src/schema/rules/read-rules.ts";

interface Counts {
  readonly schemas: number;
  readonly recordsEach: number;
  readonly seed: number;
}

/** Judges generated records by generated schemas, and by plain Ajv. Returns how many records were valid. */
export async function compareWithAjv({ schemas, recordsEach, seed }: Counts): Promise<number> {
  const make = new Maker(createRandom(seed));
  let valid = 0;
  for (let count = 0; count < schemas; count++) {
    const schema = make.root();
    const judge = (await compileRules(readRules({ one: schema }, "rules.json"))).get("one")!;
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      multipleOfPrecision: 9,
      validateSchema: false,
      logger: false,
    });
    const isValid = ajv.compile(schema);
    for (let at = 0; at < recordsEach; at++) {
      const record = make.value(3);
      const violations = judge(record);
      const told = `${JSON.stringify(schema)} judges ${JSON.stringify(record)}`;
      expect(violations.length === 0, told).toBe(isValid(record));
      if (violations.length === 0) valid++;
      const keywords = new Set(isValid.errors?.map(({ keyword }) => (keyword === "false schema" ? "false" : keyword)));
      for (const { rule } of violations) expect(keywords.has(rule), `${rule}: ${told}`).toBe(true);
    }
  }
  return valid;
}

const NAMES = ["a", "b", "c", "d/e"];
const TEXTS = ["", "a", "ab", "abc", "Ä", "😀😀"];

/** Few names and values, so that schemas and records meet. */
class Maker {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  root(): JsonObject {
    const $defs = { one: this.schema(1), two: this.schema(1) };
    return { ...(this.schema(3) as JsonObject), $defs };
  }

  schema(depth: number): JsonObject {
    const schema: JsonObject = {};
    for (let count = 1 + this.#below(3); count > 0; count--) Object.assign(schema, this.#keyword(depth));
    return schema;
  }

  value(depth: number): Json {
    const kinds = depth > 0 ? 9 : 6;
    switch (this.#below(kinds)) {
      case 0:
        return null;
      case 1:
        return this.#below(2) === 0;
      case 2:
        return this.#number();
      case 3:
      case 4:
        return this.#number();
      case 5:
        return this.#one(TEXTS);
      case 6:
        return Array.from({ length: this.#below(4) }, () => this.value(depth - 1));
      default:
        return Object.fromEntries(
          NAMES.filter(() => this.#below(2) === 0).map((name) => [name, this.value(depth - 1)]),
        );
    }
  }

  #keyword(depth: number): JsonObject {
    const inner = (): Json =>
      depth > 0 ? (this.#below(12) === 0 ? this.#below(2) === 0 : this.schema(depth - 1)) : {};
    const some = (): Json[] => Array.from({ length: 1 + this.#below(2) }, inner);
    const fields = (): JsonObject =>
      Object.fromEntries([this.#one(NAMES), this.#one(NAMES)].map((name) => [name, inner()]));
    const types = ["null", "boolean", "number", "integer", "string", "array", "object"];
    const makers: (() => JsonObject)[] = [
      () => ({ type: this.#below(2) === 0 ? this.#one(types) : [...new Set([this.#one(types), this.#one(types)])] }),
      () => ({ enum: [this.value(1), this.value(1), this.value(0)] }),
      () => ({ const: this.value(1) }),
      () => ({ minimum: this.#number() }),
      () => ({ maximum: this.#number() }),
      () => ({ exclusiveMinimum: this.#number(), exclusiveMaximum: 4 }),
      () => ({ multipleOf: this.#one([1, 2, 0.5, 0.01]) }),
      () => ({ minLength: this.#below(3) }),
      () => ({ maxLength: this.#below(3) }),
      () => ({ minItems: this.#below(3) }),
      () => ({ maxItems: this.#below(3) }),
      () => ({ uniqueItems: true }),
      () => ({ minProperties: this.#below(3) }),
      () => ({ maxProperties: this.#below(3) }),
      () => ({ required: [this.#one(NAMES)] }),
      () => ({ dependentRequired: { [this.#one(NAMES)]: [this.#one(NAMES)] } }),
      () => ({ properties: fields() }),
      () => ({ properties: fields(), additionalProperties: inner() }),
      () => ({ propertyNames: inner() }),
      () => ({ items: inner() }),
      () => ({ prefixItems: some(), items: inner() }),
      () => ({ contains: inner(), minContains: this.#below(2), maxContains: 1 + this.#below(2) }),
      () => ({ allOf: some() }),
      () => ({ anyOf: some() }),
      () => ({ oneOf: some() }),
      () => ({ not: inner() }),
      () =>
        Object.fromEntries([
          ["if", inner()],
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          ["then", inner()],
          ["else", inner()],
        ]),
      () => ({ dependentSchemas: { [this.#one(NAMES)]: inner() } }),
      () => ({ properties: fields(), unevaluatedProperties: false, allOf: some() }),
      () => ({ prefixItems: some(), unevaluatedItems: inner() }),
      // The definitions themselves have no references.
      ...(depth >= 2 ? [() => ({ $ref: this.#one(["#/$defs/one", "#/$defs/two"]) })] : []),
    ];
    return this.#one(makers)();
  }

  #number(): number {
    return this.#one([0, 1, 2, -1, 3.5, 0.01, 4.35, 1e21]);
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
