import { formatCount } from "./format.ts";
import "./chip.css";

interface ChipProps {
  readonly name: string;
  /** How many things it stands for; undefined where that is not to be told. */
  readonly count?: number;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

/** A filter or a choice that is on or off. */
export function Chip({ name, count, isOn, onToggle }: ChipProps) {
  return (
    <button type="button" class="chip-toggle" aria-pressed={isOn} onClick={onToggle}>
      <span class="cut">{name}</span>
      {count !== undefined && <span class="chip-count">{formatCount(count)}</span>}
    </button>
  );
}
