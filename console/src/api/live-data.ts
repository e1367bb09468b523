import { askJson } from "./ask.ts";
import { follow } from "./follow.ts";
import { isLeaving, whenLeaving } from "./leaving.ts";
import { moment } from "./moment.ts";
import { type Overview, overviewAt } from "./overview.ts";
import { asRefusal, type Refusal } from "./refusal.ts";
import type { Resource } from "./resource.ts";
import { soon } from "./soon.ts";
import { createStore } from "./store.ts";

/**
 * The current state of the server: fetches the overview at first and again after changes. `dataVersion` increases with
 * every change, from here or elsewhere, so that lists know when to reload.
 */
export const overview = createStore<Resource<Overview>>({ kind: "loading" });
export const dataVersion = createStore(0);
/** The state of the event stream: not yet open, open, or lost. */
export const connection = createStore<"opening" | "open" | "lost" | "refused">("opening");

/** Why the server refused the event stream, if it did. */
export const streamRefusal = createStore<Refusal | undefined>(undefined);
/** A list of the server that has changed, other than data; after a break in the connection, any of them may have. */
export const news = createStore<{ readonly topic: "faults" | "sandboxes" | "hooks" | "any" }>({ topic: "any" });

/** Changes often come in bursts; lists reload once per burst. */
const BUNCH_MS = 120;
/** The overview covers all collections, so it is fetched less often. */
const OVERVIEW_MS = 1_000;

const soonLists = soon(BUNCH_MS, () => dataVersion.set(dataVersion.get() + 1));
const soonOverview = soon(OVERVIEW_MS, () => void loadOverview());

export function startLiveData(): void {
  void loadOverview();
  followChanges();
  moment.listen(() => {
    void loadOverview();
    dataVersion.set(dataVersion.get() + 1);
  });
}

let stopFollowing = (): void => {};

function followChanges(): void {
  let hasBeenOpen = false;
  stopFollowing();
  connection.set("opening");
  stopFollowing = follow("/__events?news=true", {
    onEvent: ({ type }) => {
      if (type === "faults" || type === "sandboxes" || type === "hooks") news.set({ topic: type });
      else noteChange();
      // It tells the time.
      if (type === "hooks") soonOverview();
    },
    onOpen: () => {
      if (hasBeenOpen) {
        noteChange();
        news.set({ topic: "any" });
      }
      hasBeenOpen = true;
      streamRefusal.set(undefined);
      connection.set("open");
    },
    onClosed: (refusal) => {
      streamRefusal.set(refusal);
      connection.set(refusal ? "refused" : "lost");
    },
  });
}

/** Something was changed, here or elsewhere. */
export function noteChange(): void {
  soonLists();
  soonOverview();
}

export async function loadOverview(): Promise<void> {
  if (isLeaving.get()) return;
  const at = moment.get();
  const signal = whenLeaving();
  try {
    const loaded = await askJson<Overview>("GET", "/__overview", { signal });
    // The page has gone on to another moment.
    if (moment.get() !== at) return;
    overview.set({ kind: "ready", value: at === undefined ? loaded : overviewAt(at, loaded) });
    // Credentials that were rejected may have been accepted since.
    if (connection.get() === "refused") followChanges();
  } catch (thrown) {
    if (moment.get() !== at || signal.aborted) return;
    const refusal = asRefusal(thrown);
    // The last state stays visible while the server is unreachable, but not the present in place of the past.
    const isGone = at !== undefined && refusal.status > 0;
    if (isGone || overview.get().kind !== "ready") overview.set({ kind: "failed", refusal });
  }
}
