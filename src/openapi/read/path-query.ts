/** A parameter in the query of a path: `kind=cat`, or `kind={kind}` for any value. */
export interface PathQueryTerm {
  readonly name: string;
  readonly value: string;
  /** The name of the value; undefined for a fixed one. */
  readonly wildcard: string | undefined;
}

/** A path and the query that it names: `/pets?kind={kind}`, or `/pets{?kind,size}` as in URI templates. */
export function splitPathQuery(text: string): { readonly path: string; readonly query: readonly PathQueryTerm[] } {
  const optional: PathQueryTerm[] = [];
  const rest = text.replace(/\{[?&]([^{}]*)\}/g, (_whole, names: string) => {
    for (const name of names.split(",")) optional.push(termOf(bareName(name), `{${bareName(name)}}`));
    return "";
  });
  const at = rest.indexOf("?");
  if (at === -1) return { path: rest, query: optional };
  const pairs = rest
    .slice(at + 1)
    .split("&")
    .filter((pair) => pair !== "");
  const terms = pairs.map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return termOf(name, value.join("="));
  });
  return { path: rest.slice(0, at), query: [...terms, ...optional] };
}

function bareName(name: string): string {
  return name.trim().replace(/\*$/, "");
}

function termOf(name: string, value: string): PathQueryTerm {
  const wildcard = /\{([^{}]*)\}/.exec(value)?.[1]?.trim();
  return { name: decoded(name), value: decoded(value), wildcard };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The terms of a query that have one value, and so tell operations of one path apart. */
export function fixedQuery({ query }: { readonly query: readonly PathQueryTerm[] }): readonly PathQueryTerm[] {
  return query.filter(({ wildcard }) => wildcard === undefined);
}
