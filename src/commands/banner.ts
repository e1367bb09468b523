import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { MiddlewareStep } from "../http/edge.ts";
import type { Rewrites } from "../http/rewrite/rewrites.ts";
import type { Store } from "../store/store.ts";
import { printable, type Terminal } from "./terminal.ts";

export interface BannerFacts {
  readonly url: string;
  /** Addresses that work from other machines. */
  readonly network: readonly string[];
  readonly store: Store;
  /** Active layers and interceptors, in order. */
  readonly steps: readonly MiddlewareStep[];
  readonly rewrites: Rewrites;
  readonly hasConsole: boolean;
  /** Names of data that no path leads to. */
  readonly hidden: readonly string[];
  /** The document in front of the data; undefined for data alone. */
  readonly document?: { readonly summary: string; addressOf(collection: string): string | undefined } | undefined;
  /** Decisions of the start that are worth knowing. */
  readonly notes: readonly string[];
}

export type BannerLine = readonly [label: string, text: string];

/** The pages of a server. Data of the same name takes their place. */
const PAGES: readonly BannerLine[] = [
  ["Console", "__console"],
  ["API docs", "__docs"],
];

/** More than this number are counted, not listed. */
export const MAX_LISTED = 40;

/** Prints the banner of a start: the address, the collections, and where writes are saved. */
export function printBanner(terminal: Terminal, facts: BannerFacts): void {
  const { url, store, hasConsole, hidden, document, notes } = facts;
  const { style } = terminal;
  const lines: string[] = [];
  const all = store.members();
  // A document may have hundreds.
  const members = document ? all.slice(0, MAX_LISTED) : all;
  const width = Math.max(0, ...members.map(({ name }) => name.length));
  for (const { name, kind, count } of members) {
    const amount = kind === "singleton" ? "singleton" : String(count);
    const path = document ? document.addressOf(name) : `/${encodeURIComponent(name)}`;
    const isHidden = hidden.includes(name) || path === undefined;
    const why = path === undefined ? "not listed by the document" : "hidden by a built-in route";
    const address = isHidden ? style("dim", why) : style("cyan", `${url}${path}`);
    lines.push(`  ${printable(name).padEnd(width)}  ${amount.padStart(9)}  ${address}`);
  }
  if (members.length < all.length) lines.push(`  and ${all.length - members.length} more`);
  if (members.length === 0)
    lines.push("  The database is empty. Create a collection with POST /__collections, or data with standin generate.");
  const said: BannerLine[] = [["Database", `${url}/db`]];
  if (document) said.unshift(["Document", document.summary]);
  const isFree = ([, name]: BannerLine): boolean => store.kindOf(name) === undefined;
  if (hasConsole) said.push(...PAGES.filter(isFree).map(([label, name]): BannerLine => [label, `${url}/${name}`]));
  said.push(["Saved to", store.place], ...notes.map((note): BannerLine => ["Note", note]));
  printStart(terminal, facts, { lines, said });
}

/** Prints the parts that every start has in common around what is served. */
export function printStart(
  { print, style }: Terminal,
  { url, network, steps, rewrites }: Pick<BannerFacts, "url" | "network" | "steps" | "rewrites">,
  { lines, said }: { readonly lines: readonly string[]; readonly said: readonly BannerLine[] },
): void {
  print(
    [
      "",
      `  ${style("bold", "standin")} is serving at ${style("cyan", url)}`,
      ...network.map((address) => `  ${style("dim", "on the network at")} ${style("cyan", address)}`),
      "",
      ...lines,
      ...edgeLines({ steps, rewrites }),
      "",
      ...said.map(([label, text]) => `  ${style("dim", label.padEnd(8))}  ${text}`),
      "",
    ].join("\n"),
  );
}

/** Lines about the pipeline in front of every response: layers and rewrite rules. */
function edgeLines({ steps, rewrites }: Pick<BannerFacts, "steps" | "rewrites">): string[] {
  const lines: string[] = [];
  if (steps.length > 0) {
    lines.push("", "  Layers, in this order");
    for (const step of steps) lines.push(`  ${step.kind === "layer" ? step.name : `${step.file} (interceptor)`}`);
  }
  const pairs = Object.entries(rewrites);
  if (pairs.length > 0) {
    lines.push("", "  Rewrite rules");
    for (const [from, to] of pairs) lines.push(`  ${from} -> ${to}`);
  }
  return lines;
}

/** The addresses under which other machines reach a server that listens on all of them; none for any other host. */
export function networkAddresses(
  host: string,
  url: string,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): string[] {
  if (host !== "0.0.0.0" && host !== "::") return [];
  const outside = Object.values(interfaces).flatMap((list = []) =>
    list.filter(({ internal, family }) => !internal && family === "IPv4"),
  );
  return outside.map(({ address }) => Object.assign(new URL(url), { hostname: address }).href.replace(/\/$/, ""));
}
