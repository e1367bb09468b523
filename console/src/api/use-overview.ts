import { overview } from "./live-data.ts";
import type { Overview } from "./overview.ts";
import { useStore } from "./store.ts";

/** The overview of the server, followed through changes. For views, which are shown only once it is loaded. */
export function useOverview(): Overview {
  const known = useKnownOverview();
  if (!known) throw new Error("A view was shown before the overview was loaded.");
  return known;
}

/** The same for what is shown before, too; undefined until it is loaded. */
export function useKnownOverview(): Overview | undefined {
  const loaded = useStore(overview);
  return loaded.kind === "ready" ? loaded.value : undefined;
}
