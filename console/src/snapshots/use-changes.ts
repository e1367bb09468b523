import { useEffect, useState } from "preact/hooks";
import { askJson } from "../api/ask.ts";
import { dataVersion, type Loaded } from "../api/live-data.ts";
import { asRefusal } from "../api/refusal.ts";
import { useStore } from "../ui/store.ts";
import { type SnapshotChanges, snapshotPath } from "./snapshot.ts";

/** Records shown at first, and added by each "Show more". */
const PAGE = 50;
/** One response has no more. */
const MOST = 200;

export interface ChangesView {
  readonly loaded: Loaded<SnapshotChanges>;
  showMore(): void;
  reload(): void;
}

/** The records that differ from a snapshot, kept up to date while the data changes. */
export function useChanges(id: string, collection: string | undefined): ChangesView {
  const version = useStore(dataVersion);
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Loaded<SnapshotChanges>>({ kind: "loading" });
  const [wanted, setWanted] = useState(PAGE);
  useEffect(() => setWanted(PAGE), [id, collection]);
  useEffect(() => {
    const asking = new AbortController();
    load(id, { collection, wanted, signal: asking.signal }).then(
      (value) => setLoaded({ kind: "ready", value }),
      (thrown) => {
        if (!asking.signal.aborted) setLoaded({ kind: "failed", refusal: asRefusal(thrown) });
      },
    );
    return () => asking.abort();
  }, [id, collection, wanted, version, round]);
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

async function load(id: string, { collection, wanted, signal }: Wanted): Promise<SnapshotChanges> {
  const page = (start: number): Promise<SnapshotChanges> => {
    const query = new URLSearchParams({ start: String(start), limit: String(Math.min(MOST, wanted - start)) });
    if (collection !== undefined) query.set("collection", collection);
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
