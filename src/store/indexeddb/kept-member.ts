import { type Json, mayNeedDigits, parseJson, stringifyJson } from "../../base/json/json.ts";
import { STEP, type Work } from "../../base/slices.ts";
import type { KeptState } from "../memory/state.ts";
import type { Exported } from "../store.ts";
import { StoredRecord } from "../stored-record.ts";

/** A collection, a singleton or a value aside as one value, which is quick to read. */
export interface KeptMember {
  readonly name: string;
  readonly kind: Exported["kind"];
  readonly version: number;
  /** Compact JSON. */
  readonly text: string;
  /** Whether every number in it is a double; unknown where it is missing. */
  readonly isPlain?: boolean;
  /** Of each record, as runs of equal values: count and version. */
  readonly versions: readonly number[];
  /** Of each record, as runs of neighbours: count and first slot. */
  readonly slots: readonly number[];
}

export function* keepMember(member: Exported): Work<KeptMember> {
  const { name, kind, version } = member;
  if (member.kind === "aside") {
    return { name, kind, version, ...textOf(stringifyJson([member.value])), versions: [1, 0], slots: [1, 0] };
  }
  const records = member.kind === "collection" ? member.records : [member.record];
  const texts: string[] = [];
  const versions: number[] = [];
  const slots: number[] = [];
  for (const [position, record] of records.entries()) {
    texts.push(record.text);
    extend(versions, record.version, record.version === versions.at(-1));
    extend(slots, record.slot, record.slot === (slots.at(-1) ?? 0) + (slots.at(-2) ?? 0));
    if (position % STEP === STEP - 1) yield;
  }
  return { name, kind, version, ...textOf(`[${texts.join(",")}]`), versions, slots };
}

/** Looking for numbers that no double has takes longer than parsing, so it is done before a worker sleeps. */
function textOf(text: string): Pick<KeptMember, "text" | "isPlain"> {
  return { text, isPlain: !mayNeedDigits(text) };
}

/** Adds to the last run, or begins another one. */
function extend(runs: number[], first: number, isSame: boolean): void {
  const count = runs.at(-2);
  if (isSame && count !== undefined) runs[runs.length - 2] = count + 1;
  else runs.push(1, first);
}

export function readKeptMember(member: KeptMember): KeptState["members"][number] {
  const { name, kind, version, text, isPlain, versions, slots } = member;
  const values: Json[] = isPlain ? JSON.parse(text) : parseJson<Json[]>(text);
  // Records as they were loaded are made when they are asked for.
  if (kind === "collection" && isOneRun(versions, version) && isOneRun(slots, 0))
    return { name, kind, version, values };
  const versionAt = walk(versions, (first) => first);
  const slotAt = walk(slots, (first, position) => first + position);
  const records = values.map((value) => new StoredRecord(value, versionAt(), slotAt()));
  return { name, kind, version, values, records };
}

function isOneRun(runs: readonly number[], first: number): boolean {
  return runs.length === 2 && runs[1] === first;
}

/** Returns the value of each position in turn. */
function walk(runs: readonly number[], valueAt: (first: number, position: number) => number): () => number {
  let run = 0;
  let position = 0;
  return () => {
    if (position === runs[run]) {
      run += 2;
      position = 0;
    }
    return valueAt(runs[run + 1] ?? 0, position++);
  };
}
