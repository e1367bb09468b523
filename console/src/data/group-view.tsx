import type { Json, JsonObject } from "../api/json.ts";
import { formatCount, formatName } from "../ui/format.ts";
import { Failure } from "../ui/notice.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import type { Clause } from "./condition.ts";
import { aggregateColumn, aggregateWords, groupFilters } from "./grouping.ts";
import { cellText } from "./table/cell-text.ts";
import type { Groups, useGroups } from "./use-groups.ts";

interface GroupViewProps extends ReturnType<typeof useGroups> {
  readonly collection: string;
  /** With the filters that single out the records of a group. */
  readonly onPick: (filters: readonly Clause[]) => void;
}

/** One row per group, with a bar for its aggregate. */
export function GroupView({ collection, groups, refusal, retry, onPick }: GroupViewProps) {
  if (refusal) return <Failure refusal={refusal} onRetry={retry} />;
  if (!groups) return null;
  const { grouping, rows, total } = groups;
  const column = aggregateColumn(grouping);
  const largest = Math.max(...rows.map((row) => sizeOf(row[column])));
  return (
    <ScrollRegion look="scroller" label={`Groups of ${collection}`}>
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
            <GroupRow key={index} row={row} groups={groups} largest={largest} onPick={onPick} />
          ))}
        </tbody>
      </table>
      {rows.length < total && (
        <p class="hint more">
          The first {formatCount(rows.length)} of {formatCount(total)} groups.
        </p>
      )}
    </ScrollRegion>
  );
}

interface GroupRowProps {
  readonly row: JsonObject;
  readonly groups: Groups;
  readonly largest: number;
  readonly onPick: (filters: readonly Clause[]) => void;
}

function GroupRow({ row, groups: { grouping }, largest, onPick }: GroupRowProps) {
  const filters = groupFilters(row, grouping.fields);
  const value = row[aggregateColumn(grouping)] ?? null;
  const pick = filters && (() => onPick(filters));
  return (
    <tr class={pick && "clickable"} onClick={pick}>
      {grouping.fields.map((field, at) => (
        <td key={field} class="group-name">
          {at === 0 && pick ? (
            <button type="button" class="link" onClick={pick}>
              <GroupName value={row[field] ?? null} />
            </button>
          ) : (
            <GroupName value={row[field] ?? null} />
          )}
        </td>
      ))}
      <td class="number">{typeof value === "number" ? formatCount(value) : cellText(value)}</td>
      <td class="bar-cell" aria-hidden="true">
        <div class="bar" style={{ width: `${largest === 0 ? 0 : (sizeOf(value) / largest) * 100}%` }} />
      </td>
    </tr>
  );
}

function GroupName({ value }: { value: Json }) {
  if (value === null || value === "") return <span class="nothing">(empty)</span>;
  return <bdi>{cellText(value)}</bdi>;
}

function sizeOf(value: Json | undefined): number {
  return typeof value === "number" ? Math.abs(value) : 0;
}
