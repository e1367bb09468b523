import { useMemo, useState } from "preact/hooks";
import type { Member, Overview } from "../api/overview.ts";
import { formatRoute, type Route } from "../shell/route.ts";
import { go } from "../shell/use-route.ts";
import { formatCount } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { ColumnPicker } from "./column-picker.tsx";
import { columnsOf, nestedPaths, SHOWN_COLUMNS } from "./columns.ts";
import { FilterBar } from "./filter-bar.tsx";
import { parseListQuery } from "./list-query.ts";
import { QueryLine } from "./query-line.tsx";
import { RecordDrawer } from "./record-drawer.tsx";
import { RecordTable } from "./record-table.tsx";
import { useListQuery } from "./use-list-query.ts";
import { useRecords } from "./use-records.ts";

interface ListViewProps {
  readonly overview: Overview;
  readonly member: Member;
  readonly route: Extract<Route, { view: "data" }>;
}

/** A collection: what to ask for on top, the records below, one of them opened at the side. */
export function ListView({ overview, member, route }: ListViewProps) {
  const { name } = member;
  const { query, setQuery, text } = useListQuery(route);
  const records = useRecords(name, text);
  const known = records?.known() ?? [];
  const fields = overview.fields[name] ?? [];
  const names = known.length === 0 ? "" : [...new Set(known.flatMap((record) => Object.keys(record)))].join("\n");
  // Columns change when a field comes or goes, not with every window that arrives.
  const columns = useMemo(() => columnsOf(overview.idKey, fields, known), [overview.idKey, fields, names]);
  const paths = useMemo(() => nestedPaths(known), [names]);
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const shown = columns.filter((column, index) => (picked ? picked.has(column.name) : index < SHOWN_COLUMNS));
  const isFiltered = query.filters.length > 0 || query.search !== "";

  return (
    <div class="list-view">
      <div class="page-head">
        <div>
          <h1 class="cut">{name}</h1>
          <p class="lead" role="status">
            {records?.refusal ? "" : countWords(records?.total, member.count, isFiltered)}
          </p>
        </div>
        <div class="actions">
          <ColumnPicker columns={columns} shown={shown} onPick={setPicked} />
          {!overview.readOnly && (
            <a class="button primary" href={formatRoute({ ...route, member: name, record: { kind: "new" } })}>
              <Icon name="plus" />
              New record
            </a>
          )}
        </div>
      </div>
      <FilterBar query={query} columns={columns} paths={paths} onChange={setQuery} />
      <QueryLine collection={name} query={text} />
      {!records && <Loading what={name} />}
      {records?.refusal && <Failure refusal={records.refusal} onRetry={() => records.refresh()} />}
      {records && !records.refusal && records.total === 0 && (
        <Empty icon={isFiltered ? "search" : "data"} title={isFiltered ? "No record matches" : "No records yet"}>
          {isFiltered ? (
            <button type="button" class="button" onClick={() => setQuery(parseListQuery(""))}>
              Show all
            </button>
          ) : (
            <p>Create the first one with the button above, or with a POST to /{name}.</p>
          )}
        </Empty>
      )}
      {records && !records.refusal && records.total !== undefined && records.total > 0 && (
        <RecordTable
          key={text}
          overview={overview}
          collection={name}
          columns={shown}
          records={records}
          total={records.total}
          query={query}
          queryText={text}
          onSort={(sort) => setQuery({ ...query, sort })}
        />
      )}
      {route.record.kind !== "none" && (
        <RecordDrawer
          key={route.record.kind === "id" ? `id ${route.record.id}` : "new"}
          overview={overview}
          collection={name}
          id={route.record.kind === "id" ? route.record.id : undefined}
          onClose={() => go({ ...route, record: { kind: "none" } })}
        />
      )}
    </div>
  );
}

function countWords(total: number | undefined, all: number, isFiltered: boolean): string {
  if (total === undefined) return "…";
  if (!isFiltered) return `${formatCount(total)} ${total === 1 ? "record" : "records"}`;
  return `${formatCount(total)} of ${formatCount(Math.max(all, total))} records`;
}
