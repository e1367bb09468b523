import type { FaultKind } from "../api/faults.ts";
import { isJsonObject, parseJson } from "../api/json.ts";
import { effectOf } from "../lab/faults/fault-words.ts";

/** Why the server kept a body in part or not at all. */
export type OmittedBody = "truncated" | "long" | "unread" | "binary" | "file" | "lost";

/** A fault that a request met. One that the request asked for itself, by `Prefer: code=503`, has no id. */
export interface MetFault {
  readonly id?: string;
  readonly fault: FaultKind;
  readonly status?: number;
  readonly delayMs?: number;
}

/** One request as the server noted it. */
export interface Entry {
  readonly id: number;
  /** When the response was sent. */
  readonly time: string;
  readonly method: string;
  /** As the client sent it. */
  readonly url: string;
  readonly rewritten?: string;
  /** Absent for the main data. */
  readonly sandbox?: string;
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly durationMs: number;
  readonly answeredBy: string;
  /** Why the request was refused, where the response may not say so. */
  readonly refusal?: string;
  readonly faults?: readonly MetFault[];
  /** The version of the data that it has made. */
  readonly version?: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly requestBodyOmitted?: OmittedBody;
  readonly responseBody?: string;
  readonly responseBodyOmitted?: OmittedBody;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Secrets in the URL or the request body were masked, so that this is not what the client sent. */
  readonly isMasked?: true;
}

/** When the request began, in milliseconds. */
export function startOf({ time, durationMs }: Entry): number {
  return Date.parse(time) - durationMs;
}

/** Whether it came after another one. Ids begin anew when the server restarts; a clock may stand still. */
export function isAfter({ time, id }: Entry, other: Entry | undefined): boolean {
  return other === undefined || time > other.time || (time === other.time && id > other.id);
}

/** Whether a console sent it for itself. */
export function isOfConsole({ requestHeaders }: Entry): boolean {
  return requestHeaders["x-standin-console"] !== undefined;
}

/** Reads of the console itself. Its writes are actions of the user, and always shown. */
export function isConsoleRead(entry: Entry): boolean {
  return (entry.method === "GET" || entry.method === "HEAD") && isOfConsole(entry);
}

/** In the words of the test lab: "Status 503", "200 ms late". */
export function formatFault({ fault, status, delayMs }: MetFault): string {
  return effectOf({ fault, ...(status !== undefined && { status }), ...(delayMs !== undefined && { ms: delayMs }) });
}

/** The `code` of an error response: `RECORD_NOT_FOUND`. */
export function codeOf({ status, responseBody }: Entry): string | undefined {
  const body = status >= 400 && responseBody?.includes('"code"') ? parseJson(responseBody) : undefined;
  return isJsonObject(body) && typeof body.code === "string" ? body.code : undefined;
}

/** The program that sent it, as it names itself: `curl`, `node`, `Chrome`. */
export function clientOf(entry: Entry): string {
  const agent = entry.requestHeaders["user-agent"] ?? "";
  if (isOfConsole(entry)) return "console";
  const browser = /\b(Firefox|Edg|OPR|HeadlessChrome|Chrome|Safari)\//.exec(agent)?.[1];
  if (agent.startsWith("Mozilla/")) return (browser && BROWSERS[browser]) ?? browser ?? "browser";
  return /^[^\s/(]+/.exec(agent)?.[0] ?? "";
}

const BROWSERS: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", HeadlessChrome: "Chrome" };
