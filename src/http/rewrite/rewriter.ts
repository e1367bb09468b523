import type { Target } from "../call.ts";
import type { Rewriter } from "../edge.ts";
import { compileRewrite, type Rewrite } from "./compile-rewrite.ts";
import type { Rewrites } from "./rewrites.ts";

/** A rule, and those after it that name a query. */
interface OrderedRewrite extends Rewrite {
  readonly laterWithQuery: readonly Rewrite[];
}

/** Makes the rules ready, and warns of those that 0.17 ignores, too; a `StartError` names a rule that cannot be meant. */
export function createRewriter(rewrites: Rewrites, warn: (text: string) => void = () => {}): Rewriter {
  const compiled = inOrder(
    Object.entries(rewrites).flatMap(([from, to]) => {
      const reason = reasonToIgnore(from, to);
      if (reason === undefined) return compileRewrite(from, to as string);
      warn(`The rewrite rule "${from}" is ignored: ${reason}`);
      return [];
    }),
  );
  return {
    rewrites,
    rewrite: (client) => {
      let address: Target = client;
      // Each rule sees the result of the ones before it, as in 0.17.
      for (const one of compiled) address = applyRewrite(one, address) ?? address;
      return address;
    },
    trace: (client) => {
      const applied = [];
      let target: Target = client;
      for (const one of compiled) {
        const next = applyRewrite(one, target);
        if (next) applied.push(one.from);
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

function inOrder(rewrites: readonly Rewrite[]): OrderedRewrite[] {
  return rewrites.map((one, position) => ({
    ...one,
    laterWithQuery: one.namesQuery ? [] : rewrites.slice(position + 1).filter((later) => later.namesQuery),
  }));
}

/**
 * A rule for a path takes a request with any query, which 0.17 does not; so it gives way to a later rule that names the
 * query of the request, where 0.17 comes to that one.
 */
function applyRewrite(one: OrderedRewrite, address: Target): Target | undefined {
  const givesWay =
    one.laterWithQuery.length > 0 &&
    address.search !== "" &&
    one.laterWithQuery.some((later) => later.matchesQuery(address)) &&
    !one.matchesQuery(address);
  return givesWay ? undefined : one.apply(address);
}
