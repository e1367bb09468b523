import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { faults } from "../../api/faults.ts";
import type { Overview } from "../../api/overview.ts";
import { useStore } from "../../api/store.ts";
import { useEvent } from "../../api/use-event.ts";
import { useKnownOverview } from "../../api/use-overview.ts";
import type { Route } from "../../routes/route.ts";
import { Icon } from "../../ui/icon.tsx";
import { useSandboxes } from "../use-sandboxes.ts";
import { type Command, choose, commandsFor, commandsFrom } from "./commands.ts";
import { findRecords } from "./find-records.ts";
import "./palette.css";

interface PaletteProps {
  readonly route: Route;
  readonly onClose: () => void;
}

/** Anything by typing a part of it: collections, records by title, content or id, views, actions, settings. */
export function Palette({ route, onClose }: PaletteProps) {
  const overview = useKnownOverview();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState("");
  /** The one that the arrow keys or the pointer went to; the first otherwise, while others arrive. */
  const [chosen, setChosen] = useState<string>();
  const [sandboxes] = useSandboxes(overview?.sandboxes != null);
  const rules = useStore(faults);
  const { records, isSearching } = useRecords(typed, overview);
  /** Typed and entered before its record was found. */
  const hasty = useRef<string>();
  useModal(dialog, onClose);

  const commands = commandsFor({ route, overview, sandboxes, faults: rules });
  const shown = inGroups(choose([...commands, ...records], typed));
  const at = Math.max(
    shown.findIndex((command) => keyOf(command) === chosen),
    0,
  );
  const quoted = `“${typed.length > LONGEST_QUOTE ? `${typed.slice(0, LONGEST_QUOTE)}…` : typed}”`;
  const point = (index: number): void => setChosen(shown[index] && keyOf(shown[index]));
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    command.run();
  };
  const move = (event: KeyboardEvent): void => {
    const to = MOVES[event.key]?.(at, shown.length);
    if (event.key === "Enter") {
      if (shown.length === 0) hasty.current = typed;
      run(shown[at]);
    } else if (to === undefined || shown.length === 0) return;
    else point(to);
    event.preventDefault();
  };
  const runHasty = useEvent((found: readonly Command[]) => {
    if (hasty.current === typed) run(found[0]);
  });
  useEffect(() => runHasty(records), [runHasty, records]);
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="row palette-head">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search and commands"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={shown[at] && `${listId}-${at}`}
          placeholder="A record, a collection, or an action"
          autocomplete="off"
          spellcheck={false}
          data-first
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={move}
        />
        <button type="button" class="palette-close" onClick={onClose}>
          Esc
        </button>
      </div>
      <CommandList id={listId} commands={shown} chosen={at} onPoint={point} onRun={run} />
      {shown.length === 0 && (
        <p class="palette-empty">
          {isSearching ? `Searching the records for ${quoted} …` : `No record, collection or command fits ${quoted}.`}
        </p>
      )}
      <span class="unseen" role="status">
        {typed === "" ? "" : `${shown.length} found`}
      </span>
    </dialog>
  );
}

const LONGEST_QUOTE = 80;
const PAGE = 8;
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + PAGE, count - 1),
  PageUp: (at) => Math.max(at - PAGE, 0),
};

interface CommandListProps {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly chosen: number;
  readonly onPoint: (index: number) => void;
  readonly onRun: (command: Command) => void;
}

function CommandList({ id, commands, chosen, onPoint, onRun }: CommandListProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, commands.length]);
  return (
    <div class="palette-list" role="listbox" id={id} aria-label="Results" ref={list} tabIndex={-1}>
      {commands.map((command, index) => {
        const { group, name, note, keys, icon } = command;
        const isFirst = commands[index - 1]?.group !== group;
        return (
          <div key={keyOf(command)} role="presentation">
            {isFirst && (
              <p class="palette-group" role="presentation">
                {group}
              </p>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field, which keeps the focus */}
            <div
              id={`${id}-${index}`}
              class="row palette-item"
              role="option"
              aria-selected={index === chosen}
              tabIndex={-1}
              onPointerMove={() => onPoint(index)}
              onClick={() => onRun(command)}
            >
              <Icon name={icon} />
              <span class="cut">{name}</span>
              {note !== undefined && <span class="cut soft">{note}</span>}
              {keys !== undefined && <kbd>{keys}</kbd>}
            </div>
          </div>
        );
      })}
    </div>
  );
}

function keyOf({ group, name, note = "" }: Command): string {
  return `${group} ${name} ${note}`;
}

/** Each group in one piece, in the order of their first commands. */
function inGroups(commands: readonly Command[]): Command[] {
  const groups = new Set(commands.map(({ group }) => group));
  return [...groups].flatMap((group) => commands.filter((command) => command.group === group));
}

const PAUSE_MS = 120;
const NONE: readonly Command[] = [];

/** The records that fit what was typed, once there is a pause in the typing. */
function useRecords(typed: string, overview: Overview | undefined) {
  const [found, setFound] = useState<{ readonly for: string; readonly commands: readonly Command[] }>();
  useEffect(() => {
    if (!overview || typed.trim() === "") return;
    const stopped = new AbortController();
    const timer = setTimeout(async () => {
      const findings = await findRecords(typed, overview, stopped.signal);
      const commands = findings.flatMap((finding) => commandsFrom(finding, typed));
      if (!stopped.signal.aborted) setFound({ for: typed, commands });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [typed, overview]);
  const isCurrent = found?.for === typed;
  return { records: isCurrent ? found.commands : NONE, isSearching: !isCurrent };
}

/** Opens the dialog, closes it with a click beside it, and gives the focus back in the end. */
function useModal(dialog: { readonly current: HTMLDialogElement | null }, onClose: () => void): void {
  const close = useEvent(onClose);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    // Around its content there is only the backdrop.
    element?.addEventListener("click", ({ target }) => {
      if (target === element) close();
    });
    element?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [dialog, close]);
}
