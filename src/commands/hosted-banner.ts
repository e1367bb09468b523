import type { Mock, Mocks } from "../hosted/mocks.ts";
import { shownEndpoints } from "../hosted/shown-endpoints.ts";
import type { Edge } from "../http/edge.ts";
import { addressLines, edgeLines } from "./banner.ts";
import { printable, type Terminal } from "./terminal.ts";

export interface HostedBannerFacts {
  readonly url: string;
  /** Addresses that work from other machines. */
  readonly network: readonly string[];
  readonly mocks: Mocks;
  readonly edge: Edge;
  /** Whether browsers find a page at the root. */
  readonly hasPage: boolean;
  readonly notes: readonly string[];
}

/** Routes and mocks beyond this number are counted, not listed. */
const MAX_LISTED = 40;

type Line = readonly [label: string, text: string];

/** Prints the banner of hosted mode: the address, and each route, or each mock of a folder. */
export function printHostedBanner(terminal: Terminal, facts: HostedBannerFacts): void {
  const { url, network, mocks, edge, hasPage, notes } = facts;
  const { style } = terminal;
  const { only } = mocks;
  const said: Line[] = [
    ...(only ? factsOf(only) : mocks.skipped.map((text): Line => ["Skipped", text])),
    ...(hasPage && !only ? [["Overview", `${url}/`] as const] : []),
    ...[...(only?.notes ?? []), ...notes].map((note): Line => ["Note", note]),
  ];
  const lines = [
    ...addressLines(terminal, url, network),
    ...(only ? routeLines(only) : mockLines(terminal, mocks.list)),
    ...edgeLines({ steps: edge.steps, rules: edge.rewriter.rules }),
    "",
    ...said.map(([label, text]) => `  ${style("dim", label.padEnd(8))}  ${printable(text)}`),
  ];
  terminal.print([...lines, ""].join("\n"));
}

function factsOf({ source, keys }: Mock): Line[] {
  return [
    ["Examples", source],
    ["Access", keys ? "private, requires X-Api-Key" : "public"],
  ];
}

function routeLines({ hosted }: Mock): string[] {
  const endpoints = shownEndpoints(hosted.routes.endpoints);
  const listed = endpoints.slice(0, MAX_LISTED);
  const width = Math.max(0, ...listed.map(({ path }) => path.text.length));
  const lines = listed.map(
    ({ method, path, examples }) =>
      `  ${method.padEnd(7)} ${printable(path.text).padEnd(width)}  ${counted(examples.length, "example")}`,
  );
  const more = endpoints.length - listed.length;
  return more > 0 ? [...lines, `  and ${more} more routes`] : lines;
}

function mockLines({ style }: Terminal, mocks: readonly Mock[]): string[] {
  if (mocks.length === 0) return ["  The folder has no mocks."];
  const listed = mocks.slice(0, MAX_LISTED);
  const width = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map(({ name, source, keys, problem, hosted }) => {
    const start = `  /${printable(name).padEnd(width)}  `;
    if (problem !== undefined) return `${start}${style("yellow", "not served")}  ${printable(problem)}`;
    const routes = counted(shownEndpoints(hosted.routes.endpoints).length, "route");
    return `${start}${routes.padEnd(10)}  ${keys ? "private" : "public "}  ${printable(source)}`;
  });
  const more = mocks.length - listed.length;
  return more > 0 ? [...lines, `  and ${more} more mocks`] : lines;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
