import type { OptionTable, OptionValue, Values } from "../base/option.ts";

/** Fills in the defaults of a table. */
export function withDefaults<T extends OptionTable>(
  table: T,
  given: { readonly [K in keyof T]?: OptionValue | undefined },
): Values<T> {
  const entries = Object.entries(table).map(([key, option]) => [key, given[key] ?? option.default]);
  return Object.fromEntries(entries) as Values<T>;
}
