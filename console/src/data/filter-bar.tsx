import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useEvent } from "../api/use-event.ts";
import { useOverview } from "../api/use-overview.ts";
import { Icon } from "../ui/icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { type Clause, isComplete } from "./condition.ts";
import { ConditionChip } from "./condition-chip.tsx";
import { newCondition } from "./filters/meaning.ts";
import { TypedSearch } from "./filters/typed-search.tsx";
import type { ListQuery } from "./list-query.ts";
import type { KnownField } from "./table/columns.ts";
import { SortChips } from "./table/sort-chips.tsx";

interface FilterBarProps {
  readonly collection: string;
  readonly query: ListQuery;
  /** Columns first, then paths into them. */
  readonly fields: readonly KnownField[];
  readonly onChange: (query: ListQuery) => void;
  /** A field that a filter is asked for from elsewhere. */
  readonly wanted: KnownField | undefined;
  readonly onWanted: () => void;
}

/** The condition that was just added: its popover opens by itself. */
interface Added {
  readonly clause: number;
  readonly condition: number;
  /** Whether its field is still to be chosen. */
  readonly isNew: boolean;
}

/** Search, and a chip for each condition; alternatives stand in one frame. */
export function FilterBar({ collection, query, fields, onChange, wanted, onWanted }: FilterBarProps) {
  const overview = useOverview();
  const { filters } = query;
  const adder = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<Added>();
  // The first column is the id, which people rarely filter by.
  const field = fields[1] ?? fields[0];
  const add = (clause: number, condition: number): void => {
    if (!field) return;
    setAdded({ clause, condition, isNew: true });
    setClause(clause, [...(filters[clause] ?? []), { path: field.name, operator: "eq", value: "" }]);
  };
  const addFor = useEvent((one: KnownField) => {
    setAdded({ clause: filters.length, condition: 0, isNew: false });
    setClause(filters.length, [newCondition(overview, collection, one)]);
    onWanted();
  });
  useEffect(() => {
    if (wanted) addFor(wanted);
  }, [addFor, wanted]);
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
      <TypedSearch {...{ collection, query, fields, onChange }} />
      {filters.map((clause, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one line everywhere
        <div key={at} class="clause" role="group" aria-label={clauseLabel(clause)}>
          {clause.map((condition, place) => (
            <Fragment key={place}>
              {place > 0 && <span class="or">or</span>}
              <ConditionChip
                condition={condition}
                fields={fields}
                collection={collection}
                query={{ ...query, filters: filters.toSpliced(at, 1) }}
                startsOpen={added?.clause === at && added.condition === place}
                isNew={added?.clause === at && added.condition === place && added.isNew}
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

function clauseLabel(clause: Clause): string {
  return `Filter on ${[...new Set(clause.map(({ path }) => path))].join(" or ")}`;
}
