import { moment } from "../api/moment.ts";
import { lastOf } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { formatRoute, type Route } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { formatCount, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, NotReady } from "../ui/notice.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { FilterRow } from "./filter-row.tsx";
import { Scrubber } from "./scrubber.tsx";
import { type KnownVersions, useVersions } from "./use-versions.ts";
import { VersionDetail } from "./version-detail.tsx";
import { VersionList } from "./version-list.tsx";
import "./history-view.css";

type HistoryRoute = Extract<Route, { view: "history" }>;

/** Every change of the data: a timeline to move through, and beside it the change of the selected version. */
export function HistoryView({ route }: { route: HistoryRoute }) {
  const filter = Object.fromEntries(new URLSearchParams(route.query));
  const at = useStore(moment);
  const wanted = route.version ?? at;
  const { known, more, reload } = useVersions(filter, { downTo: wanted });
  const list = lastOf(known);
  return (
    <div class="page history">
      <PageHead title="History" lead={list ? extentOf(list) : "Every change to the data"} />
      <FilterRow
        filter={filter}
        versions={list?.versions ?? []}
        onChange={(query) => go({ view: "history", query }, "replace")}
      />
      <NotReady resource={known} what="the history" onRetry={reload} />
      {list?.versions.length === 0 && (
        <Empty icon="history" title={route.query === "" ? "No changes yet" : "No change matches"}>
          <p>Every change to the data appears here as it is made. Each can be reverted.</p>
        </Empty>
      )}
      {list && list.versions.length > 0 && <Timeline {...{ route, list, wanted }} onMore={more} />}
    </div>
  );
}

interface TimelineProps {
  readonly route: HistoryRoute;
  readonly list: KnownVersions;
  /** The version that was asked for; undefined for the latest. */
  readonly wanted: number | undefined;
  readonly onMore: () => void;
}

function Timeline({
  route,
  list: { versions, next, oldest },
  wanted = Number.POSITIVE_INFINITY,
  onMore,
}: TimelineProps) {
  const chosen = versions.find(({ version }) => version <= wanted) ?? versions.at(-1);
  if (!chosen) return null;
  const isComplete = next === undefined || chosen.version <= wanted;
  const isMissing = route.version !== undefined && route.version !== chosen.version && isComplete;
  const hrefOf = (version: number): string => formatRoute({ ...route, version });
  return (
    <>
      {isMissing && (
        <p class="problem" role="alert">
          <Icon name="warning" />
          {missingText(route, chosen.version)}
        </p>
      )}
      <section class="card scrubber-card" aria-label="Move through the versions">
        <Scrubber
          versions={versions}
          chosen={chosen.version}
          onChoose={(version) => go({ ...route, version }, "replace")}
          onOldest={onMore}
        />
      </section>
      <div class="history-columns">
        <VersionList
          versions={versions}
          chosen={chosen.version}
          hrefOf={hrefOf}
          onMore={next === undefined ? undefined : onMore}
        />
        <VersionDetail
          key={chosen.version}
          version={chosen}
          isLatest={chosen === versions[0] && route.query === ""}
          isReadable={oldest !== null && chosen.version >= oldest}
          onStay={() => go({ ...route, version: chosen.version }, "replace")}
        />
      </div>
    </>
  );
}

function missingText({ version, query }: HistoryRoute, shown: number): string {
  const why = query === "" ? `There is no version ${version}` : `Version ${version} is not among these changes`;
  return `${why}. Version ${shown} is shown instead.`;
}

function extentOf({ versions, next }: KnownVersions): string {
  return next === undefined ? plural(versions.length, "change") : `The latest ${formatCount(versions.length)} changes`;
}
