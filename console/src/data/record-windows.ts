import type { JsonObject } from "../api/json.ts";
import type { Refusal } from "../api/refusal.ts";

export interface Window {
  readonly records: readonly JsonObject[];
  readonly total: number;
}

export type FetchWindow = (start: number, limit: number, signal: AbortSignal) => Promise<Window>;

export const WINDOW_SIZE = 100;
/** Rows beyond the visible ones that are fetched, too, so that scrolling finds them loaded. */
const AHEAD = 30;
/** Records kept: enough to scroll back a while, little enough for a phone. */
const MOST_WINDOWS = 40;

/**
 * The visited records of a list, fetched one window at a time. Windows out of sight are dropped, least recently used first;
 * requests for windows that go out of sight before their response arrives are cancelled.
 */
export class RecordWindows {
  /** Undefined until the first response. */
  total: number | undefined;
  refusal: Refusal | undefined;
  readonly #fetch: FetchWindow;
  readonly #changed: () => void;
  readonly #asRefusal: (thrown: unknown) => Refusal;
  /** In the order of their last use. */
  readonly #windows = new Map<number, readonly JsonObject[]>();
  readonly #stale = new Set<number>();
  readonly #underWay = new Map<number, AbortController>();
  /** The rows that were visible last. */
  #sight: [first: number, end: number] = [0, 1];

  constructor(fetchWindow: FetchWindow, changed: () => void, asRefusal: (thrown: unknown) => Refusal) {
    this.#fetch = fetchWindow;
    this.#changed = changed;
    this.#asRefusal = asRefusal;
  }

  /** The record at a place of the list; undefined while it is not there yet. */
  at(index: number): JsonObject | undefined {
    return this.#windows.get(Math.floor(index / WINDOW_SIZE))?.[index % WINDOW_SIZE];
  }

  /** The place of a record at hand; -1 for none. */
  placeOf(isWanted: (record: JsonObject) => boolean): number {
    for (const [number, records] of this.#windows) {
      const at = records.findIndex(isWanted);
      if (at >= 0) return number * WINDOW_SIZE + at;
    }
    return -1;
  }

  /** Shows a record that was saved as it is now, until the list has been fetched again. */
  replace(isWanted: (record: JsonObject) => boolean, replacement: (record: JsonObject) => JsonObject): void {
    for (const [number, records] of this.#windows) {
      if (!records.some(isWanted)) continue;
      this.#windows.set(
        number,
        records.map((record) => (isWanted(record) ? replacement(record) : record)),
      );
      this.#changed();
    }
  }

  /** Whether the last known records are shown though they could not be fetched again: there was no response. */
  get isOutOfDate(): boolean {
    return this.refusal?.status === 0 && this.#windows.size > 0;
  }

  /** Everything at hand, in no particular order: what columns and paths are guessed from. */
  known(): JsonObject[] {
    return [...this.#windows.values()].flat();
  }

  /** Sets the visible rows; fetches the missing ones and cancels requests for rows out of sight. */
  look(first: number, end: number): void {
    this.#sight = [first, end];
    const last = Math.max(first, Math.min(end - 1 + AHEAD, (this.total ?? end) - 1));
    const from = Math.floor(Math.max(0, first - AHEAD) / WINDOW_SIZE);
    const to = Math.floor(last / WINDOW_SIZE);
    for (const [number, request] of this.#underWay) if (number < from - 1 || number > to + 1) request.abort();
    for (let number = from; number <= to; number++) {
      const records = this.#windows.get(number);
      if (records) {
        this.#windows.delete(number);
        this.#windows.set(number, records);
      }
      if ((!records || this.#stale.has(number)) && !this.#underWay.has(number)) void this.#load(number);
    }
  }

  /** Everything may have changed: loaded records stay visible until they are fetched again. */
  refresh(): void {
    for (const number of this.#windows.keys()) this.#stale.add(number);
    for (const request of this.#underWay.values()) request.abort();
    this.#underWay.clear();
    this.refusal = undefined;
    this.look(...this.#sight);
    this.#changed();
  }

  close(): void {
    for (const request of this.#underWay.values()) request.abort();
    this.#underWay.clear();
  }

  async #load(number: number): Promise<void> {
    const request = new AbortController();
    this.#underWay.set(number, request);
    try {
      const { records, total } = await this.#fetch(number * WINDOW_SIZE, WINDOW_SIZE, request.signal);
      if (request.signal.aborted) return;
      this.#windows.delete(number);
      this.#windows.set(number, records);
      this.#stale.delete(number);
      this.total = total;
      this.refusal = undefined;
      this.#forget();
    } catch (thrown) {
      if (request.signal.aborted) return;
      this.refusal = this.#asRefusal(thrown);
    } finally {
      if (this.#underWay.get(number) === request) this.#underWay.delete(number);
    }
    this.#changed();
  }

  #forget(): void {
    for (const number of this.#windows.keys()) {
      if (this.#windows.size <= MOST_WINDOWS) return;
      this.#windows.delete(number);
      this.#stale.delete(number);
    }
  }
}
