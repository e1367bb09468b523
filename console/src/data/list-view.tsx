import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import type { JsonObject } from "../api/json.ts";
import { idKeyOf, type Member } from "../api/overview.ts";
import { lastOf } from "../api/resource.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatRoute, type Route } from "../routes/route.ts";
import { go, goBack } from "../routes/use-route.ts";
import { Button } from "../ui/button.tsx";
import { formatCount, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Tabs } from "../ui/tabs.tsx";
import type { Clause } from "./condition.ts";
import { RecordDrawer } from "./editor/record-drawer.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { GroupBar } from "./group-bar.tsx";
import { GroupView } from "./group-view.tsx";
import { firstGrouping } from "./grouping.ts";
import { formatListQuery, type ListQuery, listPath, parseListQuery, windowPath } from "./list-query.ts";
import { QueryLine } from "./query-line.tsx";
import { WINDOW_SIZE } from "./record-windows.ts";
import type { Picked } from "./rows/bulk.ts";
import { CollectionMenu } from "./rows/collection-menu.tsx";
import { countSelected, NOTHING } from "./rows/selection.ts";
import { SelectionBar } from "./rows/selection-bar.tsx";
import { ColumnPicker } from "./table/column-picker.tsx";
import type { Column } from "./table/columns.ts";
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

const TABS = [
  ["table", "Table"],
  ["groups", "Groups"],
] as const;

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
  const { query, setQuery, asked } = useListQuery(route);
  const idKey = idKeyOf(overview, name);
  const { layout, change: changeLayout } = useLayout(name);
  const { hidden } = layout;
  const requests = useMemo(() => requestsFor(name, idKey, asked, hidden), [name, idKey, asked, hidden]);
  const records = useRecords(name, requests.recordsQuery);
  const { columns, fields } = useFields(name, records);
  const known = (): readonly JsonObject[] => records?.known() ?? [];
  const table = useColumns({ collection: name, known: columns, records: known, query, setQuery, layout, changeLayout });
  const [groups, retry] = useGroups(requests.groupsPath, asked.grouping);
  const [selection, setSelection] = useState(NOTHING);
  const chosen = formatListQuery({ ...asked, sort: [], fields: undefined });
  // Records that no longer match must not stay picked out of sight.
  useEffect(() => setSelection(NOTHING), [chosen]);
  const picked = { collection: name, idKey, query: asked, total: records?.total ?? 0, selection };
  const hasRecords = records && !records.refusal && (records.total ?? 0) > 0;
  const isFiltered = query.filters.length > 0 || query.wheres.length > 0 || query.search !== "";

  const { dialog, actions, ...ofFilters } = useFieldActions({ collection: name, fields, query, setQuery });

  const pickGroup = (filters: readonly Clause[]): void => {
    const next: ListQuery = { ...query, grouping: undefined, filters: withFilters(query, filters) };
    // The back button leads to the groups again.
    go({ ...route, query: formatListQuery(next) });
  };

  return (
    <div class="list-view">
      <ListHead
        {...{ member, route, query, setQuery, columns, table, picked }}
        count={records?.refusal ? "" : countWords(records?.total, member.count, isFiltered)}
        groupCount={asked.grouping && lastOf(groups)?.total}
      />
      <FilterBar {...{ collection: name, query, fields, ...ofFilters }} onChange={setQuery} />
      {query.grouping && (
        <GroupBar
          grouping={query.grouping}
          fields={fields.filter(({ isMany }) => !isMany)}
          onChange={(grouping) => setQuery({ ...query, grouping })}
        />
      )}
      <QueryLine collection={name} query={asked} path={asked.grouping ? requests.groupsPath : requests.recordsPath} />
      {(!records || (hasRecords && asked.grouping && groups.kind === "loading")) && <Loading what={name} />}
      {records?.refusal && <Failure refusal={records.refusal} onRetry={() => records.refresh()} />}
      {records && !records.refusal && records.total === 0 && (
        <NoRecords name={name} isFiltered={isFiltered} onShowAll={() => setQuery(parseListQuery(""))} />
      )}
      {hasRecords && !asked.grouping && (
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
      {route.record.kind !== "none" && (
        <RecordDrawer
          key={route.record.kind === "id" ? `id ${route.record.id}` : "new"}
          collection={name}
          id={route.record.kind === "id" ? route.record.id : undefined}
          onClose={() => closeRecord(route, name)}
        />
      )}
    </div>
  );
}

/** A record that was opened from elsewhere closes by going back there; a new one shows the list that it is in. */
function closeRecord(route: ListViewProps["route"], name: string): void {
  const list = { ...route, record: { kind: "none" } } as const;
  const isElsewhere = (from: Route): boolean => from.view !== "data" || from.member !== name;
  if (route.record.kind === "id") goBack(isElsewhere, list);
  else go(list);
}

interface ListHeadProps extends ListViewProps {
  readonly query: ListQuery;
  readonly setQuery: (query: ListQuery) => void;
  readonly columns: readonly Column[];
  readonly table: ReturnType<typeof useColumns>;
  readonly picked: Picked;
  /** How many records there are, in words. */
  readonly count: string;
  readonly groupCount: number | undefined;
}

function ListHead(props: ListHeadProps) {
  const { member, route, query, setQuery, columns, table, picked, count, groupCount } = props;
  const overview = useOverview();
  const { name } = member;
  const { grouping } = query;
  return (
    <div class="cluster page-head">
      <div>
        <div class="row head-title">
          <h1 class="cut">{name}</h1>
          <CollectionMenu member={member} list={{ picked, shown: table.shown }} />
        </div>
        <p class="lead" role="status">
          {count}
          {grouping && groupCount !== undefined && ` in ${plural(groupCount, "group")}`}
        </p>
      </div>
      <div class="cluster actions">
        <Tabs
          label="View"
          tabs={TABS}
          chosen={grouping ? "groups" : "table"}
          onChoose={(tab) => {
            const grouped = grouping ?? firstGrouping(overview, name, columns);
            setQuery({ ...query, grouping: tab === "table" ? undefined : grouped });
          }}
        />
        <ColumnPicker columns={table.all} shown={table.shown} isDisabled={grouping !== undefined} onPick={table.pick} />
        {!overview.readOnly && (
          <a class="button primary" href={formatRoute({ ...route, member: name, record: { kind: "new" } })}>
            <Icon name="plus" />
            New record
          </a>
        )}
      </div>
    </div>
  );
}

function NoRecords({ name, isFiltered, onShowAll }: { name: string; isFiltered: boolean; onShowAll: () => void }) {
  const { readOnly } = useOverview();
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
    groupsPath: listPath(collection, formatListQuery(asked), `_limit=${MOST_GROUPS}`),
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
