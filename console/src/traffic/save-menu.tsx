import { IS_IN_WORKER, SERVER_URL } from "../api/base.ts";
import { overview } from "../api/live-data.ts";
import { download } from "../ui/download.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { Entry } from "./entry.ts";
import { SAVED_FORMATS, type SavedFormat, savedFile } from "./save/saved-file.ts";

/** Saves the requests that are shown. */
export function SaveMenu({ entries }: { entries: readonly Entry[] }) {
  const save = (format: SavedFormat, ending: string, type: string): void => {
    const loaded = overview.get();
    const version = loaded.kind === "ready" ? loaded.value.version : "";
    const name = `traffic-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${ending}`;
    download(name, new Blob([savedFile(format, entries, { origin: SERVER_URL, version })], { type }));
  };
  return (
    <Menu
      label="Save the shown requests"
      look="button"
      button={
        <>
          <Icon name="save" />
          Save as
        </>
      }
      // An .http file is for programs, which do not reach the API of a worker.
      items={SAVED_FORMATS.filter(({ format }) => !IS_IN_WORKER || format === "har").map(
        ({ format, name, ending, type }) => ({
          name,
          isDisabled: entries.length === 0,
          onChoose: () => save(format, ending, type),
        }),
      )}
    />
  );
}
