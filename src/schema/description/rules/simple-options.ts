import type { Json } from "../../../base/json/json.ts";
import type { Constraints } from "../../../schema/constraints.ts";
import { hasType } from "../../../schema/type-of.ts";
import { type IntegerOption, integerUpTo, type TypeOption } from "../types/value-type.ts";

/** The types of the only values that are allowed; where types are given, too, of those among them. */
export function literalOptions(values: readonly Json[], types: readonly string[] | undefined): TypeOption[] {
  const allowed = values.filter((value) => !types || types.some((type) => hasType(value, type)));
  if (allowed.length === 0) return [{ kind: "never" }];
  const choices = [...new Set(allowed.filter((value) => typeof value === "string"))];
  const isBoolean = allowed.includes(true) && allowed.includes(false);
  const literals = allowed.filter(
    (value) => typeof value !== "string" && value !== null && !(isBoolean && typeof value === "boolean"),
  );
  return [
    ...(choices.length > 0 ? [{ kind: "text", choices, isClosed: true } as const] : []),
    ...literals.map((value) => ({ kind: "literal", value }) as const),
    ...(isBoolean ? [{ kind: "boolean" } as const] : []),
    ...(allowed.includes(null) ? [{ kind: "null" } as const] : []),
  ];
}

/** Integers without an upper bound may be large. */
export function numberOption({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Constraints): IntegerOption {
  const [lower, upper] = [Math.max(minimum, exclusiveMinimum), Math.min(maximum, exclusiveMaximum)];
  const most = Number.isFinite(upper) ? Math.abs(upper) : Number.MAX_SAFE_INTEGER;
  return integerUpTo(Number.isFinite(lower) ? Math.max(most, Math.abs(lower)) : most);
}
