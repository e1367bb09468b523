/** The parameters of a query string: each name with its values, in the order sent. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** 0.17.4 reads this many and drops the rest, which bounds the cost of a query string. */
const MAX_PARAMETERS = 1000;
/** Array serialisers repeat `id` as `id[]=1&id[]=2` or `id[0]=1&id[1]=2`. */
const ARRAY_SUFFIX = /\[\d*\]$/;

/** Parses a query string (without `?`). A broken escape stays as it was sent; `+` is a space. */
export function parseParameters(search: string): Parameters {
  const parameters = new Map<string, string[]>();
  const { length } = search;
  // A walk along the separators costs half of a split.
  for (let start = 0, count = 0, end = 0; start < length && count < MAX_PARAMETERS; start = end + 1, count++) {
    end = search.indexOf("&", start);
    if (end === -1) end = length;
    const equals = search.indexOf("=", start);
    const hasValue = equals !== -1 && equals < end;
    const name = parameterName(decode(search.slice(start, hasValue ? equals : end)));
    if (name === "") continue;
    const value = hasValue ? decode(search.slice(equals + 1, end)) : "";
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** The name of a parameter without its array suffix. */
export function parameterName(name: string): string {
  return name.endsWith("]") ? name.replace(ARRAY_SUFFIX, "") : name;
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
