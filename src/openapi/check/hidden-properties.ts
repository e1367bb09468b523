import { isJsonObject, type Json, type JsonObject } from "../../base/json/json.ts";
import { within } from "../../schema/pointer.ts";
import { type Placed, partsOf, type References } from "../../schema/references.ts";
import type { Direction } from "./direction.ts";

const NONE: ReadonlySet<string> = new Set();

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
    return this.#gather(schema, this.#hidden, ({ value: { properties }, place }) => {
      if (!isJsonObject(properties)) return [];
      const names = Object.keys(properties);
      return names.filter((name) => this.#isHidden(properties[name], within(`${place}/properties`, name)));
    });
  }

  /** Those of the names that a schema would require although it does not know that they are hidden. */
  requiredBy(schema: Placed, names: ReadonlySet<string>): ReadonlySet<string> {
    if (names.size === 0) return NONE;
    const own = this.namesIn(schema);
    const required = this.#gather(schema, this.#required, ({ value: { required: list } }) =>
      Array.isArray(list) ? list.filter((name) => typeof name === "string") : [],
    );
    return new Set([...names].filter((name) => required.has(name) && !own.has(name)));
  }

  #isHidden(property: Json | undefined, place: string): boolean {
    if (!isJsonObject(property)) return false;
    const target = this.#references.follow({ value: property, place }).value;
    return property[this.#flag] === true || (isJsonObject(target) && target[this.#flag] === true);
  }

  #gather(
    schema: Placed,
    known: WeakMap<object, ReadonlySet<string>>,
    namesOf: (part: Placed<JsonObject>) => readonly string[],
  ): ReadonlySet<string> {
    const { value } = schema;
    if (!isJsonObject(value)) return NONE;
    let names = known.get(value);
    if (!names) {
      const found = partsOf(schema, this.#references, ["allOf", "anyOf", "oneOf"]).flatMap(namesOf);
      names = found.length === 0 ? NONE : new Set(found);
      known.set(value, names);
    }
    return names;
  }
}
