import { useState } from "preact/hooks";
import { formatDurationTick, niceTicks } from "../ui/charts/ticks.ts";
import { formatClock, formatMs, plural } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { type Burst, burstsOf } from "./bursts.ts";
import { type Entry, startOf } from "./entry.ts";
import { EntryLink } from "./entry-link.tsx";
import { SentStatus } from "./sent-status.tsx";

/** Rows drawn at once. */
const MOST_ROWS = 100;

interface WaterfallProps {
  readonly entries: readonly Entry[];
  readonly onOpen: (entry: Entry) => void;
}

/** The requests of one burst on a common time axis: which waited for which, and which ran at the same time. */
export function Waterfall({ entries, onOpen }: WaterfallProps) {
  const bursts = burstsOf(entries);
  /** By its first request, so that it stays chosen when others arrive; undefined for the latest of several requests. */
  const [chosen, setChosen] = useState<number>();
  const found = bursts.findIndex((burst) => burst.entries[0]?.id === chosen);
  const latest = bursts.findLastIndex(({ entries: { length } }) => length > 1);
  const index = found !== -1 ? found : latest !== -1 ? latest : bursts.length - 1;
  const burst = bursts[index];
  if (!burst) return null;
  const go = (step: number): void => {
    setChosen(bursts[index + step]?.entries[0]?.id);
  };
  return (
    <section class="card flush waterfall" aria-labelledby="burst">
      <div class="row waterfall-head">
        <h2 id="burst">
          Burst {index + 1} of {bursts.length}
        </h2>
        <p class="hint" role="status">
          {formatClock(burst.from)}: {plural(burst.entries.length, "request")} in {formatMs(burst.to - burst.from)}
          {burst.mostAtOnce > 1 && `, up to ${burst.mostAtOnce} at once`}
        </p>
        <IconButton icon="left" label="Earlier burst" onClick={() => go(-1)} isDisabled={index === 0} />
        <IconButton icon="right" label="Later burst" onClick={() => go(1)} isDisabled={index === bursts.length - 1} />
      </div>
      <Rows burst={burst} onOpen={onOpen} />
    </section>
  );
}

function Rows({ burst, onOpen }: { burst: Burst; onOpen: (entry: Entry) => void }) {
  const ticks = niceTicks(Math.max(burst.to - burst.from, 1), 4);
  const spanMs = ticks.at(-1)!;
  const share = (ms: number): string => `${((ms / spanMs) * 100).toFixed(3)}%`;
  const rows = burst.entries.slice(0, MOST_ROWS);
  return (
    <>
      <table class="entries">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" aria-label="Time since the start of the burst">
              <span class="track ruler">
                {ticks.slice(0, -1).map((tick) => (
                  <span key={tick} style={{ left: share(tick) }}>
                    {formatDurationTick(tick)}
                  </span>
                ))}
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <tr key={entry.id} onClick={() => onOpen(entry)}>
              <td>
                <EntryLink entry={entry} onOpen={onOpen} />
              </td>
              <td>
                <SentStatus status={entry.status} />
              </td>
              <td class="number">{formatMs(entry.durationMs)}</td>
              <td>
                <span class="track">
                  {ticks.slice(1, -1).map((tick) => (
                    <span key={tick} class="track-line" style={{ left: share(tick) }} />
                  ))}
                  <span
                    class={`track-bar ${lookOf(entry)}`}
                    style={{ left: share(startOf(entry) - burst.from), width: share(entry.durationMs) }}
                  />
                </span>
                <span class="unseen">after {formatMs(startOf(entry) - burst.from)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {burst.entries.length > rows.length && (
        <p class="hint pad">
          The first {rows.length} of {burst.entries.length} are shown.
        </p>
      )}
    </>
  );
}

function lookOf({ status }: Entry): string {
  if (status === 0 || status >= 500) return "failed";
  return status >= 400 ? "rejected" : "ok";
}
