import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json/json.ts";
import { STEP, settled, type Work } from "../../base/slices.ts";
import type { SignInOptions } from "../../layers/sign-in-options.ts";
import type { DeclaredRelations } from "../../store/declared-relations.ts";
import {
  type HashedField,
  type JudgedCollection,
  type JudgedState,
  PendingRecords,
  type RecordRules,
  type WriteInQuestion,
} from "../../store/record-rules.ts";
import type { Edit, Lenience } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";

export type Names = Pick<SignInOptions, "users" | "name">;

/** The name by which sign-in knows a user; undefined for a record that is none. */
export function nameIn(record: Json, field: string): string | undefined {
  const name = isJsonObject(record) && Object.hasOwn(record, field) ? record[field] : undefined;
  return typeof name === "string" || typeof name === "number" ? String(name) : undefined;
}

/** The rules of the data, and one more: no write gives a user the name of another, by which neither could sign in then. */
export class UniqueNames implements RecordRules {
  readonly #rules: RecordRules | undefined;
  readonly #names: Names;

  constructor(rules: RecordRules | undefined, names: Names) {
    this.#rules = rules;
    this.#names = names;
  }

  get declared(): DeclaredRelations {
    return this.#rules?.declared ?? {};
  }

  get isLoaded(): boolean {
    return this.#rules?.isLoaded ?? true;
  }

  async load(): Promise<void> {
    await this.#rules?.load();
  }

  judge(state: JudgedState, edits: readonly Edit[], write: WriteInQuestion): Work<void> | undefined {
    const judging = this.#rules?.judge(state, edits, write);
    const users = state.collection(this.#names.users);
    const renamed = edits.filter((edit) => this.#isRenamed(edit));
    return users && renamed.length > 0 ? this.#judgeNames(users, renamed, judging) : judging;
  }

  judgeAlone(edits: readonly Edit[], lenience: Lenience | undefined): Work<void> | undefined {
    return this.#rules?.judgeAlone(edits, lenience);
  }

  isRelational(collection: string): boolean {
    return collection === this.#names.users || (this.#rules?.isRelational(collection) ?? false);
  }

  judgeAsSent(field: HashedField): void {
    this.#rules?.judgeAsSent(field);
  }

  withRelated(members: readonly string[]): readonly string[] {
    return this.#rules?.withRelated(members) ?? members;
  }

  /** Data may begin with a name twice: such users can still change everything else. */
  #isRenamed({ name, before, after }: Edit): boolean {
    if (name !== this.#names.users || !after) return false;
    return !before || this.#nameOf(before) !== this.#nameOf(after);
  }

  #nameOf({ value }: StoredRecord): string | undefined {
    return nameIn(value, this.#names.name);
  }

  *#judgeNames(users: JudgedCollection, renamed: readonly Edit[], judging: Work<void> | undefined): Work<void> {
    if (judging) yield* judging;
    const slots = new Map<string, number>();
    for (const { after } of renamed) {
      const name = after && this.#nameOf(after);
      if (name === undefined) continue;
      if (slots.has(name)) throw this.#taken(name);
      slots.set(name, after?.slot ?? 0);
      if (slots.size % STEP === 0) yield;
    }
    for (const record of yield* holding(users, this.#names.name, [...slots.keys()])) {
      const name = this.#nameOf(record);
      const slot = name === undefined ? undefined : slots.get(name);
      if (name !== undefined && slot !== undefined && slot !== record.slot) throw this.#taken(name);
    }
  }

  #taken(given: string): StandinError {
    const { users, name } = this.#names;
    return new StandinError(
      "NAME_TAKEN",
      `Another record of ${users} has the ${name} ${JSON.stringify(given)}, by which its user signs in. ` +
        `Send another ${name}. Nothing was changed.`,
    );
  }
}

function* holding(users: JudgedCollection, field: string, names: readonly string[]): Work<readonly StoredRecord[]> {
  for (;;) {
    try {
      return names.length === 0 ? [] : users.holding(field, names);
    } catch (thrown) {
      if (!(thrown instanceof PendingRecords)) throw thrown;
      yield* settled(thrown.done);
    }
  }
}
