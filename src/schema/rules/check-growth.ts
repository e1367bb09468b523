import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import type { References, Schema } from "../references.ts";
import { schemasBeside } from "./inner-schemas.ts";
import { compilePattern } from "./pattern.ts";

/** The most schemas that may apply to one value. Ordinary rules have fewer than ten. */
const MAX_JUDGING = 500;
/** The most combinations of schemas to look at, and the most work for it. */
const MAX_COMBINATIONS = 5000;
const MAX_STEPS = 500_000;

/** The schemas that apply to one value, with how often each one does. */
type Judging = Map<Schema, number>;

/**
 * Throws if the number of schemas that apply to one value can grow with the depth of a record, or is large to begin
 * with: such a schema takes exponential time. Follows every kind of value from the top of a record downwards, with the
 * schemas that apply to it there. Returns the largest number of them.
 */
export function checkGrowth(root: JsonObject, references: References, fail: (problem: string) => Error): number {
  return new Growth(references, fail).largest(root);
}

class Growth {
  readonly #resolve: (ref: string) => Schema;
  readonly #fail: (problem: string) => Error;
  readonly #numbers = new Map<Schema, number>();
  #steps = 0;

  constructor(references: References, fail: (problem: string) => Error) {
    this.#resolve = (ref) => (references.target(ref)?.value ?? true) as Schema;
    this.#fail = fail;
  }

  largest(root: Schema): number {
    const start = this.#closed(new Map([[root, 1]]));
    const queue = [start];
    const seen = new Set([this.#keyOf(start)]);
    let largest = total(start);
    for (const judging of queue) {
      for (const next of this.#below(judging)) {
        if (next.size === 0) continue;
        const closed = this.#closed(next);
        const key = this.#keyOf(closed);
        if (seen.has(key)) continue;
        seen.add(key);
        if (seen.size > MAX_COMBINATIONS) throw this.#tooComplex();
        largest = Math.max(largest, total(closed));
        queue.push(closed);
      }
    }
    return largest;
  }

  /** Adds the schemas that apply to the same value: those of references and combinators. */
  #closed(given: Judging): Judging {
    const closed: Judging = new Map();
    let count = 0;
    const add = (schema: Schema, times: number, trail: ReadonlySet<Schema>): void => {
      if (typeof schema === "boolean") return;
      if (trail.has(schema)) {
        throw this.#fail("a schema refers to itself without going into the record, so judging it would never end.");
      }
      count += times;
      this.#step();
      if (count > MAX_JUDGING) throw this.#growing();
      closed.set(schema, (closed.get(schema) ?? 0) + times);
      const inner = schemasBeside(schema, this.#resolve);
      if (inner.length === 0) return;
      const longer = new Set(trail).add(schema);
      for (const one of inner) add(one, times, longer);
    };
    for (const [schema, times] of given) add(schema, times, new Set());
    return closed;
  }

  /** For each kind of value inside: the schemas that apply to it. */
  *#below(judging: Judging): Generator<Judging> {
    const names = new Set<string>();
    let positions = 0;
    for (const [schema] of judging) {
      const { properties, prefixItems } = schema as JsonObject;
      if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
      if (Array.isArray(prefixItems)) positions = Math.max(positions, prefixItems.length);
    }
    for (const name of names) yield this.#gather(judging, (schema) => schemasOfField(schema, name));
    yield this.#gather(judging, schemasOfOtherFields);
    yield this.#gather(judging, ({ propertyNames }) => [propertyNames]);
    for (let position = 0; position <= positions; position++) {
      yield this.#gather(judging, (schema) => schemasOfElement(schema, position));
    }
  }

  #gather(judging: Judging, schemasOf: (schema: JsonObject) => readonly (Json | undefined)[]): Judging {
    const found: Judging = new Map();
    for (const [schema, times] of judging) {
      this.#step();
      for (const inner of schemasOf(schema as JsonObject)) {
        if (!isJsonObject(inner)) continue;
        found.set(inner, (found.get(inner) ?? 0) + times);
      }
    }
    return found;
  }

  #keyOf(judging: Judging): string {
    const parts: string[] = [];
    for (const [schema, times] of judging) {
      let number = this.#numbers.get(schema);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(schema, number);
      }
      parts.push(`${number}*${times}`);
    }
    return parts.sort().join(" ");
  }

  #step(): void {
    if (++this.#steps > MAX_STEPS) throw this.#tooComplex();
  }

  #growing(): Error {
    return this.#fail(
      `more than ${MAX_JUDGING} schemas may have to judge one value, and each level of a record may add more. ` +
        "Refer to a schema from one place of each combination (allOf, anyOf, oneOf, if).",
    );
  }

  #tooComplex(): Error {
    return this.#fail("the schema is too complex: too many combinations of schemas may have to judge a value.");
  }
}

function total(judging: Judging): number {
  let sum = 0;
  for (const times of judging.values()) sum += times;
  return sum;
}

function schemasOfField(schema: JsonObject, name: string): (Json | undefined)[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const found: (Json | undefined)[] = [];
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) found.push(properties[name]);
  if (isJsonObject(patternProperties)) {
    for (const [pattern, inner] of Object.entries(patternProperties)) {
      if (compilePattern(pattern).test(name)) found.push(inner);
    }
  }
  return found.length > 0 ? found : [additionalProperties, unevaluatedProperties];
}

/** A field that no schema names may match every pattern. */
function schemasOfOtherFields(schema: JsonObject): (Json | undefined)[] {
  const { patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const patterned = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...patterned, additionalProperties, unevaluatedProperties];
}

function schemasOfElement(schema: JsonObject, position: number): (Json | undefined)[] {
  const { prefixItems, items, contains, unevaluatedItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems[position] : undefined;
  return first === undefined ? [items, contains, unevaluatedItems] : [first, contains];
}
