import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import type { JsonObject } from "../api/json.ts";
import { connection } from "../api/live-data.ts";
import { idKeyOf, type Member } from "../api/overview.ts";
import { formatParameters } from "../api/parameters.ts";
import { lastOf } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { useOverview } from "../api/use-overview.ts";
import type { Route } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { useHeld } from "../ui/use-held.ts";
import type { Clause } from "./condition.ts";
import { FilterBar } from "./filter-bar.tsx";
import { GroupBar } from "./group-bar.tsx";
import { GroupView } from "./group-view.tsx";
import { bucketParameters } from "./grouping.ts";
import { ListHead } from "./list-head.tsx";
import { formatListQuery, type ListQuery, listPath, parseListQuery, windowPath } from "./list-query.ts";
import { QueryLine } from "./query-line.tsx";
import { RecordPanel } from "./record-panel.tsx";
import { type RecordWindows, WINDOW_SIZE } from "./record-windows.ts";
import { countSelected, NOTHING } from "./rows/selection.ts";
import { SelectionBar } from "./rows/selection-bar.tsx";
import { ShapeView } from "./shape-view.tsx";
import { shapeFieldsOf, shapeFor } from "./shapes/shapes.ts";
import { RecordTable } from "./table/record-table.tsx";
import { useColumns } from "./table/use-columns.ts";
import { useFieldActions } from "./use-field-actions.tsx";
import { useFields } from "./use-fields.ts";
import { useGroups } from "./use-groups.ts";
import { useListQuery } from "./use-list-query.ts";
import { useRecords } from "./use-records.ts";
import "./rows/rows.css";
import { lazy } from "../ui/lazy.tsx";
import { PLAIN_LAYOUT, parseLayout, type TableLayout } from "./table/layout.ts";

/** More groups than this make no chart. */
const MOST_GROUPS = 100;

interface ListViewProps {
  readonly member: Member;
  readonly route: Extract<Route, { view: "data" }>;
}

/** A collection: what to ask for on top, the records or their groups below, one of them opened at the side. */
export function ListView({ member, route }: ListViewProps) {
  const overview = useOverview();
  const { name } = member;
  const { query, setQuery, askNow, asked, shape: wanted } = useListQuery(route);
  const idKey = idKeyOf(overview, name);
  const { layout, change: changeLayout } = useLayout(name);
  const { hidden } = layout;
  const requests = useMemo(() => requestsFor(name, idKey, asked, hidden), [name, idKey, asked, hidden]);
  const records = useRecords(name, requests.recordsQuery);
  const { columns, fields } = useFields(name, records);
  const known = (): readonly JsonObject[] => records?.known() ?? [];
  const table = useColumns({ collection: name, known: columns, records: known, query, setQuery, layout, changeLayout });
  const shapeFields = useMemo(() => shapeFieldsOf(table.looks, fields), [table.looks, fields]);
  const shape = asked.grouping ? undefined : shapeFor(wanted, shapeFields);
  const [groups, retry] = useGroups(requests.groupsPath, asked.grouping);
  const [selection, setSelection] = useState(NOTHING);
  const chosen = formatListQuery({ ...asked, sort: [], fields: undefined });
  // Records that no longer match must not stay picked out of sight.
  useEffect(() => setSelection(NOTHING), [chosen]);
  const picked = { collection: name, idKey, query: asked, total: records?.total ?? 0, selection };
  const hasRecords = records && (!records.refusal || records.isOutOfDate) && (records.total ?? 0) > 0;
  const isFiltered = query.filters.length > 0 || query.wheres.length > 0 || query.search !== "";

  const { dialog, actions, ...ofFilters } = useFieldActions({ collection: name, fields, query, setQuery, askNow });

  const pickGroup = (filters: readonly Clause[]): void => {
    const next: ListQuery = { ...query, grouping: undefined, filters: withFilters(query, filters) };
    // The back button leads to the groups again.
    go({ ...route, query: formatListQuery(next) });
  };

  return (
    <div class="list-view">
      <ListHead
        {...{ member, route, query, columns, table, picked, shape, shapeFields }}
        count={records?.refusal && !hasRecords ? "" : countWords(records?.total, member.count, isFiltered)}
        groupCount={asked.grouping && lastOf(groups)?.total}
      />
      <FilterBar {...{ collection: name, query, fields, ...ofFilters }} onChange={setQuery} />
      {query.grouping && (
        <GroupBar
          grouping={query.grouping}
          fields={fields.filter(({ isMany }) => !isMany)}
          areKnown={records?.total !== undefined}
          isList={(field) => columns.some((column) => column.name === field && column.types.includes("array"))}
          onChange={(grouping) => setQuery({ ...query, grouping })}
        />
      )}
      <QueryLine collection={name} query={asked} path={asked.grouping ? requests.groupsPath : requests.recordsPath} />
      {hasRecords && asked.grouping && groups.kind === "loading" && <Loading what={name} />}
      <NothingYet {...{ name, records, isFiltered }} onShowAll={() => setQuery(parseListQuery(""))} />
      {hasRecords && shape && (
        <ShapeView
          {...{ shape, collection: name, idKey, records, route }}
          columns={table.shown}
          looks={table.looks}
          fields={shapeFields}
          query={asked}
        />
      )}
      {hasRecords && !asked.grouping && !shape && (
        <>
          <RecordTable
            collection={name}
            columns={table.shown}
            looks={table.looks}
            layout={layout}
            actions={{ ...table.actions, ...actions }}
            records={records}
            total={records.total ?? 0}
            query={query}
            queryText={formatListQuery(asked)}
            onSort={(sort) => setQuery({ ...query, sort })}
            onFilter={(filters) => setQuery({ ...query, filters: withFilters(query, filters) })}
            onQuery={setQuery}
            selection={selection}
            onSelect={setSelection}
          />
          {countSelected(selection, picked.total) > 0 && (
            <SelectionBar {...{ picked, columns }} shown={table.shown} onClear={() => setSelection(NOTHING)} />
          )}
        </>
      )}
      {hasRecords && asked.grouping && (
        <GroupView collection={name} resource={groups} onRetry={retry} onPick={pickGroup} />
      )}
      {dialog}
      <RecordPanel {...{ collection: name, idKey, route, records }} />
    </div>
  );
}

