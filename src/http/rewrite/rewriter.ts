import type { Target } from "../call.ts";
import type { Rewriter, Rewrites } from "../edge.ts";
import { compileRule, type Rule } from "./rewrite-rule.ts";

/** A rule, and those after it that name a query. */
interface RuleInOrder extends Rule {
  readonly laterWithQuery: readonly Rule[];
}

/** Makes the rules ready, and warns of those that 0.17 ignores, too; a `StartError` names a rule that cannot be meant. */
export function createRewriter(rules: Rewrites, warn: (text: string) => void = () => {}): Rewriter {
  const compiled = inOrder(
    Object.entries(rules).flatMap(([from, to]) => {
      const reason = reasonToIgnore(from, to);
      if (reason === undefined) return compileRule(from, to as string);
      warn(`The rewrite rule "${from}" is ignored: ${reason}`);
      return [];
    }),
  );
  return {
    rules,
    rewrite: (client) => {
      let address: Target = client;
      // Each rule sees the result of the ones before it, as in 0.17.
      for (const rule of compiled) address = applyRule(rule, address) ?? address;
      return address;
    },
    trace: (client) => {
      const applied = [];
      let target: Target = client;
      for (const rule of compiled) {
        const next = applyRule(rule, target);
        if (next) applied.push(rule.from);
        target = next ?? target;
      }
      return { target, applied };
    },
  };
}

function reasonToIgnore(from: string, to: unknown): string | undefined {
  if (!/^[/*(]/.test(from)) return "the path to match must begin with /.";
  if (typeof to !== "string") return "the target must be a string, a path.";
  return undefined;
}

function inOrder(rules: readonly Rule[]): RuleInOrder[] {
  return rules.map((rule, position) => ({
    ...rule,
    laterWithQuery: rule.namesQuery ? [] : rules.slice(position + 1).filter((later) => later.namesQuery),
  }));
}

/**
 * A rule for a path takes a request with any query, which 0.17 does not; so it gives way to a later rule that names the
 * query of the request, where 0.17 comes to that one.
 */
function applyRule(rule: RuleInOrder, address: Target): Target | undefined {
  const givesWay =
    rule.laterWithQuery.length > 0 &&
    address.search !== "" &&
    rule.laterWithQuery.some((later) => later.matchesQuery(address)) &&
    !rule.matchesQuery(address);
  return givesWay ? undefined : rule.apply(address);
}
