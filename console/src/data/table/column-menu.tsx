import { formatName } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { moveFocus } from "../../ui/move-focus.ts";
import { Popover } from "../../ui/popover.tsx";
import type { Clause } from "../condition.ts";
import type { ListQuery, Sort } from "../list-query.ts";
import type { Column } from "./columns.ts";
import type { Look } from "./looks.ts";
import type { ColumnActions, FieldActions } from "./use-columns.ts";

const ColumnSummary = lazy("the figures", () => import("./column-summary.tsx").then((module) => module.ColumnSummary));

export interface ColumnMenuProps {
  readonly collection: string;
  readonly column: Column;
  readonly look: Look;
  readonly isPlain: boolean;
  /** Undefined for the id, which stays first. */
  readonly place: number | undefined;
  /** The least and the greatest place it can have. */
  readonly places: readonly [first: number, last: number];
  readonly hasOwnWidth: boolean;
  readonly query: ListQuery;
  readonly total: number;
  readonly isTabStop: boolean;
  readonly actions: ColumnActions & FieldActions;
  readonly onSort: (sort: readonly Sort[]) => void;
  readonly onFilter: (filters: readonly Clause[]) => void;
}

interface Action {
  readonly name: string;
  readonly icon: IconName;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

/** Figures about the values of a column, and the actions on it. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { collection, column, query, total, isTabStop, onFilter } = props;
  const name = formatName(column.name);
  return (
    <Popover
      label={`Column ${name}`}
      look="head-menu"
      buttonLabel={`Column ${name}`}
      button={<Icon name="more" />}
      isTabStop={isTabStop}
    >
      {(close) => {
        const run = (action: Action): void => {
          close();
          action.run();
        };
        return (
          <div class="column-menu">
            <div class="column-figures">
              <ColumnSummary
                collection={collection}
                column={column}
                query={query}
                total={total}
                onFilter={(filters) => {
                  close();
                  onFilter(filters);
                }}
              />
            </div>
            <div class="menu" role="none" onKeyDown={moveFocus}>
              {actionsOf(props).map((action, at) => (
                <button
                  key={action.name}
                  type="button"
                  class={action.isDanger ? "menu-item danger" : "menu-item"}
                  data-first={at === 0 || undefined}
                  disabled={action.isDisabled}
                  onClick={() => run(action)}
                >
                  <Icon name={action.icon} />
                  {action.name}
                </button>
              ))}
            </div>
          </div>
        );
      }}
    </Popover>
  );
}

function actionsOf(props: ColumnMenuProps): Action[] {
  const { column, look, isPlain, place, places, hasOwnWidth, query, actions, onSort } = props;
  const { name } = column;
  const sorted = query.sort.find(({ path }) => path === name);
  const others = query.sort.filter(({ path }) => path !== name);
  const words = orderWords(column);
  const found: Action[] = [
    {
      name: `Sort ${words[0]}`,
      icon: "up",
      isDisabled: sorted?.descending === false,
      run: () => onSort([{ path: name, descending: false }]),
    },
    {
      name: `Sort ${words[1]}`,
      icon: "down",
      isDisabled: sorted?.descending === true,
      run: () => onSort([{ path: name, descending: true }]),
    },
  ];
  found.push({ name: "Filter…", icon: "filter", run: () => actions.filter(name) });
  if (!column.isMany && column.kind !== "object") {
    found.push({ name: "Group by this", icon: "sort", run: () => actions.group(name) });
  }
  if (sorted) found.push({ name: "Do not sort by this", icon: "close", run: () => onSort(others) });
  if (place !== undefined) {
    const [first, last] = places;
    found.push(
      { name: "Move left", icon: "left", isDisabled: place <= first, run: () => actions.move(name, place - 1) },
      { name: "Move right", icon: "right", isDisabled: place >= last, run: () => actions.move(name, place + 1) },
    );
  }
  if (hasOwnWidth) found.push({ name: "Reset width", icon: "width", run: () => actions.resize(name, undefined) });
  const plainWords = PLAIN_WORDS[look.kind];
  if (plainWords) {
    const label = `Show ${isPlain ? plainWords[1] : plainWords[0]}`;
    found.push({ name: label, icon: "eye", run: () => actions.togglePlain(name) });
  }
  found.push({ name: "Hide column", icon: "hidden", isDisabled: places[1] === 0, run: () => actions.hide(name) });
  const { rename, remove } = place === undefined ? {} : actions;
  if (rename) found.push({ name: "Rename field…", icon: "pencil", run: () => rename(name) });
  if (remove) found.push({ name: "Remove field…", icon: "trash", isDanger: true, run: () => remove(name) });
  return found;
}

/** The words for the plain look, and for the one to return to. */
const PLAIN_WORDS: Readonly<Partial<Record<Look["kind"], readonly [plain: string, dressed: string]>>> = {
  date: ["exact dates", "relative dates"],
  "date-time": ["exact times", "relative times"],
  image: ["addresses only", "pictures"],
  colour: ["texts only", "colours"],
  badge: ["texts only", "badges"],
  boolean: ["true and false", "switches"],
  reference: ["keys only", "names"],
};

function orderWords({ kind }: Column): readonly [ascending: string, descending: string] {
  if (kind === "date" || kind === "date-time") return ["oldest first", "newest first"];
  if (kind === "number") return ["lowest first", "highest first"];
  return kind === "text" ? ["A to Z", "Z to A"] : ["ascending", "descending"];
}
