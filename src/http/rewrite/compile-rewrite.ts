import { StartError } from "../../base/errors.ts";
import { parseParameters } from "../../query/parse-query.ts";
import { parseTarget, type Target, visibleUrl } from "../call.ts";
import { compilePath, type PathPattern } from "./rewrite-pattern.ts";

export interface Rewrite {
  readonly from: string;
  /** Whether the left side names a query: then the rule is matched on path and query, as in 0.17. */
  readonly namesQuery: boolean;
  /** The address after the rule; undefined when the rule is for another one. */
  apply(address: Target): Target | undefined;
  /** Whether 0.17 applies the rule to the address, which it always matches with its query. */
  matchesQuery(address: Target): boolean;
}

/** `$1` or `:name` in a rule's target. */
const CAPTURE = /\$(\d+)|:(\w+)/g;

/** The parameters that choose a part of a list, and its order. */
const CHOSEN = new Set(["_page", "_limit", "_start", "_end", "_per_page", "_after", "_sort", "_order"]);

/** Replaces each capture in a text. */
type Fill = (text: string, encode: (captured: string, key: number) => string) => string;

/** Makes a rule ready; a `StartError` names the rule that cannot be meant. */
export function compileRewrite(from: string, to: string): Rewrite {
  const refuse = (reason: string): StartError => new StartError(`rewrite rule "${from}" -> "${to}": ${reason}`);
  if (!to.startsWith("/")) throw refuse("the target must be a path that begins with /.");
  let pattern: PathPattern;
  try {
    pattern = compilePath(from);
  } catch {
    throw refuse("the path to match is not a valid pattern.");
  }
  const target = parseTarget(to);
  const isKnown = (index: string | undefined, name: string | undefined): boolean =>
    name === undefined ? Number(index) <= pattern.keys.length : pattern.keys.some((key) => key.name === name);
  // Behind the question mark a colon may be part of a parameter, such as `price:lt=10`.
  for (const [text, index, name] of [...target.path.matchAll(CAPTURE), ...target.search.matchAll(/\$(\d+)/g)]) {
    if (!isKnown(index, name)) throw refuse(`the target uses ${text}, which the path to match does not capture.`);
  }
  const fillFrom =
    (match: readonly (string | undefined | null)[]): Fill =>
    (text, encode) =>
      text.replace(CAPTURE, (all, index, name) => {
        if (!isKnown(index, name)) return all;
        const key = name === undefined ? Number(index) : pattern.keys.findIndex((known) => known.name === name) + 1;
        return encode(match[key] ?? "", key);
      });
  const apply = pattern.firstQueryKey === undefined ? applyToPath : applyToWhole(pattern.firstQueryKey);
  return {
    from,
    namesQuery: pattern.firstQueryKey !== undefined,
    apply: (address) => {
      const subject = pattern.firstQueryKey === undefined ? address.path : visibleUrl(address);
      const match = pattern.match(subject);
      return match && apply(address, target, fillFrom(match));
    },
    matchesQuery: (address) => pattern.match(visibleUrl(address)) !== undefined,
  };
}

/** Matched on the path: the client's query is kept beside the target's, unless an earlier rule has used it up. */
function applyToPath(address: Target, target: Target, fill: Fill): Target {
  const path = fill(target.path, (captured) => captured);
  if (target.search === "") return { ...address, path };
  const search = mergeSearch(fill(target.search, encodeValue), address.isQuerySpent ? "" : address.search);
  return { path, search, hasQueryOfRule: true };
}

/**
 * Matched on path and query, as in 0.17: a query in the target takes the place of the client's, which the rule has spelled
 * out; without one the client's stays for the route.
 */
function applyToWhole(firstQueryKey: number): typeof applyToPath {
  return (address, target, fill) => {
    const path = fill(target.path, (captured) => captured);
    // Text from the client's query is encoded for one already, and may hold several parameters.
    const search = fill(target.search, (captured, key) =>
      key > firstQueryKey || captured.includes("?") ? captured : encodeValue(captured),
    );
    if (target.search === "" && !path.includes("?")) return { ...address, path, isQuerySpent: true };
    return target.search === "" ? parseTarget(path) : { ...parseTarget(`${path}?${search}`), hasQueryOfRule: true };
  };
}

/** A captured piece of a path is already escaped, though not for a query: it becomes one value. */
function encodeValue(captured: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(captured));
  } catch {
    return encodeURIComponent(captured);
  }
}

/**
 * The target's parameters, then those of the client that it does not set. Only the part of a list and its order are for
 * the client to choose: what it sends of them takes the place of the target's.
 */
function mergeSearch(target: string, client: string): string {
  if (target === "" || client === "") return target || client;
  const sent = parseParameters(client);
  const isChosen = (name: string): boolean =>
    CHOSEN.has(name) && (sent.has(name) || (name === "_order" && sent.has("_sort")));
  const kept = pairsOf(target, (name) => !isChosen(name));
  const set = parseParameters(kept.join("&"));
  return [...kept, ...pairsOf(client, (name) => !set.has(name))].join("&");
}

function pairsOf(search: string, isKept: (name: string) => boolean): string[] {
  return search.split("&").filter((pair) => {
    const [name] = parseParameters(pair).keys();
    return name !== undefined && isKept(name);
  });
}
