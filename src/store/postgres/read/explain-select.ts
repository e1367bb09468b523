import { conditionsIn, isRange } from "../../../query/filter.ts";
import type { Filter, Query } from "../../../query/query.ts";
import type { Trace } from "../../store.ts";
import type { Statements } from "../connections/connection.ts";
import { type Fragment, only, run, sql } from "../sql/fragment.ts";
import type { KnownMember } from "../tables/catalogue.ts";

/** Fewer records are not worth an index. */
const MIN_INDEXED_RECORDS = 1000;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

interface PlanRow {
  readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }];
}

export interface ExplainRequest {
  readonly member: KnownMember;
  readonly query: Query;
  readonly where: readonly Filter[];
  readonly select: Fragment;
  /** Filled with the steps and suggestions. */
  readonly trace: Trace;
}

/** Traces how the database finds the records, and which index to declare to make it faster. */
export async function explainSelect(
  database: Statements,
  { member, query, where, select, trace }: ExplainRequest,
): Promise<void> {
  const rows = await run<PlanRow>(database, sql`EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${select}`, false);
  const [{ Plan: root }] = only(rows)["QUERY PLAN"];
  visit(root, member, trace);
  trace.suggestions = suggestIndexes(member, query, where);
}

function visit(node: PlanNode, member: KnownMember, trace: Trace): void {
  const rows = Math.round((node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 1));
  const index = node["Index Name"];
  if (index?.startsWith(member.table))
    trace.steps.push(`${node["Node Type"].toLowerCase()} by ${describeIndex(index, member)}: ${rows}`);
  else if (node["Relation Name"] === member.table)
    trace.steps.push(`${node["Node Type"].toLowerCase()} of the records: ${rows}`);
  else if (/Sort/.test(node["Node Type"])) trace.steps.push(`${node["Node Type"].toLowerCase()}: ${rows}`);
  if (node["Relation Name"] === member.table) trace.touched += rows + (node["Rows Removed by Filter"] ?? 0);
  for (const inner of node.Plans ?? []) visit(inner, member, trace);
}

function describeIndex(index: string, { sortColumns }: KnownMember): string {
  const column = /_(order_\d+)_/.exec(index)?.[1];
  if (column !== undefined) {
    const path = [...sortColumns].find(([, name]) => name === column)?.[0];
    return `the order of ${path}`;
  }
  if (index.includes("_doc_")) return "containment";
  return index.includes("_search_") ? "trigrams" : "place";
}

/** The indexes that the config file could declare for this query. */
function suggestIndexes(member: KnownMember, { sort }: Query, where: readonly Filter[]): string[] {
  if (member.count < MIN_INDEXED_RECORDS) return [];
  const ranges = where
    .flatMap(conditionsIn)
    .filter(isRange)
    .map(({ path }) => path.text);
  const wanted = new Set([...ranges, ...sort.slice(0, 1).flatMap(({ path, order }) => (order ? [] : path.text))]);
  const missing = [...wanted].filter((path) => !member.sortColumns.has(path));
  if (missing.length === 0) return [];
  const fields = [...member.sortColumns.keys(), ...missing].map((path) => JSON.stringify(path)).join(", ");
  return [`declare an index in the config file: "indexes": { ${JSON.stringify(member.name)}: [${fields}] }`];
}
