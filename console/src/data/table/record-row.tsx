import type { Json, JsonObject } from "../../api/json.ts";
import { idKeyOf, type Overview } from "../../api/overview.ts";
import { formatRoute, recordRoute } from "../../shell/route.ts";
import { linksIn, parentOf } from "../relations.ts";
import { cellText } from "./cell-text.ts";
import type { Column } from "./columns.ts";

interface RecordRowProps {
  readonly index: number;
  /** Undefined while it is being fetched. */
  readonly record: JsonObject | undefined;
  readonly columns: readonly Column[];
  readonly collection: string;
  readonly overview: Overview;
  /** Stays in the address when the record is opened. */
  readonly query: string;
}

export function RecordRow({ index, record, columns, collection, overview, query }: RecordRowProps) {
  const idKey = idKeyOf(overview, collection);
  const id = record?.[idKey];
  const href = isId(id) ? formatRoute(recordRoute(collection, String(id), query)) : undefined;
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      class={record ? undefined : "waiting"}
      onClick={(event) => {
        const isOnLink = event.target instanceof Element && event.target.closest("a") !== null;
        if (!isOnLink && href && getSelection()?.isCollapsed !== false) location.hash = href;
      }}
    >
      {columns.map(({ name, isNumber }) => {
        const value = record && Object.hasOwn(record, name) ? record[name] : undefined;
        return (
          <td key={name} class={isNumber ? "number" : undefined}>
            <Cell
              value={value}
              href={name === idKey ? href : parentHref(overview, collection, name, value)}
              isWaiting={!record}
            />
          </td>
        );
      })}
    </tr>
  );
}

function Cell({ value, href, isWaiting }: { value: Json | undefined; href: string | undefined; isWaiting: boolean }) {
  if (isWaiting) return <span class="placeholder" />;
  if (value === undefined || value === null) return <span class="nothing">{value === null ? "null" : ""}</span>;
  if (href) return <a href={href}>{cellText(value)}</a>;
  if (typeof value === "object") return <span class="nested">{cellText(value)}</span>;
  // Each value on its own decides its direction, so that right-to-left text does not turn its neighbours around.
  return <bdi>{cellText(value)}</bdi>;
}

function parentHref(
  overview: Overview,
  collection: string,
  field: string,
  value: Json | undefined,
): string | undefined {
  const parent = isId(value) ? parentOf(linksIn(overview), collection, field) : undefined;
  return parent === undefined ? undefined : formatRoute(recordRoute(parent, String(value)));
}

function isId(value: Json | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}
