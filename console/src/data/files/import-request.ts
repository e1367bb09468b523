import type { Json, JsonObject } from "../../api/json.ts";
import { pathOf, type Violation } from "../../api/violation.ts";
import type { PlaceProblem } from "./import-file.ts";

/** One POST takes no more records than this. */
const MAX_RECORDS = 5000;

/** The handling of records whose id exists already. */
const PREFERENCES = { refuse: "", update: "resolution=merge-duplicates", skip: "resolution=ignore-duplicates" };
export type Resolution = keyof typeof PREFERENCES;

export interface ImportRequest {
  readonly method: "POST";
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Json;
}

/** The one request that creates all the records, or none: a POST, or a batch of them where there are many. */
export function importRequest(
  collection: string,
  records: readonly JsonObject[],
  resolution: Resolution,
): ImportRequest {
  const method = "POST";
  const path = `/${encodeURIComponent(collection)}`;
  const headers: Record<string, string> = resolution === "refuse" ? {} : { Prefer: PREFERENCES[resolution] };
  if (records.length <= MAX_RECORDS) return { method, path, headers, body: [...records] };
  const requests: Json[] = [];
  for (let start = 0; start < records.length; start += MAX_RECORDS) {
    requests.push({ method, path, headers, body: records.slice(start, start + MAX_RECORDS) });
  }
  return { method, path: "/__batch", headers: {}, body: { requests } };
}

/** An error of the server. */
interface Refused {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly violations: readonly Violation[];
  readonly failed: number | undefined;
}

/** The problems that the server has with records, at their places in the file. */
export function problemsOf(refused: Refused, places: readonly string[]): PlaceProblem[] {
  const { status, title, message, violations, failed = 0 } = refused;
  if (violations.length > 0) return violations.map((violation) => problemOf(violation, places, failed));
  const help = status === 413 ? " Import the file in parts, or start the server with it." : "";
  return [{ place: "", message: `${title}: ${message}${help}` }];
}

function problemOf(
  { pointer, message, given, index = 0 }: Violation,
  places: readonly string[],
  failed: number,
): PlaceProblem {
  const shown = given === undefined || typeof given === "object" ? "" : `, not ${JSON.stringify(given)}`;
  const path = pathOf({ pointer, message }) || "The record";
  return { place: places[failed * MAX_RECORDS + index] ?? "", message: `${path} ${message}${shown}.` };
}
