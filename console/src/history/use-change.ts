import { useEffect, useState } from "preact/hooks";
import { loadChange } from "../api/history.ts";
import { failed, type Resource } from "../api/resource.ts";

type LoadedChange = Awaited<ReturnType<typeof loadChange>>;

/** One version with its records, of which more are fetched when they are asked for. */
export function useChange(version: number): readonly [Resource<LoadedChange>, showMore: () => void, retry: () => void] {
  const [change, setChange] = useState<Resource<LoadedChange>>({ kind: "loading" });
  const [start, setStart] = useState({ version, from: 0, round: 0 });
  const from = start.version === version ? start.from : 0;
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    loadChange(version, from, { signal }).then(
      (loaded) => signal.aborted || setChange((before) => ({ kind: "ready", value: withMore(before, loaded, from) })),
      (thrown) => signal.aborted || setChange(() => failed({ kind: "loading" }, thrown)),
    );
    return () => asking.abort();
  }, [version, from, start.round]);
  const shown = change.kind === "ready" ? change.value.edits.length : 0;
  const again = (at: number): void => setStart(({ round }) => ({ version, from: at, round: round + 1 }));
  return [change, () => again(shown), () => again(0)];
}

function withMore(before: Resource<LoadedChange>, loaded: LoadedChange, from: number): LoadedChange {
  if (from === 0 || before.kind !== "ready") return loaded;
  return { ...loaded, edits: [...before.value.edits.slice(0, from), ...loaded.edits] };
}
