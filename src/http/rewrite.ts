import { StartError } from "../errors.ts";
import { parseParameters } from "../query/parameters.ts";
import { parseTarget, type Target } from "./exchange.ts";
import { compilePath, type PathPattern } from "./path-pattern.ts";
import type { Rewriter, Rules } from "./service.ts";

interface Rule {
  readonly from: string;
  readonly pattern: PathPattern;
  readonly target: Target;
}

/** `$1` or `:name` in a rule's target. */
const CAPTURE = /\$(\d+)|:(\w+)/g;

/** Makes the rules ready; a `StartError` names the rule that cannot be meant. */
export function createRewriter(rules: Rules): Rewriter {
  const compiled = Object.entries(rules).map(([from, to]) => compileRule(from, to));
  return {
    rules,
    rewrite: (client) => {
      let target = client;
      // Each rule sees the result of the ones before it, as in 0.17.
      for (const rule of compiled) target = applyRule(rule, target);
      return target;
    },
    trace: (client) => {
      const applied = [];
      let target = client;
      for (const rule of compiled) {
        if (rule.pattern.match(target.path)) applied.push(rule.from);
        target = applyRule(rule, target);
      }
      return { target, applied };
    },
  };
}

function compileRule(from: string, to: string): Rule {
  const refuse = (reason: string): StartError => new StartError(`rewrite rule "${from}" -> "${to}": ${reason}`);
  if (!from.startsWith("/")) throw refuse("the path to match must begin with /.");
  if (!to.startsWith("/")) throw refuse("the target must be a path that begins with /.");
  let pattern: PathPattern;
  try {
    pattern = compilePath(from);
  } catch {
    throw refuse("the path to match is not a valid pattern.");
  }
  const { keys } = pattern;
  for (const [text, index, name] of to.matchAll(CAPTURE)) {
    const isKnown = name === undefined ? Number(index) <= keys.length : keys.some((key) => key.name === name);
    if (!isKnown) throw refuse(`the target uses ${text}, which the path to match does not capture.`);
  }
  return { from, pattern, target: parseTarget(to) };
}

function applyRule({ pattern, target }: Rule, client: Target): Target {
  // Matched on the path alone, whatever the query: 0.17 matches both and so misses a literal rule with a query.
  const match = pattern.match(client.path);
  if (!match) return client;
  const captured = (index: string | undefined, name: string | undefined): string => {
    const position = name === undefined ? Number(index) : pattern.keys.findIndex((key) => key.name === name) + 1;
    return match[position] ?? "";
  };
  const path = target.path.replace(CAPTURE, (_text, index, name) => captured(index, name));
  const search = target.search.replace(CAPTURE, (_text, index, name) => encodeValue(captured(index, name)));
  return { path, search: mergeSearch(search, client.search) };
}

/** A captured piece of a path is already escaped, though not for a query: it goes in as one value, whatever it holds. */
function encodeValue(captured: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(captured));
  } catch {
    return encodeURIComponent(captured);
  }
}

/** The target's parameters, then those of the client that it does not set. */
function mergeSearch(target: string, client: string): string {
  if (target === "" || client === "") return target || client;
  const set = parseParameters(target);
  const rest = client.split("&").filter((pair) => {
    const [name] = parseParameters(pair).keys();
    return name !== undefined && !set.has(name);
  });
  return [target, ...rest].join("&");
}
