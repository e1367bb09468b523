import { useEffect, useState } from "preact/hooks";
import { API_URL } from "../api/base.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { useStore } from "../ui/store.ts";
import { ALL_ENTRIES, type Entry, type EntryFilter, isConsoleRead, matchesFilter } from "./entry.ts";
import { EntryDrawer } from "./entry-drawer.tsx";
import { EntryTable } from "./entry-table.tsx";
import { TrafficChart } from "./traffic-chart.tsx";
import { entries, followTraffic, forgetTraffic, trafficLine, trafficRefusal } from "./traffic-log.ts";

/** The requests as they arrive. */
export function TrafficView() {
  const live = useStore(entries);
  const refusal = useStore(trafficRefusal);
  const line = useStore(trafficLine);
  const [frozen, setFrozen] = useState<readonly Entry[]>();
  const [filter, setFilter] = useState<EntryFilter>(ALL_ENTRIES);
  const [opened, setOpened] = useState<Entry>();
  const [round, setRound] = useState(0);
  useEffect(followTraffic, [round]);
  const shown = (frozen ?? live).filter((entry) => matchesFilter(entry, filter));
  const missed = frozen ? live.length - frozen.length : 0;
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>Traffic</h1>
          <p class="lead" role="status">
            {formatCount(shown.length)} {shown.length === 1 ? "request" : "requests"}
            {frozen && ` · paused${missed > 0 ? `, ${formatCount(missed)} more since` : ""}`}
          </p>
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={() => setFrozen(frozen ? undefined : live)}>
            <Icon name={frozen ? "play" : "pause"} />
            {frozen ? "Resume" : "Pause"}
          </button>
          <button type="button" class="button" onClick={() => void forgetTraffic().then(() => setFrozen(undefined))}>
            <Icon name="trash" />
            Clear
          </button>
        </div>
      </div>
      {refusal ? (
        <Failure refusal={refusal} onRetry={() => setRound(round + 1)} />
      ) : (
        <>
          <TrafficChart entries={shown} isLive={!frozen} />
          <FilterRow filter={filter} onChange={setFilter} />
          {shown.length > 0 ? (
            <EntryTable entries={shown} onOpen={setOpened} />
          ) : (
            <NothingToShow isQuiet={live.every(isConsoleRead)} line={line} />
          )}
        </>
      )}
      {opened && <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

/** Says why the list is empty: an unknown list is not an empty one. */
function NothingToShow({ isQuiet, line }: { isQuiet: boolean; line: "connecting" | "open" | "away" }) {
  if (!isQuiet) {
    return (
      <Empty icon="traffic" title="No request matches">
        <p>Change the filter to see more.</p>
      </Empty>
    );
  }
  if (line === "connecting") return <Loading what="the requests" />;
  if (line === "away") {
    return (
      <Empty icon="warning" title="The server cannot be reached">
        <p>Requests appear here once it is back. This page tries again by itself.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="traffic" title="No requests yet">
      <p>Send one, for example with curl {API_URL}/db, and it appears here.</p>
    </Empty>
  );
}

function FilterRow({ filter, onChange }: { filter: EntryFilter; onChange: (filter: EntryFilter) => void }) {
  return (
    <div class="filter-bar">
      <SearchBox
        label="Filter requests"
        value={filter.text}
        onInput={(text) => onChange({ ...filter, text: text.trim() })}
      />
      <select
        aria-label="Which responses"
        value={filter.status}
        onChange={(event) => onChange({ ...filter, status: event.currentTarget.value as EntryFilter["status"] })}
      >
        <option value="all">All responses</option>
        <option value="ok">Successful</option>
        <option value="failed">Refused or failed</option>
      </select>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.withConsole}
          onChange={(event) => onChange({ ...filter, withConsole: event.currentTarget.checked })}
        />
        Requests of this console, too
      </label>
    </div>
  );
}
