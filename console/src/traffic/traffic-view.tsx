import { useEffect, useState } from "preact/hooks";
import { API_URL, IS_IN_WORKER, ONLY_PAGES } from "../api/base.ts";
import { asRefusal, type Refusal } from "../api/refusal.ts";
import { useStore } from "../api/store.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, plural } from "../ui/format.ts";
import { Empty, Failure, Loading, Problem } from "../ui/notice.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { ChartsRow } from "./charts-row.tsx";
import { type Entry, isAfter, isConsoleRead } from "./entry.ts";
import { EntryDrawer } from "./entry-drawer.tsx";
import { ALL_ENTRIES, type EntryFilter, isInRange, matchesFilter, type TimeRange } from "./entry-filter.ts";
import { EntryTable } from "./entry-table.tsx";
import { FilterRow } from "./filter-row.tsx";
import { SaveMenu } from "./save-menu.tsx";
import { entries, followTraffic, forgetTraffic, trafficLine, trafficRefusal } from "./traffic-log.ts";
import { Waterfall } from "./waterfall.tsx";
import "../ui/charts/charts.css";
import "./traffic-view.css";

/** The requests as they arrive. */
export function TrafficView() {
  const live = useStore(entries);
  const refusal = useStore(trafficRefusal);
  const line = useStore(trafficLine);
  const [frozen, setFrozen] = useState<readonly Entry[]>();
  const [filter, setFilter] = useState<EntryFilter>(ALL_ENTRIES);
  const [range, setRange] = useState<TimeRange>();
  const [opened, setOpened] = useState<Entry>();
  const [look, setLook] = useState<Look>("list");
  const [round, setRound] = useState(0);
  const [failure, setFailure] = useState<Refusal>();
  useEffect(followTraffic, [round]);
  useEffect(() => setFailure(undefined), [line]);
  const known = frozen ?? live;
  const matching = known.filter((entry) => matchesFilter(entry, filter));
  const shown = matching.filter((entry) => isInRange(entry, range));
  const missed = frozen
    ? live.filter((entry) => isAfter(entry, frozen.at(-1)) && matchesFilter(entry, filter)).length
    : 0;
  const isQuiet = !filter.withConsole && live.every(isConsoleRead);
  const clear = async (): Promise<void> => {
    try {
      await forgetTraffic();
      setFailure(undefined);
      setFrozen(undefined);
      setRange(undefined);
    } catch (thrown) {
      setFailure(asRefusal(thrown));
    }
  };
  const showAll = (): void => {
    setFilter(ALL_ENTRIES);
    setRange(undefined);
  };
  return (
    <div class="page">
      <div class="cluster page-head">
        <div>
          <h1>Traffic</h1>
          {!refusal && (
            <p class="lead" role="status">
              {line === "connecting" && live.length === 0 ? "…" : plural(shown.length, "request")}
              {frozen && ` · paused${missed > 0 ? `, ${formatCount(missed)} more since` : ""}`}
            </p>
          )}
        </div>
        {!refusal && (
          <div class="cluster actions">
            <Button icon={frozen ? "play" : "pause"} onClick={() => setFrozen(frozen ? undefined : live)}>
              {frozen ? "Resume" : "Pause"}
            </Button>
            <Button icon="trash" onClick={() => clear()}>
              Clear
            </Button>
            <SaveMenu entries={shown} />
          </div>
        )}
      </div>
      {failure && !refusal && <Problem refusal={failure} />}
      {refusal && <Failure refusal={refusal} onRetry={() => setRound(round + 1)} />}
      {!refusal && isQuiet && <NothingYet line={line} hidden={live.length} onShow={() => setFilter(WITH_CONSOLE)} />}
      {!refusal && !isQuiet && (
        <>
          <ChartsRow entries={matching} range={range} onRange={setRange} isLive={!frozen} />
          <FilterRow entries={known} filter={filter} range={range} onChange={setFilter} onRange={setRange}>
            <Tabs label="How to show them" tabs={LOOKS} chosen={look} onChoose={setLook} />
          </FilterRow>
          {shown.length === 0 && <NoMatch onClear={showAll} />}
          {shown.length > 0 && look === "list" && <EntryTable entries={shown} onOpen={setOpened} />}
          {shown.length > 0 && look === "waterfall" && <Waterfall entries={shown} onOpen={setOpened} />}
        </>
      )}
      {opened && <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

const WITH_CONSOLE: EntryFilter = { ...ALL_ENTRIES, withConsole: true };
const LOOKS = [
  ["list", "List"],
  ["waterfall", "Waterfall"],
] as const;
type Look = (typeof LOOKS)[number][0];

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty icon="traffic" title="No request matches">
      <p>Change the filter to see more.</p>
      <Button onClick={onClear}>Clear the filter</Button>
    </Empty>
  );
}

interface NothingYetProps {
  readonly line: "connecting" | "open" | "away";
  /** How many requests of the console are not shown. */
  readonly hidden: number;
  readonly onShow: () => void;
}

/** Says why the list is empty: an unknown list is not an empty one. */
function NothingYet({ line, hidden, onShow }: NothingYetProps) {
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
      <p>
        {IS_IN_WORKER
          ? `Send one from such a page, and it appears here. ${ONLY_PAGES}`
          : `Send one, for example with curl ${API_URL}/db, and it appears here.`}
      </p>
      {hidden > 0 && (
        <Button onClick={onShow}>
          Show {hidden === 1 ? "the request" : `the ${formatCount(hidden)} requests`} of this console
        </Button>
      )}
    </Empty>
  );
}
