import { formatMs, formatTime } from "../ui/format.ts";
import { clientOf, codeOf, type Entry, formatFault } from "./entry.ts";
import { EntryLink } from "./entry-link.tsx";
import { SentStatus } from "./sent-status.tsx";

/** Rows drawn at once; a filter finds older ones. */
const MOST_ROWS = 200;

/** Newest first. */
export function EntryTable({ entries, onOpen }: { entries: readonly Entry[]; onOpen: (entry: Entry) => void }) {
  const rows = entries.slice(-MOST_ROWS).reverse();
  return (
    <div class="card flush">
      <table class="entries entries-list">
        <thead>
          <tr>
            <th scope="col" class="time">
              Time
            </th>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="wide">
              Sandbox
            </th>
            <th scope="col" class="wide">
              Fault
            </th>
            <th scope="col" class="answered">
              Client
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <Row key={entry.id} entry={entry} onOpen={onOpen} />
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

function Row({ entry, onOpen }: { entry: Entry; onOpen: (entry: Entry) => void }) {
  const { sandbox, faults = [] } = entry;
  const code = codeOf(entry);
  const worst = faults.find(({ fault }) => fault !== "latency") ?? faults[0];
  return (
    <tr onClick={() => onOpen(entry)}>
      <td class="time">{formatTime(entry.time)}</td>
      <td>
        <EntryLink entry={entry} onOpen={onOpen} />
      </td>
      <td>
        <SentStatus status={entry.status} />
        {code !== undefined && <span class="entry-code">{code}</span>}
        {entry.version !== undefined && (
          <span class="entry-tag changed" title="It has changed the data">
            version {entry.version}
          </span>
        )}
      </td>
      <td class="number">{formatMs(entry.durationMs)}</td>
      <td class="wide cut">{sandbox !== undefined && <span class="entry-tag">{sandbox}</span>}</td>
      <td class="wide cut">
        {worst && <span class="entry-tag fault">{formatFault(worst)}</span>}
        {faults.length > 1 && (
          <span class="entry-tag fault" title={faults.map(formatFault).join(", ")}>
            +{faults.length - 1}
          </span>
        )}
      </td>
      <td class="answered cut" title={`Handled by ${entry.answeredBy}`}>
        {clientOf(entry)}
      </td>
    </tr>
  );
}
