import { StandinError } from "../base/errors.ts";
import { historyFeature } from "../features/history/feature.ts";
import type { HistoryPage, HistoryQuery, HistoryVersion, RevertOptions } from "../features/history/types.ts";
import { makingOf } from "../features/rules/feature.ts";
import type { Service } from "../http/contract.ts";
import { createDatabase, type Database } from "../schema/typed-database.ts";
import { createInProcess, type InProcess } from "./in-process.ts";

/** The versions of the data. Every change of it is one. */
export interface HistoryAccess<D extends object> {
  /** Newest first. */
  list(query?: HistoryQuery): Promise<HistoryPage>;
  /**
   * The data after a version, at a time (ISO 8601) or at an age such as `-5m`. It cannot be written to.
   *
   * @example
   * const past = await api.history.at(12);
   * const then = await past.db.products.get(1);
   */
  at(moment: number | string): Promise<PastMoment<D>>;
  /** Takes exactly that version back, as a new one. Rejects with `REVERT_CONFLICT`, and then changes nothing. */
  revert(version: number, options?: RevertOptions): Promise<HistoryVersion>;
  /** Makes all data what it was at a moment, as a new version. */
  restore(moment: number | string): Promise<HistoryVersion>;
}

/** The data at one version. */
export interface PastMoment<D extends object> extends InProcess {
  readonly version: number;
  /** The base URL of requests to that version. */
  readonly url: string;
  readonly db: Database<D>;
}

interface AccessOptions {
  readonly seed?: number | undefined;
  readonly isTrusted?: boolean | undefined;
}

/** `url` is where the data is reached. @internal */
export function createHistoryAccess<D extends object>(
  service: Service,
  url: string,
  { seed, isTrusted }: AccessOptions,
): HistoryAccess<D> {
  const control = () => {
    const Control = service.offer(historyFeature);
    if (Control) return new Control(service);
    throw new StandinError("HISTORY_OFF", 'No history is kept: the option "history" is "off".');
  };
  return {
    list: async (query) => control().list(query),
    async at(moment) {
      const { version, store } = await control().at(moment);
      const place = `${url}/__at/${version}`;
      const db = createDatabase<D>(store, makingOf(service, seed));
      return { version, url: place, db, ...createInProcess(service, place, isTrusted) };
    },
    revert: async (version, options) => control().revert(version, { ...options, by: "program" }),
    restore: async (moment) => control().restore(moment, "program"),
  };
}
