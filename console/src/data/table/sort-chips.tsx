import { formatName } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { moveFocus } from "../../ui/move-focus.ts";
import { Popover } from "../../ui/popover.tsx";
import type { Sort } from "../list-query.ts";
import type { KnownField } from "./columns.ts";

interface SortChipsProps {
  readonly sort: readonly Sort[];
  readonly fields: readonly KnownField[];
  readonly onSort: (sort: readonly Sort[]) => void;
}

/** The order of a list: a chip for each field, most important first. A click turns its direction around. */
export function SortChips({ sort, fields, onSort }: SortChipsProps) {
  const others = fields.filter(({ name, isMany }) => !isMany && !sort.some(({ path }) => path === name));
  return (
    <>
      {sort.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one line everywhere
        <div class="clause sort-chips" role="group" aria-label="Order">
          {sort.map(({ path, descending }, at) => (
            <div key={path} class="chip">
              <span class="or">{at === 0 ? "Sorted by" : "then"}</span>
              <button
                type="button"
                class="chip-text cut"
                aria-label={`${formatName(path)}, ${descending ? "descending" : "ascending"}`}
                title="Reverse"
                onClick={() => onSort(sort.with(at, { path, descending: !descending }))}
              >
                {formatName(path)}
                <Icon name={descending ? "down" : "up"} />
              </button>
              <IconButton
                icon="close"
                label={`Do not sort by ${formatName(path)}`}
                onClick={() => onSort(sort.toSpliced(at, 1))}
              />
            </div>
          ))}
        </div>
      )}
      <Popover
        label="Sort by"
        look="button"
        button={
          <>
            <Icon name="sort" />
            Sort
          </>
        }
        isDisabled={others.length === 0}
      >
        {(close) => (
          <div class="menu sort-menu" role="none" onKeyDown={moveFocus}>
            {others.map(({ name }, at) => (
              <button
                key={name}
                type="button"
                class="menu-item"
                data-first={at === 0 || undefined}
                onClick={() => {
                  close();
                  onSort([...sort, { path: name, descending: false }]);
                }}
              >
                <span class="cut">{formatName(name)}</span>
              </button>
            ))}
          </div>
        )}
      </Popover>
    </>
  );
}
