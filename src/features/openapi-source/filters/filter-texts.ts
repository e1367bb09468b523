import { StandinError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../base/json/json.ts";
import { isToldLanguage } from "../../../openapi/bind/query/filter-language.ts";
import type { Parameter } from "../../../openapi/read/api-document.ts";
import { type FieldOf, readExpression } from "./filter-expression.ts";
import { readFilterObject } from "./filter-object.ts";

/**
 * The conditions that the values of a filter parameter mean, in the form of `_where`. Where the document does not say
 * that it has a language, values that cannot be read filter nothing.
 */
export function readFilterTexts(
  values: readonly string[],
  {
    name,
    parameter,
    fieldOf,
  }: { readonly name: string; readonly parameter: Parameter | undefined; readonly fieldOf: FieldOf },
): JsonObject[] {
  return values.flatMap((value) => {
    const text = value.trim();
    if (text === "") return [];
    try {
      const found = /^[[{]/.test(text) ? readFilterObject(text, name, fieldOf) : readExpression(text, name, fieldOf);
      return found && Object.keys(found).length > 0 ? [found] : [];
    } catch (thrown) {
      if (thrown instanceof StandinError && !isToldLanguage(parameter)) return [];
      throw thrown;
    }
  });
}
