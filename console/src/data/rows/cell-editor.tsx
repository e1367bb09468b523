import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isSameJson, type Json } from "../../api/json.ts";
import { asRefusal } from "../../api/refusal.ts";
import { fieldOf, pathInField, pathOf } from "../../api/violation.ts";
import { recordPath } from "../../records/record-address.ts";
import { Conflict, changeRecord, type ReadRecord, readRecord } from "../../records/writes.ts";
import { unsaved } from "../../routes/unsaved.ts";
import { Button } from "../../ui/button.tsx";
import { cellText } from "../../ui/cell-text.ts";
import { capitalise, formatName } from "../../ui/format.ts";
import { moveWithinWindow } from "../../ui/within-window.ts";
import type { Column } from "../table/columns.ts";
import { cellDraft, readCell } from "./cell-draft.ts";
import type { RowAddress } from "./row-actions.ts";
import { ValueInput } from "./value-input.tsx";

/** How often a value is written again because other fields of the record have changed meanwhile. */
const MOST_TRIES = 3;

/** Where to go when the cell is saved: nowhere, back to the cell, or to a neighbour. */
export type Leaving = "elsewhere" | "cell" | "next" | "previous";

interface CellEditorProps {
  readonly row: RowAddress;
  readonly column: Column;
  /** The value as the list shows it. */
  readonly value: Json | undefined;
  /** The cell; null while it is out of sight. */
  readonly cell: () => HTMLElement | null;
  readonly onLeave: (to: Leaving) => void;
}

/** Edits one value where it stands. A value that another client has changed meanwhile is not overwritten unasked. */
export function CellEditor({ row, column, value, cell, onLeave }: CellEditorProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
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
  reading.current ??= readRecord(path);
  // Reported when it is saved.
  useEffect(() => void reading.current?.catch(() => undefined), []);
  useEffect(() => () => unsaved.set(false), []);

  const place = (): void => {
    const anchor = cell();
    if (anchor && box.current) moveOnto(box.current, anchor.getBoundingClientRect());
    else void save("elsewhere");
  };
  useLayoutEffect(() => {
    box.current?.showPopover();
    place();
    const control = box.current?.querySelector<HTMLElement>("input, select, textarea, [contenteditable], button");
    control?.focus({ preventScroll: true });
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
  }, []);
  useLayoutEffect(() => {
    // The record may have moved to another row.
    const anchor = cell();
    if (anchor && box.current) moveOnto(box.current, anchor.getBoundingClientRect());
  });
  useEffect(() => {
    const events = ["scroll", "resize"] as const;
    for (const event of events) addEventListener(event, place, { capture: true });
    return () => {
      for (const event of events) removeEventListener(event, place, { capture: true });
    };
  });

  const write = async (changed: Json, onto?: ReadRecord): Promise<void> => {
    let was = onto ?? (await (reading.current as Promise<ReadRecord>));
    for (let tries = 1; ; tries++) {
      const now = was.value[column.name];
      if (!onto && !isSameJson(now, base)) throw new Conflict(was);
      try {
        await changeRecord(path, was, "PATCH", { [column.name]: changed });
        return;
      } catch (thrown) {
        const isOfOthers = thrown instanceof Conflict && thrown.theirs !== undefined && tries < MOST_TRIES;
        if (!isOfOthers) throw thrown;
        was = thrown.theirs as ReadRecord;
      }
    }
  };
  async function save(to: Leaving, onto?: ReadRecord): Promise<void> {
    if (isAtWork.current || isLeft.current) return;
    const read = readCell(draft, base);
    if (read.kind === "problem") return setProblems([`${capitalise(read.message)}.`]);
    if (read.kind === "same") return leave(to);
    isAtWork.current = true;
    setBusy(true);
    try {
      await write(read.value, onto);
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
  }
  /** As it is once the controls have settled: one that is left may change its text. */
  const latest = useRef(save);
  latest.current = save;
  const wanted = useRef<Leaving>("elsewhere");
  const leave = (to: Leaving): void => {
    isLeft.current = true;
    unsaved.set(false);
    onLeave(to);
  };
  const takeTheirs = (theirs: ReadRecord): void => {
    const now = theirs.value[column.name];
    setBase(now);
    setDraft(cellDraft(column.name, now, column.types));
    setConflict(undefined);
  };
  const goOn = ({ target, shiftKey }: KeyboardEvent): void => {
    const to = shiftKey ? "previous" : "next";
    if (!(target instanceof HTMLElement) || target.ariaExpanded !== "true") return void save(to);
    wanted.current = to;
    target.blur();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === "Escape") leave("cell");
    else if (event.key === "Enter" && !event.shiftKey && !isOnButton(event.target)) void save("cell");
    else if (event.key === "Tab" && !conflict) goOn(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isMarked = problems.length > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it lies above the table, and is no fieldset of a form
    <div
      ref={box}
      class="cell-editor"
      popover="manual"
      role="group"
      aria-label={`Edit ${formatName(column.name)} of ${row.id}`}
      aria-busy={isBusy}
      onKeyDown={press}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && box.current?.contains(relatedTarget);
        if (isInside || !document.hasFocus() || conflict) return;
        const to = wanted.current;
        wanted.current = "elsewhere";
        setTimeout(() => void latest.current(to));
      }}
    >
      <ValueInput
        id={id}
        collection={row.collection}
        draft={draft}
        describedBy={isMarked ? `${id}-error` : undefined}
        isReadOnly={isBusy}
        onChange={(changed) => {
          setDraft(changed);
          setProblems([]);
          unsaved.set(true);
        }}
      />
      {isMarked && (
        <ul id={`${id}-error`} class="field-errors" role="alert">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {conflict && (
        <CellConflict
          theirs={conflict.theirs}
          field={column.name}
          onTake={takeTheirs}
          onSave={(theirs) => void save("cell", theirs)}
          onClose={() => leave("cell")}
        />
      )}
      {(draft.kind === "text" || draft.kind === "json") && !isMarked && !conflict && (
        <p class="cell-keys">
          <kbd>{draft.kind === "json" ? "Ctrl Enter" : "Enter"}</kbd> saves, <kbd>Esc</kbd> cancels
        </p>
      )}
    </div>
  );
}

interface CellConflictProps {
  /** Undefined: it was deleted. */
  readonly theirs: ReadRecord | undefined;
  readonly field: string;
  readonly onTake: (theirs: ReadRecord) => void;
  readonly onSave: (theirs: ReadRecord) => void;
  readonly onClose: () => void;
}

function CellConflict({ theirs, field, onTake, onSave, onClose }: CellConflictProps) {
  if (!theirs) {
    return (
      <div class="cell-conflict" role="alert">
        <p>The record has been deleted. Nothing was saved.</p>
        <div class="actions">
          <Button look="small" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    );
  }
  const now = theirs.value[field];
  return (
    <div class="cell-conflict" role="alert">
      <p>
        Changed elsewhere to <strong>{now === undefined ? "nothing" : cellText(now) || "an empty text"}</strong>.
      </p>
      <div class="actions">
        <Button look="small" onClick={() => onTake(theirs)}>
          Take theirs
        </Button>
        <Button look="small primary" onClick={() => onSave(theirs)}>
          Save mine
        </Button>
      </div>
    </div>
  );
}

/** Over the cell, and within the window. */
function moveOnto(box: HTMLElement, { left, top, width }: DOMRect): void {
  box.style.minWidth = `${width}px`;
  moveWithinWindow(box, left, top);
}

function isOnButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button") !== null;
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
