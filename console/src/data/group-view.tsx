import { useEffect, useMemo } from "preact/hooks";
import type { Json, JsonObject } from "../api/json.ts";
import { lastOf, type Resource, refusalIn } from "../api/resource.ts";
import { useEvent } from "../api/use-event.ts";
import { useOverview } from "../api/use-overview.ts";
import { linksIn, parentOf } from "../records/relations.ts";
import { cellText } from "../ui/cell-text.ts";
import { formatCount, formatName } from "../ui/format.ts";
import { lazy } from "../ui/lazy.tsx";
import { Failure } from "../ui/notice.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import type { Clause } from "./condition.ts";
import { aggregateColumn, aggregateWords, type Grouping } from "./grouping.ts";
import { rowFilters } from "./grouping-buckets.ts";
import { decimalPad, fractionDigits } from "./table/decimals.ts";
import { useReferenceLabels } from "./table/use-reference-labels.ts";
import type { Groups } from "./use-groups.ts";

const TimeSeries = lazy<{ rows: readonly JsonObject[]; grouping: Grouping }>(
  "the chart",
  async () => (await import("./time-series.tsx")).TimeSeries,
);

interface GroupViewProps {
  readonly collection: string;
  readonly resource: Resource<Groups>;
  readonly onRetry: () => void;
  /** With the filters that single out the records of a group. */
  readonly onPick: (filters: readonly Clause[]) => void;
}

/** One row per group, with a bar for its aggregate. */
export function GroupView({ collection, resource, onRetry, onPick }: GroupViewProps) {
  const groups = lastOf(resource);
  const refusal = refusalIn(resource);
  const names = useNames(collection, groups);
  if (refusal) return <Failure refusal={refusal} onRetry={onRetry} />;
  if (!groups) return null;
  const { grouping, rows, total } = groups;
  const column = aggregateColumn(grouping);
  const largest = Math.max(...rows.map((row) => sizeOf(row[column])));
  const digits = Math.max(0, ...rows.map((row) => fractionDigits(shownNumber(row[column]))));
  return (
    <ScrollRegion look="scroller" label={`Groups of ${collection}`}>
      {grouping.by !== undefined && grouping.by !== "element" && rows.length > 1 && (
        <TimeSeries rows={rows} grouping={grouping} />
      )}
      <table class="groups">
        <thead>
          <tr>
            {grouping.fields.map((field) => (
              <th key={field} scope="col">
                {formatName(field)}
              </th>
            ))}
            <th scope="col" class="number">
              {aggregateWords(grouping)}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <GroupRow
              key={index}
              row={row}
              groups={groups}
              names={names}
              largest={largest}
              digits={digits}
              onPick={onPick}
            />
          ))}
        </tbody>
      </table>
      {rows.length < total && (
        <p class="row hint more">
          The first {formatCount(rows.length)} of {formatCount(total)} groups.
        </p>
      )}
    </ScrollRegion>
  );
}

interface GroupRowProps {
  readonly row: JsonObject;
  readonly groups: Groups;
  readonly names: Names;
  readonly largest: number;
  /** Behind the decimal point of the number that has most. */
  readonly digits: number;
  readonly onPick: (filters: readonly Clause[]) => void;
}

function GroupRow({ row, groups: { grouping }, names: { refersTo, nameOf }, largest, digits, onPick }: GroupRowProps) {
  const filters = rowFilters(row, grouping);
  const value = row[aggregateColumn(grouping)] ?? null;
  const pick = filters && (() => onPick(filters));
  return (
    <tr class={pick && "clickable"} onClick={pick}>
      {grouping.fields.map((field, at) => (
        <td key={field} class={refersTo(field) ? "group-name is-named" : "group-name"}>
          {at === 0 && pick ? (
            <button type="button" class="link" onClick={pick}>
              <GroupName value={row[field] ?? null} name={nameOf(field, row[field])} />
            </button>
          ) : (
            <GroupName value={row[field] ?? null} name={nameOf(field, row[field])} />
          )}
        </td>
      ))}
      <td class="number">
        {typeof value === "number" ? (
          <span data-pad={decimalPad(shownNumber(value), digits) || undefined}>{formatCount(value)}</span>
        ) : (
          cellText(value)
        )}
      </td>
      <td class="bar-cell" aria-hidden="true">
        <div class="bar" style={{ width: `${largest === 0 ? 0 : (sizeOf(value) / largest) * 100}%` }} />
      </td>
    </tr>
  );
}

function GroupName({ value, name }: { value: Json; name: string | undefined }) {
  if (value === null || value === "") return <span class="nothing">(empty)</span>;
  if (name === undefined) return <bdi>{cellText(value)}</bdi>;
  return (
    <>
      {cellText(value)} · <bdi class="label">{cellText(name)}</bdi>
    </>
  );
}

interface Names {
  /** Whether the values of a field have names, which may still be on their way. */
  refersTo(field: string): boolean;
  /** The name of the record that a value refers to, where it is known. */
  nameOf(field: string, value: Json | undefined): string | undefined;
}

function useNames(collection: string, groups: Groups | undefined): Names {
  const overview = useOverview();
  const fields = groups?.grouping.fields ?? [];
  const looksNow = useEvent(() => {
    const links = linksIn(overview);
    return new Map(
      fields.flatMap((field) => {
        const to = parentOf(links, collection, field);
        return to === undefined ? [] : [[field, { kind: "reference", to } as const] as const];
      }),
    );
  });
  const looks = useMemo(() => looksNow(), [looksNow, overview, collection, fields.join("/")]);
  const { labels, look } = useReferenceLabels(looks);
  useEffect(() => look(groups?.rows ?? []));
  return {
    refersTo: (field) => looks.has(field),
    nameOf(field, value) {
      const to = looks.get(field)?.to;
      const label = to === undefined ? undefined : labels.of(to, String(value));
      return label?.kind === "found" ? label.name : undefined;
    },
  };
}

/** The number as far as it is shown. */
function shownNumber(value: Json | undefined): number {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : 0;
}

function sizeOf(value: Json | undefined): number {
  return typeof value === "number" ? Math.abs(value) : 0;
}
