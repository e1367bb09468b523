import { overview } from "../../api/live-data.ts";
import { lastOf } from "../../api/resource.ts";
import { Button } from "../../ui/button.tsx";

const DAY_MS = 86_400_000;

/** Days from which on records are meant, counted from today. */
const DATE_PRESETS: readonly (readonly [name: string, from: (now: Date) => Date])[] = [
  ["Today", (now) => now],
  ["Last 7 days", (now) => new Date(now.getTime() - 6 * DAY_MS)],
  ["Last 30 days", (now) => new Date(now.getTime() - 29 * DAY_MS)],
  ["This month", (now) => new Date(now.getFullYear(), now.getMonth(), 1)],
  ["This year", (now) => new Date(now.getFullYear(), 0, 1)],
];

/** `2026-01-31`, by the calendar of this browser. */
function dayText(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Spans of time that end now, by the clock that the data is written by. */
export function DatePresets({ onPick }: { readonly onPick: (from: string) => void }) {
  const clock = lastOf(overview.get())?.clock;
  const now = clock && clock.kind !== "real" ? new Date(clock.now) : new Date();
  return (
    <div class="cluster date-presets">
      {DATE_PRESETS.map(([name, from]) => (
        <Button key={name} look="small" onClick={() => onPick(dayText(from(now)))}>
          {name}
        </Button>
      ))}
    </div>
  );
}
