import type { Routes } from "../hosted/routes.ts";
import type { Edge } from "../http/edge.ts";
import { edgeLines } from "./banner.ts";
import { printable, type Terminal } from "./terminal.ts";

export interface HostedBannerFacts {
  readonly url: string;
  readonly routes: Routes;
  /** The origin of the examples. */
  readonly source: string;
  readonly isPrivate: boolean;
  readonly edge: Edge;
  readonly notes: readonly string[];
}

/** Routes beyond this number are counted, not listed. */
const MAX_LISTED = 40;

/** Prints the banner of hosted mode: the address, and each route with its number of examples. */
export function printHostedBanner(
  terminal: Terminal,
  { url, routes, source, isPrivate, edge, notes }: HostedBannerFacts,
): void {
  const { style } = terminal;
  const lines = ["", `  ${style("bold", "standin")} is serving at ${style("cyan", url)}`, ""];
  const endpoints = withoutRepeated(routes.endpoints);
  const listed = endpoints.slice(0, MAX_LISTED);
  const width = Math.max(0, ...listed.map(({ path }) => path.text.length));
  for (const { method, path, examples } of listed) {
    const count = examples.length === 1 ? "1 example" : `${examples.length} examples`;
    lines.push(`  ${method.padEnd(7)} ${printable(path.text).padEnd(width)}  ${count}`);
  }
  const more = endpoints.length - listed.length;
  if (more > 0) lines.push(`  and ${more} more routes`);
  lines.push(...edgeLines({ steps: edge.steps, rules: edge.rewriter.rules }), "");
  lines.push(`  ${style("dim", "Examples")}  ${source}`);
  lines.push(`  ${style("dim", "Access")}    ${isPrivate ? "private, requires X-Api-Key" : "public"}`);
  for (const note of notes) lines.push(`  ${style("dim", "Note")}      ${note}`);
  terminal.print([...lines, ""].join("\n"));
}

/** Hides the concrete paths that only repeat the examples of a path with variables. */
function withoutRepeated(endpoints: Routes["endpoints"]): Routes["endpoints"] {
  const wild = endpoints.filter(({ path }) => path.names.length > 0);
  const responses = new Set(wild.flatMap(({ examples }) => examples.map(({ response }) => response)));
  return endpoints.filter(
    ({ path, examples }) => path.names.length > 0 || examples.some(({ response }) => !responses.has(response)),
  );
}
