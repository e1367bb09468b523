import { useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import type { ListQuery } from "../list-query.ts";
import { conditionText } from "../operators.ts";
import type { KnownField } from "../table/columns.ts";
import { hasChoices, kindOf } from "./meaning.ts";
import { doubtAbout, readTyped } from "./typed-filters.ts";

interface TypedSearchProps {
  readonly collection: string;
  readonly query: ListQuery;
  readonly fields: readonly KnownField[];
  readonly onChange: (query: ListQuery) => void;
}

/**
 * Searches all fields, and takes typed filters: `price>400 status:active`. A filter becomes a chip with the space or Enter
 * behind it; until then it is not searched for.
 */
export function TypedSearch({ collection, query, fields, onChange }: TypedSearchProps) {
  const overview = useOverview();
  const [typed, setTyped] = useState({ text: query.search, for: query.search });
  // A link or the back button may search for something else.
  const text = typed.for === query.search ? typed.text : query.search;
  const known = { fields, isChoice: (name: string) => hasChoices(overview, collection, name) };
  const read = (given: string) => readTyped(given, known);
  const pending = read(text).filters;
  const write = (given: string, isSettled: boolean): void => {
    const { filters, rest } = read(given);
    const search = filters.length === 0 ? given : rest;
    setTyped({ text: isSettled ? search : given, for: search });
    onChange({ ...query, search, ...(isSettled && { filters: [...query.filters, ...filters] }) });
  };
  const settle = (): void => {
    if (pending.length > 0) write(text, true);
  };
  return (
    <>
      <SearchBox
        label="Search all fields"
        value={text}
        onInput={(given) => write(given, /\s$/.test(given) && read(given).filters.length > 0)}
        onSettle={settle}
      />
      <span class="typed-hint" role="status">
        {pending.length > 0
          ? pending.map(([one]) => one && `↵ ${conditionText(one, kindOf(fields, one.path))}`).join("  ")
          : doubtAbout(text, known)}
      </span>
    </>
  );
}
