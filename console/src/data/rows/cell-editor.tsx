import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useEvent } from "../../api/use-event.ts";
import type { ReadRecord } from "../../records/conflict.ts";
import { Button } from "../../ui/button.tsx";
import { cellText } from "../../ui/cell-text.ts";
import { formatName } from "../../ui/format.ts";
import { moveWithinWindow } from "../../ui/within-window.ts";
import { type CellInput, type Leaving, useCellInput } from "./use-cell-input.ts";
import { ValueInput } from "./value-input.tsx";

interface CellEditorProps extends CellInput {
  /** The cell; null while it is out of sight. */
  readonly cell: () => HTMLElement | null;
  /** The key that began it, in place of the value. */
  readonly typed: string | undefined;
}

/** Edits one value where it stands. A value that another client has changed meanwhile is not overwritten unasked. */
export function CellEditor({ cell, typed, ...input }: CellEditorProps) {
  const { row, column } = input;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { draft, problems, conflict, isBusy, edit, save, leave, takeTheirs } = useCellInput(input);
  const wanted = useRef<Leaving>("elsewhere");

  const place = useEvent((): void => {
    const anchor = cell();
    if (anchor && box.current) moveOnto(box.current, anchor.getBoundingClientRect());
    else void save("elsewhere");
  });
  useLayoutEffect(() => {
    box.current?.showPopover();
    place();
    const control = document.getElementById(id);
    control?.focus({ preventScroll: true });
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) begin(control, typed);
  }, [place, id, typed]);
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
  }, [place]);

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
        setTimeout(() => void save(to));
      }}
    >
      <ValueInput
        id={id}
        collection={row.collection}
        draft={draft}
        describedBy={isMarked ? `${id}-error` : undefined}
        isReadOnly={isBusy}
        onChange={edit}
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
        <div class="cluster actions">
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
      <div class="cluster actions">
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

/** Selects the text of a control, or puts in its place what was typed. Calendars have no text. */
function begin(control: HTMLInputElement | HTMLTextAreaElement, typed: string | undefined): void {
  control.select();
  if (typed === undefined || control.selectionStart === null) return;
  control.setRangeText(typed, 0, control.value.length, "end");
  control.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
