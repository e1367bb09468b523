import { isJsonObject } from "../../base/json/json.ts";
import type { BoundCollection } from "../../openapi/bind/binding.ts";
import type { Placed, References } from "../../schema/references.ts";
import type { Id } from "../../store/ids.ts";

/** The schemas of the path parameters that name records of a collection, in its own paths and in those below it. */
export function idParameters(collections: readonly BoundCollection[], name: string): Placed[] {
  const found = new Map<string, Placed>();
  for (const collection of collections) {
    for (const { operation, idParameter, parents } of collection.operations) {
      const own = collection.name === name ? idParameter : undefined;
      const names = [own, ...parents.map((parent) => (parent.collection === name ? parent.parameter : undefined))];
      for (const parameter of operation.parameters) {
        const { schema } = parameter;
        if (schema && parameter.in === "path" && names.includes(parameter.name)) found.set(schema.place, schema);
      }
    }
  }
  return [...found.values()];
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
    if (STRICT.every((keyword) => value[keyword] === undefined)) return value.type !== "integer" || isInteger(id);
    return isValid(parameter, id) || isValid(parameter, otherForm(id));
  });
}

function isInteger(id: Id): boolean {
  return /^-?\d+$/.test(String(id));
}

/** In a path, numbers and texts look alike. */
export function otherForm(id: Id): Id {
  return typeof id === "string" && isInteger(id) ? Number(id) : String(id);
}
