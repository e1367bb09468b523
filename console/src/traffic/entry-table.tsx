import { formatMs, formatTime } from "../ui/format.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Entry } from "./entry.ts";

/** Rows drawn at once; a filter finds older ones. */
const MOST_ROWS = 200;

/** Newest first. */
export function EntryTable({ entries, onOpen }: { entries: readonly Entry[]; onOpen: (entry: Entry) => void }) {
  const rows = entries.slice(-MOST_ROWS).reverse();
  return (
    <div class="card flush">
      <table class="entries">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Handled by</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <tr key={entry.id} onClick={() => onOpen(entry)}>
              <td class="time">{formatTime(entry.time)}</td>
              <td>
                <button type="button" class="entry-link" onClick={() => onOpen(entry)}>
                  <span class={`method ${entry.method.toLowerCase()}`}>{entry.method}</span>
                  <bdi class="cut">{entry.url}</bdi>
                </button>
                {entry.rewritten !== undefined && <span class="rewritten cut">→ {entry.rewritten}</span>}
              </td>
              <td>
                <StatusBadge status={entry.status} />
              </td>
              <td class="number">{formatMs(entry.durationMs)}</td>
              <td class="answered cut">{entry.answeredBy}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > rows.length && (
        <p class="hint pad">
          The newest {rows.length} of {entries.length} are shown.
        </p>
      )}
    </div>
  );
}
