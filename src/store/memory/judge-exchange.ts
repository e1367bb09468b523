import { settled, type Work } from "../../base/slices.ts";
import type { RecordRules } from "../record-rules.ts";
import { StoredRecord } from "../stored-record.ts";
import { changesBetween } from "./changes-between.ts";
import type { State } from "./state.ts";

/** A slot that no record of other data has. */
const NOWHERE = -1;

/** Judges the records that tell the data to come from that before. Throws if it must not come. */
export function* judgeExchange(rules: RecordRules, before: State, after: State): Work<void> {
  if (!rules.isLoaded) yield* settled(rules.load());
  const { records } = yield* changesBetween(before, after);
  const edits = records.map(({ name, before: was, after: is }) => {
    return { name, before: was && new StoredRecord(was.value, was.version, NOWHERE, was.text), after: is };
  });
  // They are compared with the other records of the same moment.
  const judging = rules.judge(after, edits, {});
  if (judging) yield* judging;
}
