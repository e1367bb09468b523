import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type JsonObject, ownValue } from "../../api/json.ts";
import type { Overview } from "../../api/overview.ts";
import { useOverview } from "../../api/use-overview.ts";
import { isDotId } from "../../records/record-address.ts";
import { LANGUAGES } from "../../request/copy-as.ts";
import { recordRoute } from "../../routes/route.ts";
import { go } from "../../routes/use-route.ts";
import { cellText } from "../../ui/cell-text.ts";
import { putOnClipboard } from "../../ui/copy-button.tsx";
import { formatName } from "../../ui/format.ts";
import { type MenuItem, MenuItems } from "../../ui/menu.tsx";
import { moveWithinWindow } from "../../ui/within-window.ts";
import { formatListQuery, type ListQuery } from "../list-query.ts";
import { conditionText } from "../operators.ts";
import type { Column } from "../table/columns.ts";
import { duplicate, type RowAddress, remove, rowAs, rowAsJson } from "./row-actions.ts";
import { conditionFor, withCondition } from "./row-values.ts";

/** How long a menu says that something was copied. */
const COPIED_MS = 800;

interface RowMenuProps {
  readonly row: RowAddress;
  readonly record: JsonObject;
  /** The field of the cell on which the menu was opened. */
  readonly field: string | undefined;
  readonly columns: readonly Column[];
  readonly query: ListQuery;
  /** The corner that the menu opens at. */
  readonly at: { readonly left: number; readonly bottom: number };
  readonly onQuery: (query: ListQuery) => void;
  readonly onEdit: (field: string) => void;
  readonly onFailed: (title: string, thrown: unknown) => void;
  readonly onClose: () => void;
}

/** The parts that actions are made of. */
type Surroundings = RowMenuProps & { readonly overview: Overview };

/** The actions on one record, and on the cell under the pointer. */
export function RowMenu(props: RowMenuProps) {
  const { row, at, onClose } = props;
  const around = { ...props, overview: useOverview() };
  const box = useRef<HTMLDivElement>(null);
  const [isFiltering, setFiltering] = useState(false);
  const [copied, setCopied] = useState("");
  useLayoutEffect(() => box.current?.showPopover(), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    moveWithinWindow(element, at.left, at.bottom + 4);
    element.querySelector<HTMLElement>("[data-first]")?.focus();
  }, [isFiltering, at.left, at.bottom]);
  useEffect(() => {
    if (copied === "") return;
    const timer = setTimeout(() => box.current?.hidePopover(), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copying: Copying = {
    copied,
    copy: async (name, text) => setCopied((await putOnClipboard(await text)) ? name : ""),
  };
  const items = isFiltering ? filterItems(props) : mainItems(around, copying, () => setFiltering(true));
  return (
    <div
      ref={box}
      class="popover"
      popover="auto"
      role="menu"
      aria-label={`Actions for ${row.id}`}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
    >
      <MenuItems key={String(isFiltering)} items={items} onClose={() => box.current?.hidePopover()} />
    </div>
  );
}

interface Copying {
  /** The name of the item that was copied last. */
  readonly copied: string;
  readonly copy: (name: string, text: string | Promise<string>) => Promise<void>;
}

function mainItems(around: Surroundings, copying: Copying, onFilter: () => void): MenuItem[] {
  const { overview, row, field, query, onFailed } = around;
  const isFixed = overview.readOnly || isDotId(row.id);
  const run = (title: string, work: Promise<unknown>): void => void work.catch((thrown) => onFailed(title, thrown));
  const copyItem = (name: string, text: () => string | Promise<string>): MenuItem => ({
    name: copying.copied === name ? "Copied" : name,
    icon: copying.copied === name ? "check" : "copy",
    isKeptOpen: true,
    onChoose: () => run("Not copied", copying.copy(name, text())),
  });
  const filter: MenuItem = { name: "Filter by a value…", icon: "filter", isKeptOpen: true, onChoose: onFilter };
  const [first, ...copies] = [
    copyItem("Copy as JSON", () => rowAsJson(row)),
    ...LANGUAGES.map((language) => copyItem(`Copy as ${language}`, () => rowAs(language, row))),
  ];
  return [
    {
      name: "Open",
      icon: "link",
      onChoose: () => go(recordRoute(row.collection, row.id, formatListQuery(query))),
    },
    ...(field === undefined ? [filter] : cellItems(around, field, copyItem)),
    ...(overview.readOnly
      ? []
      : [
          {
            name: "Duplicate",
            icon: "duplicate" as const,
            startsGroup: true,
            onChoose: () => run("Not duplicated", duplicate(row, overview.fields[row.collection] ?? [])),
          },
        ]),
    { ...(first as MenuItem), startsGroup: overview.readOnly },
    ...copies,
    ...(isFixed
      ? []
      : [
          {
            name: "Delete",
            icon: "trash" as const,
            isDanger: true,
            startsGroup: true,
            onChoose: () => run("Not deleted", remove(row)),
          },
        ]),
  ];
}

function cellItems(
  { overview, row, record, query, onQuery, onEdit }: Surroundings,
  field: string,
  copyItem: (name: string, text: () => string) => MenuItem,
): MenuItem[] {
  const value = ownValue(record, field);
  const filterItem = (name: string, isExcluded: boolean): MenuItem => {
    const condition = conditionFor(field, value, isExcluded);
    return {
      name,
      icon: "filter",
      isDisabled: condition === undefined,
      onChoose: () => condition && onQuery(withCondition(query, condition)),
    };
  };
  const isEditable = !overview.readOnly && field !== row.idKey && !isDotId(row.id);
  return [
    ...(isEditable
      ? [{ name: `Edit ${formatName(field)}`, icon: "pencil" as const, onChoose: () => onEdit(field) }]
      : []),
    { ...filterItem("Filter by this value", false), startsGroup: true },
    filterItem("Exclude this value", true),
    copyItem("Copy value", () => (typeof value === "string" ? value : JSON.stringify(value ?? null))),
  ];
}

/** One item for each field that a filter can ask for. */
function filterItems({ record, columns, query, onQuery }: RowMenuProps): MenuItem[] {
  return columns.flatMap(({ name, kind }): MenuItem[] => {
    const condition = conditionFor(name, ownValue(record, name));
    if (!condition) return [];
    const words = cellText(conditionText(condition, kind));
    return [{ name: words, onChoose: () => onQuery(withCondition(query, condition)) }];
  });
}