interface NothingYetProps {
  readonly name: string;
  readonly records: RecordWindows | undefined;
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}

/** Why there is no record to see, or why they may be out of date. */
function NothingYet({ name, records, isFiltered, onShowAll }: NothingYetProps) {
  const { readOnly } = useOverview();
  // A banner speaks for all views while the whole server is away.
  const isToldHere = useHeld(useStore(connection) === "open" && records?.isOutOfDate === true);
  if (!records) return <Loading what={name} />;
  if (records.isOutOfDate && !isToldHere) return null;
  if (records.refusal) return <Failure refusal={records.refusal} onRetry={() => records.refresh()} />;
  if (records.total !== 0) return null;
  if (isFiltered) {
    return (
      <Empty icon="search" title="No record matches">
        <Button onClick={onShowAll}>Show all</Button>
      </Empty>
    );
  }
  return (
    <Empty icon="data" title="No records yet">
      <p>Create the first one with the button above, or with a POST to /{name}.</p>
      {!readOnly && <ImportButton collection={name} />}
    </Empty>
  );
}

/** The requests behind a list. Rows are opened by their id, so that it is asked for even if it is not shown. */
function requestsFor(collection: string, idKey: string, asked: ListQuery, hidden: readonly string[]) {
  const fields = asked.fields && [...new Set([idKey, ...asked.fields])];
  const without = hidden.filter((name) => name !== idKey);
  const recordsQuery = formatListQuery({ ...asked, fields, without, grouping: undefined });
  return {
    recordsQuery,
    recordsPath: windowPath(collection, recordsQuery, 0, WINDOW_SIZE),
    groupsPath: asked.grouping?.by
      ? listPath(
          collection,
          formatListQuery({ ...asked, grouping: undefined, sort: [], fields: undefined }),
          formatParameters(bucketParameters(asked.grouping)),
        )
      : listPath(collection, formatListQuery(asked), `_limit=${MOST_GROUPS}`),
  };
}

/** The filters of a list with some more, in place of those on the same fields. */
function withFilters({ filters }: ListQuery, added: readonly Clause[]): Clause[] {
  const isReplaced = (clause: Clause): boolean =>
    clause.length === 1 && added.some(([one]) => one?.path === clause[0]?.path);
  return [...filters.filter((clause) => !isReplaced(clause)), ...added];
}

function countWords(total: number | undefined, all: number, isFiltered: boolean): string {
  if (total === undefined) return "…";
  if (!isFiltered) return `${formatCount(total)} ${total === 1 ? "record" : "records"}`;
  return `${formatCount(total)} of ${formatCount(Math.max(all, total))} records`;
}

/** The layout of a collection's table, kept in this browser. */
function useLayout(collection: string): {
  layout: TableLayout;
  change: (changes: Partial<TableLayout>) => void;
} {
  const [version, countChange] = useReducer((count: number) => count + 1, 0);
  const place = `standin-table:${collection}`;
  const layout = useMemo(() => parseLayout(localStorage.getItem(place)), [place, version]);
  const change = (changes: Partial<TableLayout>): void => {
    const next = { ...layout, ...changes };
    if (JSON.stringify(next) === JSON.stringify(PLAIN_LAYOUT)) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(next));
    countChange(undefined);
  };
  return { layout, change };
}

const ImportDialog = lazy("the form", async () => (await import("./files/import-dialog.tsx")).ImportDialog);

/** Imports a file into a collection that has no records yet. */
function ImportButton({ collection }: { collection: string }) {
  const overview = useOverview();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="import" onClick={() => setOpen(true)}>
        Import a file
      </Button>
      {isOpen && <ImportDialog {...{ overview, collection }} onClose={() => setOpen(false)} />}
    </>
  );
}
