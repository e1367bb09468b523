import { useEffect, useRef, useState } from "preact/hooks";
import { loadVersions, type Version, type VersionFilter, type VersionPage } from "../api/history.ts";
import { dataVersion } from "../api/live-data.ts";
import { failed, type Resource } from "../api/resource.ts";
import { useStore } from "../api/store.ts";
import { useEvent } from "../api/use-event.ts";

const AT_ONCE = 50;

/** The versions that are at hand, newest first. */
export interface KnownVersions {
  readonly versions: readonly Version[];
  /** Where older ones begin, if there are more. */
  readonly next: number | undefined;
  /** The oldest moment that can be read. */
  readonly oldest: number | null;
}

export interface VersionList {
  readonly known: Resource<KnownVersions>;
  /** Fetches older ones, if there are some. */
  more(): void;
  reload(): void;
}

interface Extent {
  /** How many are fetched at a time. */
  readonly atOnce?: number;
  /** A version that is to be among them. */
  readonly downTo?: number | undefined;
}

/** The versions of the data, followed as they are made; older ones when they are asked for. */
export function useVersions(
  { collection, id, by }: VersionFilter,
  { atOnce = AT_ONCE, downTo = Number.POSITIVE_INFINITY }: Extent = {},
): VersionList {
  const [known, setKnown] = useState<Resource<KnownVersions>>({ kind: "loading" });
  const [round, setRound] = useState(0);
  const changes = useStore(dataVersion);
  const asked = JSON.stringify({ collection, id, by });
  const load = useEvent((options: { before?: number; signal?: AbortSignal }) =>
    loadVersions({ collection, id, by }, { limit: atOnce, ...options }),
  );
  const shown = useRef(asked);
  const isAsking = useRef(false);
  useEffect(() => {
    const asking = new AbortController();
    load({ signal: asking.signal }).then(
      (page) => {
        if (asking.signal.aborted) return;
        const isSame = shown.current === asked;
        shown.current = asked;
        setKnown((before) => ({ kind: "ready", value: isSame ? withNews(before, page) : pageOf(page) }));
      },
      (thrown) => asking.signal.aborted || setKnown((before) => failed(before, thrown)),
    );
    return () => asking.abort();
  }, [load, asked, changes, round]);
  const more = useEvent((): void => {
    const next = known.kind === "ready" ? known.value.next : undefined;
    if (next === undefined || isAsking.current) return;
    isAsking.current = true;
    load({ before: next })
      .then(
        (page) => shown.current === asked && setKnown((before) => ({ kind: "ready", value: withOlder(before, page) })),
        (thrown) => setKnown((before) => failed(before, thrown)),
      )
      .finally(() => {
        isAsking.current = false;
      });
  });
  const last = known.kind === "ready" ? known.value.versions.at(-1)?.version : undefined;
  useEffect(() => {
    if (last !== undefined && last > downTo) more();
  }, [more, last, downTo]);
  return { known, more, reload: () => setRound((count) => count + 1) };
}

function pageOf({ versions, next, oldest }: VersionPage): KnownVersions {
  return { versions, next, oldest };
}

/** The newest page again: versions between it and those at hand would be missing if there are too many new ones. */
function withNews(before: Resource<KnownVersions>, page: VersionPage): KnownVersions {
  const last = page.versions.at(-1)?.version;
  if (before.kind !== "ready" || page.next === undefined || last === undefined) return pageOf(page);
  const { versions, next } = before.value;
  const older = versions.filter(({ version }) => version < last);
  if (older.length === 0 || older.length === versions.length) return pageOf(page);
  return { versions: [...page.versions, ...older], next, oldest: page.oldest };
}

function withOlder(before: Resource<KnownVersions>, page: VersionPage): KnownVersions {
  const versions = before.kind === "ready" ? before.value.versions : [];
  const last = versions.at(-1)?.version ?? Number.POSITIVE_INFINITY;
  return { ...pageOf(page), versions: [...versions, ...page.versions.filter(({ version }) => version < last)] };
}
