import { useRef } from "preact/hooks";
import { type Json, type JsonObject, ownValue } from "../../api/json.ts";
import { formatRoute, recordRoute } from "../../routes/route.ts";
import { RowHead } from "../rows/row-head.tsx";
import { Cell } from "./cell.tsx";
import type { Column } from "./columns.ts";
import { type Looks, PLAIN } from "./looks.ts";
import { memo } from "./memo.ts";
import { idIn, type ReferenceLabels } from "./reference-labels.ts";
import { useFlash } from "./use-flash.ts";

interface RecordRowProps {
  readonly index: number;
  /** Undefined while it is being fetched. */
  readonly record: JsonObject | undefined;
  readonly columns: readonly Column[];
  readonly looks: Looks;
  /** Columns that show their values as they are stored. */
  readonly plain: readonly string[];
  readonly collection: string;
  readonly idKey: string;
  /** Stays in the address when the record is opened. */
  readonly query: string;
  readonly labels: ReferenceLabels;
  /** Changes with the labels. */
  readonly labelsVersion: number;
  /** Digits behind the decimal point, by column. */
  readonly digits: ReadonlyMap<string, number>;
  readonly now: number;
  /** Whether a cell follows that takes the room that is left. */
  readonly hasFiller: boolean;
  readonly isPicked: boolean;
}

export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { index, record, columns, looks, plain, collection, idKey, query, labels, digits, now } = props;
  const { hasFiller, isPicked } = props;
  const id = idIn(record?.[idKey]);
  const row = useRef<HTMLTableRowElement>(null);
  useFlash(row, record, idKey);
  const href = id === undefined ? undefined : formatRoute(recordRoute(collection, id, query));
  return (
    <tr
      ref={row}
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={isPicked}
      class={record ? undefined : "waiting"}
      onClick={(event) => {
        const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("td[data-field]") : null;
        if (!cell || (event.target as Element).closest("a, button, input")) return;
        // A finger opens the record; a mouse needs the click for the cell, which a second one edits.
        if (href && "pointerType" in event && event.pointerType === "touch") location.hash = href;
        else if (getSelection()?.isCollapsed !== false) cell.focus({ preventScroll: true });
      }}
    >
      <td class="row-head-cell">
        <RowHead id={id} isPicked={isPicked} />
      </td>
      {columns.map(({ name, isNumber }) => {
        const value = record && ownValue(record, name);
        const look = looks.get(name) ?? PLAIN;
        const parent = look.kind === "reference" ? parentOf(look.to, value) : undefined;
        const isPlain = plain.includes(name);
        return (
          <td key={name} data-field={name} tabIndex={-1} class={classOf(name === idKey, isNumber)}>
            {record ? (
              <Cell
                field={name}
                value={value}
                look={isPlain ? PLAIN : look}
                href={name === idKey ? href : parent?.href}
                label={parent && !isPlain ? labels.of(parent.to, parent.id) : undefined}
                digits={digits.get(name) ?? 0}
                now={now}
              />
            ) : (
              <span class="placeholder" />
            )}
          </td>
        );
      })}
      {hasFiller && <td aria-hidden="true" />}
    </tr>
  );
});

/** The classes of a cell. */
export function classOf(isId: boolean, isNumber: boolean): string | undefined {
  if (isId) return "frozen";
  return isNumber ? "number" : undefined;
}

function parentOf(to: string, value: Json | undefined): { to: string; id: string; href: string } | undefined {
  const id = idIn(value);
  return id === undefined ? undefined : { to, id, href: formatRoute(recordRoute(to, id)) };
}
