import { StandinError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";
import { SLOW_STEP, STEP, type Work } from "../../base/slices.ts";
import { metered, whileWanted } from "../../base/work-account.ts";
import { valueAt } from "../../query/path.ts";
import type { ValueMaker } from "../../schema/generate/plausible/plausible-value.ts";
import { idOf } from "../../store/ids.ts";
import { recordNotFound } from "../../store/record-not-found.ts";
import type { Match, Transaction } from "../../store/store.ts";
import type { StoredRecord } from "../../store/stored-record.ts";
import { type Assignment, asInvalid, assigned } from "./assignments.ts";

/** The records to compute, and everything that their new values depend on. */
export interface Computation {
  readonly collection: string;
  readonly idKey: string;
  readonly assignments: readonly Assignment[];
  readonly match: Match;
  /** All of them must be there; undefined where records are chosen by a filter. */
  readonly ids: readonly string[] | undefined;
  /** The most records that may change. */
  readonly max: number | undefined;
  /** As ISO 8601. */
  readonly now: string;
  /** Undefined if no value is random. */
  readonly maker: ValueMaker | undefined;
}

interface RecordChange {
  readonly before: StoredRecord;
  readonly after: StoredRecord;
}

export interface ComputedRecords {
  readonly matched: number;
  /** Only those that differ now. */
  readonly changes: readonly RecordChange[];
}

/** The records between two possible pauses. */
const FORMULA_STEP = 16;

/** Computes the fields of all chosen records, and writes those that change. */
export function* computeRecords(data: Transaction, computation: Computation): Work<ComputedRecords> {
  const { collection, match, max } = computation;
  const found = yield* data.matching(collection, match);
  expectAll(found, computation);
  const isSlow = computation.assignments.some(({ formula }) => formula.isSlow);
  const computing = newValues(found, computation, isSlow ? SLOW_STEP : FORMULA_STEP);
  // Like a write by filter, this is not charged; but replacements in long texts could take for ever.
  const values = yield* isSlow ? metered(computing, match.account) : whileWanted(computing, match.account);
  if (max !== undefined && values.size > max) {
    throw new StandinError(
      "MAX_AFFECTED",
      `${values.size} records would change, and at most ${max} may be affected. Nothing was changed.`,
    );
  }
  const changes: RecordChange[] = [];
  for (const [before, value] of values) {
    const [edit] = yield* data.apply({ kind: "rewrite", collection, before, transform: () => value });
    if (edit?.after) changes.push({ before, after: edit.after });
    if (changes.length % STEP === 0) yield;
  }
  return { matched: found.length, changes };
}

function expectAll(found: readonly StoredRecord[], { collection, idKey, ids }: Computation): void {
  if (!ids || found.length >= ids.length) return;
  const there = new Set(found.map(({ value }) => String(idOf(value, idKey))));
  const missing = ids.find((id) => !there.has(id));
  if (missing !== undefined) throw recordNotFound(collection, idKey, missing);
}

function* newValues(
  found: readonly StoredRecord[],
  computation: Computation,
  step: number,
): Work<ReadonlyMap<StoredRecord, JsonObject>> {
  const values = new Map<StoredRecord, JsonObject>();
  for (const [position, before] of found.entries()) {
    if (isJsonObject(before.value)) {
      const value = newValue(before.value, before.slot, computation);
      if (value !== before.value) values.set(before, value);
    }
    if (position % step === 0) yield;
  }
  return values;
}

function newValue(record: JsonObject, slot: number, { collection, idKey, assignments, now, maker }: Computation) {
  const id = idOf(record, idKey);
  const place = (): string => (id === undefined ? "" : ` (record ${JSON.stringify(id)})`);
  let value = record;
  for (const assignment of assignments) {
    const { field, path } = assignment;
    // By field and record, so that a dry run shows the values that the write will have.
    maker?.begin(`${field}/${id ?? slot}`);
    const row = {
      record,
      now,
      plausible: (name?: string) =>
        maker?.value(
          [name ?? path.segments.at(-1) ?? "", collection],
          name === undefined ? valueAt(record, path) : undefined,
        ),
      between: (least: number, most: number) => maker?.between(least, most) ?? least,
    };
    value = asInvalid(field, () => assigned(value, assignment, row), place);
  }
  return value;
}
