import { useEffect, useRef, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { dataVersion } from "../api/live-data.ts";
import { asRefusal } from "../api/refusal.ts";
import type { Resource } from "../api/resource.ts";
import { type SnapshotChanges, snapshotPath } from "../api/snapshot.ts";
import { useStore } from "../api/store.ts";

/** Records shown at first, and added by each "Show more". */
const PAGE = 50;
/** One response has no more. */
const MOST = 200;

export interface ChangesView {
  readonly loaded: Resource<SnapshotChanges>;
  showMore(): void;
  reload(): void;
}

/** The snapshot, and the one that it is compared with: the current data if there is none. */
export interface ComparedStates {
  readonly id: string;
  readonly to: string | undefined;
}

/**
 * The records that differ from a snapshot, kept up to date while the data changes. Comparing takes the server a while, so there
 * is one request at a time: the next one waits for it.
 */
export function useChanges({ id, to }: ComparedStates, collection: string | undefined): ChangesView {
  const version = useStore(dataVersion);
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Resource<SnapshotChanges>>({ kind: "loading" });
  const [wanted, setWanted] = useState(PAGE);
  /** The version of the data that is compared, or was last. */
  const [compared, setCompared] = useState(version);
  const isAsking = useRef(false);
  useEffect(() => setWanted(PAGE), [id, to, collection]);
  useEffect(() => {
    // Two snapshots stay as they are.
    if (!isAsking.current && to === undefined) setCompared(version);
  }, [version, to]);
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    isAsking.current = true;
    load({ id, to }, { collection, wanted, signal })
      .then(
        (value) => setLoaded({ kind: "ready", value }),
        (thrown) => signal.aborted || setLoaded({ kind: "failed", refusal: asRefusal(thrown) }),
      )
      .finally(() => {
        if (signal.aborted) return;
        isAsking.current = false;
        if (to === undefined) setCompared(dataVersion.get());
      });
    return () => asking.abort();
  }, [id, to, collection, wanted, compared, round]);
  return {
    loaded,
    showMore: () => setWanted(wanted + PAGE),
    reload: () => setRound(round + 1),
  };
}

interface Wanted {
  readonly collection: string | undefined;
  readonly wanted: number;
  readonly signal: AbortSignal;
}

async function load({ id, to }: ComparedStates, { collection, wanted, signal }: Wanted): Promise<SnapshotChanges> {
  const page = (start: number): Promise<SnapshotChanges> => {
    const query = new URLSearchParams({ start: String(start), limit: String(Math.min(MOST, wanted - start)) });
    if (collection !== undefined) query.set("collection", collection);
    if (to !== undefined) query.set("to", to);
    return askJson("GET", `${snapshotPath({ id })}/changes?${query}`, { signal });
  };
  const first = await page(0);
  const changes = [...first.changes];
  while (changes.length < Math.min(wanted, first.total)) {
    const next = await page(changes.length);
    if (next.changes.length === 0) break;
    changes.push(...next.changes);
  }
  return { ...first, changes };
}
