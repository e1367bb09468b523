import { useStore } from "../../api/store.ts";
import { formatName } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { useOfferedCommands } from "../../ui/offered-commands.ts";
import { Popover } from "../../ui/popover.tsx";
import type { Column } from "./columns.ts";
import { density, toggleDensity } from "./density.ts";

interface ColumnPickerProps {
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
  readonly isDisabled: boolean;
  /** Undefined: all of them. */
  readonly onPick: (names: readonly string[] | undefined) => void;
}

/** Which columns the table shows. */
export function ColumnPicker({ columns, shown, isDisabled, onPick }: ColumnPickerProps) {
  const isCompact = useStore(density) === "compact";
  useOfferedCommands(() => [
    {
      name: isCompact ? "Comfortable rows" : "Compact rows",
      icon: "unfold",
      also: "density height",
      run: toggleDensity,
    },
    { name: "Show all columns", icon: "columns", run: () => onPick(undefined) },
  ]);
  const names = new Set(shown.map(({ name }) => name));
  const toggle = (toggled: string): void => {
    const next = columns.map(({ name }) => name).filter((name) => names.has(name) !== (name === toggled));
    onPick(next.length === columns.length ? undefined : next);
  };
  const button = (
    <>
      <Icon name="columns" />
      Columns
      {shown.length < columns.length && (
        <span class="count">
          {shown.length} of {columns.length}
        </span>
      )}
    </>
  );
  return (
    <Popover label="Columns" look="button column-picker" button={button} isDisabled={isDisabled}>
      {() => (
        <div class="picker-list">
          {columns.map(({ name }, at) => (
            <label key={name}>
              <input
                type="checkbox"
                data-first={at === 0 || undefined}
                checked={names.has(name)}
                onChange={() => toggle(name)}
              />
              <span class="cut">{formatName(name)}</span>
            </label>
          ))}
          <label class="apart">
            <input type="checkbox" checked={isCompact} onChange={toggleDensity} />
            <span class="cut">Compact rows</span>
          </label>
        </div>
      )}
    </Popover>
  );
}
