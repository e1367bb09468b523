import { formatCount } from "./format.ts";

interface ChipProps {
  readonly name: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

/** A filter that is on or off, with the number of things that it stands for. */
export function Chip({ name, count, isOn, onToggle }: ChipProps) {
  return (
    <button type="button" class="chip-toggle" aria-pressed={isOn} onClick={onToggle}>
      {name}
      <span class="chip-count">{formatCount(count)}</span>
    </button>
  );
}
