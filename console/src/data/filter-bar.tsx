import { formatName } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import type { Column } from "./columns.ts";
import type { Filter, ListQuery, Operator } from "./list-query.ts";
import { OPERATOR_WORDS, operatorsFor } from "./operators.ts";

interface FilterBarProps {
  readonly query: ListQuery;
  readonly columns: readonly Column[];
  /** Ways into nested values, offered beside the columns. */
  readonly paths: readonly string[];
  readonly onChange: (query: ListQuery) => void;
}

/** Search, and a row for each filter: column, operator and value. */
export function FilterBar({ query, columns, paths, onChange }: FilterBarProps) {
  const setFilters = (filters: readonly Filter[]): void => onChange({ ...query, filters });
  const add = (): void => {
    // The first column is the id, which people rarely filter by.
    const column = columns[1] ?? columns[0];
    if (!column) return;
    const operator = operatorsFor(column.types)[0] as Operator;
    setFilters([...query.filters, { path: column.name, operator, value: "" }]);
  };
  return (
    <div class="filter-bar">
      <SearchBox label="Search all fields" value={query.search} onInput={(search) => onChange({ ...query, search })} />
      {query.filters.map((filter, index) => (
        <FilterRow
          key={index}
          filter={filter}
          columns={columns}
          paths={paths}
          onChange={(changed) => setFilters(query.filters.with(index, changed))}
          onRemove={() => setFilters(query.filters.toSpliced(index, 1))}
        />
      ))}
      <button type="button" class="button" onClick={add}>
        <Icon name="plus" />
        Filter
      </button>
    </div>
  );
}

interface FilterRowProps {
  readonly filter: Filter;
  readonly columns: readonly Column[];
  readonly paths: readonly string[];
  readonly onChange: (filter: Filter) => void;
  readonly onRemove: () => void;
}

function FilterRow({ filter, columns, paths, onChange, onRemove }: FilterRowProps) {
  const column = columns.find(({ name }) => name === filter.path);
  const operators = operatorsFor(column?.types ?? []);
  const isOffered = column !== undefined || paths.includes(filter.path);
  const choosePath = (path: string): void => {
    const types = columns.find(({ name }) => name === path)?.types ?? [];
    onChange({ ...filter, path, operator: operatorsFor(types)[0] as Operator });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one line everywhere
    <div class="filter" role="group" aria-label={`Filter on ${filter.path}`}>
      <select aria-label="Column" value={filter.path} onChange={(event) => choosePath(event.currentTarget.value)}>
        {!isOffered && <option value={filter.path}>{filter.path}</option>}
        {columns.map(({ name }) => (
          <option key={name} value={name}>
            {formatName(name)}
          </option>
        ))}
        {paths.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </select>
      <select
        aria-label="Relation"
        value={filter.operator}
        onChange={(event) => onChange({ ...filter, operator: event.currentTarget.value as Operator })}
      >
        {operators.map((operator) => (
          <option key={operator} value={operator}>
            {OPERATOR_WORDS[operator]}
          </option>
        ))}
        {!operators.includes(filter.operator) && (
          <option value={filter.operator}>{OPERATOR_WORDS[filter.operator]}</option>
        )}
      </select>
      <input
        aria-label="Value"
        placeholder="value"
        value={filter.value}
        spellcheck={false}
        onInput={(event) => onChange({ ...filter, value: event.currentTarget.value })}
      />
      <button type="button" class="icon-button" aria-label={`Remove the filter on ${filter.path}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </div>
  );
}
