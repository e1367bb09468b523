import type { Member } from "../api/overview.ts";
import { useOverview } from "../api/use-overview.ts";
import { formatRoute, type Route } from "../routes/route.ts";
import { go } from "../routes/use-route.ts";
import { formatName, plural } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Labelled } from "../ui/labelled.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { firstGrouping } from "./grouping.ts";
import { formatListQuery, type ListQuery } from "./list-query.ts";
import type { Picked } from "./rows/bulk.ts";
import { CollectionMenu } from "./rows/collection-menu.tsx";
import { SaveView } from "./save-view.tsx";
import { type ShapeFields, shapesOf } from "./shapes/shapes.ts";
import { ColumnPicker } from "./table/column-picker.tsx";
import type { Column } from "./table/columns.ts";
import type { useColumns } from "./table/use-columns.ts";
import { withShape } from "./use-list-query.ts";

interface ListHeadProps {
  readonly member: Member;
  readonly route: Extract<Route, { view: "data" }>;
  readonly query: ListQuery;
  readonly columns: readonly Column[];
  readonly table: ReturnType<typeof useColumns>;
  readonly picked: Picked;
  /** How many records there are, in words. */
  readonly count: string;
  readonly groupCount: number | undefined;
  /** The form that records are shown in; undefined for a table. */
  readonly shape: string | undefined;
  readonly shapeFields: ShapeFields;
}

/** The name of a collection, its count, and the ways to look at it. */
export function ListHead(props: ListHeadProps) {
  const { member, route, query, table, picked, count, groupCount } = props;
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
        <FormTabs {...props} />
        {route.query !== "" && <SaveView collection={name} query={route.query} />}
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

/** Table and groups, and the forms that the records of this collection have. */
function FormTabs({ member, route, query, columns, shape, shapeFields }: ListHeadProps) {
  const overview = useOverview();
  const { grouping } = query;
  const { choices } = shapeFields;
  const isBoard = shape?.startsWith("board:") ?? false;
  const shapes = shapesOf(shapeFields);
  const ask = (next: ListQuery, form?: string): void =>
    go({ ...route, query: withShape(formatListQuery(next), form) }, "replace");
  const show = (form: string | undefined): void => ask({ ...query, grouping: undefined }, form);
  const choose = (tab: string): void => {
    if (tab !== "groups") show(tab === "table" ? undefined : tab);
    else ask({ ...query, grouping: grouping ?? firstGrouping(overview, member.name, columns) });
  };
  const chosen = isBoard ? `board:${choices[0]}` : shape;
  return (
    <>
      <Tabs
        label="View"
        tabs={[["table", "Table"], ["groups", "Groups"], ...shapes]}
        chosen={grouping ? "groups" : (chosen ?? "table")}
        onChoose={choose}
      />
      {isBoard && choices.length > 1 && (
        <Labelled look="inline-field" label="Board by">
          <Select
            value={shape ?? ""}
            options={choices.map((name) => [`board:${name}`, formatName(name)] as const)}
            onChoose={show}
          />
        </Labelled>
      )}
    </>
  );
}
