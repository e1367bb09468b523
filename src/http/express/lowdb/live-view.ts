import { isJsonObject, type Json, type JsonObject } from "../../../base/json/json.ts";
import { contentOf, type Exported, type StoreAtHand, type ValueEdit } from "../../../store/store.ts";
import { CollectionView } from "./collection-view.ts";
import { mergeRow } from "./merge-row.ts";
import { asJson, copyJson, isDropped, put, sameJson } from "./same-json.ts";
import { staleMembers } from "./stale-members.ts";

/** With more rows, uncommitted changes are searched only after the view was used. */
const MANY_ROWS = 10_000;

type Members = Record<string, unknown>;
/** The source of a key of the state. */
type Held = CollectionView | Exclude<Exported, { kind: "collection" }>;

/**
 * The data of a store as one plain object that users may modify, as in lowdb. Creates the rows when a key is first read,
 * and updates them with the store from then on. `commit` writes the users' modifications to the store.
 */
export class LiveView {
  readonly #store: StoreAtHand;
  #state: Members;
  readonly #held = new Map<string, Held>();
  /** The keys of the state when the store and the view were last compared. */
  #names = new Set<string>();
  #stamp = "";
  #isUsed = true;
  #isFollowing = false;
  readonly stop: () => void;

  /** `given` is the object the store was loaded from, if that should be the state itself. */
  constructor(store: StoreAtHand, given?: object) {
    this.#store = store;
    this.#state = (given ?? {}) as Members;
    const members = store.peek();
    for (const member of members) {
      if (given) put(this.#state, member.name, this.#hold(member, this.#state[member.name]));
      else this.#define(member.name);
    }
    this.#settled(members);
    this.stop = store.subscribe(() => this.follow());
  }

  /** The state, up to date with the store. */
  get state(): unknown {
    this.#isUsed = true;
    this.follow();
    return this.#state;
  }

  /** Replaces the state; `commit` writes it to the store. */
  plant(state: unknown): void {
    this.follow();
    this.#isUsed = true;
    this.#state = state as Members;
  }

  /** The primary key of the collection with these rows, if it is another one than most have. */
  ownIdKey(rows: unknown): string | undefined {
    if (!Array.isArray(rows)) return undefined;
    for (const [name, held] of this.#held) {
      if (!(held instanceof CollectionView) || !this.#isMade(name) || this.#state[name] !== rows) continue;
      return held.idKey === this.#store.defaultIdKey ? undefined : held.idKey;
    }
    return undefined;
  }

  /** Discards uncommitted changes. */
  revert(): void {
    this.#held.clear();
    for (const name of Object.keys(this.#state)) delete this.#state[name];
    const members = this.#store.peek();
    for (const { name } of members) this.#define(name);
    this.#settled(members);
  }

  /** Applies the changes of the store since the last call. */
  follow(): void {
    // Reading a key without rows calls this again.
    if (this.#isFollowing || this.#store.stamp() === this.#stamp) return;
    this.#isFollowing = true;
    try {
      const members = this.#store.peek();
      const present = new Set(members.map(({ name }) => name));
      for (const name of this.#names) {
        if (present.has(name)) continue;
        delete this.#state[name];
        this.#held.delete(name);
      }
      for (const member of members) this.#followMember(member);
      this.#settled(members);
    } catch {
      // Some rows cannot be modified, such as frozen ones.
      this.#state = {};
      this.revert();
    } finally {
      this.#isFollowing = false;
    }
  }

  /** Commits changes if there may be any; undefined if there are none. */
  adopt(): Promise<unknown> | undefined {
    if (!this.#isUsed && this.#countRows() > MANY_ROWS) return undefined;
    return this.commit();
  }

  /** Writes all changes of the view to the store as one, in this turn. Settles when it is durable; undefined if there are none. */
  commit(): Promise<unknown> | undefined {
    this.follow();
    if (!isJsonObject(this.#state)) throw new TypeError("The state must be an object with one key per collection.");
    this.#refreshStale();
    // Throws on values that are not JSON, before anything is changed.
    const changes = this.#edits() ?? this.#database();
    this.#isUsed = false;
    if (Array.isArray(changes) && changes.length === 0) {
      // Equal rows in place of ours: later changes must reach them, or they would be taken for the users' changes.
      if (this.#showsOtherRows()) this.#settle();
      return undefined;
    }
    const before = this.#store.stamp();
    const committed = this.#change(() =>
      Array.isArray(changes) ? this.#store.edit(changes) : this.#store.swapAtOnce(changes),
    );
    // A store that is full has committed nothing; the next commit tries again.
    if (this.#store.stamp() !== before) this.#settle();
    return committed;
  }

  /** Runs a change of our own without following it: the store announces it at once. */
  #change(change: () => Promise<unknown>): Promise<unknown> {
    this.#isFollowing = true;
    try {
      return change();
    } finally {
      this.#isFollowing = false;
    }
  }

  #settled(members: readonly Exported[]): void {
    this.#names = new Set(members.map(({ name }) => name));
    this.#stamp = this.#store.stamp() as string;
  }

  /** Defines a key whose rows are created when it is read. */
  #define(name: string): void {
    const state = this.#state;
    const fix = (value: unknown): void => {
      Object.defineProperty(state, name, { value, enumerable: true, configurable: true, writable: true });
    };
    const make = (): unknown => {
      this.#isUsed = true;
      this.follow();
      const member = this.#store.peek().find((one) => one.name === name);
      // A state that was replaced is no longer followed.
      const value = member && (state === this.#state ? this.#hold(member) : copyJson(contentOf(member)));
      fix(value);
      return value;
    };
    Object.defineProperty(state, name, { enumerable: true, configurable: true, get: make, set: fix });
  }

  #isMade(name: string): boolean {
    return Object.getOwnPropertyDescriptor(this.#state, name)?.get === undefined;
  }

  /** Remembers a member, and returns the value shown for it: the given one, or a copy. */
  #hold(member: Exported, shown?: unknown): unknown {
    if (member.kind !== "collection") {
      this.#held.set(member.name, member);
      return shown ?? copyJson(contentOf(member));
    }
    const rows = Array.isArray(shown) ? shown : undefined;
    const { name, records } = member;
    const view = new CollectionView({ name, idKey: () => this.#store.idKeyOf(name), records, rows });
    this.#held.set(member.name, view);
    return rows ?? view.show();
  }

  #followMember(member: Exported): void {
    const { name } = member;
    const held = this.#held.get(name);
    if (!held) {
      if (!this.#names.has(name)) this.#define(name);
      return;
    }
    const shown = this.#state[name];
    if (held instanceof CollectionView && member.kind === "collection" && Array.isArray(shown)) {
      held.follow(member.records, shown);
    } else if (!(held instanceof CollectionView) && member.kind !== "collection") {
      const [before, after] = [contentOf(held), contentOf(member)];
      if (before === after) return;
      this.#held.set(name, member);
      put(this.#state, name, mergeRow(shown, before, after));
    } else {
      put(this.#state, name, this.#hold(member));
    }
  }

  /** The edits of all members; undefined if only replacing all data can make the changes. */
  #edits(): ValueEdit[] | undefined {
    const names = this.#shownNames();
    if (names.length !== this.#names.size || names.some((name) => !this.#names.has(name))) return undefined;
    const edits: ValueEdit[] = [];
    for (const name of names) {
      if (!this.#isMade(name)) continue;
      const found = this.#editsOf(name, this.#state[name]);
      if (!found) return undefined;
      for (const edit of found) edits.push(edit);
    }
    return edits;
  }

  #editsOf(name: string, shown: unknown): ValueEdit[] | undefined {
    // Replaces a key that was never read.
    if (!this.#held.has(name)) this.#hold(this.#store.peek().find((member) => member.name === name)!);
    const held = this.#held.get(name)!;
    if (held instanceof CollectionView) return Array.isArray(shown) ? held.editsTowards(shown) : undefined;
    if (sameJson(shown, contentOf(held))) return [];
    const value = asJson(shown, contentOf(held));
    return held.kind === "singleton" && isJsonObject(value) ? [{ name, before: held.record, value }] : undefined;
  }

  /** Shows the current data in place of what a program has read from a file that is about to be saved. */
  #refreshStale(): void {
    const copies = this.#store.staleCopies();
    if (copies.length === 0) return;
    const made = this.#shownNames().filter((name) => this.#isMade(name));
    const stale = staleMembers({
      members: new Map(made.map((name) => [name, this.#state[name]])),
      hasOwnRows: (name, rows) => {
        const held = this.#held.get(name);
        return held instanceof CollectionView && held.hasRowsOf(rows);
      },
      copies,
    });
    if (stale.length === 0) return;
    for (const name of stale) {
      this.#held.delete(name);
      if (this.#names.has(name)) this.#define(name);
      else delete this.#state[name];
    }
    // Created since.
    for (const name of this.#names) {
      const isNew = copies.some((copy) => copy.every((member) => member.name !== name));
      if (isNew && !Object.hasOwn(this.#state, name)) this.#define(name);
    }
  }

  #shownNames(): string[] {
    return Object.keys(this.#state).filter((name) => !this.#isMade(name) || !isDropped(this.#state[name]));
  }

  #database(): JsonObject {
    const members = new Map(this.#store.peek().map((member) => [member.name, member]));
    const database: JsonObject = {};
    for (const name of this.#shownNames()) {
      const value = this.#isMade(name) ? this.#jsonOf(name) : contentOf(members.get(name)!);
      put(database, name, value as Json);
    }
    return database;
  }

  #jsonOf(name: string): Json | undefined {
    const shown = this.#state[name];
    const held = this.#held.get(name);
    if (!(held instanceof CollectionView)) return asJson(shown, held && contentOf(held));
    return Array.isArray(shown) ? held.toJson(shown) : asJson(shown);
  }

  #showsOtherRows(): boolean {
    for (const [name, held] of this.#held) {
      const shown = held instanceof CollectionView && this.#isMade(name) ? this.#state[name] : undefined;
      if (held instanceof CollectionView && Array.isArray(shown) && !held.isShownIn(shown)) return true;
    }
    return false;
  }

  /** Remembers the store's current records for all rows shown. */
  #settle(): void {
    const members = this.#store.peek();
    this.#held.clear();
    for (const member of members) if (this.#isMade(member.name)) this.#hold(member, this.#state[member.name]);
    this.#settled(members);
  }

  #countRows(): number {
    let count = 0;
    for (const held of this.#held.values()) count += held instanceof CollectionView ? held.size : 1;
    return count;
  }
}
