import { STEP, type Work } from "../../../base/slices.ts";
import type { IdKeys } from "../../id-keys.ts";
import type { Edit } from "../../store.ts";
import { editedRecord } from "../../stored-record.ts";
import { Collection } from "../collection.ts";
import type { RewoundRecord } from "../rewrite-records.ts";
import { type MembersBefore, State, type StateMember } from "../state.ts";
import { earlierCollection } from "./earlier-collection.ts";
import type { KeptChange } from "./kept-change.ts";

/** A member of a moment. */
interface RewoundMember {
  readonly member: StateMember;
  /** Its name in the later state; undefined for one that was removed since. */
  readonly laterName: string | undefined;
  /** By slot. */
  readonly records: Map<number, RewoundRecord>;
}

/** Finds the data of a moment by going back from a later state, one change after the other. */
export class Rewind {
  readonly #later: State;
  readonly #changes: readonly KeptChange[];
  readonly #members = new Map<string, RewoundMember>();
  #names: readonly string[];
  #idKeys: IdKeys;

  /** `changes` led from the moment to the later state; the last one is the latest. */
  constructor(later: State, changes: readonly KeptChange[]) {
    this.#later = later;
    this.#changes = changes;
    for (const [name, member] of later.members()) this.#add(name, member, name);
    this.#names = [...this.#members.keys()];
    this.#idKeys = later.idKeys;
  }

  #add(name: string, member: StateMember, laterName?: string): void {
    this.#members.set(name, { member, laterName, records: new Map() });
  }

  *#goBack(): Work<void> {
    for (const { back } of this.#changes.toReversed()) {
      if (back?.kind === "members") this.#unalter(back.edit, back.before);
      if (back?.kind === "change" || back?.kind === "replaced") {
        for (const [position, edit] of back.edits.toReversed().entries()) {
          this.#unedit(edit);
          if (position % STEP === STEP - 1) yield;
        }
      }
      if (back?.kind === "replaced") {
        for (const [name, member] of back.members) {
          if (member) this.#add(name, member);
          else this.#members.delete(name);
        }
        this.#names = back.before.names;
      }
    }
  }

  #unedit(edit: Edit): void {
    const records = this.#members.get(edit.name)?.records;
    const { slot } = editedRecord(edit);
    const known = records?.get(slot);
    records?.set(slot, { is: known ? known.is : edit.after, was: edit.before });
  }

  #unalter(edit: { readonly name: string; readonly to?: string }, { names, removed, idKeys }: MembersBefore): void {
    const renamed = edit.to === undefined ? undefined : this.#members.get(edit.to);
    this.#members.delete(edit.to ?? edit.name);
    if (renamed) this.#members.set(edit.name, renamed);
    else if (removed) this.#add(edit.name, removed);
    this.#names = names;
    this.#idKeys = idKeys;
  }

  /**
   * The state of the moment. `since` returns the changes that were made to the later state while this goes on, and is
   * undefined where nobody writes to it. Returns undefined where those leave no way but to begin again.
   */
  *state(moment: { version: number; epoch: string }, since?: () => readonly KeptChange[]): Work<State | undefined> {
    yield* this.#goBack();
    const members = new Map<string, StateMember>();
    for (const name of this.#names) {
      const found = this.#members.get(name);
      if (!found) continue;
      const { member, records, laterName } = found;
      if (!(member instanceof Collection)) {
        const record = records.get(0)?.was;
        members.set(name, record ? { kind: "singleton", record } : member);
        continue;
      }
      const isWritten = since !== undefined && laterName !== undefined;
      if (records.size === 0 && !isWritten && member.name === name) {
        members.set(name, member);
        continue;
      }
      const facts = { name, idKey: this.#idKeys.of(name), version: moment.version };
      const copy = yield* earlierCollection(member, facts, () => {
        if (!isWritten) return records;
        const changes = since();
        if (this.#later.collection(laterName) !== member || changes.some(({ back }) => back?.kind !== "change")) {
          return undefined;
        }
        return withLater(records, laterName, changes);
      });
      if (!copy) return undefined;
      members.set(name, copy);
    }
    const { settings } = this.#later;
    const state = new State({ version: moment.version, idKeys: this.#idKeys, members, settings });
    state.resume(moment);
    return state;
  }
}

/** Adds the records of changes that are later than all others. */
function withLater(
  records: Map<number, RewoundRecord>,
  name: string,
  changes: readonly KeptChange[],
): ReadonlyMap<number, RewoundRecord> {
  for (const { back } of changes) {
    if (back?.kind !== "change") continue;
    for (const edit of back.edits) {
      if (edit.name !== name) continue;
      const { slot } = editedRecord(edit);
      const known = records.get(slot);
      records.set(slot, { is: edit.after, was: known ? known.was : edit.before });
    }
  }
  return records;
}
