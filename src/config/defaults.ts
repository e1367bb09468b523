import type { OptionTable, OptionValue, Values } from "../base/option.ts";
import { fromEnvironment } from "./secrets.ts";

/** Fills in the defaults of a table. */
export function withDefaults<T extends OptionTable>(
  table: T,
  values: { readonly [K in keyof T]?: OptionValue | undefined },
): Values<T> {
  const entries = Object.entries(table).map(([key, option]) => {
    const value = values[key] ?? option.default;
    return [key, option.hasEnvironment ? fromEnvironment(value, option.name) : value];
  });
  return Object.fromEntries(entries) as Values<T>;
}
