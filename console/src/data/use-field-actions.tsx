import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useOverview } from "../api/use-overview.ts";
import { lazy } from "../ui/lazy.tsx";
import type { FieldDialogProps } from "./field-dialogs.tsx";
import type { ListQuery } from "./list-query.ts";
import type { KnownField } from "./table/columns.ts";
import type { FieldActions } from "./table/use-columns.ts";

const FieldDialog = lazy<FieldDialogProps>("the form", async () => (await import("./field-dialogs.tsx")).FieldDialog);

interface FieldActionsInput {
  readonly collection: string;
  readonly fields: readonly KnownField[];
  readonly query: ListQuery;
  readonly setQuery: (query: ListQuery) => void;
  readonly askNow: (query: ListQuery) => void;
}

/** The actions on a field that change the list or its records, and the dialog that they open. */
export function useFieldActions({ collection, fields, query, setQuery, askNow }: FieldActionsInput): {
  actions: FieldActions;
  /** The field that a filter is wanted for, until the filter bar has it. */
  wanted: KnownField | undefined;
  onWanted: () => void;
  dialog: ComponentChildren;
} {
  const { readOnly } = useOverview();
  const [wanted, setWanted] = useState<KnownField>();
  const [edited, setEdited] = useState<Pick<FieldDialogProps, "kind" | "field">>();
  const edit = (kind: FieldDialogProps["kind"]) => (field: string) => setEdited({ kind, field });
  return {
    actions: {
      filter: (field) => setWanted(fields.find((one) => one.name === field)),
      group: (field) => setQuery({ ...query, grouping: { fields: [field], kind: "count", of: "" } }),
      rename: readOnly ? undefined : edit("rename"),
      remove: readOnly ? undefined : edit("remove"),
    },
    wanted,
    onWanted: () => setWanted(undefined),
    dialog: edited && (
      <FieldDialog
        {...{ ...edited, collection }}
        onClose={() => setEdited(undefined)}
        onDone={(name) =>
          askNow(name === undefined ? withoutField(query, edited.field) : renamed(query, edited.field, name))
        }
      />
    ),
  };
}

/** The query without a field that there is no more. */
function withoutField(query: ListQuery, field: string): ListQuery {
  return {
    ...query,
    filters: query.filters.filter((clause) => clause.every(({ path }) => path !== field)),
    sort: query.sort.filter(({ path }) => path !== field),
    fields: query.fields?.filter((name) => name !== field),
  };
}

/** The query with the new name of a field. Conditions that stand as text are left as they are. */
function renamed(query: ListQuery, field: string, name: string): ListQuery {
  const now = (path: string): string =>
    path === field || path.startsWith(`${field}.`) ? name + path.slice(field.length) : path;
  return {
    ...query,
    filters: query.filters.map((clause) => clause.map((condition) => ({ ...condition, path: now(condition.path) }))),
    sort: query.sort.map((key) => ({ ...key, path: now(key.path) })),
    fields: query.fields?.map(now),
  };
}
