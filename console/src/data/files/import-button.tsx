import { useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazy } from "../../ui/lazy.tsx";

const ImportDialog = lazy("the form", async () => (await import("./import-dialog.tsx")).ImportDialog);

/** Imports a file into a collection that has no records yet. */
export function ImportButton({ collection }: { collection: string }) {
  const overview = useOverview();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        <Icon name="import" />
        Import a file
      </button>
      {isOpen && <ImportDialog {...{ overview, collection }} onClose={() => setOpen(false)} />}
    </>
  );
}
