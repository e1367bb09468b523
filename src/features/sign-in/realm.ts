import { randomBytes } from "../../base/platform/crypto.ts";
import type { SignInOptions } from "../../layers/sign-in-options.ts";
import { idOf } from "../../store/ids.ts";
import type { Change, MemberEdit, Store, StoreEvent } from "../../store/store.ts";
import { RevokedNames } from "./revoked-names.ts";
import { type IssuedUser, SignInUsers } from "./sign-in-users.ts";

/** A user as tokens name them: a later record with the same id is somebody else. */
export interface Subject {
  readonly id: string;
  /**
   * The load of the data, and the version and place with which the user's record was created in it. In a database, the table
   * and the place, which no later record gets: all processes that share it find the same there.
   */
  readonly born: string;
}

/** A browser in which a user is signed in. */
export interface Session extends Subject {
  readonly authTime: number;
  readonly endsAt: number;
}

/** The permission that a code or a refresh token stands for. */
export interface Permit {
  readonly clientId: string;
  readonly subject: Subject;
  readonly scope: string;
  readonly authTime: number;
  readonly nonce: string | undefined;
  readonly session: string | undefined;
  /** Names everything that a sign-in leads to: the tokens of all its refreshes. */
  readonly family: string;
  readonly endsAt: number;
  isUsed: boolean;
}

export interface CodePermit extends Permit {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

/** The most entries of each kind: an issuer for tests must not fill the memory of one that runs for weeks. */
const MAX_ENTRIES = 10_000;

/** The users of one store, with the sessions, codes and tokens of theirs that still hold. */
export class Realm {
  readonly users: SignInUsers;
  readonly codes = new Map<string, CodePermit>();
  readonly refreshTokens = new Map<string, Permit>();
  readonly sessions = new Map<string, Session>();
  readonly revoked: RevokedNames;
  readonly #collection: string;
  readonly #store: Store;
  /** The versions that created users since the data was loaded, by id. */
  readonly #births = new Map<string, number>();
  /** The users of shared data that were removed lately, as their subjects have them. */
  readonly #removed = new Map<string, true>();
  /** The versions that changed claims of users since the data was loaded, by id. */
  readonly #granted = new Map<string, number>();
  #load = randomName();

  constructor(store: Store, options: SignInOptions) {
    this.users = new SignInUsers(store, options);
    this.revoked = new RevokedNames(store.secrets);
    this.#collection = options.users;
    this.#store = store;
    store.subscribe((event) => this.#follow(event));
  }

  subjectOf(user: IssuedUser): Subject {
    return { id: user.id, born: this.#bornOf(user) };
  }

  /** The user, if the record is still the one that the subject was made from. */
  async find({ id, born }: Subject): Promise<IssuedUser | undefined> {
    const user = await this.users.byId(id);
    return user && born === this.#bornOf(user) ? user : undefined;
  }

  /** The load of the data as this process knows it: it is another one when changes may have been missed, too. */
  get load(): string {
    return this.#load;
  }

  /** Another one after each change of the user's claims, which are their rights. */
  rightsOf(id: string): number | undefined {
    return this.#granted.get(id);
  }

  /** Whether nothing that was heard of since says that the user is gone. */
  isAround({ id, born }: Subject): boolean {
    return born.startsWith(this.#sinceOf(id)) && !this.#removed.has(born);
  }

  /** Events of a database may come later than the next request, so the record and its collection count, too. */
  #bornOf({ id, slot }: Pick<IssuedUser, "id" | "slot">): string {
    return `${this.#sinceOf(id)}${slot}`;
  }

  #sinceOf(id: string): string {
    const shared = this.#store.loadOf?.(this.#collection);
    return shared === undefined ? `${this.#load}.${this.#births.get(id) ?? 0}.` : `${shared}.`;
  }

  #follow(event: StoreEvent): void {
    if (event.kind === "change") this.#followChange(event.change);
    else if (event.kind === "exchange" || isAbout(event.edit, this.#collection)) this.#endAll();
  }

  #followChange({ version, edits }: Change): void {
    for (const { name, before, after } of edits) {
      if (name !== this.#collection) continue;
      const [old, now] = [before, after].map(
        (record) => record && idOf(record.value, this.#store.idKeyOf(this.#collection)),
      );
      // A record that takes another id is another user, and leaves no user behind.
      if (old === now) {
        const hasOthers = before && after && !this.users.haveSameClaims(before, after);
        if (hasOthers) keepEntry(this.#granted, String(now), version);
        continue;
      }
      if (old !== undefined && before)
        keepEntry(this.#removed, this.#bornOf({ id: String(old), slot: before.slot }), true);
      for (const id of [old, now]) if (id !== undefined) this.#births.set(String(id), version);
    }
  }

  /**
   * Reset, restore and reload: nothing says that a user of the new data is the one of the old. What was revoked stays so:
   * shared data may be the same, if only changes were missed.
   */
  #endAll(): void {
    this.#load = randomName();
    for (const map of [this.codes, this.refreshTokens, this.sessions, this.#births]) map.clear();
  }
}

function isAbout(edit: MemberEdit, collection: string): boolean {
  return edit.name === collection || (edit.kind === "renamed" && edit.to === collection);
}

/** Unguessable, and safe in addresses and cookies. */
export function randomName(): string {
  return randomBytes(24).toString("base64url");
}

/** Adds an entry; the oldest one leaves when there are too many. */
export function keepEntry<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_ENTRIES) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(key, value);
}
