import { median, spread } from "./statistics.ts";

/** A table in Markdown: the first column to the left, the others to the right. */
export function renderTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...lines.map((line) => line[column]!.length)));
  const render = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [render(head), render(rule), ...lines.map(render)].join("\n");
}

/** The median, and how far the rounds lie apart. */
export function middle(values: readonly number[] | undefined): string {
  if (!values || values.length === 0) return "";
  const text = number(median(values));
  return values.length === 1 ? text : `${text} ±${percent(spread(values))}`;
}

export function number(value: number): string {
  if (value < 10) return value.toFixed(2);
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The budget and whether it is met, judged before rounding. */
export function verdict(wanted: readonly (readonly [text: string, isMet: boolean])[]): string {
  return wanted.map(([text, isMet]) => `${text}: ${isMet ? "met" : "MISSED"}`).join("; ");
}
