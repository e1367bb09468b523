import type { Version } from "../api/history.ts";
import { formatCount } from "../ui/format.ts";

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" });

/** "10:02:14". */
export function clockOf({ time }: Pick<Version, "time">): string {
  return CLOCK.format(Date.parse(time));
}

/** "Mon, 16 Nov 2026". */
export function dayOf({ time }: Pick<Version, "time">): string {
  return DAY.format(Date.parse(time));
}

/** The records of a version, all together. */
export function countsOf({ counts }: Version): { created: number; updated: number; removed: number } {
  const sum = { created: 0, updated: 0, removed: 0 };
  for (const { created, updated, removed } of Object.values(counts)) {
    sum.created += created;
    sum.updated += updated;
    sum.removed += removed;
  }
  return sum;
}

export function sizeOf(version: Version): number {
  const { created, updated, removed } = countsOf(version);
  return created + updated + removed;
}

/** The summary with separated thousands. */
export function summaryOf({ summary }: Version): string {
  return summary.replace(/\b\d{4,}(?= (created|updated|removed))/g, (digits) => formatCount(Number(digits)));
}

/** One version in a line, for those who do not see where it stands. */
export function lineOf(version: Version): string {
  return `Version ${version.version}, ${clockOf(version)}, ${version.by}, ${summaryOf(version)}`;
}
