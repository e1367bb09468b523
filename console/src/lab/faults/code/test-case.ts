import type { FaultRule, Milliseconds } from "../../../api/faults.ts";
import type { Overview } from "../../../api/overview.ts";
import { seededRandom } from "../../../ui/seeded-random.ts";
import { effectOf, scopeOf } from "../fault-words.ts";

/** The outcome that a test expects of one request. */
export type Outcome =
  | { readonly kind: "status"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** At least this late; undefined where it may be any time. */
  | { readonly kind: "late"; readonly minMs: number | undefined; readonly maxMs: number }
  | { readonly kind: "slow-body" | "truncated-body" | "malformed-json" | "broken-connection" }
  /** The server closes the connection after this time, if it does. */
  | { readonly kind: "no-response"; readonly closedAfterMs: number | undefined };

/** Everything that test code says about a fault, in any language. */
export interface TestCase {
  readonly title: string;
  /** The rule without its sandbox: tests have one of their own. */
  readonly rule: FaultRule;
  readonly method: string;
  readonly path: string;
  readonly outcome: Outcome;
  /** Whether the request changes data although the client gets no proper response. */
  readonly changesData: boolean;
}

/** A request that meets the fault, and what comes of it. */
export function testCaseOf(given: FaultRule, { members }: Pick<Overview, "members">): TestCase {
  const { sandbox: _sandbox, probability, seed: _seed, skip: _skip, ...others } = given;
  const rule: FaultRule = {
    ...others,
    ...(probability !== undefined && probability > 0 && probability < 1
      ? { probability, seed: hittingSeed(probability) }
      : {}),
  };
  const method = [rule.method ?? "GET"].flat()[0] ?? "GET";
  const collections = members.filter(({ kind }) => kind === "collection").map(({ name }) => name);
  const collection = rule.collection ?? collections[0] ?? members[0]?.name ?? "";
  const isToRecord = ["PUT", "PATCH", "DELETE"].includes(method);
  const path =
    rule.path === undefined ? `/${encodeURIComponent(collection)}${isToRecord ? "/1" : ""}` : concrete(rule.path);
  const isCreation = method === "POST" && collections.some((name) => path === `/${encodeURIComponent(name)}`);
  return {
    title: `${scopeOf(rule)}: ${effectOf(rule)}`,
    rule,
    method,
    path,
    outcome: outcomeOf(rule),
    changesData: rule.after === true && isCreation,
  };
}

/** `/products/:id` as a path to request. */
function concrete(pattern: string): string {
  return pattern.replace(/:\w+|\*/g, "1");
}

function outcomeOf({ fault, status = 500, headers = {}, ms = 0 }: FaultRule): Outcome {
  switch (fault) {
    case "status":
      return { kind: "status", status, headers };
    case "latency":
      return { kind: "late", ...boundsOf(ms) };
    case "timeout":
      return { kind: "no-response", closedAfterMs: typeof ms === "number" && ms > 0 ? ms : undefined };
    case "reset":
    case "empty-reply":
      return { kind: "broken-connection" };
    default:
      return { kind: fault };
  }
}

function boundsOf(ms: Milliseconds): { minMs: number | undefined; maxMs: number } {
  if (typeof ms === "number") return { minMs: ms, maxMs: ms };
  if ("min" in ms) return { minMs: ms.min, maxMs: ms.max };
  return { minMs: undefined, maxMs: ms.median * 20 };
}

/**
 * The smallest seed with which a fault of this probability meets the very first request: a test that copies the rule does
 * not depend on luck.
 */
function hittingSeed(probability: number): number {
  let seed = 1;
  while (seededRandom(seed)() >= probability && seed < 1_000_000) seed++;
  return seed;
}
