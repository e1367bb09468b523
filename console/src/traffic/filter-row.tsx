import type { ComponentChildren } from "preact";
import { Chip } from "../ui/chip.tsx";
import { formatClock } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import type { Entry } from "./entry.ts";
import {
  countMethods,
  countStatuses,
  type EntryFilter,
  isInRange,
  matchesFilter,
  sandboxesOf,
  type TimeRange,
} from "./entry-filter.ts";

interface FilterRowProps {
  /** All there are, to count what each filter would show. */
  readonly entries: readonly Entry[];
  readonly filter: EntryFilter;
  readonly range: TimeRange | undefined;
  readonly onChange: (filter: EntryFilter) => void;
  readonly onRange: (range: TimeRange | undefined) => void;
  /** At the end of the row. */
  readonly children: ComponentChildren;
}

const STATUS_NAMES = { "2xx": "2xx", "3xx": "3xx", "4xx": "4xx", "5xx": "5xx", none: "No response" } as const;

export function FilterRow({ entries, filter, range, onChange, onRange, children }: FilterRowProps) {
  const change = (changed: Partial<EntryFilter>): void => onChange({ ...filter, ...changed });
  /** The entries to choose from, with all other filters applied. */
  const without = (changed: Partial<EntryFilter>): Entry[] =>
    entries.filter((entry) => isInRange(entry, range) && matchesFilter(entry, { ...filter, ...changed }));
  const sandboxes = sandboxesOf(entries);
  const withFault = without({ withFault: true }).length;
  return (
    <div class="cluster traffic-filter">
      <SearchBox label="Filter requests" value={filter.text} onInput={(text) => change({ text: text.trim() })} />
      <Chips
        label="Methods"
        counted={countMethods(without({ methods: [] }))}
        nameOf={(method) => method}
        chosen={filter.methods}
        onChoose={(methods) => change({ methods })}
      />
      <Chips
        label="Statuses"
        counted={countStatuses(without({ statuses: [] }))}
        nameOf={(status) => STATUS_NAMES[status]}
        chosen={filter.statuses}
        onChoose={(statuses) => change({ statuses })}
      />
      {(withFault > 0 || filter.withFault) && (
        <Chip
          name="With a fault"
          count={withFault}
          isOn={filter.withFault}
          onToggle={() => change({ withFault: !filter.withFault })}
        />
      )}
      {range && (
        <button type="button" class="chip-toggle range" onClick={() => onRange(undefined)}>
          {formatClock(range.from)} – {formatClock(range.to)}
          <Icon name="close" />
          <span class="unseen">Show all times</span>
        </button>
      )}
      {(sandboxes.length > 0 || filter.sandbox !== undefined) && (
        <select
          aria-label="Sandbox"
          value={filter.sandbox ?? "*"}
          onChange={({ currentTarget: { value } }) => change({ sandbox: value === "*" ? undefined : value })}
        >
          <option value="*">All data</option>
          <option value="">Main data</option>
          {sandboxes.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={filter.withConsole}
          onChange={(event) => change({ withConsole: event.currentTarget.checked })}
        />
        Show the console's own requests
      </label>
      {children}
    </div>
  );
}

interface ChipsProps<Value extends string> {
  readonly label: string;
  readonly counted: readonly (readonly [value: Value, count: number])[];
  readonly nameOf: (value: Value) => string;
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: Value[]) => void;
}

function Chips<Value extends string>({ label, counted, nameOf, chosen, onChoose }: ChipsProps<Value>) {
  // One that is chosen stays, so that it can be taken back.
  const gone = chosen.filter((value) => !counted.some(([other]) => other === value));
  const shown = [...counted, ...gone.map((value) => [value, 0] as const)];
  if (shown.length === 0) return null;
  const toggle = (value: Value): void =>
    onChoose(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a few buttons in a row are no fieldset
    <div class="chips" role="group" aria-label={label}>
      {shown.map(([value, count]) => (
        <Chip
          key={value}
          name={nameOf(value)}
          count={count}
          isOn={chosen.includes(value)}
          onToggle={() => toggle(value)}
        />
      ))}
    </div>
  );
}
