import { StandinError } from "../../base/errors.ts";
import { andThen, type Eventually } from "../../base/eventually.ts";
import { inSlices } from "../../base/slices.ts";
import type {
  ExchangeOptions,
  KeptVersion,
  StoreHistory,
  VersionEdit,
  VersionHead,
  VersionPage,
  VersionQuery,
} from "../history.ts";
import { idOf } from "../ids.ts";
import { countEdits } from "../memory/history/kept-change.ts";
import type { Change, Reads, Store } from "../store.ts";
import { editedRecord } from "../stored-record.ts";
import { accessDenied, type StorePermit } from "./permit.ts";
import { seenEdits } from "./seen-event.ts";

interface Guard {
  readonly permit: StorePermit;
  /** The same view of another store. */
  readonly guarded: (store: Store) => Store;
  readonly names: Pick<Reads, "idKeyOf">;
}

/** The past as one user sees it: only versions that changed records the user may read, and only those records of them. */
export class GuardedHistory implements StoreHistory<Store> {
  readonly #history: StoreHistory<Store>;
  readonly #guard: Guard;

  constructor(history: StoreHistory<Store>, guard: Guard) {
    this.#history = history;
    this.#guard = guard;
  }

  get oldest(): number | undefined {
    return this.#history.oldest;
  }

  get latest(): number {
    return this.#history.latest;
  }

  versionOf(change: Change): number | undefined {
    return this.#history.versionOf(change);
  }

  isTooLarge(change: Change): boolean {
    return this.#history.isTooLarge(change);
  }

  async refresh(): Promise<void> {
    await this.#history.refresh?.();
  }

  async list(query: VersionQuery): Promise<VersionPage> {
    const versions: VersionHead[] = [];
    let { before } = query;
    for (;;) {
      const page = await this.#history.list({ ...query, before });
      for (const head of page.versions) {
        const seen = await this.#seenHead(head, query);
        if (seen) versions.push(seen);
        if (versions.length === query.limit) return { versions, next: head.version };
      }
      if (page.next === undefined) return { versions };
      before = page.next;
    }
  }

  async find(version: number): Promise<KeptVersion> {
    const kept = await this.#history.find(version);
    const { permit } = this.#guard;
    const edits = seenEdits(kept.edits, permit);
    const head = await this.#seenHead(kept);
    if (head) return { ...kept, ...head, edits };
    throw new StandinError("VERSION_NOT_FOUND", `There is no version ${version}. GET /__history lists them.`);
  }

  versionAt(time: number): Eventually<number> {
    return this.#history.versionAt(time);
  }

  expect(version: number): void {
    this.#history.expect(version);
  }

  at(version: number): Eventually<Store> {
    return andThen(this.#history.at(version), this.#guard.guarded);
  }

  settled(): Eventually<number> {
    return this.#history.settled();
  }

  restore(version: number, options?: ExchangeOptions): Promise<void> {
    this.#expectAdmin();
    return this.#history.restore(version, options);
  }

  clear(): Promise<void> {
    this.#expectAdmin();
    return this.#history.clear();
  }

  #expectAdmin(): void {
    if (!this.#guard.permit.isAdmin) throw accessDenied("Only an admin may change the history.");
  }

  /** Undefined for a version without anything to see. Whole counts are those of members that the user reads all of. */
  async #seenHead(head: VersionHead, { collection, id }: Partial<VersionQuery> = {}): Promise<VersionHead | undefined> {
    const { permit } = this.#guard;
    const names = Object.keys(head.counts);
    const open = names.filter((name) => permit.of(name).read === undefined);
    const whole = Object.fromEntries(Object.entries(head.counts).filter(([name]) => open.includes(name)));
    if (open.length === names.length) return head;
    if (head.kind !== "change" || !head.isKept)
      return open.length > 0 || head.members ? { ...head, counts: whole } : undefined;
    const seen = seenEdits((await this.#history.find(head.version)).edits, permit);
    const isAsked = (edit: VersionEdit): boolean => {
      if (collection === undefined) return true;
      return edit.name === collection && (id === undefined || this.#idOf(edit) === id);
    };
    if (!seen.some(isAsked)) return undefined;
    const counts = await inSlices(countEdits(seen));
    return { ...head, counts };
  }

  #idOf(edit: VersionEdit): string {
    return String(idOf(editedRecord(edit).value, this.#guard.names.idKeyOf(edit.name)));
  }
}
