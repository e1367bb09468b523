import { clientOf, codeOf, type Entry, formatFault, isConsoleRead } from "./entry.ts";

const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx", "none"] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** From `from`, and before `to`, in milliseconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface EntryFilter {
  /** Words that must all be found in method, URL, status, handler, sandbox or fault. */
  readonly text: string;
  /** Of several, any fits; of none, all do. */
  readonly methods: readonly string[];
  readonly statuses: readonly StatusClass[];
  /** Empty for the main data; undefined for all. */
  readonly sandbox: string | undefined;
  readonly withFault: boolean;
  /** Whether reads of the console itself are shown, too. */
  readonly withConsole: boolean;
}

export const ALL_ENTRIES: EntryFilter = {
  text: "",
  methods: [],
  statuses: [],
  sandbox: undefined,
  withFault: false,
  withConsole: false,
};

/** "none" if the connection ended without a response. */
function statusClass({ status }: Entry): StatusClass {
  if (status === 0) return "none";
  return STATUS_CLASSES[Math.max(0, Math.floor(status / 100) - 2)] ?? "5xx";
}

export function matchesFilter(entry: Entry, filter: EntryFilter): boolean {
  const { methods, statuses, sandbox, withFault, withConsole } = filter;
  if (!withConsole && isConsoleRead(entry)) return false;
  if (methods.length > 0 && !methods.includes(entry.method)) return false;
  if (statuses.length > 0 && !statuses.includes(statusClass(entry))) return false;
  if (sandbox !== undefined && (entry.sandbox ?? "") !== sandbox) return false;
  if (withFault && entry.faults === undefined) return false;
  return matchesText(entry, filter.text);
}

export function isInRange({ time }: Entry, range: TimeRange | undefined): boolean {
  const at = Date.parse(time);
  return range === undefined || (at >= range.from && at < range.to);
}

function matchesText(entry: Entry, text: string): boolean {
  if (text === "") return true;
  const { method, url, rewritten = "", status, answeredBy, sandbox = "", faults = [] } = entry;
  const line = [
    method,
    url,
    rewritten,
    status,
    answeredBy,
    codeOf(entry),
    clientOf(entry),
    sandbox,
    ...faults.flatMap((met) => [met.fault, formatFault(met)]),
  ]
    .join(" ")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}

/** How many entries there are of each method, the most frequent first. */
export function countMethods(entries: readonly Entry[]): [method: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { method } of entries) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** How many entries there are of each class of status that occurs. */
export function countStatuses(entries: readonly Entry[]): [status: StatusClass, count: number][] {
  return STATUS_CLASSES.map((status): [StatusClass, number] => [
    status,
    entries.filter((entry) => statusClass(entry) === status).length,
  ]).filter(([, count]) => count > 0);
}

/** The sandboxes of these entries, in order; empty where all are about the main data. */
export function sandboxesOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ sandbox }) => sandbox ?? []))].sort();
}
