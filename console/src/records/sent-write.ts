import type { Answer } from "../api/ask.ts";
import type { Json } from "../api/json.ts";
import type { Pair } from "../api/parameters.ts";

/** A write as it was sent, for users who want to send it themselves. */
export interface SentWrite {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Pair[];
  readonly body: Json | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** The version that it has made, which the server can revert. */
  readonly made?: MadeVersion | undefined;
  /** The one record that it has created. */
  readonly created?: { readonly collection: string; readonly id: string };
}

interface MadeVersion {
  readonly version: number;
  /** The sandbox, if it is another one than that of the page. */
  readonly place?: string | undefined;
}

/** The version that a write of the console has made; undefined where no history is kept, or nothing was changed. */
export function madeBy({ headers }: Pick<Answer, "headers">, place = ""): SentWrite["made"] {
  const version = headers.get("X-Standin-Version");
  return version === null ? undefined : { version: Number(version), place };
}
