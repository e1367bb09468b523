import { isJsonObject } from "../../../base/json/json.ts";
import type { BoundCollection } from "../../../openapi/bind/binding.ts";
import type { Placed, References } from "../../../schema/references.ts";
import type { Id } from "../../../store/ids.ts";

/** The schemas of the path parameters that name records of a collection, in its own paths and in those below it. */
export function idParameters(collections: readonly BoundCollection[], name: string): readonly Placed[] {
  let known = KNOWN.get(collections);
  if (!known) {
    known = new Map(parametersByName(collections).map(([one, schemas]) => [one, [...schemas.values()]]));
    KNOWN.set(collections, known);
  }
  return known.get(name) ?? [];
}

/** Every collection asks for its own, and any operation may name several. */
const KNOWN = new WeakMap<readonly BoundCollection[], ReadonlyMap<string, readonly Placed[]>>();

function parametersByName(collections: readonly BoundCollection[]): [name: string, schemas: Map<string, Placed>][] {
  const found = new Map(collections.map(({ name }) => [name, new Map<string, Placed>()]));
  for (const { name, operations } of collections) {
    for (const { operation, idParameter, parents } of operations) {
      const naming = [{ collection: name, parameter: idParameter }, ...parents];
      for (const { name: parameter, schema, in: at } of operation.parameters) {
        if (!schema || at !== "path") continue;
        for (const one of naming) {
          if (one.parameter === parameter) found.get(one.collection ?? "")?.set(schema.place, schema);
        }
      }
    }
  }
  return [...found];
}

/** Keywords that allow some texts and not others. */
const STRICT = ["pattern", "enum", "const", "format", "minLength", "maxLength", "minimum", "maximum", "allOf", "anyOf"];

/** Whether a path can name an id: parameters may be stricter than the property of the record. */
export function canName(
  id: Id,
  parameters: readonly Placed[],
  { references, isValid }: { readonly references: References; isValid(schema: Placed, value: Id): boolean },
): boolean {
  return parameters.every((parameter) => {
    const { value } = references.resolve(parameter);
    if (!isJsonObject(value)) return true;
    // Most say no more than their type: to compile them all takes long.
    if (STRICT.every((keyword) => value[keyword] === undefined)) {
      return (value.type !== "integer" && value.type !== "number") || isInteger(id);
    }
    return isValid(parameter, id) || isValid(parameter, otherForm(id));
  });
}

/** Whether an id is a whole number, or the text of one. */
export function isInteger(id: Id): boolean {
  return /^-?\d+$/.test(String(id));
}

/** In a path, numbers and texts look alike. */
export function otherForm(id: Id): Id {
  return typeof id === "string" && isInteger(id) ? Number(id) : String(id);
}
