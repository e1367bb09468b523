import { useId, useState } from "preact/hooks";
import { formatName } from "../../ui/format.ts";
import type { KnownField } from "../table/columns.ts";

interface FieldPickerProps {
  readonly id: string;
  readonly path: string;
  readonly fields: readonly KnownField[];
  /** Whether it lists the fields from the start. */
  readonly startsOpen: boolean;
  readonly onPick: (path: string) => void;
}

/** A field, found by a part of its name. */
export function FieldPicker({ id, path, fields, startsOpen, onPick }: FieldPickerProps) {
  const listId = useId();
  const [search, setSearch] = useState(startsOpen ? "" : undefined);
  const [active, setActive] = useState(0);
  const isOpen = search !== undefined;
  const found = isOpen ? fieldsCalled(fields, search) : [];
  const open = (text: string): void => {
    setSearch(text);
    setActive(text === "" ? found.findIndex(({ name }) => name === path) : 0);
  };
  const pick = (name: string | undefined): void => {
    if (name === undefined) return;
    setSearch(undefined);
    onPick(name);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (!isOpen) open("");
      else if (found.length > 0) setActive((active + step + found.length) % found.length);
    } else if (event.key === "Enter" && isOpen) pick(found[Math.max(active, 0)]?.name);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found[active] ? `${listId}-${active}` : undefined}
        data-first={startsOpen || undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Search fields"
        value={search ?? formatName(path)}
        onClick={() => !isOpen && open("")}
        onInput={(event) => open(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id={listId} class="field-options" role="listbox" aria-label="Fields" hidden={!isOpen}>
        {found.map(({ name }, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={name}
            id={`${listId}-${at}`}
            role="option"
            class="row option cut"
            aria-selected={at === active}
            ref={(element) => {
              if (at === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(name)}
          >
            {formatName(name)}
          </div>
        ))}
        {found.length === 0 && <p class="hint">No field is called so.</p>}
      </div>
    </>
  );
}

/** Those that begin with the text come first. */
function fieldsCalled(fields: readonly KnownField[], text: string): readonly KnownField[] {
  const lower = text.trim().toLowerCase();
  if (lower === "") return fields;
  const places = fields.map((field) => ({ field, at: field.name.toLowerCase().indexOf(lower) }));
  return places
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => Number(a.at > 0) - Number(b.at > 0))
    .map(({ field }) => field);
}
