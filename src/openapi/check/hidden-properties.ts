import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { Direction } from "./direction.ts";

const NONE: ReadonlySet<string> = new Set();
const COMBINATIONS = ["allOf", "anyOf", "oneOf"] as const;

/** Finds the properties of an object that are of no concern in one direction, in all parts of its schema. */
export class HiddenProperties {
  readonly #references: References;
  readonly #flag: "readOnly" | "writeOnly";
  readonly #hidden = new WeakMap<object, ReadonlySet<string>>();
  readonly #required = new WeakMap<object, ReadonlySet<string>>();

  constructor(references: References, direction: Direction) {
    this.#references = references;
    this.#flag = direction === "request" ? "readOnly" : "writeOnly";
  }

  /** The names that the schema, or a part of it that judges the same object, says are hidden. */
  namesIn(schema: Placed): ReadonlySet<string> {
    return this.#gather(schema, this.#hidden, new Set(), (value, place) => {
      const { properties } = value;
      if (!isJsonObject(properties)) return [];
      const names = Object.keys(properties);
      return names.filter((name) => this.#isHidden(properties[name], within(`${place}/properties`, name)));
    });
  }

  /** Those of the names that a schema would require although it does not know that they are hidden. */
  requiredBy(schema: Placed, names: ReadonlySet<string>): ReadonlySet<string> {
    if (names.size === 0) return NONE;
    const own = this.namesIn(schema);
    const required = this.#gather(schema, this.#required, new Set(), ({ required: list }) =>
      Array.isArray(list) ? list.filter((name) => typeof name === "string") : [],
    );
    return new Set([...names].filter((name) => required.has(name) && !own.has(name)));
  }

  #isHidden(property: Json | undefined, place: string): boolean {
    if (!isJsonObject(property)) return false;
    if (property[this.#flag] === true) return true;
    const target = typeof property.$ref === "string" ? this.#references.follow({ value: property, place }) : undefined;
    return isJsonObject(target?.value) && target.value[this.#flag] === true;
  }

  #gather(
    schema: Placed,
    known: WeakMap<object, ReadonlySet<string>>,
    met: Set<object>,
    namesOf: (value: JsonObject, place: string) => readonly string[],
  ): ReadonlySet<string> {
    const { value, place } = schema;
    if (!isJsonObject(value) || met.has(value)) return NONE;
    const before = known.get(value);
    if (before) return before;
    const isWhole = met.size === 0;
    met.add(value);
    const names = new Set(namesOf(value, place));
    for (const part of this.#partsOf(value, place)) {
      for (const name of this.#gather(part, known, met, namesOf)) names.add(name);
    }
    const found = names.size === 0 ? NONE : names;
    // A part that was met before has given its names already, so only the whole has all of them.
    if (isWhole) known.set(value, found);
    return found;
  }

  #partsOf(value: JsonObject, place: string): Placed[] {
    const target = typeof value.$ref === "string" ? this.#references.follow({ value, place }) : undefined;
    const parts = COMBINATIONS.flatMap((keyword) => {
      const list = value[keyword];
      if (!Array.isArray(list)) return [];
      return list.map((part, at) => ({ value: part, place: within(`${place}/${keyword}`, at) }));
    });
    return target ? [target, ...parts] : parts;
  }
}
