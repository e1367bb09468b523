import { useEffect, useState } from "preact/hooks";
import { lastOf } from "../../api/resource.ts";
import { useEvent } from "../../api/use-event.ts";
import { useResource } from "../../api/use-resource.ts";
import { cellText } from "../../ui/cell-text.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { joinList, splitList } from "../condition.ts";
import type { Reference } from "../editor/field-facts.ts";
import { findNamed, findOptions, optionWords, type RelationOption } from "../editor/inputs/relation-options.ts";
import { formatListQuery, type ListQuery, listPath } from "../list-query.ts";
import { fetchWindow } from "../use-records.ts";
import { type Tick, TickList } from "./tick-list.tsx";

interface TicksProps {
  /** The list of a condition. */
  readonly value: string;
  readonly isFirst: boolean;
  readonly onChange: (value: string) => void;
}

interface ValueTicksProps extends TicksProps {
  readonly collection: string;
  readonly path: string;
  /** The other conditions, within which records are counted. */
  readonly query: ListQuery;
}

/** More values than this are no list to choose from. */
const MOST_VALUES = 60;

/** The values of a field, the most frequent first, with their counts. */
export function ValueTicks({ collection, path, query, value, isFirst, onChange }: ValueTicksProps) {
  const asked = formatListQuery({
    ...query,
    grouping: { fields: [path], kind: "count", of: "" },
  });
  const [resource] = useResource(
    (signal) => fetchWindow(listPath(collection, asked, `_limit=${MOST_VALUES}`), signal),
    [collection, asked],
  );
  const rows = lastOf(resource)?.records ?? [];
  const chosen = splitList(value);
  const found = rows.flatMap((row): Tick[] => {
    const one = row[path];
    if (one === null || one === undefined || one === "" || typeof one === "object") return [];
    return [{ value: String(one), label: cellText(one), count: Number(row.count) }];
  });
  const missing = chosen.filter((one) => !found.some((tick) => tick.value === one));
  const ticks = [...found, ...missing.map((one) => ({ value: one, label: one, count: 0 }))];
  return <TickList label="Values" {...{ ticks, chosen, isFirst }} onChange={(next) => onChange(joinList(next))} />;
}

const PAUSE_MS = 120;

/** Records that a foreign key may refer to: the ticked ones, and those that a search finds. */
export function RecordTicks({ reference, value, isFirst, onChange }: TicksProps & { readonly reference: Reference }) {
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<readonly RelationOption[]>([]);
  const [named, setNamed] = useState<readonly RelationOption[]>([]);
  const chosen = splitList(value);
  const find = useEvent((text: string, signal: AbortSignal) => findOptions(reference, text, signal));
  const name = useEvent(() => findNamed(reference, chosen));
  const hasChosen = chosen.length > 0;
  useEffect(() => {
    const stop = new AbortController();
    const look = (): void => void find(search, stop.signal).then(setFound, () => undefined);
    const timer = setTimeout(look, search === "" ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [find, search]);
  useEffect(() => {
    if (hasChosen) name().then(setNamed, () => undefined);
  }, [name, hasChosen]);
  const known = new Map([...named, ...found].map((option) => [option.id, option]));
  const ids = [...new Set([...chosen, ...found.map(({ id }) => id)])];
  const ticks = ids.map((id) => ({
    value: id,
    label: optionWords(known.get(id) ?? { id, value: id, label: undefined }),
  }));
  const change = (next: string[]): void => {
    setNamed([...known.values()].filter(({ id }) => next.includes(id)));
    onChange(joinList(next));
  };
  return (
    <>
      <SearchBox label={`Search ${reference.to}`} value={search} onInput={setSearch} isFirst={isFirst} />
      <TickList label="Values" {...{ ticks, chosen }} isFirst={false} onChange={change} />
    </>
  );
}
