import { useState } from "preact/hooks";
import { useOverview } from "../../api/use-overview.ts";
import { Button } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";

const ImportDialog = lazy("the form", async () => (await import("./import-dialog.tsx")).ImportDialog);

/** Imports a file into a collection that has no records yet. */
export function ImportButton({ collection }: { collection: string }) {
  const overview = useOverview();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="import" onClick={() => setOpen(true)}>
        Import a file
      </Button>
      {isOpen && <ImportDialog {...{ overview, collection }} onClose={() => setOpen(false)} />}
    </>
  );
}
