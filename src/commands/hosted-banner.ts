import type { Mock, Mocks } from "../hosted/mocks.ts";
import { shownEndpoints } from "../hosted/shown-endpoints.ts";
import type { Service } from "../http/contract.ts";
import { type BannerFacts, type BannerLine, MAX_LISTED, printStart } from "./banner.ts";
import { printable, type Terminal } from "./terminal.ts";

export interface HostedBannerFacts extends Pick<BannerFacts, "url" | "network" | "notes"> {
  readonly mocks: Mocks;
  readonly service: Service;
}

/** Prints the banner of hosted mode: the address, and each route, or each mock of a folder. */
export function printHostedBanner(terminal: Terminal, facts: HostedBannerFacts): void {
  const { url, network, mocks, service, notes } = facts;
  const { only } = mocks;
  const said: BannerLine[] = [
    ...(only ? factsOf(only) : mocks.skipped.map((text): BannerLine => ["Skipped", text])),
    ...(service.settings.console && !only ? [["Overview", `${url}/`] as const] : []),
    ...[...(only?.notes ?? []), ...notes].map((note): BannerLine => ["Note", note]),
  ];
  const lines = only ? routeLines(only) : mockLines(terminal, mocks.list);
  const { steps, rewriter } = service;
  const printed = said.map(([label, text]): BannerLine => [label, printable(text)]);
  printStart(terminal, { url, network, steps, rewrites: rewriter.rewrites }, { lines, said: printed });
}

function factsOf({ source, keys }: Mock): BannerLine[] {
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
