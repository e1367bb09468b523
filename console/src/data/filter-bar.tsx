import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { type Clause, type Condition, isComplete } from "./condition.ts";
import { ConditionChip } from "./condition-chip.tsx";
import type { ListQuery } from "./list-query.ts";
import { choicesFor } from "./operators.ts";
import type { KnownField } from "./table/columns.ts";
import { SortChips } from "./table/sort-chips.tsx";

interface FilterBarProps {
  readonly query: ListQuery;
  /** Columns first, then paths into them. */
  readonly fields: readonly KnownField[];
  readonly onChange: (query: ListQuery) => void;
}

/** Search, and a chip for each condition; alternatives stand in one frame. */
export function FilterBar({ query, fields, onChange }: FilterBarProps) {
  const { filters } = query;
  const adder = useRef<HTMLButtonElement>(null);
  /** The condition that was just added: its popover opens by itself. */
  const [added, setAdded] = useState<readonly [clause: number, condition: number]>();
  // The first column is the id, which people rarely filter by.
  const field = fields[1] ?? fields[0];
  const add = (clause: number, condition: number): void => {
    if (!field) return;
    setAdded([clause, condition]);
    setClause(clause, [...(filters[clause] ?? []), newCondition(field)]);
  };
  const setClause = (at: number, clause: Clause): void => {
    onChange({ ...query, filters: filters.toSpliced(at, 1, ...(clause.length > 0 ? [clause] : [])) });
  };
  const remove = (clause: number, condition: number): void => {
    setAdded(undefined);
    setClause(clause, (filters[clause] ?? []).toSpliced(condition, 1));
    requestAnimationFrame(() => {
      // The button that had the focus may be gone.
      if (document.activeElement === document.body) adder.current?.focus();
    });
  };
  return (
    <div class="cluster filter-bar">
      <SearchBox label="Search all fields" value={query.search} onInput={(search) => onChange({ ...query, search })} />
      {filters.map((clause, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one line everywhere
        <div key={at} class="clause" role="group" aria-label={clauseLabel(clause)}>
          {clause.map((condition, place) => (
            <Fragment key={place}>
              {place > 0 && <span class="or">or</span>}
              <ConditionChip
                condition={condition}
                fields={fields}
                startsOpen={added?.[0] === at && added[1] === place}
                onChange={(changed) => setClause(at, clause.with(place, changed))}
                onRemove={() => remove(at, place)}
                onClose={() => {
                  if (!isComplete(condition)) remove(at, place);
                }}
              />
            </Fragment>
          ))}
          <button type="button" class="add-or" onClick={() => add(at, clause.length)}>
            + or
          </button>
        </div>
      ))}
      {query.wheres.map((text, at) => (
        <div key={text} class="clause">
          <code class="chip-text cut" title={text}>
            {text}
          </code>
          <IconButton
            icon="close"
            label="Remove this condition"
            onClick={() => onChange({ ...query, wheres: query.wheres.toSpliced(at, 1) })}
          />
        </div>
      ))}
      <button ref={adder} type="button" class="button" onClick={() => add(filters.length, 0)}>
        <Icon name="plus" />
        Filter
      </button>
      {!query.grouping && (
        <SortChips sort={query.sort} fields={fields} onSort={(sort) => onChange({ ...query, sort })} />
      )}
    </div>
  );
}

function newCondition({ name, kind }: KnownField): Condition {
  const [first] = choicesFor(kind);
  return { path: name, operator: first?.operator ?? "eq", value: first?.value ?? "" };
}

function clauseLabel(clause: Clause): string {
  return `Filter on ${[...new Set(clause.map(({ path }) => path))].join(" or ")}`;
}
