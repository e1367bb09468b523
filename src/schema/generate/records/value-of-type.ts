import type { Json } from "../../../base/json/json.ts";
import { cloneJson } from "../../../base/json/json.ts";
import type { Constraints, Type } from "../../constraints.ts";
import { hasType } from "../../type-of.ts";
import { Unsatisfiable } from "../../unsatisfiable.ts";
import { generateList } from "./generate-list.ts";
import { generateNumber } from "./generate-number.ts";
import { generateObject } from "./generate-object.ts";
import { generateText } from "./generate-text.ts";
import type { Making, Spot } from "./making.ts";

/** A value of one type that keeps the constraints. */
export function valueOfType(type: Type, constraints: Constraints, spot: Spot, making: Making): Json {
  const { random } = making;
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return generateNumber(constraints, spot, random, true);
    case "number":
      return generateNumber(constraints, spot, random, isId(constraints, spot));
    case "string":
      return generateText(constraints, spot, random);
    case "array":
      return generateList(constraints, spot, making);
    case "object":
      return generateObject(constraints, spot, making);
  }
}

/** One of the listed values that also keeps the other keywords. */
export function allowedValue(constraints: Constraints, { pointer }: Spot, { random }: Making): Json {
  const found = random.shuffled(constraints.values!).find((value) => suits(value, constraints));
  if (found === undefined) throw new Unsatisfiable(pointer, "enum", "no listed value keeps the other rules");
  return typeof found === "object" ? cloneJson(found) : found;
}

/** A first look at a value that was not made for these constraints: its type, and its range or length. */
export function suits(
  value: Json,
  { types, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength }: Constraints,
): boolean {
  if (types && ![...types].some((type) => hasType(value, type))) return false;
  if (typeof value === "number") {
    return value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  }
  if (typeof value !== "string") return true;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

/** An id is a whole number, even where its schema allows others. */
function isId(constraints: Constraints, { names: [name = ""] }: Spot): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = constraints;
  const room = Math.min(maximum, exclusiveMaximum) - Math.max(minimum, exclusiveMinimum);
  return /(?:^|_)id$|[a-z]I[dD]$/.test(name) && room > 2;
}
