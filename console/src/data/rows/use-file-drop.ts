import { useState } from "preact/hooks";
import { asRefusal, Refusal } from "../../api/refusal.ts";
import { useOverview } from "../../api/use-overview.ts";
import { type CellPlace, cellAt, placeOf } from "./cell-place.ts";
import type { Upload } from "./drop-files.ts";
import type { RowToolsOptions } from "./row-tools-options.ts";

interface DropActions {
  canEdit(place: CellPlace): boolean;
  setFailure(failure: Refusal): void;
}

/** Lets files be dropped on cells. */
export function useFileDrop(options: RowToolsOptions, { canEdit, setFailure }: DropActions) {
  const overview = useOverview();
  const [upload, setUpload] = useState<Upload>();
  const mark = (place: CellPlace | undefined): void => {
    const cell = place && cellAt(options.scroller.current, place);
    for (const old of options.scroller.current?.querySelectorAll(".is-over") ?? []) old.classList.remove("is-over");
    cell?.classList.add("is-over");
  };
  const drop = async (place: CellPlace, files: readonly File[]): Promise<void> => {
    try {
      const { dropFiles } = await import("./drop-files.ts");
      await dropFiles({ ...options, overview }, place, { files, onProgress: setUpload });
    } catch (thrown) {
      const { status, code, message, violations } = asRefusal(thrown);
      setFailure(new Refusal(status, code, "The file was not stored", message, violations));
    } finally {
      setUpload(undefined);
    }
  };
  const listeners = {
    onDragOver: (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      // Beside a cell, too: the browser would leave this page for the file.
      event.preventDefault();
      const place = placeOf(event.target);
      const isPossible = place !== undefined && canEdit(place);
      event.dataTransfer.dropEffect = isPossible ? "copy" : "none";
      mark(isPossible ? place : undefined);
    },
    onDragLeave: (): void => mark(undefined),
    onDrop: (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      mark(undefined);
      const place = placeOf(event.target);
      if (place && canEdit(place)) void drop(place, files);
    },
  };
  return { upload, listeners };
}
