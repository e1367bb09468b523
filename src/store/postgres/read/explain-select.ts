import type { Condition, Query } from "../../../query/query.ts";
import type { Trace } from "../../store.ts";
import type { Sql } from "../connections/connection.ts";
import { type Fragment, run, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";

/** Below this an index spares nobody anything. */
const WORTH_AN_INDEX = 1000;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Tells how the database finds the records, and which declared index would spare it work. */
export async function explainSelect(
  database: Sql,
  member: KnownMember,
  query: Query,
  where: readonly Condition[],
  select: Fragment,
  trace: Trace,
): Promise<void> {
  const [row] = await run(database, sql`EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${select}`, false);
  const [{ Plan: root }] = row!["QUERY PLAN"] as [{ Plan: PlanNode }];
  const orders = new Map([...member.orders].map(([path, column]) => [column, path]));
  visit(root, member, orders, trace);
  trace.suggestions = suggestions(member, query, where);
}

function visit(node: PlanNode, member: KnownMember, orders: ReadonlyMap<string, string>, trace: Trace): void {
  const rows = Math.round((node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 1));
  const index = node["Index Name"];
  if (index?.startsWith(member.table))
    trace.steps.push(`${node["Node Type"].toLowerCase()} by ${indexWords(index, orders)}: ${rows}`);
  else if (node["Relation Name"] === member.table)
    trace.steps.push(`${node["Node Type"].toLowerCase()} of the records: ${rows}`);
  else if (/Sort/.test(node["Node Type"])) trace.steps.push(`${node["Node Type"].toLowerCase()}: ${rows}`);
  if (node["Relation Name"] === member.table) trace.touched += rows + (node["Rows Removed by Filter"] ?? 0);
  for (const inner of node.Plans ?? []) visit(inner, member, orders, trace);
}

function indexWords(index: string, orders: ReadonlyMap<string, string>): string {
  const column = /_(order_\d+)_/.exec(index)?.[1];
  if (column !== undefined) return `the order of ${orders.get(column)}`;
  if (index.includes("_doc_")) return "containment";
  return index.includes("_search_") ? "trigrams" : "place";
}

/** What the config file could declare for this query. */
function suggestions(member: KnownMember, { sort }: Query, where: readonly Condition[]): string[] {
  if (member.count < WORTH_AN_INDEX) return [];
  const ranges = where.filter(({ operator }) => operator === "gte" || operator === "lte").map(({ path }) => path.text);
  const wanted = new Set([...ranges, ...sort.slice(0, 1).map(({ path }) => path.text)]);
  const missing = [...wanted].filter((path) => !member.orders.has(path));
  if (missing.length === 0) return [];
  const fields = [...member.orders.keys(), ...missing].map((path) => JSON.stringify(path)).join(", ");
  return [`declare an index in the config file: "indexes": { ${JSON.stringify(member.name)}: [${fields}] }`];
}
