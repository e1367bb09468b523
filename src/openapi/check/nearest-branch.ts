import type { ErrorObject } from "ajv/dist/2020.js";
import type { Json } from "../../base/json/json.ts";

/** Errors of branches that judge a value as a whole: one of another type is not meant by it. */
const OTHER_TYPE = 10_000;
/** A field with another fixed value is a sign that another branch is meant. */
const OTHER_KIND = 100;

/**
 * The errors of a choice that no branch passes: those of the branch that is probably meant, or one that sums them up. Lists
 * of errors are in the order of the branches.
 */
export function errorsOfChoice(
  branches: readonly (readonly ErrorObject[])[],
  at: string,
  isExclusive: boolean,
): readonly ErrorObject[] {
  const ranked = branches.map((errors) => rank(errors, at));
  const least = Math.min(...ranked);
  const [nearest, other] = branches.filter((_, branch) => ranked[branch] === least);
  if (nearest && !other && least < OTHER_TYPE) return nearest;
  const whole = least >= OTHER_TYPE ? mergedErrors(branches.flat(), at) : undefined;
  return [whole ?? { keyword: isExclusive ? "oneOf" : "anyOf", instancePath: at, schemaPath: "", params: {} }];
}

function rank(errors: readonly ErrorObject[], at: string): number {
  let sum = Math.min(errors.length, OTHER_KIND - 1);
  for (const { keyword, instancePath } of errors) {
    const isFixed = keyword === "const" || keyword === "enum";
    if (instancePath === at && (isFixed || keyword === "type")) return OTHER_TYPE;
    if (isFixed && !instancePath.slice(at.length + 1).includes("/")) sum += OTHER_KIND;
  }
  return Math.min(sum, OTHER_TYPE - 1);
}

/** "must be a string or a number", "must be one of ...": where all branches fail for the same kind of reason. */
function mergedErrors(errors: readonly ErrorObject[], at: string): ErrorObject | undefined {
  const own = errors.filter(({ instancePath }) => instancePath === at);
  const types = own.filter(({ keyword }) => keyword === "type");
  if (types.length === errors.length) {
    const names = types.flatMap(({ params }) => String((params as { type: unknown }).type).split(","));
    return { keyword: "type", instancePath: at, schemaPath: "", params: { type: [...new Set(names)] } };
  }
  const values = own.flatMap(({ keyword, params }): Json[] => {
    if (keyword === "enum") return (params as { allowedValues: Json[] }).allowedValues;
    return keyword === "const" ? [(params as { allowedValue: Json }).allowedValue] : [];
  });
  const fixed = own.filter(({ keyword }) => keyword === "enum" || keyword === "const");
  if (fixed.length !== errors.length) return undefined;
  return { keyword: "enum", instancePath: at, schemaPath: "", params: { allowedValues: [...new Set(values)] } };
}
