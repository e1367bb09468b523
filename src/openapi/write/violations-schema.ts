import type { JsonObject } from "../../base/json/json.ts";
import { COUNT, objectOf, TEXT } from "./parts.ts";

/** The rules that a refused write would break. */
export function violationsSchema(): JsonObject {
  return {
    type: "array",
    description: "With `RECORD_INVALID`: the rules that the write would break, at most 50.",
    items: objectOf(
      {
        index: { ...COUNT, description: "The position of the record, where a write has several." },
        pointer: { ...TEXT, description: "JSON pointer to the value: `/price`." },
        rule: { ...TEXT, description: "The keyword of the rule: `minimum`, `x-unique`." },
        message: { ...TEXT, description: "Follows the name of the field: must be at least 0." },
        given: { description: "The value, unless it is missing or large." },
      },
      ["pointer", "rule", "message"],
    ),
  };
}
