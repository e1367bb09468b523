import { soon } from "../ui/soon.ts";
import { createStore } from "../ui/store.ts";
import { askJson } from "./ask.ts";
import { follow } from "./follow.ts";
import type { Overview } from "./overview.ts";
import { asRefusal, type Refusal } from "./refusal.ts";

/**
 * What the server serves now, kept current: the overview is fetched once and again after changes, and `dataVersion` counts
 * up with every change, whoever made it, so that lists know when to look again.
 */
export type Loaded<T> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly refusal: Refusal };

export const overview = createStore<Loaded<Overview>>({ kind: "loading" });
export const dataVersion = createStore(0);
/** Whether changes are heard of: not yet, now, or not any more. */
export const connection = createStore<"opening" | "open" | "lost" | "refused">("opening");

/** Changes often come in bunches; the lists look again once for each bunch. */
const BUNCH_MS = 120;
/** The overview looks at all collections, so it is asked for less often. */
const OVERVIEW_MS = 1_000;

const soonLists = soon(BUNCH_MS, () => dataVersion.set(dataVersion.get() + 1));
const soonOverview = soon(OVERVIEW_MS, () => void loadOverview());

export function startLiveData(): void {
  void loadOverview();
  followChanges();
}

function followChanges(): void {
  let hasBeenOpen = false;
  connection.set("opening");
  follow("/__events", {
    onEvent: noteChange,
    onOpen: () => {
      if (hasBeenOpen) noteChange();
      hasBeenOpen = true;
      connection.set("open");
    },
    onClosed: (refusal) => connection.set(refusal ? "refused" : "lost"),
  });
}

/** Something was changed, here or elsewhere. */
export function noteChange(): void {
  soonLists();
  soonOverview();
}

export async function loadOverview(): Promise<void> {
  try {
    overview.set({ kind: "ready", value: await askJson<Overview>("GET", "/__overview") });
    // Whoever was turned away has been let in since.
    if (connection.get() === "refused") followChanges();
  } catch (thrown) {
    // What was known stays on show while the server is away.
    if (overview.get().kind !== "ready") overview.set({ kind: "failed", refusal: asRefusal(thrown) });
  }
}
