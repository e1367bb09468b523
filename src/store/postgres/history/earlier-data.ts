import { type Json, parseJson } from "../../../base/json/json.ts";
import { STEP, type Work } from "../../../base/slices.ts";
import type { AlteredMember } from "../../history.ts";
import type { Exported } from "../../store.ts";
import { StoredRecord } from "../../stored-record.ts";
import type { KnownMember } from "../tables/catalogue.ts";
import type { Shape } from "./note-exchange.ts";

/** The columns of a version that lead back to the data before it. */
export interface BackRow {
  readonly version: string;
  readonly members: string | null;
  readonly edits: string;
  readonly moves: string;
  readonly shape: string | null;
}

/** A record as `edits` has it. */
export type KeptRecord = readonly [value: Json, slot: number] | null;
export type KeptEdit = readonly [name: string, before: KeptRecord, after: KeptRecord];

/** Reads the text of a list without its brackets. */
export function readList<T>(text: string): T[] {
  return parseJson<T[] & Json>(`[${text}]`);
}

export function keptRecord(kept: KeptRecord): StoredRecord | undefined {
  return kept ? new StoredRecord(kept[0], 0, kept[1]) : undefined;
}

interface EarlierMember {
  readonly kind: KnownMember["kind"];
  /** The primary key of a collection. */
  readonly idKey: string;
  /** The records by slot; a singleton has slot 0. */
  readonly records: Map<number, StoredRecord>;
  readonly aside: Json;
}

/** All data of a moment, found by going back from a later one. */
export class EarlierData {
  #members = new Map<string, EarlierMember>();

  constructor(present: readonly Exported[], idKeyOf: (name: string) => string) {
    for (const member of present) {
      const { name, kind } = member;
      const records =
        member.kind === "collection" ? member.records : member.kind === "singleton" ? [member.record] : [];
      const bySlot = new Map(records.map((record) => [record.slot, record]));
      const aside = member.kind === "aside" ? member.value : null;
      this.#members.set(name, { kind, idKey: idKeyOf(name), records: bySlot, aside });
    }
  }

  /** Goes back behind the latest version that has not been left behind yet. */
  *behind({ members, edits, moves, shape }: BackRow): Work<void> {
    for (const { kind, name, to } of members ? (JSON.parse(members) as AlteredMember[]) : []) {
      const renamed = kind === "renamed" && to !== undefined ? this.#members.get(to) : undefined;
      if (renamed) this.#members.set(name, renamed);
    }
    if (shape !== null) this.#reshape(JSON.parse(shape) as Shape);
    const kept = readList<KeptEdit>(edits);
    for (const [position, [name, , after]] of kept.entries()) {
      if (after) this.#members.get(name)?.records.delete(after[1]);
      if (position % STEP === STEP - 1) yield;
    }
    for (const [name, slots] of readList<readonly [string, readonly [number, number][]]>(moves))
      yield* this.#move(name, slots);
    for (const [position, [name, before]] of kept.entries()) {
      const record = keptRecord(before);
      if (record) this.#members.get(name)?.records.set(record.slot, record);
      if (position % STEP === STEP - 1) yield;
    }
  }

  /** Leaves those members that there were, in their order. */
  #reshape(shape: Shape): void {
    const former = this.#members;
    this.#members = new Map();
    for (const [name, kind, detail] of shape) {
      const same = former.get(name);
      const records = same?.kind === kind ? same.records : new Map<number, StoredRecord>();
      const aside = kind === "aside" ? parseJson(detail ?? "null") : null;
      this.#members.set(name, { kind, idKey: detail ?? "", records, aside });
    }
  }

  /** Gives records the slots back that they had; they may have changed places. */
  *#move(name: string, slots: readonly (readonly [was: number, is: number])[]): Work<void> {
    const records = this.#members.get(name)?.records;
    const moved: StoredRecord[] = [];
    for (const [was, is] of slots) {
      const record = records?.get(is);
      if (record) moved.push(new StoredRecord(record.value, record.version, was, record.text));
      records?.delete(is);
      if (moved.length % STEP === STEP - 1) yield;
    }
    for (const record of moved) records?.set(record.slot, record);
  }

  /** The members, with their records in order. */
  *members(): Work<EarlierContent[]> {
    const contents: EarlierContent[] = [];
    for (const [name, { kind, idKey, records, aside }] of this.#members) {
      const sorted = [...records.values()].sort((one, other) => one.slot - other.slot);
      contents.push({ name, kind, idKey, records: sorted, aside });
      yield;
    }
    return contents;
  }
}

/** A member of a moment. */
export interface EarlierContent extends Pick<EarlierMember, "kind" | "idKey" | "aside"> {
  readonly name: string;
  readonly records: StoredRecord[];
}
