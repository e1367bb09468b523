import { useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../api/json.ts";
import { dataVersion } from "../../api/live-data.ts";
import { lastOf } from "../../api/resource.ts";
import { useStore } from "../../api/store.ts";
import { useOverview } from "../../api/use-overview.ts";
import { useResource } from "../../api/use-resource.ts";
import { recordPath } from "../../records/record-address.ts";
import { changeRecord, readRecord } from "../../records/writes.ts";
import { formatRoute, type Route } from "../../routes/route.ts";
import { formatCount } from "../../ui/format.ts";
import { Problem } from "../../ui/notice.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { formatListQuery, type ListQuery, listPath } from "../list-query.ts";
import type { Column } from "../table/columns.ts";
import { idIn } from "../table/reference-labels.ts";
import { fetchWindow } from "../use-records.ts";
import { CardText } from "./card-text.tsx";
import "./shapes.css";

export interface BoardProps {
  readonly collection: string;
  readonly idKey: string;
  /** The field whose values are the columns. */
  readonly field: string;
  readonly values: readonly string[];
  readonly columns: readonly Column[];
  readonly query: ListQuery;
  readonly route: Extract<Route, { view: "data" }>;
}

/** The most cards of a column; the list has them all. */
const MOST_CARDS = 50;

/** The records in columns by one field. A card that moves to another column changes the field. */
export function Board(props: BoardProps) {
  const { collection, field, values } = props;
  const { readOnly } = useOverview();
  const { refusal, attempt } = useAttempt();
  const [said, setSaid] = useState("");
  const region = useRef<HTMLDivElement>(null);
  const move = (id: string, to: string): Promise<void> =>
    attempt(async () => {
      const path = recordPath(collection, id);
      await changeRecord(path, await readRecord(path), "PATCH", { [field]: to });
      setSaid(`${id} is ${to} now`);
      focusWhenThere(region.current, id, to);
    });
  return (
    <ScrollRegion look="board-region" label={`Board of ${collection}`}>
      {refusal && <Problem refusal={refusal} />}
      <div class="board" ref={region}>
        {values.map((value, at) => (
          <BoardColumn
            key={value}
            {...{ ...props, value }}
            isFixed={readOnly}
            neighbours={[values[at - 1], values[at + 1]]}
            onMove={move}
          />
        ))}
      </div>
      <p class="unseen" role="status">
        {said}
      </p>
    </ScrollRegion>
  );
}

interface BoardColumnProps extends BoardProps {
  readonly value: string;
  readonly isFixed: boolean;
  readonly neighbours: readonly [left: string | undefined, right: string | undefined];
  readonly onMove: (id: string, to: string) => Promise<void>;
}

function BoardColumn(props: BoardColumnProps) {
  const { collection, idKey, field, value, columns, query, route, isFixed, neighbours, onMove } = props;
  const version = useStore(dataVersion);
  const [isOver, setOver] = useState(false);
  const asked = formatListQuery({
    ...query,
    fields: undefined,
    grouping: undefined,
    filters: [...query.filters, [{ path: field, operator: "eq", value }]],
  });
  const path = listPath(collection, asked, `_limit=${MOST_CARDS}`);
  const [resource] = useResource((signal) => fetchWindow(path, signal), [path, version]);
  const { records = [], total = 0 } = lastOf(resource) ?? {};
  const press = (event: KeyboardEvent, id: string): void => {
    const to = { ArrowLeft: neighbours[0], ArrowRight: neighbours[1] }[event.key];
    if (isFixed || !event.shiftKey || to === undefined) return;
    event.preventDefault();
    void onMove(id, to);
  };
  const card = (record: JsonObject) => {
    const id = idIn(record[idKey]);
    if (id === undefined) return null;
    return (
      <li key={id}>
        <a
          class="board-card"
          data-card={id}
          href={formatRoute({ ...route, record: { kind: "id", id } })}
          draggable={!isFixed}
          aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
          onDragStart={(event) => event.dataTransfer?.setData("text/plain", id)}
          onKeyDown={(event) => press(event, id)}
        >
          <CardText {...{ record, idKey, columns }} without={[field]} />
        </a>
      </li>
    );
  };
  return (
    <section
      class={isOver ? "board-column is-over" : "board-column"}
      data-value={value}
      aria-label={value}
      onDragOver={(event) => {
        if (isFixed) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const id = event.dataTransfer?.getData("text/plain") ?? "";
        if (id !== "" && !records.some((record) => idIn(record[idKey]) === id)) void onMove(id, value);
      }}
    >
      <h2 class="row">
        <bdi class="cut">{value}</bdi>
        <span class="count">{formatCount(total)}</span>
      </h2>
      <ul>{records.map(card)}</ul>
      {records.length < total && <p class="hint">The first {formatCount(records.length)}.</p>}
    </section>
  );
}

/** A card that was moved keeps the focus, once its new column shows it. */
function focusWhenThere(board: HTMLElement | null, id: string, value: string): void {
  if (!board) return;
  const find = (): HTMLElement | null =>
    board.querySelector(`[data-value="${CSS.escape(value)}"] [data-card="${CSS.escape(id)}"]`);
  const observer = new MutationObserver(() => {
    const card = find();
    if (!card) return;
    observer.disconnect();
    card.focus();
  });
  observer.observe(board, { childList: true, subtree: true });
}
