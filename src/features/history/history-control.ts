import { inSlices } from "../../base/slices.ts";
import type { Service } from "../../http/contract.ts";
import type { VersionEdit, VersionQuery } from "../../store/history.ts";
import { countEdits } from "../../store/memory/history/kept-change.ts";
import type { Change, Store } from "../../store/store.ts";
import { currentHistory, historyOf } from "./history-of.ts";
import { invalid, type NamedMoment, readMoment, versionOf } from "./moment.ts";
import { type Reverting, revertVersion } from "./revert.ts";
import type { HistoryChange, HistoryPage, HistoryQuery, HistoryVersion } from "./types.ts";
import { editedId, shownEdit, shownVersion } from "./version-json.ts";
import { writeOnlyFieldsOf } from "./write-only-fields-of.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** The edits of a version to show. */
export interface EditWindow {
  readonly start: number;
  readonly limit: number;
  readonly collection?: string | undefined;
  /** Of a record in the collection. */
  readonly id?: string | undefined;
}

/** The outcome of a revert or restore: the new version. */
export interface Outcome extends HistoryVersion {
  /** All was as it was to become, so that there is no new version. */
  readonly unchanged?: true;
}

/** Everything that can be done with the history of a service's data, for its routes and for programs. */
export class HistoryControl {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  get #store(): Store {
    return this.#service.store;
  }

  async list(query: HistoryQuery = {}): Promise<HistoryPage> {
    const history = await currentHistory(this.#store);
    const { versions, next } = await history.list(await this.#readQuery(query));
    const { oldest = null, latest } = history;
    return { versions: versions.map(shownVersion), oldest, latest, ...(next !== undefined && { next }) };
  }

  async #readQuery({ collection, id, by, since, before, limit = DEFAULT_LIMIT }: HistoryQuery): Promise<VersionQuery> {
    if (id !== undefined && collection === undefined)
      throw invalid(`id=${id} needs the collection of the record, too.`);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw invalid(`limit=${limit}: it must be a number from 1 to ${MAX_LIMIT}.`);
    }
    const from = since === undefined ? undefined : await this.#timeOf(this.#read("since", since));
    return { collection, id: id === undefined ? undefined : String(id), by, since: from, before, limit };
  }

  #read(name: string, text: string | number): NamedMoment {
    return readMoment(String(text), name, this.#service.now());
  }

  async #timeOf(moment: NamedMoment): Promise<number> {
    if ("time" in moment) return moment.time;
    const { versions } = await historyOf(this.#store).list({ before: moment.version + 1, limit: 1 });
    return versions[0]?.time ?? 0;
  }

  /** One version with some of its edits. */
  async read(version: number, window: EditWindow = { start: 0, limit: MAX_LIMIT }): Promise<HistoryChange> {
    const kept = await historyOf(this.#store).find(version);
    const hidden = writeOnlyFieldsOf(this.#service);
    const { start, limit, collection, id } = window;
    const isWanted = (edit: VersionEdit): boolean =>
      edit.name === collection && (id === undefined || String(editedId(edit, this.#store)) === id);
    const chosen = collection === undefined ? kept.edits : kept.edits.filter(isWanted);
    const edits = chosen.slice(start, start + limit).map((edit) => shownEdit(edit, this.#store, hidden));
    return { ...shownVersion(kept), edits, total: chosen.length };
  }

  /** The data after a version, or at a time, which cannot be written to. */
  async at(moment: string | number): Promise<{ readonly version: number; readonly store: Store }> {
    const version = await this.#versionAt("at", moment);
    return { version, store: await historyOf(this.#store).at(version) };
  }

  async #versionAt(name: string, moment: string | number): Promise<number> {
    return versionOf(this.#read(name, moment), await currentHistory(this.#store), this.#service.now());
  }

  async revert(version: number, reverting: Reverting): Promise<Outcome> {
    await currentHistory(this.#store);
    const change = await revertVersion(this.#service, version, reverting);
    if (!change) return this.#head();
    if (change.edits.length === 0) return { ...(await this.#head()), unchanged: true };
    return reverting.isDryRun ? this.#trial(change, reverting) : this.#head(historyOf(this.#store).versionOf(change));
  }

  /** The version that a dry run would make. */
  async #trial({ edits }: Change, { by }: Reverting): Promise<HistoryVersion> {
    const counts = await inSlices(countEdits(edits));
    const head = {
      version: historyOf(this.#store).latest + 1,
      time: this.#service.now(),
      by,
      cause: "revert",
      kind: "change",
      counts,
      isKept: true,
    } as const;
    return shownVersion(head);
  }

  async restore(moment: string | number, by: string): Promise<HistoryVersion> {
    const history = historyOf(this.#store);
    await history.restore(await this.#versionAt("at", moment), { by, cause: "restore" });
    return this.#head();
  }

  /** The version, or the latest one. */
  async #head(version?: number): Promise<HistoryVersion> {
    const history = await currentHistory(this.#store);
    const [head] = (await history.list({ before: (version ?? history.latest) + 1, limit: 1 })).versions;
    if (!head) throw invalid("There are no versions yet.");
    return shownVersion(head);
  }

  async clear(): Promise<void> {
    await historyOf(this.#store).clear();
  }
}
