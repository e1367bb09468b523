import type { Rewrites, Step } from "../http/edge.ts";
import type { Store } from "../store/store.ts";
import { printable, type Terminal } from "./terminal.ts";

export interface BannerFacts {
  readonly url: string;
  /** Addresses that work from other machines. */
  readonly network: readonly string[];
  readonly store: Store;
  /** Active layers and interceptors, in order. */
  readonly steps: readonly Step[];
  readonly rules: Rewrites;
  readonly hasConsole: boolean;
  /** The document in front of the data; undefined for data alone. */
  readonly document?: { readonly summary: string; pathOf(collection: string): string | undefined } | undefined;
  /** Decisions of the start that are worth knowing. */
  readonly notes: readonly string[];
}

const MAX_LISTED = 40;

/** Prints the banner of a start: the address, the collections, and where writes are saved. */
export function printBanner(terminal: Terminal, facts: BannerFacts): void {
  const { network, url, store, steps, rules, hasConsole, document, notes } = facts;
  const { style } = terminal;
  const lines = addressLines(terminal, url, network);
  const all = store.members();
  // A document may have hundreds.
  const members = document ? all.slice(0, MAX_LISTED) : all;
  const width = Math.max(0, ...members.map(({ name }) => name.length));
  for (const { name, kind, count } of members) {
    const amount = kind === "singleton" ? "singleton" : String(count);
    const address = `${url}${document?.pathOf(name) ?? `/${encodeURIComponent(name)}`}`;
    lines.push(`  ${printable(name).padEnd(width)}  ${amount.padStart(9)}  ${style("cyan", address)}`);
  }
  if (members.length < all.length) lines.push(`  and ${all.length - members.length} more`);
  if (members.length === 0) lines.push("  The database is empty.");
  const say = (label: string, text: string): unknown => lines.push(`  ${style("dim", label.padEnd(8))}  ${text}`);
  lines.push(...edgeLines({ steps, rules }), "");
  if (document) say("Document", document.summary);
  say("Database", `${url}/db`);
  if (hasConsole) {
    say("Console", `${url}/__console`);
    say("API docs", `${url}/__docs`);
  }
  say("Saved to", store.place);
  for (const note of notes) say("Note", note);
  terminal.print([...lines, ""].join("\n"));
}

/** The first lines of a banner: where the server is. */
export function addressLines({ style }: Terminal, url: string, network: readonly string[]): string[] {
  return [
    "",
    `  ${style("bold", "standin")} is serving at ${style("cyan", url)}`,
    ...network.map((address) => `  ${style("dim", "on the network at")} ${style("cyan", address)}`),
    "",
  ];
}

/** Lines about the pipeline in front of every response: layers and rewrite rules. */
export function edgeLines({ steps, rules }: Pick<BannerFacts, "steps" | "rules">): string[] {
  const lines: string[] = [];
  if (steps.length > 0) {
    lines.push("", "  Layers, in this order");
    for (const step of steps) lines.push(`  ${step.kind === "layer" ? step.name : `${step.file} (interceptor)`}`);
  }
  const pairs = Object.entries(rules);
  if (pairs.length > 0) {
    lines.push("", "  Rewrite rules");
    for (const [from, to] of pairs) lines.push(`  ${from} -> ${to}`);
  }
  return lines;
}
