import { useEffect, useRef } from "preact/hooks";
import { formatName } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import type { Column } from "./columns.ts";

interface ColumnPickerProps {
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
  readonly onPick: (names: ReadonlySet<string>) => void;
}

/** Which columns the table shows. */
export function ColumnPicker({ columns, shown, onPick }: ColumnPickerProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const details = element.current;
      if (details?.open && event.target instanceof Node && !details.contains(event.target)) details.open = false;
    };
    addEventListener("pointerdown", close);
    return () => removeEventListener("pointerdown", close);
  }, []);
  const names = new Set(shown.map(({ name }) => name));
  const toggle = (name: string): void => {
    const next = new Set(names);
    if (!next.delete(name)) next.add(name);
    onPick(next);
  };
  return (
    <details class="picker" ref={element}>
      <summary class="button">
        <Icon name="columns" />
        Columns
        {shown.length < columns.length && (
          <span class="count">
            {shown.length} of {columns.length}
          </span>
        )}
      </summary>
      <div class="picker-list">
        {columns.map(({ name }) => (
          <label key={name}>
            <input type="checkbox" checked={names.has(name)} onChange={() => toggle(name)} />
            <span class="cut">{formatName(name)}</span>
          </label>
        ))}
      </div>
    </details>
  );
}
