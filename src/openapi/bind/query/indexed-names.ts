/** One part of a condition or an order in a list of them: `filters[0][field]`, `searchCriteria[sortOrders][0][direction]`. */
export interface IndexedName {
  readonly kind: "where" | "sort";
  /** The list of conditions, such as `searchCriteria.filterGroups.0.filters`: one of them must be met if it is in a list. */
  readonly group: string;
  /** Its place in the list. */
  readonly entry: string;
  readonly part: "field" | "value" | "operator";
}

const FIELDS = /^(?:field|key|name|property|column|attribute|selector|by|member)$/i;
const VALUES = /^(?:values?|operand|direction|dir|desc|order)$/i;
const OPERATORS = /^(?:condition_?type|operator|op|comparison|comparator|condition|match_?mode)$/i;
const OF_SORTS = /(?:sort|order)\w*$/i;
const OF_CONDITIONS = /(?:filters?|conditions?|criterias?|where|rules)$/i;

/** Reads the name of a parameter; undefined where it is no part of such a list. */
export function indexedName(name: string): IndexedName | undefined {
  if (!name.includes("[")) return undefined;
  const steps = name.split(/[[\].]+/).filter((step) => step !== "");
  const [holder = "", index = "", last = ""] = steps.slice(-3);
  if (steps.length < 3 || !/^\d{1,4}$/.test(index)) return undefined;
  const part = FIELDS.test(last)
    ? "field"
    : OPERATORS.test(last)
      ? "operator"
      : VALUES.test(last)
        ? "value"
        : undefined;
  const kind = OF_CONDITIONS.test(holder) ? "where" : OF_SORTS.test(holder) ? "sort" : undefined;
  if (!part || !kind) return undefined;
  return { kind, group: steps.slice(0, -2).join("."), entry: steps.slice(0, -1).join("."), part };
}
