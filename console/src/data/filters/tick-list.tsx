import { formatCount } from "../../ui/format.ts";

export interface Tick {
  readonly value: string;
  readonly label: string;
  /** The records that have it. */
  readonly count?: number;
}

interface TickListProps {
  readonly label: string;
  readonly ticks: readonly Tick[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  /** Whether its first box takes the focus. */
  readonly isFirst: boolean;
}

/** Values to tick, with the number of records that have each. */
export function TickList({ label, ticks, chosen, onChange, isFirst }: TickListProps) {
  const toggle = (value: string): void =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset class="picker-list tick-list" aria-label={label}>
      {ticks.map((tick, at) => (
        <label key={tick.value}>
          <input
            type="checkbox"
            data-first={(isFirst && at === 0) || undefined}
            checked={chosen.includes(tick.value)}
            onChange={() => toggle(tick.value)}
          />
          <bdi class="cut">{tick.label}</bdi>
          {tick.count !== undefined && <span class="count">{formatCount(tick.count)}</span>}
        </label>
      ))}
    </fieldset>
  );
}
