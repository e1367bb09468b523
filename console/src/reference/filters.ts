import type { Parameter } from "./reference.ts";

/** The filters of one field: `price`, `price:gte`, `price:lte` and so on. */
export interface FieldFilters {
  readonly field: string;
  readonly filters: readonly { readonly parameter: Parameter; readonly words: string }[];
}

/** How the server describes its filters: "`price` is at least". */
const FILTER = /^`([^`]+)` (is.*|matches.*)$/;

/** Sets filters by field apart from the other parameters. */
export function splitFilters(parameters: readonly Parameter[]): {
  readonly fields: readonly FieldFilters[];
  readonly others: readonly Parameter[];
} {
  const fields = new Map<string, { parameter: Parameter; words: string }[]>();
  const others: Parameter[] = [];
  for (const parameter of parameters) {
    const [, field, words] = FILTER.exec(parameter.description) ?? [];
    if (
      parameter.place !== "query" ||
      field === undefined ||
      words === undefined ||
      !parameter.name.startsWith(field)
    ) {
      others.push(parameter);
      continue;
    }
    const filter = { parameter, words };
    const known = fields.get(field);
    if (known) known.push(filter);
    else fields.set(field, [filter]);
  }
  return { fields: [...fields].map(([field, filters]) => ({ field, filters })), others };
}
