import type { Entry } from "../entry.ts";
import { asHar } from "./as-har.ts";
import { asHttp } from "./as-http.ts";

export const SAVED_FORMATS = [
  { format: "http", name: ".http file", ending: "http", type: "text/plain" },
  { format: "har", name: "HAR 1.2", ending: "har", type: "application/json" },
] as const;
export type SavedFormat = (typeof SAVED_FORMATS)[number]["format"];

export interface Saving {
  /** Scheme and host of the server. */
  readonly origin: string;
  /** The version of standin. */
  readonly version: string;
}

/** The requests as a file, oldest first. Secrets were masked by the server, and stay so. */
export function savedFile(format: SavedFormat, entries: readonly Entry[], { origin, version }: Saving): string {
  return format === "http" ? asHttp(entries, origin) : asHar(entries, origin, version);
}
