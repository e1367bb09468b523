import { useEffect, useRef, useState } from "preact/hooks";
import { isSameJson, type Json } from "../../api/json.ts";
import { asRefusal } from "../../api/refusal.ts";
import { useEvent } from "../../api/use-event.ts";
import { useOverview } from "../../api/use-overview.ts";
import { fieldOf, pathInField, pathOf } from "../../api/violation.ts";
import { expectRulesKept } from "../../records/broken-rules.ts";
import { Conflict, type ReadRecord } from "../../records/conflict.ts";
import { recordPath } from "../../records/record-address.ts";
import { changeRecord, readRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { capitalise } from "../../ui/format.ts";
import type { FieldDraft } from "../editor/field-drafts.ts";
import type { Column } from "../table/columns.ts";
import { cellDraft, readCell } from "./cell-draft.ts";
import type { RowAddress } from "./row-actions.ts";

/** How often a value is written again because other fields of the record have changed meanwhile. */
const MOST_TRIES = 3;

/** Where to go when the cell is saved: nowhere, back to the cell, or to a neighbour. */
export type Leaving = "elsewhere" | "cell" | "next" | "previous";

export interface CellInput {
  readonly row: RowAddress;
  readonly column: Column;
  /** The value as the list shows it. */
  readonly value: Json | undefined;
  /** The list still shows the value from before the save. */
  readonly onSaved: (value: Json | undefined) => void;
  readonly onLeave: (to: Leaving) => void;
}

/** The new value of a cell: one that another client has changed meanwhile is not overwritten unasked. */
export function useCellInput({ row, column, value, onSaved, onLeave }: CellInput) {
  const overview = useOverview();
  const path = recordPath(row.collection, row.id);
  const [draft, setDraft] = useState(() => cellDraft(column.name, value, column.types));
  /** The value that the input began with. */
  const [base, setBase] = useState(value);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [conflict, setConflict] = useState<Conflict>();
  const [isBusy, setBusy] = useState(false);
  const isAtWork = useRef(false);
  const isLeft = useRef(false);
  const reading = useRef<Promise<ReadRecord>>();
  if (!reading.current) {
    reading.current = readRecord(path);
    // Reported when it is saved.
    reading.current.catch(() => undefined);
  }
  useEffect(() => () => unsaved.set(false), []);

  const write = async (changed: Json, onto?: ReadRecord): Promise<ReadRecord> => {
    let was = onto ?? (await (reading.current as Promise<ReadRecord>));
    for (let tries = 1; ; tries++) {
      const now = was.value[column.name];
      if (!onto && !isSameJson(now, base)) throw new Conflict(was);
      try {
        return await changeRecord(path, was, "PATCH", { [column.name]: changed });
      } catch (thrown) {
        const isOfOthers = thrown instanceof Conflict && thrown.theirs !== undefined && tries < MOST_TRIES;
        if (!isOfOthers) throw thrown;
        was = thrown.theirs as ReadRecord;
      }
    }
  };
  const leave = (to: Leaving): void => {
    isLeft.current = true;
    unsaved.set(false);
    onLeave(to);
  };
  // With the input of the last render: a control that is left may change its text.
  const save = useEvent(async (to: Leaving, onto?: ReadRecord): Promise<void> => {
    if (isAtWork.current || isLeft.current) return;
    const read = readCell(draft, base);
    if (read.kind === "problem") return setProblems([`${capitalise(read.message)}.`]);
    if (read.kind === "same") return leave(to);
    isAtWork.current = true;
    setBusy(true);
    try {
      const { name } = column;
      expectRulesKept(overview, row.collection, { [name]: read.value }, base === undefined ? {} : { [name]: base });
      onSaved((await write(read.value, onto)).value[name]);
      leave(to);
    } catch (thrown) {
      // The next attempt reads the record anew.
      reading.current = undefined;
      if (thrown instanceof Conflict) setConflict(thrown);
      else setProblems(problemsOf(thrown, column.name));
    } finally {
      isAtWork.current = false;
      setBusy(false);
    }
  });
  const takeTheirs = (theirs: ReadRecord): void => {
    const now = theirs.value[column.name];
    setBase(now);
    setDraft(cellDraft(column.name, now, column.types));
    setConflict(undefined);
  };
  const edit = (changed: FieldDraft): void => {
    setDraft(changed);
    setProblems([]);
    unsaved.set(true);
  };
  return { draft, problems, conflict, isBusy, edit, save, leave, takeTheirs };
}

/** The rules that the value would break; those of other fields name them. */
function problemsOf(thrown: unknown, field: string): string[] {
  const { violations, message } = asRefusal(thrown);
  if (violations.length === 0) return [message];
  return violations.map((violation) => {
    const path = fieldOf(violation) === field ? pathInField(violation) : pathOf(violation) || "the record";
    return `${capitalise(`${path} ${violation.message}`.trim())}.`;
  });
}
