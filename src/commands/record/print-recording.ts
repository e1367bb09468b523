import type { RecordingSummary, SavedRecording } from "../../features/record/types.ts";
import { printable, type Terminal } from "../terminal.ts";

/** Tells what a recording has, what was replaced in it, and how to serve it. */
export function printRecording({ print, style }: Terminal, summary: RecordingSummary, saved: SavedRecording): void {
  const { upstream, exchanges, operations, collections, redactions, skipped } = summary;
  const rows = collections.map(({ name, count }) => [name, `${count}`] as const);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const amounts = (list: readonly (readonly [string, number])[]): string =>
    list.map(([name, count]) => `${printable(name)} ${count}`).join(", ");
  const facts = [
    ["Redacted", amounts(redactions.map(({ name, count }) => [name, count]))],
    ["Skipped", amounts(skipped.map(({ reason, count }) => [reason, count]))],
    ["Saved to", saved.files.join(", ")],
    ["Serve it", saved.serve],
  ].filter(([, text]) => text !== "");
  print(
    [
      "",
      `  Recorded ${amount(exchanges, "request")} to ${upstream}: ${amount(operations.length, "operation")}, ${amount(collections.length, "collection")}`,
      "",
      ...rows.map(([name, count]) => `  ${printable(name).padEnd(width)}  ${count.padStart(6)}`),
      ...(rows.length > 0 ? [""] : []),
      ...facts.map(([label = "", text]) => `  ${style("dim", label.padEnd(8))}  ${text}`),
      "",
    ].join("\n"),
  );
}

function amount(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
