import { useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import type { Column } from "../table/columns.ts";
import type { Picked } from "./bulk.ts";
import { countSelected } from "./selection.ts";

const ChangeDialog = lazy("the form", async () => (await import("./change-dialog.tsx")).ChangeDialog);
const RemoveDialog = lazy("the question", async () => (await import("./remove-dialog.tsx")).RemoveDialog);
const ExportDialog = lazy("the form", async () => (await import("../files/export-dialog.tsx")).ExportDialog);

interface SelectionBarProps {
  readonly picked: Picked;
  readonly columns: readonly Column[];
  readonly shown: readonly Column[];
  readonly onClear: () => void;
}

/** The actions on the records that were picked. */
export function SelectionBar({ picked, columns, shown, onClear }: SelectionBarProps) {
  const overview = useOverview();
  const [asked, setAsked] = useState<"change" | "export" | "remove">();
  const close = (): void => setAsked(undefined);
  const done = (): void => {
    close();
    onClear();
  };
  const common = { picked, onClose: close };
  return (
    <>
      <section class="row selection-bar" aria-label="Selected records">
        <strong role="status">{formatCount(countSelected(picked.selection, picked.total))} selected</strong>
        {!overview.readOnly && (
          <Button look="small" icon="pencil" onClick={() => setAsked("change")}>
            Edit
          </Button>
        )}
        <Button look="small" icon="export" onClick={() => setAsked("export")}>
          Export
        </Button>
        {!overview.readOnly && (
          <Button look="small danger-text" icon="trash" onClick={() => setAsked("remove")}>
            Delete
          </Button>
        )}
        <IconButton icon="close" label="Clear the selection" onClick={onClear} />
      </section>
      {asked === "change" && <ChangeDialog {...common} columns={columns} onDone={done} />}
      {asked === "remove" && <RemoveDialog {...common} onDone={done} />}
      {asked === "export" && <ExportDialog {...common} shown={shown} />}
    </>
  );
}
