/** One request as the server noted it. */
export interface Entry {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  /** As the client sent it. */
  readonly url: string;
  readonly rewritten?: string;
  readonly status: number;
  readonly durationMs: number;
  readonly answeredBy: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly responseBody?: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface EntryFilter {
  /** Words that must all be found in method, URL, status or handler. */
  readonly text: string;
  readonly status: "all" | "ok" | "failed";
  /** Whether reads of the console itself are shown, too. */
  readonly withConsole: boolean;
}

export const ALL_ENTRIES: EntryFilter = { text: "", status: "all", withConsole: false };

/** Reads of the console itself. Its writes are actions of the user, and always shown. */
export function isConsoleRead({ method, requestHeaders }: Entry): boolean {
  return (method === "GET" || method === "HEAD") && requestHeaders["x-standin-console"] !== undefined;
}

export function matchesFilter(entry: Entry, { text, status, withConsole }: EntryFilter): boolean {
  if (!withConsole && isConsoleRead(entry)) return false;
  if (status === "ok" && entry.status >= 400) return false;
  if (status === "failed" && entry.status < 400) return false;
  if (text === "") return true;
  const { method, url, rewritten = "", answeredBy } = entry;
  const line = `${method} ${url} ${rewritten} ${entry.status} ${answeredBy}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}
